//! A leaderboard: prediction files for a hidden test set, scored by the official scorer and ranked.
//!
//! The gold stays here: whoever takes part gets the tasks without answers, and of their own predictions no more than the
//! numbers of the ranking. A file is checked before it counts against the day's limit. Models are ranked by the official
//! overall score, C@90 averaged over the types of generalization; ties go by the mean. Each is compared with the next one by
//! both numbers, over the tasks they have in common.

use super::export::{self, File};
use crate::compute::compute;
use crate::failure::{Answered, Failure};
use crate::identity::Visitor;
use crate::input::{Input, Path};
use crate::project::{Kind, Project, Settings};
use crate::schema::{self, object};
use crate::{Access, App, Route, page};
use axum::extract::State;
use axum::http::{Method, header};
use axum::response::{IntoResponse as _, Response};
use axum::{Extension, Json};
use minijinja::context;
use rusqlite::{Connection, params};
use saydo_protocol::Mode;
use saydo_protocol::zest::{
    CompetenceInterval, Error, Options, Prediction, PredictionFormat, Repairs, Side, Standing, ZestScores, quirk,
    read_predictions, score,
};
use saydo_task::Task;
use saydo_task::format::Format;
use saydo_task::format::zest::{Record, read_records};
use saydo_task::node::Value as Node;
use saydo_task::source::Source;
use serde::{Deserialize, Serialize};
use serde_json::{Value, json};
use std::collections::BTreeMap;

/// The longest name of a submission, in characters.
const MOST_NAME: usize = 100;
const DAY: i64 = 86_400;
/// Seeds the intervals and the comparisons, which are the same whoever looks.
const SEED: u64 = 0;

pub(super) fn routes() -> Vec<Route> {
    let begin = object(
        &["name"],
        json!({
            "name": schema::text(200),
            "gold": {"type": "string", "minLength": 1, "description": "Test tasks with answers: ZEST JSON Lines"},
            "project": {"type": "integer", "minimum": 1, "description": "Or a project whose test part it is"},
            "per_day": {"type": "integer", "minimum": 1, "maximum": 1000},
        }),
    );
    let submission = object(
        &["name", "predictions"],
        json!({
            "name": schema::text(MOST_NAME),
            "predictions": {"type": "string", "minLength": 1, "description": "A prediction per passage, in the order of the test file"},
            "format": {"enum": ["text", "jsonl", "csv"]},
        }),
    );
    let (get, post) = (Method::GET, Method::POST);
    let (owner, only) = (Access::Owner, Access::Annotator);
    vec![
        Route::page("/board", only, board_page),
        Route::api(post.clone(), "/v1/boards", owner, "Begins a leaderboard over a hidden test set", begin_board)
            .takes(begin),
        Route::api(get.clone(), "/v1/projects/{id}/board", owner, "A leaderboard's table", owners_table),
        Route::api(
            Method::DELETE,
            "/v1/projects/{id}/submissions/{item}",
            owner,
            "Takes a submission off a leaderboard",
            remove,
        ),
        Route::api(get.clone(), "/v1/board", only, "The table of the leaderboard one takes part in", table),
        Route::api(get, "/v1/board/test", only, "The test tasks without answers", test_tasks)
            .gives("application/jsonlines"),
        Route::api(
            post,
            "/v1/board/submissions",
            only,
            "Submits predictions; what cannot be scored does not count",
            submit,
        )
        .takes(submission),
    ]
}

/// What a submission scored, as it is kept.
#[derive(Debug, Clone, Serialize, Deserialize)]
pub(super) struct Entry {
    /// Mean, C@75 and C@90 of each type of generalization.
    rows: BTreeMap<String, [f64; 3]>,
    /// The unweighted mean of the rows: the last one is the official score.
    average: [f64; 3],
    /// 95% intervals of the average.
    interval: Option<[[f64; 2]; 3]>,
    passages: usize,
    standing: Standing,
}

