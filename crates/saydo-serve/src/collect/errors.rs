//! Coding errors: two people sort the same sample of a run's wrong outputs by the protocol's code book, on the judging page.
//! What comes out is what `saydo errors` reads; when everything is coded, or when the owner says so, it is kept in the folder
//! of the run, whose report shows it.

use super::export::File;
use crate::compute::compute;
use crate::failure::{Answered, Failure};
use crate::input::{Input, Path};
use crate::project::{Kind, Project, Settings};
use crate::runs;
use crate::work::{Item, Step};
use crate::{Access, App, Route, schema};
use axum::Json;
use axum::extract::State;
use axum::http::Method;
use rusqlite::Connection;
use saydo_protocol::coding::{self, Coded, CodingReport};
use saydo_protocol::record::Opened;
use saydo_protocol::score::{Options, score};
use serde::{Deserialize, Serialize};
use serde_json::{Value, json};
use std::collections::HashMap;

/// Most errors of a sample.
const MOST: usize = 10_000;

pub(super) fn routes() -> Vec<Route> {
    let begin = json!({
        "type": "object",
        "required": ["name", "run"],
        "properties": {
            "name": schema::text(200),
            "run": {"type": "string", "minLength": 1, "description": "The name of a run"},
            "sample": {"type": "integer", "minimum": 1, "maximum": MOST, "description": "Default: as many as the paper sorted"},
            "coders": {"type": "integer", "minimum": 1, "maximum": 20},
            "seed": {"type": "integer", "minimum": 0, "maximum": u32::MAX},
            "suggestions": {"type": "boolean", "description": "Show a model's code, if one has coded the run"},
        },
        "additionalProperties": false,
    });
    vec![
        Route::api(
            Method::POST,
            "/v1/coding",
            Access::Owner,
            "Begins a project that sorts a run's errors",
            begin_coding,
        )
        .takes(begin),
        Route::api(
            Method::POST,
            "/v1/projects/{id}/codes",
            Access::Owner,
            "Keeps the codes so far with the run, whose report shows them",
            keep_codes,
        ),
    ]
}

#[derive(Deserialize)]
#[serde(deny_unknown_fields)]
struct Begin {
    name: String,
    run: String,
    sample: Option<usize>,
    #[serde(default = "two")]
    coders: u32,
    #[serde(default)]
    seed: u32,
    #[serde(default)]
    suggestions: bool,
}

fn two() -> u32 {
    2
}

/// A code as an annotator sends it.
#[derive(Debug, Serialize, Deserialize)]
#[serde(deny_unknown_fields)]
struct Given {
    code: String,
    #[serde(default)]
    note: String,
}

async fn begin_coding(State(app): State<App>, Input(begin): Input<Begin>) -> Answered<Json<Value>> {
    let found = runs::find(&app, begin.run.clone()).await?;
    let (sample, seed, suggestions) = (begin.sample, begin.seed, begin.suggestions);
    let payloads = compute(move || payloads(&found.folder, sample, seed, suggestions)).await?;
    if payloads.is_empty() {
        return Err(Failure::bad("the run has no wrong output to sort"));
    }
    let (now, count) = (app.now(), payloads.len());
    let settings = Settings {
        run: Some(begin.run),
        errors: true,
        annotators: begin.coders,
        suggestions,
        seed,
        ..Settings::default()
    };
    let kept = app.store().write(move |db| {
        let project = Project::insert(db, Kind::Judge, &begin.name, &settings, now)?;
        for payload in &payloads {
            super::generate::insert(db, project, Step::Code, None, payload, i64::from(settings.annotators), now)?;
        }
        Ok(project)
    });
    Ok(Json(json!({"id": kept.await?, "errors": count})))
}

/// What each coder is shown. A model's code stands there only if the owner wants it.
fn payloads(folder: &std::path::Path, size: Option<usize>, seed: u32, suggestions: bool) -> Answered<Vec<Value>> {
    let opened = load(folder)?;
    let bad = |error: saydo_protocol::Error| Failure::bad(format!("the run does not read: {error}"));
    let scores = score(&opened.plan, &opened.cells, &Options::default()).map_err(bad)?;
    let size = size.unwrap_or_else(|| coding::papers_size(opened.record.protocol)).min(MOST);
    let book = coding::book(opened.record.protocol);
    let kept = if suggestions { coding::kept(&opened).map_err(bad)? } else { Vec::new() };
    let suggested: HashMap<&str, &str> =
        kept.iter().filter(|coded| coded.by_model).map(|coded| (coded.item.as_str(), coded.code.as_str())).collect();
    let payload = |item: coding::Item| {
        json!({
            "entry": item.id,
            "task": item.task,
            "prompt": item.prompt,
            "gold": item.gold,
            "output": item.output,
            "codes": book.codes,
            "origin": book.origin,
            "suggestion": suggested.get(item.id.as_str()),
        })
    };
    Ok(coding::sample(&opened, &scores, size, seed).into_iter().map(payload).collect())
}

