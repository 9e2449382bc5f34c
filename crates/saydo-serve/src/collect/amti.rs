//! Every step on a crowd platform: folders for `amti create-batch` with what workers must have shown, and the rows of `amti
//! extract tabular` read back. Answers from there count like those from here; each worker is an annotator without a link.

mod qualification;

use super::export::File;
use super::given::{Given, Piece};
use super::{Asked, accept, kind_of};
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
use std::collections::BTreeMap;

const ANSWER: &str = include_str!("../../assets/amti/question.xml.j2");
const WRITE: &str = include_str!("../../assets/amti/write.xml.j2");
const NOTES: &str = "Made by saydo serve: a folder for each step. Look at the reward and the texts in\n\
                     STEP/definition/hittypeproperties.json, then create the batch:\n\
                     amti create-batch STEP/definition STEP/data.jsonl .\n\
                     Bring the results back with: amti extract tabular BATCH results.jsonl\n\
                     A test for workers, if there is one: amti create-qualificationtype qualification/definition .\n\
                     Write its id into the project's settings and export again. pool.csv lists the workers you keep.\n";
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

/// A folder for `amti create-batch` for each step with open items, a qualification test, and the pool.
pub(super) fn export(db: &Connection, project: &Project) -> Answered<Vec<File>> {
    let batches = batches(db, project.id)?;
    if batches.is_empty() {
        return Err(Failure::Conflict("every item has its answers; there is nothing to send".to_owned()));
    }
    let mut files = vec![("NOTES".to_owned(), NOTES.into())];
    for (Batch { name, step, lacking, .. }, lines) in batches {
        let file = |path: &str, bytes: Vec<u8>| (format!("{name}/{path}"), bytes);
        let hit = json!({"MaxAssignments": lacking, "LifetimeInSeconds": 604_800});
        files.extend([
            file("definition/NOTES", NOTES.into()),
            file("definition/question.xml.j2", if step == Step::Answer { ANSWER.into() } else { WRITE.into() }),
            file("definition/hittypeproperties.json", pretty(&hit_type(project, step, name.contains("records")))),
            file("definition/hitproperties.json", pretty(&hit)),
            file("data.jsonl", lines.into_bytes()),
        ]);
    }
    files.extend(qualification::test(db, project)?);
    files.push(("pool.csv".to_owned(), pool(db, project.id)?.into_bytes()));
    Ok(files)
}

/// Items that go into one folder: all want the same number of people.
#[derive(PartialEq, Eq, PartialOrd, Ord)]
struct Batch {
    step: Step,
    name: String,
    lacking: i64,
}

fn batches(db: &Connection, project: i64) -> Answered<BTreeMap<Batch, String>> {
    let query = "SELECT id, step, payload, wanted, wanted - answers FROM item
        WHERE project = ?1 AND gold IS NULL AND answers < wanted ORDER BY id";
    let mut statement = db.prepare_cached(query)?;
    let mut rows = statement.query([project])?;
    let mut batches: BTreeMap<Batch, String> = BTreeMap::new();
    while let Some(row) = rows.next()? {
        let step = Step::named(&row.get::<_, String>(1)?)?;
        let (wanted, lacking): (i64, i64) = (row.get(3)?, row.get(4)?);
        let mut line: Value = serde_json::from_str(&row.get::<_, String>(2)?).map_err(Failure::internal)?;
        let is_records = line["kind"] == "records";
        line["item"] = json!(row.get::<_, i64>(0)?);
        line["step"] = json!(step.name());
        let kind = if is_records { "-records" } else { "" };
        // Items that have some answers already want fewer, and a batch wants as many for each of its items.
        let rest = if lacking < wanted { format!("-{lacking}-more") } else { String::new() };
        let name = format!("{}{kind}{rest}", step.name());
        *batches.entry(Batch { step, name, lacking }).or_default() += &format!("{line}\n");
    }
    Ok(batches)
}

fn pretty(value: &Value) -> Vec<u8> {
    format!("{value:#}\n").into_bytes()
}

