//! Judging the Turking Test's outputs: a sheet for each judge, dealt out as `saydo judge --export` deals them, and filled in
//! on the page; what comes out is what `saydo judge` reads. When everything is judged, or when the owner says so, it is kept
//! in the folder of the run, whose report shows it.

use super::export::File;
use crate::compute::compute;
use crate::failure::{Answered, Failure};
use crate::input::{Input, Path};
use crate::project::{Kind, Project, Settings};
use crate::runs;
use crate::work::Step;
use crate::{Access, App, Route, schema};
use axum::Json;
use axum::extract::State;
use axum::http::Method;
use rusqlite::{Connection, params};
use saydo_protocol::Protocol;
use saydo_protocol::record::Opened;
use saydo_protocol::score::{Options, score};
use saydo_protocol::turking::judgement::{Entries, JudgementReport, Judgements, PERSON_PATTERNS, Plan, assign, tally};
use saydo_protocol::turking::{Gold, Outputs, Pattern, judged};
use saydo_task::source::Source;
use serde::{Deserialize, Serialize};
use serde_json::{Value, json};
use std::collections::BTreeMap;
use std::path::PathBuf;

pub(super) fn routes() -> Vec<Route> {
    let begin = json!({
        "type": "object",
        "required": ["name", "run"],
        "properties": {
            "name": schema::text(200),
            "run": {"type": "string", "minLength": 1, "description": "The name of a run of the Turking Test"},
            "per_judge": {"type": "integer", "minimum": 1, "maximum": 10000},
            "overlap": {"type": "number", "minimum": 0, "maximum": 1},
        },
        "additionalProperties": false,
    });
    vec![
        Route::api(
            Method::POST,
            "/v1/judging",
            Access::Owner,
            "Begins a project that judges a run's outputs",
            begin_judging,
        )
        .takes(begin),
        Route::api(
            Method::POST,
            "/v1/projects/{id}/judgements",
            Access::Owner,
            "Keeps the judgements so far with the run, whose report shows them",
            keep_judgements,
        ),
    ]
}

/// A judgement.
#[derive(Debug, Serialize, Deserialize)]
#[serde(deny_unknown_fields)]
struct Judged {
    accurate: bool,
    form_consistent: bool,
    #[serde(default)]
    patterns: Vec<String>,
    #[serde(default)]
    note: String,
}

/// A judgement as it is kept, if it makes sense.
pub(crate) fn checked(value: Value) -> Answered<Value> {
    let judged: Judged =
        serde_json::from_value(value).map_err(|error| Failure::bad(format!("the judgement does not fit: {error}")))?;
    if judged.accurate && !judged.form_consistent {
        return Err(Failure::bad("what is accurate is consistent in form, too"));
    }
    let known: Vec<&str> = patterns().collect();
    if let Some(odd) = judged.patterns.iter().find(|pattern| !known.contains(&pattern.as_str())) {
        return Err(Failure::bad(format!("{odd:?} is no pattern, expected one of: {}", known.join(", "))));
    }
    serde_json::to_value(judged).map_err(Failure::internal)
}

fn patterns() -> impl Iterator<Item = &'static str> {
    Pattern::ALL.into_iter().map(Pattern::name).chain(PERSON_PATTERNS)
}

#[derive(Deserialize)]
#[serde(deny_unknown_fields)]
struct Begin {
    name: String,
    run: String,
    #[serde(default = "fifty")]
    per_judge: usize,
    #[serde(default = "a_tenth")]
    overlap: f64,
}

fn fifty() -> usize {
    Plan::default().per_judge
}

fn a_tenth() -> f64 {
    Plan::default().overlap
}

