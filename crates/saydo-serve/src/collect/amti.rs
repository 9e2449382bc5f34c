//! The answering step on a crowd platform: a folder for `amti create-batch`, and the rows of `amti extract tabular` read
//! back. Answers from there count like those from here; each worker is an annotator without a link.

use super::export::File;
use super::given::{Given, Piece};
use super::{Asked, accept};
use crate::draft::DraftField;
use crate::failure::{Answered, Failure};
use crate::identity::Annotator;
use crate::input::{Input, Path};
use crate::project::Project;
use crate::secret;
use crate::work::{Item, Step};
use crate::{Access, App, Route};
use axum::Json;
use axum::extract::State;
use axum::http::Method;
use rusqlite::{Connection, OptionalExtension as _, params};
use serde::Deserialize;
use serde_json::{Map, Value, json};

const TEMPLATE: &str = include_str!("../../assets/amti/question.xml.j2");
const NOTES: &str = "Made by saydo serve. Set the reward and the texts in hittypeproperties.json before you create the batch:\n\
                     amti create-batch definition data.jsonl .\n\
                     Bring the results back with: amti extract tabular BATCH results.jsonl\n";
/// How many rows that were not taken are told.
const MOST_TOLD: usize = 20;

pub(super) fn routes() -> Vec<Route> {
    let rows = json!({
        "type": "object",
        "required": ["rows"],
        "properties": {"rows": {"type": "string", "minLength": 1, "description": "JSON Lines of `amti extract tabular`"}},
        "additionalProperties": false,
    });
    vec![
        Route::api(
            Method::POST,
            "/v1/projects/{id}/import/amti",
            Access::Owner,
            "Takes answers from a crowd platform",
            import,
        )
        .takes(rows),
    ]
}

/// The folder: its definition, and a line of data for each item that lacks answers.
pub(super) fn export(db: &Connection, project: &Project) -> Answered<Vec<File>> {
    let query =
        "SELECT id, payload FROM item WHERE project = ?1 AND step = 'answer' AND gold IS NULL AND answers < wanted
        ORDER BY id";
    let mut statement = db.prepare_cached(query)?;
    let rows = statement.query_map([project.id], |row| Ok((row.get::<_, i64>(0)?, row.get::<_, String>(1)?)))?;
    let mut lines = String::new();
    for row in rows {
        let (item, payload) = row?;
        let mut line: Value = serde_json::from_str(&payload).map_err(Failure::internal)?;
        line["item"] = json!(item);
        lines += &format!("{line}\n");
    }
    if lines.is_empty() {
        return Err(Failure::Conflict("every passage has its answers; there is nothing to send".to_owned()));
    }
    let pretty = |value: Value| format!("{value:#}\n").into_bytes();
    let kind = json!({
        "AutoApprovalDelayInSeconds": 604_800,
        "AssignmentDurationInSeconds": 1800,
        "Reward": "0.10",
        "Title": "Answer a question from a short text",
        "Keywords": "question, answer, reading, text",
        "Description": "Read a short text and answer one question about it.",
    });
    let hit = json!({"MaxAssignments": project.settings.annotators, "LifetimeInSeconds": 604_800});
    Ok(vec![
        ("definition/NOTES".to_owned(), NOTES.into()),
        ("definition/question.xml.j2".to_owned(), TEMPLATE.into()),
        ("definition/hittypeproperties.json".to_owned(), pretty(kind)),
        ("definition/hitproperties.json".to_owned(), pretty(hit)),
        ("data.jsonl".to_owned(), lines.into_bytes()),
    ])
}

#[derive(Deserialize)]
#[serde(deny_unknown_fields)]
struct Rows {
    rows: String,
}

/// What is read of a row; there is more in it.
#[derive(Deserialize)]
struct Row {
    #[serde(rename = "WorkerId")]
    worker: String,
    item: String,
    answer: String,
}

async fn import(State(app): State<App>, Path(id): Path<i64>, Input(rows): Input<Rows>) -> Answered<Json<Value>> {
    let now = app.now();
    app.store()
        .write(move |db| {
            Project::load(db, id)?;
            let (mut taken, mut refused) = (0, Vec::new());
            for (number, line) in rows.rows.lines().enumerate().filter(|(_, line)| !line.trim().is_empty()) {
                match take(db, id, line, now) {
                    Ok(()) => taken += 1,
                    Err(failure @ (Failure::Internal(_) | Failure::Full)) => return Err(failure),
                    Err(failure) => refused.push(json!({"line": number + 1, "reason": failure.message()})),
                }
            }
            let count = refused.len();
            refused.truncate(MOST_TOLD);
            Ok(Json(json!({"taken": taken, "refused": count, "reasons": refused})))
        })
        .await
}