/// Title, description and keywords of a step's work, and the reward where none is set: what ZEST paid for one of the ten
/// questions of an assignment.
fn offered(step: Step, is_records: bool) -> [&'static str; 4] {
    match step {
        Step::Base => {
            ["Write a question", "Write a question that can be asked of many texts.", "writing, question", "0.06"]
        }
        Step::Paraphrase => {
            ["Rewrite a question", "Ask the same question in other words.", "writing, question", "0.07"]
        }
        Step::Flip => {
            ["Change a question a little", "Change the meaning of a question a little.", "writing, question", "0.08"]
        }
        Step::Compose => {
            ["Join two questions", "Write one question that asks for two things.", "writing, question", "0.08"]
        }
        Step::Structure => {
            ["Ask for records", "Extend a question to ask for several fields.", "writing, question", "0.15"]
        }
        _ if is_records => {
            ["Answer a question with records", "Read a short text and fill in a table.", "reading, table", "0.10"]
        }
        _ => [
            "Answer a question from a short text",
            "Read a short text and answer one question.",
            "reading, question",
            "0.08",
        ],
    }
}

fn hit_type(project: &Project, step: Step, is_records: bool) -> Value {
    let [title, description, keywords, usual] = offered(step, is_records);
    let reward = project.settings.rewards.get(step.name());
    json!({
        "AutoApprovalDelayInSeconds": 604_800,
        "AssignmentDurationInSeconds": 1800,
        "Reward": reward.map_or_else(|| usual.to_owned(), |reward| format!("{reward:.2}")),
        "Title": title,
        "Keywords": keywords,
        "Description": description,
        "QualificationRequirements": qualification::requirements(&project.settings.requirements),
    })
}

/// The workers that the owner keeps in the pool, in the form that `amti associate-qual --file` reads.
fn pool(db: &Connection, project: i64) -> Answered<String> {
    let query = "SELECT name FROM annotator WHERE project = ?1 AND pooled AND name LIKE 'mturk:%' ORDER BY id";
    let mut statement = db.prepare_cached(query)?;
    let names = statement.query_map([project], |row| row.get::<_, String>(0))?;
    let mut text = "WorkerId\n".to_owned();
    for name in names {
        text += &format!("{}\n", name?.trim_start_matches("mturk:"));
    }
    Ok(text)
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
    #[serde(default)]
    answer: String,
    #[serde(default)]
    question: String,
    #[serde(default)]
    picked: String,
    #[serde(default)]
    fields: String,
    #[serde(rename = "AcceptTime", default)]
    accepted: String,
    #[serde(rename = "SubmitTime", default)]
    submitted: String,
}