async fn begin_judging(State(app): State<App>, Input(begin): Input<Begin>) -> Answered<Json<Value>> {
    let found = runs::find(&app, begin.run.clone()).await?;
    let plan = Plan { per_judge: begin.per_judge, overlap: begin.overlap, seed: 0 };
    let sheets = compute(move || deal(&found.folder, &plan)).await?;
    let (now, seats) = (app.now(), sheets.len());
    let settings = Settings { run: Some(begin.run), ..Settings::default() };
    let kept = app.store().write(move |db| {
        let project = Project::insert(db, Kind::Judge, &begin.name, &settings, now)?;
        let insert = "INSERT INTO item (project, step, payload, wanted, seat, created) VALUES (?1, ?2, ?3, 1, ?4, ?5)";
        let mut statement = db.prepare_cached(insert)?;
        for (seat, payloads) in sheets.iter().enumerate() {
            for payload in payloads {
                statement.execute(params![project, Step::Judge.name(), payload.to_string(), seat as i64 + 1, now])?;
            }
        }
        Ok(project)
    });
    Ok(Json(json!({"id": kept.await?, "judges": seats})))
}

/// What each judge is shown.
fn deal(folder: &std::path::Path, plan: &Plan) -> Answered<Vec<Vec<Value>>> {
    let (gold, outputs) = load(folder)?;
    let bad = |error: saydo_protocol::turking::Error| Failure::bad(error.to_string());
    let entries = Entries::open(&gold, &outputs).map_err(bad)?;
    let sheets = assign(&entries, plan).map_err(bad)?;
    let payload = |entry: &&saydo_protocol::turking::judgement::Entry<'_>| {
        json!({
            "entry": entry.id,
            "task": entry.kind().id(),
            "title": entry.kind().name(),
            "instruction": entry.instruction,
            "resource": entry.item.instruction.resource,
            "output": entry.output,
            "patterns": patterns().collect::<Vec<_>>(),
        })
    };
    Ok(sheets.iter().map(|sheet| sheet.entries.iter().map(payload).collect()).collect())
}

fn load(folder: &std::path::Path) -> Answered<(Gold, Outputs)> {
    let bad = |error: saydo_protocol::Error| Failure::bad(format!("the run does not read: {error}"));
    let opened = Opened::load(folder).map_err(bad)?;
    if opened.record.protocol != Protocol::Turking {
        return Err(Failure::bad(format!("it is a run of {}, expected one of turking", opened.record.protocol)));
    }
    let scores = score(&opened.plan, &opened.cells, &Options::default()).map_err(bad)?;
    judged::outputs(&opened, &scores).map_err(bad)
}

async fn keep_judgements(State(app): State<App>, Path(id): Path<i64>) -> Answered<Json<Value>> {
    let project = app.store().read(move |db| Project::load(db, id)).await?;
    if project.kind != Kind::Judge || project.settings.errors {
        return Err(Failure::Conflict("this project collects something else".to_owned()));
    }
    Ok(Json(json!({"kept": keep(&app, &project).await?, "run": project.settings.run})))
}

/// Keeps the judgements in the folder of the run that the owner chose when the project began; gives how many are there now.
async fn keep(app: &App, project: &Project) -> Answered<usize> {
    let files = export(app, project).await?;
    let run = project.settings.run.clone().filter(|_| !files.is_empty());
    let run = run.ok_or_else(|| Failure::Conflict("nobody has judged anything yet".to_owned()))?;
    let found = runs::find(app, run).await?;
    compute(move || {
        let (gold, outputs) = load(&found.folder)?;
        judged::keep(&found.folder, &gold, &outputs, &sources(files)?)
            .map_err(|error| Failure::Conflict(format!("the judgements cannot be kept with the run: {error}")))
    })
    .await
}