fn take(db: &Connection, project: i64, line: &str, now: i64) -> Answered<()> {
    let row: Row =
        serde_json::from_str(line).map_err(|error| Failure::bad(format!("the row does not fit: {error}")))?;
    let item = row.item.trim().parse().map_err(|_| Failure::bad(format!("{:?} is no item", row.item)))?;
    let item = Item::load(db, project, item)?;
    if item.step != Step::Answer {
        return Err(Failure::bad("the item is not one to answer"));
    }
    let worker = worker(db, project, &row.worker, now)?;
    let answered = "SELECT 1 FROM answer WHERE item = ?1 AND annotator = ?2";
    if db.prepare_cached(answered)?.query_row([item.id, worker.id], |_| Ok(())).optional()?.is_some() {
        return Err(Failure::Conflict("this worker has answered this item already".to_owned()));
    }
    if item.answers >= item.wanted {
        return Err(Failure::Conflict("the item has all its answers".to_owned()));
    }
    let given = given(&row.answer, &Asked::of(&item.payload)?)?;
    let value = accept(db, &item, &worker, serde_json::to_value(given).map_err(Failure::internal)?, None, now)?;
    let insert = "INSERT INTO answer (item, annotator, value, seconds, created) VALUES (?1, ?2, ?3, 0, ?4)";
    db.prepare_cached(insert)?.execute(params![item.id, worker.id, value.to_string(), now])?;
    db.prepare_cached("UPDATE item SET answers = answers + 1 WHERE id = ?1")?.execute([item.id])?;
    Ok(())
}

/// The annotator that stands for a worker: nobody has a link to be them.
fn worker(db: &Connection, project: i64, id: &str, now: i64) -> Answered<Annotator> {
    let name = format!("mturk:{}", id.trim());
    let query = "SELECT id FROM annotator WHERE project = ?1 AND name = ?2";
    let known = db.prepare_cached(query)?.query_row(params![project, name], |row| row.get(0)).optional()?;
    let id = match known {
        Some(id) => id,
        None => {
            let insert = "INSERT INTO annotator (project, name, hash, active, created) VALUES (?1, ?2, ?3, 0, ?4)";
            db.execute(insert, params![project, name, secret::hash(&secret::token()?), now])?;
            db.last_insert_rowid()
        }
    };
    Ok(Annotator { id, project, name })
}

/// What a worker wrote in the form's one field.
fn given(text: &str, asked: &Asked) -> Answered<Given> {
    let text = text.trim();
    Ok(match (text.to_lowercase().as_str(), asked.kind.as_str()) {
        ("n/a" | "na" | "", _) => Given::Na,
        ("yes", "yes-no") => Given::Yes,
        ("no", "yes-no") => Given::No,
        (_, "yes-no") => return Err(Failure::bad(format!("{text:?} is neither yes, no nor n/a"))),
        (_, "records") => {
            let records = text.lines().filter(|line| !line.trim().is_empty()).map(|line| record(line, &asked.fields));
            Given::Records { records: records.collect::<Answered<_>>()? }
        }
        _ => {
            let lines = text.lines().map(str::trim).filter(|line| !line.is_empty());
            Given::Spans { spans: lines.map(|line| piece(line, &asked.passage)).collect::<Answered<_>>()? }
        }
    })
}

fn piece(text: &str, passage: &str) -> Answered<Piece> {
    let at = passage.find(text).ok_or_else(|| Failure::bad(format!("{text:?} does not stand in the passage")))?;
    let start = passage[..at].chars().count();
    Ok(Piece { start, end: start + text.chars().count(), text: text.to_owned() })
}

fn record(line: &str, fields: &[DraftField]) -> Answered<Map<String, Value>> {
    let values: Vec<&str> = line.split('|').map(str::trim).collect();
    if values.len() != fields.len() {
        return Err(Failure::bad(format!("a record of {} values, expected {}", values.len(), fields.len())));
    }
    let value = |text: &str, kind: &str| match text {
        "" => Value::Null,
        text if kind == "yes-no" => Value::from(text.to_lowercase()),
        text => Value::from(text),
    };
    let pair = |(field, text): (&DraftField, &str)| (field.name.clone(), value(text, &field.kind));
    Ok(fields.iter().zip(values).map(pair).collect())
}