fn load(folder: &std::path::Path) -> Answered<Opened> {
    Opened::load(folder).map_err(|error| Failure::bad(format!("the run does not read: {error}")))
}

/// A code as it is kept, if the item has it.
pub(crate) fn checked(item: &Item, value: Value) -> Answered<Value> {
    let given: Given =
        serde_json::from_value(value).map_err(|error| Failure::bad(format!("the code does not fit: {error}")))?;
    let codes = item.payload["codes"].as_array();
    let known: Vec<&str> = codes.into_iter().flatten().filter_map(|code| code["name"].as_str()).collect();
    if !known.contains(&given.code.as_str()) {
        return Err(Failure::bad(format!("{:?} is no code, expected one of: {}", given.code, known.join(", "))));
    }
    serde_json::to_value(given).map_err(Failure::internal)
}

async fn keep_codes(State(app): State<App>, Path(id): Path<i64>) -> Answered<Json<Value>> {
    let project = app.store().read(move |db| Project::load(db, id)).await?;
    if !project.settings.errors {
        return Err(Failure::Conflict("this project collects something else".to_owned()));
    }
    Ok(Json(json!({"kept": keep(&app, &project).await?, "run": project.settings.run})))
}

/// Keeps the codes in the folder of the run that the owner chose when the project began; gives how many are there now.
pub(super) async fn keep(app: &App, project: &Project) -> Answered<usize> {
    let id = project.id;
    let codes = app.store().read(move |db| codes(db, id)).await?;
    let run = project.settings.run.clone().filter(|_| !codes.is_empty());
    let run = run.ok_or_else(|| Failure::Conflict("nobody has sorted anything yet".to_owned()))?;
    let found = runs::find(app, run).await?;
    compute(move || {
        coding::keep(&load(&found.folder)?, codes)
            .map_err(|error| Failure::Conflict(format!("the codes cannot be kept with the run: {error}")))
    })
    .await
}

/// The codes so far.
fn codes(db: &Connection, project: i64) -> Answered<Vec<Coded>> {
    let query = "SELECT n.name, i.payload, a.value FROM answer a JOIN item i ON i.id = a.item
        JOIN annotator n ON n.id = a.annotator WHERE i.project = ?1 ORDER BY n.id, i.id";
    let mut statement = db.prepare_cached(query)?;
    let mut rows = statement.query([project])?;
    let mut all = Vec::new();
    while let Some(row) = rows.next()? {
        let payload: Value = serde_json::from_str(&row.get::<_, String>(1)?).map_err(Failure::internal)?;
        let given: Given = serde_json::from_str(&row.get::<_, String>(2)?).map_err(Failure::internal)?;
        let item = payload["entry"].as_str().unwrap_or_default().to_owned();
        all.push(Coded { item, coder: row.get(0)?, code: given.code, note: given.note, by_model: false });
    }
    Ok(all)
}

/// The codes as `saydo errors` reads them.
pub(super) async fn export(app: &App, project: i64) -> Answered<Vec<File>> {
    let all = app.store().read(move |db| codes(db, project)).await?;
    let lines: String = all.iter().map(|coded| format!("{}\n", json!(coded))).collect();
    Ok(vec![("codes.jsonl".to_owned(), lines.into_bytes())])
}

/// The codes so far, counted as `saydo errors` counts them; none as long as there are none.
pub(crate) async fn report(app: &App, project: &Project) -> Answered<Option<CodingReport>> {
    let (id, run) = (project.id, project.settings.run.clone());
    let codes = app.store().read(move |db| codes(db, id)).await?;
    let Some(run) = run.filter(|_| !codes.is_empty()) else { return Ok(None) };
    let found = runs::find(app, run).await?;
    compute(move || {
        let opened = load(&found.folder)?;
        let tasks =
            opened.plan.samples.iter().map(|sample| (sample.key.to_string(), opened.plan.task(sample).id.clone()));
        Ok(coding::tally(&coding::book(opened.record.protocol), &codes, &tasks.collect(), 0))
    })
    .await
    .map(Some)
}
