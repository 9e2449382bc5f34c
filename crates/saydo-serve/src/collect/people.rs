//! Human performance: people answer a sample of the tasks that models are evaluated on, and are scored by the same code. ZEST's
//! authors had 55 tasks answered, those of Natural Instructions 240 instances.
//!
//! What people answered can be kept as a run like a model's, so that reports show it beside models, and as a row of the
//! leaderboard whose tasks they are. Where several people answered the same, what counts is what they agree on, and failing
//! that what the first one said.

use super::board::{self, Entry};
use super::generate::insert;
use super::given::{Given, random};
use super::state::{AnsweredItem, answered_items};
use crate::compute::compute;
use crate::failure::{Answered, Failure};
use crate::input::{Input, Path};
use crate::project::{Kind, Project, Settings, agreement};
use crate::schema::{self, object};
use crate::work::Step;
use crate::{Access, App, Route};
use axum::Json;
use axum::extract::State;
use axum::http::Method;
use rusqlite::{Connection, params};
use saydo_corpus::{Cell, Status};
use saydo_function::infer;
use saydo_protocol::plan::Options;
use saydo_protocol::record::{data_fingerprint, ledger_path};
use saydo_protocol::score::{Options as Scoring, Scores, reply, score};
use saydo_protocol::zest::{self, Prediction};
use saydo_protocol::{Plan, Protocol, Record, table};
use saydo_task::format::Format;
use saydo_task::source::Source;
use saydo_task::{AnswerKind, Generalization, Task};
use serde::{Deserialize, Serialize};
use serde_json::{Value, json};
use std::collections::{BTreeMap, BTreeSet};
use std::path::PathBuf;

/// Tasks of ZEST that the paper's authors answered.
const ZEST_TASKS: usize = 55;
/// Instances of each task of Natural Instructions that its authors checked.
const NI_INSTANCES: usize = 20;
/// What people are called among models.
const NAME: &str = "people";

pub(super) fn routes() -> Vec<Route> {
    let count = json!({"type": "integer", "minimum": 1, "maximum": 1000});
    let file = object(&["name", "text"], json!({"name": schema::text(200), "text": schema::some_text()}));
    let begin = object(
        &["name"],
        json!({
            "name": schema::text(200),
            "board": {"type": "integer", "minimum": 1, "description": "A leaderboard whose tasks they are"},
            "files": {"type": "array", "minItems": 1, "items": file, "description": "Or task files: ZEST or Natural Instructions"},
            "tasks": count, "instances": count, "annotators": count,
            "seed": {"type": "integer", "minimum": 0, "maximum": u32::MAX},
        }),
    );
    vec![
        Route::api(
            Method::POST,
            "/v1/people",
            Access::Owner,
            "Begins a project in which people answer a test set",
            begin_people,
        )
        .takes(begin),
        Route::api(
            Method::POST,
            "/v1/projects/{id}/people",
            Access::Owner,
            "Keeps what people scored as a run, and on the leaderboard",
            keep,
        ),
    ]
}

/// The tasks that people answer.
#[derive(Debug, Serialize, Deserialize)]
struct Set {
    protocol: Protocol,
    /// Instances of each task; none for all.
    limit: Option<usize>,
    tasks: Vec<Stored>,
}

/// A task in its own format.
#[derive(Debug, Serialize, Deserialize)]
struct Stored {
    id: String,
    text: String,
}

impl Set {
    fn format(&self) -> Format {
        if self.protocol == Protocol::Zest { Format::Zest } else { Format::NaturalInstructions }
    }

    fn load(db: &Connection, project: i64) -> Answered<Self> {
        let query = "SELECT gold FROM task_set WHERE project = ?1";
        let text: String = db.prepare_cached(query)?.query_row([project], |row| row.get(0))?;
        serde_json::from_str(&text).map_err(Failure::internal)
    }