impl Entry {
    pub(super) fn of(scores: &ZestScores) -> Self {
        let ends = |interval: &CompetenceInterval| [interval.mean, interval.at_75, interval.at_90];
        Self {
            rows: scores.official.rows.0.iter().map(|(name, row)| (name.clone(), row.cells())).collect(),
            average: scores.official.average.cells(),
            interval: scores.intervals.as_ref().and_then(|rows| rows.get("average")).map(ends),
            passages: scores.n_predictions_needed,
            standing: Standing::of(scores),
        }
    }
}

/// The official scorer; only where it would stop at the gold itself (a question's first word, no base task), it goes on.
pub(super) fn official() -> Options {
    let repairs = Repairs::NONE.with(quirk::FIRST_WORD).with(quirk::NO_BASE).with(quirk::SURPLUS);
    Options { repairs, seed: SEED as u32, ..Options::from(Mode::Strict) }
}

#[derive(Deserialize)]
#[serde(deny_unknown_fields)]
struct Begin {
    name: String,
    gold: Option<String>,
    project: Option<i64>,
    per_day: Option<u32>,
}

async fn begin_board(State(app): State<App>, Input(begin): Input<Begin>) -> Answered<Json<Value>> {
    let gold = match (begin.gold, begin.project) {
        (Some(gold), None) => gold,
        (None, Some(project)) => test_part(&app, project).await?,
        _ => return Err(Failure::bad("expected either test tasks or a project")),
    };
    let checked = compute(move || {
        let (tasks, passages) = check_gold(&gold)?;
        Ok((gold, tasks, passages))
    });
    let (gold, tasks, passages) = checked.await?;
    let defaults = Settings::default();
    let settings = Settings { per_day: begin.per_day.unwrap_or(defaults.per_day), ..defaults };
    let now = app.now();
    let kept = app.store().write(move |db| {
        let id = Project::insert(db, Kind::Board, &begin.name, &settings, now)?;
        db.execute("INSERT INTO task_set (project, gold) VALUES (?1, ?2)", params![id, gold])?;
        Ok(id)
    });
    Ok(Json(json!({"id": kept.await?, "tasks": tasks, "passages": passages})))
}

/// The test tasks of a project that was collected here.
async fn test_part(app: &App, project: i64) -> Answered<String> {
    let collected = app.store().write(move |db| {
        let found = Project::load(db, project)?;
        if found.kind != Kind::Zest {
            return Err(Failure::Conflict("this project collects something else".to_owned()));
        }
        super::part::assign(db, project, found.settings.seed)?;
        export::collected(db, project)
    });
    let collected = collected.await?;
    let test = collected.tasks.iter().filter(|task| collected.part(task) == Some("test"));
    let lines: String = test.map(|task| Format::Zest.write(task).text).collect();
    match lines.is_empty() {
        true => Err(Failure::Conflict("no test question has all its answers yet".to_owned())),
        false => Ok(lines),
    }
}

/// Whether every passage has an answer that can be scored; gives the numbers of tasks and passages.
fn check_gold(gold: &str) -> Answered<(usize, usize)> {
    let bad = |reason: String| Failure::bad(format!("these are no test tasks: {reason}"));
    let records = records(gold).map_err(|failure| bad(failure.message()))?;
    let mut predictions = Vec::new();
    for record in &records {
        for example in &record.examples {
            let text = match &example.answer {
                Some(Node::String(text)) => text.clone(),
                Some(Node::Array(several)) => match several.first().map(|first| &first.value) {
                    Some(Node::String(text)) => text.clone(),
                    _ => return Err(bad(format!("line {} holds an answer that is no text", record.line))),
                },
                _ => return Err(bad(format!("line {} lacks an answer", record.line))),
            };
            predictions.push(Prediction { text: Ok(text), line: 1, task: None });
        }
    }
    if predictions.is_empty() {
        return Err(bad("there is no passage".to_owned()));
    }
    score(&records, &predictions, &Options { intervals: false, ..official() })
        .map_err(|error| bad(error.to_string()))?;
    Ok((records.len(), predictions.len()))
}