/// A line that is read, with the kind of answer that its question asks for, if it is one.
type Read = (usize, Answered<(Row, Option<&'static str>)>);

async fn import(State(app): State<App>, Path(id): Path<i64>, Input(rows): Input<Rows>) -> Answered<Json<Value>> {
    let now = app.now();
    let mut read: Vec<Read> = Vec::new();
    for (number, line) in rows.rows.lines().enumerate().filter(|(_, line)| !line.trim().is_empty()) {
        let row =
            serde_json::from_str::<Row>(line).map_err(|error| Failure::bad(format!("the row does not fit: {error}")));
        let row = match row {
            Ok(row) if row.question.trim().is_empty() => Ok((row, None)),
            Ok(row) => kind_of(&row.question).await.map(|kind| (row, Some(kind))),
            Err(failure) => Err(failure),
        };
        read.push((number + 1, row));
    }
    app.store()
        .write(move |db| {
            Project::load(db, id)?;
            let (mut taken, mut refused) = (0, Vec::new());
            for (number, row) in read {
                match row.and_then(|(row, kind)| one(db, id, &row, kind, now)) {
                    Ok(()) => taken += 1,
                    Err(failure @ (Failure::Internal(_) | Failure::Full)) => return Err(failure),
                    Err(failure) => refused.push(json!({"line": number, "reason": failure.message()})),
                }
            }
            let count = refused.len();
            refused.truncate(MOST_TOLD);
            Ok(Json(json!({"taken": taken, "refused": count, "reasons": refused})))
        })
        .await
}

/// Takes a row; one that is refused leaves nothing.
fn one(db: &Connection, project: i64, row: &Row, kind: Option<&'static str>, now: i64) -> Answered<()> {
    db.execute_batch("SAVEPOINT imported")?;
    let taken = take(db, project, row, kind, now);
    let end = if taken.is_ok() { "RELEASE imported" } else { "ROLLBACK TO imported; RELEASE imported" };
    db.execute_batch(end)?;
    taken
}

fn take(db: &Connection, project: i64, row: &Row, kind: Option<&'static str>, now: i64) -> Answered<()> {
    let item = row.item.trim().parse().map_err(|_| Failure::bad(format!("{:?} is no item", row.item)))?;
    let item = Item::load(db, project, item)?;
    let worker = worker(db, project, &row.worker, now)?;
    let is_in = |query: &str| Answered::Ok(db.prepare_cached(query)?.exists([item.id, worker.id])?);
    if is_in("SELECT 1 FROM answer WHERE item = ?1 AND annotator = ?2")? {
        return Err(Failure::Conflict("this worker has answered this item already".to_owned()));
    }
    if is_in("SELECT 1 FROM item_author WHERE item = ?1 AND annotator = ?2")? {
        return Err(Failure::Conflict("this worker wrote what the item starts from".to_owned()));
    }
    if item.answers >= item.wanted {
        return Err(Failure::Conflict("the item has all its answers".to_owned()));
    }
    let value = match item.step {
        Step::Answer => {
            serde_json::to_value(given(&row.answer, &Asked::of(&item.payload)?)?).map_err(Failure::internal)?
        }
        _ => written(row)?,
    };
    let value = accept(db, &item, &worker, value, kind, now)?;
    let seconds = seconds(&row.accepted, &row.submitted).unwrap_or(0);
    let insert = "INSERT INTO answer (item, annotator, value, seconds, created) VALUES (?1, ?2, ?3, ?4, ?5)";
    db.prepare_cached(insert)?.execute(params![item.id, worker.id, value.to_string(), seconds, now])?;
    db.prepare_cached("UPDATE item SET answers = answers + 1 WHERE id = ?1")?.execute([item.id])?;
    Ok(())
}

/// What a worker wrote in the form of a writing step.
fn written(row: &Row) -> Answered<Value> {
    if row.question.trim().is_empty() {
        return Err(Failure::bad("the row has no question"));
    }
    let mut value = json!({"question": row.question});
    if !row.picked.trim().is_empty() {
        let ids: Result<Vec<i64>, _> = row.picked.split(',').map(|id| id.trim().parse()).collect();
        value["picked"] = json!(ids.map_err(|_| Failure::bad(format!("{:?} are no questions", row.picked)))?);
    }
    let lines = row.fields.lines().filter(|line| !line.trim().is_empty());
    let field = |line: &str| {
        let (name, kind) = line.rsplit_once(':').unwrap_or((line, "span"));
        json!({"name": name.trim(), "kind": kind.trim()})
    };
    let fields: Vec<Value> = lines.map(field).collect();
    if !fields.is_empty() {
        value["fields"] = json!(fields);
    }
    Ok(value)
}

/// The seconds between two moments in ISO 8601 of the same offset; none if they are none, or if nothing lies between.
fn seconds(from: &str, to: &str) -> Option<i64> {
    let moment = |text: &str| -> Option<i64> {
        let number = |range: std::ops::Range<usize>| text.get(range)?.parse::<i64>().ok();
        let (year, month, day) = (number(0..4)?, number(5..7)?, number(8..10)?);
        // Days since a year that begins in March, so that the leap day comes last.
        let (year, month) = if month < 3 { (year - 1, month + 9) } else { (year, month - 3) };
        let days = 365 * year + year / 4 - year / 100 + year / 400 + (153 * month + 2) / 5 + day;
        Some(((days * 24 + number(11..13)?) * 60 + number(14..16)?) * 60 + number(17..19)?)
    };
    Some(moment(to)? - moment(from)?).filter(|seconds| (1..=86_400).contains(seconds))
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

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn times_are_told_from_moments() {
        assert_eq!(seconds("2018-07-13T23:59:50-07:00", "2018-07-14T00:00:20-07:00"), Some(30));
        assert_eq!(seconds("2020-02-28T23:59:59+00:00", "2020-03-01T00:00:00+00:00"), None, "longer than a day");
        assert_eq!(seconds("2020-02-28T23:59:59+00:00", "2020-02-29T00:00:00+00:00"), Some(1));
        assert_eq!(seconds("", "2020-02-29T00:00:00"), None);
    }

    #[test]
    fn what_workers_write_in_a_form_is_read() {
        let row: Row = serde_json::from_value(json!({
            "WorkerId": "W", "item": "3", "question": "Which trail?", "picked": "4, 6", "fields": "trail: span\n\ndogs : yes-no\nplace",
        }))
        .unwrap();
        assert_eq!(
            written(&row).unwrap(),
            json!({"question": "Which trail?", "picked": [4, 6], "fields": [
                {"name": "trail", "kind": "span"}, {"name": "dogs", "kind": "yes-no"}, {"name": "place", "kind": "span"},
            ]})
        );
    }
}