    /// What people are asked, laid out as for a model: the same tasks and instances, in the same order.
    fn plan(&self) -> Answered<Plan> {
        let read = |stored: &Stored| -> Result<Vec<Task>, saydo_task::Error> {
            let source = Source::from_bytes(&PathBuf::from(&stored.id), stored.text.clone().into_bytes())?;
            let tasks = self.format().read(&source).into_tasks()?;
            Ok(tasks.into_iter().map(|task| Task { id: stored.id.clone(), ..task }).collect())
        };
        let tasks = self.tasks.iter().map(read).collect::<Result<Vec<_>, _>>().map_err(Failure::internal)?;
        let settings = saydo_function::Settings::default();
        let options = Options { limit: self.limit, ..Options::new(&settings, NAME) };
        Plan::new(self.protocol, tasks.into_iter().flatten().collect(), &options)
            .map_err(|error| Failure::bad(error.to_string()))
    }
}

#[derive(Deserialize)]
#[serde(deny_unknown_fields)]
struct Begin {
    name: String,
    board: Option<i64>,
    #[serde(default)]
    files: Vec<NamedFile>,
    tasks: Option<usize>,
    instances: Option<usize>,
    annotators: Option<u32>,
    #[serde(default)]
    seed: u32,
}

#[derive(Deserialize)]
#[serde(deny_unknown_fields)]
struct NamedFile {
    name: String,
    text: String,
}

async fn begin_people(State(app): State<App>, Input(begin): Input<Begin>) -> Answered<Json<Value>> {
    let board = begin.board;
    let files = match (board, begin.files.is_empty()) {
        (Some(board), true) => {
            let text = app.store().read(move |db| board::gold(db, board)).await?;
            vec![NamedFile { name: "test.jsonl".to_owned(), text }]
        }
        (None, false) => begin.files,
        _ => return Err(Failure::bad("expected either a leaderboard or task files")),
    };
    let (wanted, instances, seed) = (begin.tasks, begin.instances, begin.seed);
    let sampled = compute(move || {
        let set = sample(&files, wanted, instances, seed)?;
        let payloads = payloads(&set.plan()?);
        Ok((set, payloads))
    });
    let (set, payloads) = sampled.await?;
    let settings = Settings { annotators: begin.annotators.unwrap_or(1), seed, board, ..Settings::default() };
    let (now, tasks, items) = (app.now(), set.tasks.len(), payloads.len());
    let kept = app.store().write(move |db| {
        let project = Project::insert(db, Kind::People, &begin.name, &settings, now)?;
        let text = serde_json::to_string(&set).map_err(Failure::internal)?;
        db.execute("INSERT INTO task_set (project, gold) VALUES (?1, ?2)", params![project, text])?;
        for payload in &payloads {
            insert(db, project, Step::Answer, None, payload, i64::from(settings.annotators), now)?;
        }
        Ok(project)
    });
    Ok(Json(json!({"id": kept.await?, "tasks": tasks, "items": items})))
}

/// Draws tasks; derived ones come with the tasks they are scored together with.
fn sample(files: &[NamedFile], wanted: Option<usize>, instances: Option<usize>, seed: u32) -> Answered<Set> {
    let bad = |error: saydo_task::Error| Failure::bad(format!("the tasks do not read: {error}"));
    let (mut tasks, mut formats) = (Vec::new(), BTreeSet::new());
    for file in files {
        let source = Source::from_bytes(&PathBuf::from(&file.name), file.text.clone().into_bytes()).map_err(bad)?;
        let (format, reading) = Format::read_any(&source).map_err(bad)?;
        formats.insert(format);
        tasks.extend(reading.into_tasks().map_err(bad)?);
    }
    let (protocol, format) = match formats.iter().collect::<Vec<_>>()[..] {
        [Format::Zest] => (Protocol::Zest, Format::Zest),
        [Format::NaturalInstructions] => (Protocol::NaturalInstructions, Format::NaturalInstructions),
        _ => return Err(Failure::bad("expected files of ZEST or of Natural Instructions")),
    };
    let mut ids = BTreeSet::new();
    if let Some(twice) = tasks.iter().find(|task| !ids.insert(task.id.clone())) {
        return Err(Failure::bad(format!("the task {} is there twice", twice.id)));
    }
    let wanted = wanted.unwrap_or(if protocol == Protocol::Zest { ZEST_TASKS } else { usize::MAX });
    let chosen = draw(&tasks, wanted, seed);
    let stored = |task: &Task| Stored { id: task.id.clone(), text: format.write(task).text };
    let tasks = tasks.iter().filter(|task| chosen.contains(task.id.as_str())).map(stored).collect();
    let limit = if protocol == Protocol::Zest { instances } else { Some(instances.unwrap_or(NI_INSTANCES)) };
    Ok(Set { protocol, limit, tasks })
}