/// The tasks as their lines stand.
pub(super) fn records(gold: &str) -> Answered<Vec<Record>> {
    let source = Source::from_bytes(std::path::Path::new("test.jsonl"), gold.as_bytes().to_vec());
    source.and_then(|source| read_records(&source)).map_err(|error| Failure::bad(error.to_string()))
}

fn gold_of(db: &Connection, project: &Project) -> Answered<String> {
    if project.kind != Kind::Board {
        return Err(Failure::Conflict("this project is no leaderboard".to_owned()));
    }
    let query = "SELECT gold FROM task_set WHERE project = ?1";
    Ok(db.prepare_cached(query)?.query_row([project.id], |row| row.get(0))?)
}

/// The gold of a leaderboard.
pub(super) fn gold(db: &Connection, id: i64) -> Answered<String> {
    gold_of(db, &Project::load(db, id)?)
}

/// The tasks without their answers, in the order that predictions follow.
pub(super) fn unanswered(gold: &str) -> Answered<String> {
    let source = Source::from_bytes(std::path::Path::new("test.jsonl"), gold.as_bytes().to_vec());
    let tasks = source.and_then(|source| Format::Zest.read(&source).into_tasks()).map_err(Failure::internal)?;
    let line = |mut task: Task| {
        for instance in &mut task.instances {
            instance.outputs.clear();
            instance.all_answers.clear();
        }
        Format::Zest.write(&task).text
    };
    Ok(tasks.into_iter().map(line).collect())
}

async fn test_tasks(State(app): State<App>, Extension(visitor): Extension<Visitor>) -> Answered<Response> {
    let id = visitor.annotator()?.project;
    let gold = app.store().read(move |db| gold(db, id)).await?;
    let lines = compute(move || unanswered(&gold)).await?;
    let disposition = "attachment; filename=\"test_unanswered.jsonl\"";
    Ok(([(header::CONTENT_TYPE, "application/jsonlines"), (header::CONTENT_DISPOSITION, disposition)], lines)
        .into_response())
}

#[derive(Deserialize)]
#[serde(deny_unknown_fields)]
struct Submission {
    name: String,
    predictions: String,
    #[serde(default)]
    format: Written,
}

/// How predictions are written.
#[derive(Debug, Clone, Copy, Default, Deserialize)]
#[serde(rename_all = "lowercase")]
enum Written {
    #[default]
    Text,
    Jsonl,
    Csv,
}

async fn submit(
    State(app): State<App>,
    Extension(visitor): Extension<Visitor>,
    Input(submission): Input<Submission>,
) -> Answered<Json<Value>> {
    let (annotator, now) = (visitor.annotator()?.clone(), app.now());
    let name = submission.name.trim().to_owned();
    if name.is_empty() || name.chars().count() > MOST_NAME {
        return Err(Failure::bad(format!("expected a name of 1 to {MOST_NAME} characters")));
    }
    let id = annotator.project;
    let gold = app.store().read(move |db| {
        let project = Project::load(db, id)?;
        let gold = gold_of(db, &project)?;
        left(db, &project, annotator.id, now)?;
        Ok(gold)
    });
    let gold = gold.await?;
    let predictions = submission.predictions.clone();
    let entry = compute(move || score_file(&gold, &predictions, submission.format)).await?;
    let (average, scores) = (entry.average, serde_json::to_string(&entry).map_err(Failure::internal)?);
    let kept = app.store().write(move |db| {
        // Counted again where nothing comes between: two files sent at once are two.
        let left = left(db, &Project::load(db, id)?, annotator.id, now)?;
        let insert = "INSERT INTO submission (project, annotator, name, predictions, scores, created)
            VALUES (?1, ?2, ?3, ?4, ?5, ?6)";
        db.execute(insert, params![id, annotator.id, name, submission.predictions, scores, now])?;
        Ok((db.last_insert_rowid(), left - 1))
    });
    let (submission, left) = kept.await?;
    Ok(Json(json!({"submission": submission, "average": average, "left_today": left})))
}