/// Keeps the judgements with the run once there is nothing left to judge. Whoever gave the last one is not told if that
/// fails: their judgement is kept here, and the owner can try again.
pub(crate) async fn finish(app: &App, project: i64) {
    let finished = app.store().read(move |db| {
        let project = Project::load(db, project)?;
        let open = "SELECT 1 FROM item WHERE project = ?1 AND answers < wanted LIMIT 1";
        let is_open = db.prepare_cached(open)?.exists([project.id])?;
        Ok((project.kind == Kind::Judge && !is_open).then_some(project))
    });
    let kept = match finished.await {
        Ok(Some(project)) if project.settings.errors => super::errors::keep(app, &project).await.map(Some),
        Ok(Some(project)) => keep(app, &project).await.map(Some),
        Ok(None) => Ok(None),
        Err(failure) => Err(failure),
    };
    let facts = match kept {
        Ok(None) => return,
        Ok(Some(kept)) => json!({"project": project, "kept": kept}),
        Err(failure) => json!({"project": project, "error": failure.message()}),
    };
    app.log().event(app.now(), "judgements", facts);
}

fn sources(files: Vec<File>) -> Answered<Vec<Source>> {
    let source = |(name, bytes): File| Source::from_bytes(&PathBuf::from(name), bytes).map_err(Failure::internal);
    files.into_iter().map(source).collect()
}

/// The sheets as filled in so far, a file of JSON Lines for each judge.
pub(super) async fn export(app: &App, project: &Project) -> Answered<Vec<File>> {
    let id = project.id;
    app.store().read(move |db| sheets(db, id)).await
}

fn sheets(db: &Connection, project: i64) -> Answered<Vec<File>> {
    let query = "SELECT n.name, i.payload, a.value FROM answer a JOIN item i ON i.id = a.item
        JOIN annotator n ON n.id = a.annotator WHERE i.project = ?1 ORDER BY n.id, i.id";
    let mut statement = db.prepare_cached(query)?;
    let mut rows = statement.query([project])?;
    let mut files: BTreeMap<String, String> = BTreeMap::new();
    while let Some(row) = rows.next()? {
        let judge: String = row.get(0)?;
        let payload: Value = serde_json::from_str(&row.get::<_, String>(1)?).map_err(Failure::internal)?;
        let judged: Judged = serde_json::from_str(&row.get::<_, String>(2)?).map_err(Failure::internal)?;
        let yes = |is: bool| if is { "yes" } else { "no" };
        let line = json!({
            "item": payload["entry"],
            "task": payload["task"],
            "instruction": payload["instruction"],
            "resource": payload["resource"],
            "output": payload["output"],
            "judge": judge,
            "accurate": yes(judged.accurate),
            "form_consistent": yes(judged.form_consistent),
            "patterns": judged.patterns.join(", "),
            "note": judged.note,
        });
        *files.entry(judge).or_default() += &format!("{line}\n");
    }
    let name = |number: usize, judge: &str| format!("{:02}-{}.jsonl", number + 1, crate::draft::name(judge));
    let file = |(number, (judge, lines)): (usize, (String, String))| (name(number, &judge), lines.into_bytes());
    Ok(files.into_iter().enumerate().map(file).collect())
}

/// The judgements so far, counted as `saydo judge` counts them; none as long as there are none.
pub(crate) async fn report(app: &App, project: &Project) -> Answered<Option<JudgementReport>> {
    let Some(run) = project.settings.run.clone() else { return Ok(None) };
    let files = export(app, project).await?;
    if files.is_empty() {
        return Ok(None);
    }
    let found = runs::find(app, run).await?;
    compute(move || count(&found.folder, files)).await.map(Some)
}

fn count(folder: &std::path::Path, files: Vec<File>) -> Answered<JudgementReport> {
    let (gold, outputs) = load(folder)?;
    let entries = Entries::open(&gold, &outputs).map_err(|error| Failure::bad(error.to_string()))?;
    let judgements = Judgements::read(&sources(files)?, &entries).map_err(Failure::internal)?;
    Ok(tally(&entries, &judgements, 0))
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn judgements_that_contradict_themselves_are_refused() {
        assert!(checked(json!({"accurate": true, "form_consistent": false})).is_err());
        assert!(checked(json!({"accurate": false, "form_consistent": true, "patterns": ["odd"]})).is_err());
        assert!(
            checked(json!({"accurate": false, "form_consistent": true, "patterns": ["repeats"], "note": "x"})).is_ok()
        );
    }
}