fn draw(tasks: &[Task], wanted: usize, seed: u32) -> BTreeSet<&str> {
    let mut random = random(seed, 0);
    let mut left: Vec<&Task> = tasks.iter().collect();
    let mut chosen = BTreeSet::new();
    while chosen.len() < wanted && !left.is_empty() {
        let task = left.remove(random.choice_index(left.len()).unwrap_or(0));
        let is_paired =
            matches!(task.origin.generalization, Some(Generalization::Paraphrase | Generalization::SemanticFlip));
        let bases = task.origin.derives_from.iter().filter(|_| is_paired);
        let known = bases.filter_map(|base| tasks.iter().find(|task| task.id == *base));
        chosen.extend(known.map(|base| base.id.as_str()).chain([task.id.as_str()]));
    }
    chosen
}

/// What people are shown for each sample.
fn payloads(plan: &Plan) -> Vec<Value> {
    let of = |sample: &saydo_protocol::Sample| {
        let source = &plan.sources[sample.task];
        let (kind, fields) = match plan.protocol {
            Protocol::Zest => kind(source),
            _ => ("text", Vec::new()),
        };
        let instruction = match plan.protocol {
            Protocol::Zest => source.definition.clone().unwrap_or_default(),
            _ => instruction(source),
        };
        json!({
            "question": instruction, "kind": kind, "fields": fields, "entity": source.id,
            "passage": plan.instance(sample).input,
        })
    };
    plan.samples.iter().map(of).collect()
}

/// What kind of answer a task of ZEST has, and the fields of its records; its answers tell better than its words.
fn kind(task: &Task) -> (&'static str, Vec<Value>) {
    let outputs = || task.instances.iter().flat_map(|instance| &instance.outputs);
    let records: Vec<serde_json::Map<String, Value>> =
        outputs().filter_map(|text| serde_json::from_str::<Vec<_>>(text).ok()).flatten().collect();
    if !records.is_empty() {
        let mut names: Vec<&String> = Vec::new();
        for name in records.iter().flat_map(|record| record.keys()) {
            if !names.contains(&name) {
                names.push(name);
            }
        }
        let is_yes_no = |name: &str| {
            let mut said = records.iter().filter_map(|record| record.get(name)?.as_str()).peekable();
            said.peek().is_some() && said.all(|text| ["yes", "no", "n/a"].contains(&text.to_lowercase().as_str()))
        };
        let field = |name: &&String| json!({"name": name, "kind": if is_yes_no(name) { "yes-no" } else { "text" }});
        return ("records", names.iter().map(field).collect());
    }
    let is_class = |text: &String| ["yes", "no", "n/a", "na"].contains(&text.trim().to_lowercase().as_str());
    let is_asked = || infer(task.definition.as_deref().unwrap_or_default()).spec.kind == AnswerKind::YesNo;
    let says = outputs().any(|text| ["yes", "no"].contains(&text.trim().to_lowercase().as_str()));
    if outputs().all(is_class) && (says || is_asked()) { ("yes-no", Vec::new()) } else { ("spans", Vec::new()) }
}