/// How many files a person may still send today (UTC); an error if none.
fn left(db: &Connection, project: &Project, annotator: i64, now: i64) -> Answered<i64> {
    let query = "SELECT count(*) FROM submission WHERE project = ?1 AND annotator = ?2 AND created >= ?3";
    let today = now - now.rem_euclid(DAY);
    let sent: i64 = db.prepare_cached(query)?.query_row([project.id, annotator, today], |row| row.get(0))?;
    let most = i64::from(project.settings.per_day);
    match most - sent {
        left @ 1.. => Ok(left),
        _ => Err(Failure::Conflict(format!(
            "you have sent {sent} files today, the most for a day; send the next one tomorrow"
        ))),
    }
}

/// Scores a file of predictions; what is wrong with it is said without a word of the gold.
fn score_file(gold: &str, text: &str, format: Written) -> Answered<Entry> {
    let records = records(gold)?;
    let needed: usize = records.iter().map(|record| record.examples.len()).sum();
    let format = match format {
        Written::Text => PredictionFormat::Text,
        Written::Jsonl => PredictionFormat::JsonLines,
        Written::Csv => PredictionFormat::Csv,
    };
    let options = official();
    let predictions = read_predictions(text, format, options.repairs).map_err(refused)?;
    if predictions.len() != needed {
        let found = predictions.len();
        return Err(Failure::bad(format!(
            "the file has {found} predictions, expected {needed}: one for each passage, in the order of the test file"
        )));
    }
    Ok(Entry::of(&score(&records, &predictions, &options).map_err(refused)?))
}

fn refused(error: Error) -> Failure {
    match error {
        Error::Answer { place, fault } if fault.side == Side::Gold => {
            Failure::internal(format!("gold that cannot be scored: {place}: {fault}"))
        }
        error => Failure::bad(format!("the file was not counted: {error}")),
    }
}

/// A submission in the table.
#[derive(Debug, Serialize)]
struct Listed {
    id: i64,
    rank: usize,
    name: String,
    /// Who sent it; none for the owner's, such as people.
    by: Option<String>,
    created: i64,
    tasks: usize,
    passages: usize,
    rows: BTreeMap<String, [f64; 3]>,
    average: [f64; 3],
    interval: Option<[[f64; 2]; 3]>,
    /// How far it is ahead of the next one: by the mean, and by C@90.
    next: Option<Value>,
}

fn listed(found: Vec<Found>) -> Vec<Listed> {
    let mut found = found;
    let by = |a: &Found, b: &Found, column: usize| b.entry.average[column].total_cmp(&a.entry.average[column]);
    found.sort_by(|a, b| by(a, b, 2).then(by(a, b, 0)).then(a.id.cmp(&b.id)));
    let gap = |place: usize| {
        let (own, next) = (&found.get(place)?.entry.standing, &found.get(place + 1)?.entry.standing);
        Some(json!({"mean": own.gap(next, None, SEED), "at_90": own.gap(next, Some(0.9), SEED)}))
    };
    let gaps: Vec<Option<Value>> = (0..found.len()).map(gap).collect();
    let one = |((place, found), next): ((usize, Found), Option<Value>)| Listed {
        id: found.id,
        rank: place + 1,
        name: found.name,
        by: found.by,
        created: found.created,
        tasks: found.entry.standing.tasks.len(),
        passages: found.entry.passages,
        rows: found.entry.rows,
        average: found.entry.average,
        interval: found.entry.interval,
        next,
    };
    found.into_iter().enumerate().zip(gaps).map(one).collect()
}

/// A submission as it is kept.
struct Found {
    id: i64,
    name: String,
    by: Option<String>,
    created: i64,
    entry: Entry,
}

fn submissions(db: &Connection, project: i64) -> Answered<Vec<Found>> {
    let query = "SELECT s.id, s.name, n.name, s.created, s.scores FROM submission s
        LEFT JOIN annotator n ON n.id = s.annotator WHERE s.project = ?1 ORDER BY s.id";
    let mut statement = db.prepare_cached(query)?;
    let mut rows = statement.query([project])?;
    let mut found = Vec::new();
    while let Some(row) = rows.next()? {
        let entry = serde_json::from_str(&row.get::<_, String>(4)?).map_err(Failure::internal)?;
        found.push(Found { id: row.get(0)?, name: row.get(1)?, by: row.get(2)?, created: row.get(3)?, entry });
    }
    Ok(found)
}

/// The table of a leaderboard.
async fn board(app: &App, id: i64) -> Answered<Value> {
    let read = app.store().read(move |db| {
        let project = Project::load(db, id)?;
        let gold = gold_of(db, &project)?;
        Ok((project, gold, submissions(db, id)?))
    });
    let (project, gold, found) = read.await?;
    compute(move || {
        let records = records(&gold)?;
        let passages: usize = records.iter().map(|record| record.examples.len()).sum();
        Ok(json!({
            "name": project.name, "tasks": records.len(), "passages": passages, "per_day": project.settings.per_day,
            "entries": listed(found),
        }))
    })
    .await
}

async fn owners_table(State(app): State<App>, Path(id): Path<i64>) -> Answered<Json<Value>> {
    Ok(Json(board(&app, id).await?))
}

async fn table(State(app): State<App>, Extension(visitor): Extension<Visitor>) -> Answered<Json<Value>> {
    let (annotator, now) = (visitor.annotator()?.clone(), app.now());
    let mut shown = board(&app, annotator.project).await?;
    let left = app.store().read(move |db| {
        let project = Project::load(db, annotator.project)?;
        Ok(left(db, &project, annotator.id, now).unwrap_or(0))
    });
    shown["left_today"] = json!(left.await?);
    Ok(Json(shown))
}

async fn remove(State(app): State<App>, Path((id, submission)): Path<(i64, i64)>) -> Answered<Json<Value>> {
    let delete = "DELETE FROM submission WHERE id = ?2 AND project = ?1";
    let gone = app.store().write(move |db| Ok(db.execute(delete, [id, submission])?)).await?;
    if gone == 0 { Err(Failure::missing("submission")) } else { Ok(Json(json!({"removed": submission}))) }
}

/// Puts what people scored on a leaderboard, in place of what they scored before.
pub(super) fn keep_people(db: &Connection, board: i64, name: &str, entry: &Entry, now: i64) -> Answered<()> {
    gold(db, board)?;
    let scores = serde_json::to_string(entry).map_err(Failure::internal)?;
    db.execute("DELETE FROM submission WHERE project = ?1 AND annotator IS NULL AND name = ?2", params![board, name])?;
    let insert = "INSERT INTO submission (project, name, predictions, scores, created) VALUES (?1, ?2, '', ?3, ?4)";
    db.execute(insert, params![board, name, scores, now])?;
    Ok(())
}

/// Whether somebody's project is a leaderboard, which has a page of its own.
pub(crate) fn is_board(db: &Connection, project: i64) -> Answered<bool> {
    Ok(Project::load(db, project)?.kind == Kind::Board)
}

async fn board_page(State(app): State<App>, Extension(visitor): Extension<Visitor>) -> Answered<Response> {
    let id = visitor.annotator()?.project;
    let project = app.store().read(move |db| Project::load(db, id)).await?;
    page::render(&app, &visitor, "board.html", context! { project => project.name })
}

/// The table and every submission's predictions.
pub(super) async fn export(app: &App, id: i64) -> Answered<Vec<File>> {
    let table = board(app, id).await?;
    let predictions = app.store().read(move |db| {
        let mut statement =
            db.prepare_cached("SELECT id, predictions FROM submission WHERE project = ?1 ORDER BY id")?;
        let rows = statement.query_map([id], |row| Ok((row.get::<_, i64>(0)?, row.get::<_, String>(1)?)))?;
        Ok(rows.collect::<Result<Vec<_>, _>>()?)
    });
    let file = |(id, text): (i64, String)| (format!("predictions/{id:04}.txt"), text.into_bytes());
    let files = predictions.await?.into_iter().filter(|(_, text)| !text.is_empty()).map(file);
    Ok(std::iter::once(("board.json".to_owned(), format!("{table:#}\n").into_bytes())).chain(files).collect())
}