/// An instruction of Natural Instructions for people to read.
fn instruction(task: &Task) -> String {
    let parts = [
        ("", &task.title),
        ("", &task.definition),
        ("To avoid: ", &task.things_to_avoid),
        ("Emphasis: ", &task.emphasis),
        ("", &task.prompt),
    ];
    let mut text: Vec<String> =
        parts.into_iter().filter_map(|(name, part)| Some(format!("{name}{}", part.as_ref()?.trim()))).collect();
    for (name, examples) in [("Example", &task.positive), ("Wrong", &task.negative)] {
        text.extend(
            examples.iter().map(|example| format!("{name}: {}\n→ {}", example.input.trim(), example.output.trim())),
        );
    }
    text.join("\n\n")
}

/// What people scored: the answered part of the plan, their answers as replies, and the scores.
struct Outcome {
    plan: Plan,
    cells: Vec<Option<Cell>>,
    scores: Scores,
}

fn outcome(set: &Set, items: &[AnsweredItem]) -> Answered<Option<Outcome>> {
    let mut plan = set.plan()?;
    if plan.samples.len() != items.len() {
        return Err(Failure::internal("a project of people whose items are not its tasks"));
    }
    let said = |item: &AnsweredItem| item.answer().or_else(|| item.answers.first().map(|(_, given)| given.clone()));
    let answered: Vec<(saydo_protocol::Sample, Given)> =
        plan.samples.into_iter().zip(items).filter_map(|(sample, item)| Some((sample, said(item)?))).collect();
    if answered.is_empty() {
        return Ok(None);
    }
    let (samples, given): (Vec<_>, Vec<_>) = answered.into_iter().unzip();
    plan.samples = samples;
    let cells: Vec<Option<Cell>> = given.iter().map(|given| Some(cell(given))).collect();
    let scores = score(&plan, &cells, &Scoring::default()).map_err(|error| Failure::Conflict(error.to_string()))?;
    Ok(Some(Outcome { plan, cells, scores }))
}

fn cell(given: &Given) -> Cell {
    let (status, answer) = match given {
        Given::Na => (Status::Na, Value::Null),
        given => (Status::Ok, Value::from(given.text())),
    };
    Cell {
        status,
        answer,
        spans: Vec::new(),
        confidence: None,
        windows: 1,
        ms: 0,
        ungrounded: 0,
        na_log_odds: None,
        error: None,
    }
}

/// What people scored so far, as a model's tables; none as long as nobody answered.
pub(crate) async fn report(app: &App, project: &Project) -> Answered<Option<Value>> {
    let (set, items) = load(app, project.id).await?;
    compute(move || {
        let Some(outcome) = outcome(&set, &items)? else { return Ok(None) };
        let tasks: BTreeSet<usize> = outcome.plan.samples.iter().map(|sample| sample.task).collect();
        Ok(Some(json!({
            "tasks": tasks.len(),
            "of_tasks": set.tasks.len(),
            "answers": outcome.plan.samples.len(),
            "of_answers": items.len(),
            "agreement": agreement(&items),
            "tables": table::tables(&outcome.scores),
            "notes": outcome.scores.notes,
        })))
    })
    .await
}

async fn load(app: &App, project: i64) -> Answered<(Set, Vec<AnsweredItem>)> {
    app.store().read(move |db| Ok((Set::load(db, project)?, answered_items(db, project)?))).await
}

async fn keep(State(app): State<App>, Path(id): Path<i64>) -> Answered<Json<Value>> {
    let project = app.store().read(move |db| Project::load(db, id)).await?;
    if project.kind != Kind::People {
        return Err(Failure::Conflict("this project collects something else".to_owned()));
    }
    let (set, items) = load(&app, id).await?;
    let runs = app.config().runs.first().cloned();
    let (name, begun) = (format!("{NAME}-{}-{id}", crate::draft::name(&project.name)), project.created);
    let run = name.clone();
    let kept = compute(move || {
        let outcome = outcome(&set, &items)?;
        let outcome = outcome.ok_or_else(|| Failure::Conflict("nobody has answered anything yet".to_owned()))?;
        let folder = runs.map(|runs| runs.join(&run));
        folder.as_deref().map(|folder| write_run(folder, &outcome, begun)).transpose()?;
        let entry = (set.protocol == Protocol::Zest).then(|| entry(&set, &outcome)).transpose()?;
        Ok((folder.is_some(), entry))
    });
    let (is_run, entry) = kept.await?;
    let now = app.now();
    let mut on_board = false;
    if let (Some(board), Some(entry)) = (project.settings.board, entry) {
        app.store().write(move |db| board::keep_people(db, board, NAME, &entry, now)).await?;
        on_board = true;
    }
    Ok(Json(json!({"run": is_run.then_some(name), "board": project.settings.board.filter(|_| on_board)})))
}

/// What people scored, by the same scorer with the same options as the leaderboard's models, on the passages they answered.
fn entry(set: &Set, outcome: &Outcome) -> Answered<Entry> {
    let said: BTreeMap<(&str, usize), String> = (outcome.plan.samples.iter().zip(&outcome.cells))
        .map(|(sample, cell)| {
            let (task, instance) = (outcome.plan.task(sample), outcome.plan.instance(sample));
            let text = cell.as_ref().and_then(reply).unwrap_or_else(|| "n/a".to_owned());
            ((task.id.as_str(), instance.number), text)
        })
        .collect();
    let lines: String = set.tasks.iter().map(|task| task.text.as_str()).collect();
    let (mut records, mut predictions) = (Vec::new(), Vec::new());
    for (mut record, stored) in board::records(&lines)?.into_iter().zip(&set.tasks) {
        let mut answered = Vec::new();
        for (number, example) in record.examples.into_iter().enumerate() {
            if let Some(text) = said.get(&(stored.id.as_str(), number)) {
                predictions.push(Prediction {
                    text: Ok(text.replace(['\r', '\n'], " ")),
                    line: predictions.len() + 1,
                    task: None,
                });
                answered.push(example);
            }
        }
        if !answered.is_empty() {
            record.examples = answered;
            records.push(record);
        }
    }
    let scores = zest::score(&records, &predictions, &board::official());
    scores.map(|scores| Entry::of(&scores)).map_err(|error| Failure::Conflict(error.to_string()))
}

/// Writes a run like a model's; one that is there is replaced.
fn write_run(folder: &std::path::Path, outcome: &Outcome, begun: i64) -> Answered<()> {
    let plan = &outcome.plan;
    let mut record = Record {
        version: env!("CARGO_PKG_VERSION").to_owned(),
        protocol: plan.protocol,
        model: NAME.to_owned(),
        fingerprint: NAME.to_owned(),
        data: vec!["people".to_owned()],
        data_fingerprint: data_fingerprint(plan),
        layouts: plan.layouts.clone(),
        decodings: plan.decodings.clone(),
        chat: false,
        ablation: None,
        seed: 0,
        tasks: plan.tasks.len(),
        samples: plan.samples.len(),
        begun: u64::try_from(begun).unwrap_or(0),
        settings: json!({}),
    };
    let failed = |error: &dyn std::fmt::Display| Failure::Conflict(format!("the run cannot be written: {error}"));
    record.save(folder, plan).map_err(|error| failed(&error))?;
    let path = ledger_path(folder);
    saydo::record::Ledger::set_aside(&path).map_err(|error| failed(&error))?;
    let mut ledger = saydo::record::Ledger::open(&path, &[]).map_err(|error| failed(&error))?;
    for (sample, cell) in plan.samples.iter().zip(&outcome.cells) {
        if let Some(cell) = cell {
            ledger.record(sample.key, cell).map_err(|error| failed(&error))?;
        }
    }
    ledger.sync().map_err(|error| failed(&error))
}
