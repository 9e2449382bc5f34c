//! Mapping raw instructions to the schema of Natural Instructions, as its authors did (section 4.2): the template that crowd
//! workers saw is kept, divided into minimal standalone subtasks, each of which one person maps and another verifies; rounds are
//! counted until both agree, and the time of each step is kept.

use super::export::File;
use super::generate::insert;
use crate::draft::Draft;
use crate::failure::{Answered, Failure};
use crate::identity::Annotator;
use crate::input::{Input, Path};
use crate::project::{Kind, Project, Settings};
use crate::schema::{self, object};
use crate::work::{Item, Step};
use crate::{Access, App, Route};
use axum::Json;
use axum::extract::State;
use axum::http::Method;
use rusqlite::{Connection, OptionalExtension as _, Row, params};
use saydo_task::Task;
use saydo_task::format::Format;
use serde::{Deserialize, Serialize};
use serde_json::{Value, json};

/// The longest template, in characters.
const MOST_CHARS: usize = 100_000;
/// Negative examples that the schema asks for.
const LEAST_NEGATIVE: usize = 2;

pub(super) fn routes() -> Vec<Route> {
    let begin = object(&["name", "template"], json!({"name": schema::text(200), "template": schema::text(MOST_CHARS)}));
    let line = json!({"type": "integer", "minimum": 1});
    let subtask = object(
        &["title", "first", "last"],
        json!({"title": schema::text(200), "first": line, "last": line, "parent": {"type": "integer", "minimum": 1}}),
    );
    let owner = Access::Owner;
    vec![
        Route::api(
            Method::POST,
            "/v1/instructions",
            owner,
            "Begins a project that maps a raw instruction",
            begin_mapping,
        )
        .takes(begin),
        Route::api(
            Method::POST,
            "/v1/projects/{id}/subtasks",
            owner,
            "Divides off a subtask: lines of the template",
            add,
        )
        .takes(subtask),
        Route::api(
            Method::DELETE,
            "/v1/projects/{id}/subtasks/{item}",
            owner,
            "Removes a subtask that is not begun",
            remove,
        ),
        Route::api(
            Method::POST,
            "/v1/projects/{id}/mapping",
            owner,
            "Hands out the undivided subtasks for mapping",
            hand_out,
        ),
    ]
}

/// A part of the template that is a task of its own, or is divided further.
#[derive(Debug, Clone, Serialize)]
struct Subtask {
    id: i64,
    parent: Option<i64>,
    title: String,
    /// Its lines in the template, from 1.
    first: i64,
    last: i64,
    #[serde(skip)]
    draft: Option<String>,
    /// How often it was mapped.
    round: i64,
    /// `open`, `mapping`, `verifying` or `agreed`.
    state: String,
}

impl Subtask {
    fn all(db: &Connection, project: i64) -> Answered<Vec<Self>> {
        let query = "SELECT id, parent, title, first, last, draft, round, state FROM subtask WHERE project = ?1
            ORDER BY first, last DESC, id";
        let mut statement = db.prepare_cached(query)?;
        Ok(statement.query_map([project], of_row)?.collect::<Result<_, _>>()?)
    }

    fn load(db: &Connection, project: i64, id: i64) -> Answered<Self> {
        let query =
            "SELECT id, parent, title, first, last, draft, round, state FROM subtask WHERE project = ?1 AND id = ?2";
        let found = db.prepare_cached(query)?.query_row([project, id], of_row).optional()?;
        found.ok_or_else(|| Failure::missing("subtask"))
    }

    /// What whoever maps or verifies is shown.
    fn payload(&self, template: &str) -> Value {
        let lines = template.lines().skip(self.first as usize - 1).take((self.last - self.first) as usize + 1);
        json!({
            "subtask": self.id, "title": self.title, "first": self.first, "last": self.last, "round": self.round,
            "lines": lines.collect::<Vec<_>>().join("\n"), "template": template,
        })
    }
}

fn of_row(row: &Row<'_>) -> rusqlite::Result<Subtask> {
    Ok(Subtask {
        id: row.get(0)?,
        parent: row.get(1)?,
        title: row.get(2)?,
        first: row.get(3)?,
        last: row.get(4)?,
        draft: row.get(5)?,
        round: row.get(6)?,
        state: row.get(7)?,
    })
}

#[derive(Deserialize)]
#[serde(deny_unknown_fields)]
struct Begin {
    name: String,
    template: String,
}

async fn begin_mapping(State(app): State<App>, Input(begin): Input<Begin>) -> Answered<Json<Value>> {
    let found = begin.template.chars().count();
    if begin.template.trim().is_empty() || found > MOST_CHARS {
        return Err(Failure::bad(format!("the template has {found} characters, expected 1 to {MOST_CHARS}")));
    }
    let now = app.now();
    let kept = app.store().write(move |db| {
        let id = Project::insert(db, Kind::Instructions, &begin.name, &Settings::default(), now)?;
        db.execute("INSERT INTO task_set (project, gold) VALUES (?1, ?2)", params![id, begin.template])?;
        Ok(id)
    });
    Ok(Json(json!({"id": kept.await?})))
}

/// The template of a project that maps one.
fn template(db: &Connection, project: i64) -> Answered<String> {
    if Project::load(db, project)?.kind != Kind::Instructions {
        return Err(Failure::Conflict("this project collects something else".to_owned()));
    }
    let query = "SELECT gold FROM task_set WHERE project = ?1";
    Ok(db.prepare_cached(query)?.query_row([project], |row| row.get(0))?)
}

#[derive(Deserialize)]
#[serde(deny_unknown_fields)]
struct Divided {
    title: String,
    first: i64,
    last: i64,
    parent: Option<i64>,
}

async fn add(State(app): State<App>, Path(id): Path<i64>, Input(divided): Input<Divided>) -> Answered<Json<Value>> {
    let kept = app.store().write(move |db| {
        let lines = template(db, id)?.lines().count() as i64;
        let Divided { title, first, last, parent } = divided;
        if title.trim().is_empty() || title.chars().count() > 200 {
            return Err(Failure::bad("expected a title of 1 to 200 characters"));
        }
        let (from, to) = match parent {
            None => (1, lines),
            Some(parent) => {
                let parent = Subtask::load(db, id, parent)?;
                if parent.state != "open" {
                    return Err(Failure::Conflict(
                        "this subtask is being mapped; it is not divided any more".to_owned(),
                    ));
                }
                (parent.first, parent.last)
            }
        };
        if !(from <= first && first <= last && last <= to) {
            return Err(Failure::bad(format!("the lines are {first} to {last}, expected lines from {from} to {to}")));
        }
        let insert = "INSERT INTO subtask (project, parent, title, first, last) VALUES (?1, ?2, ?3, ?4, ?5)";
        db.execute(insert, params![id, parent, title.trim(), first, last])?;
        Ok(db.last_insert_rowid())
    });
    Ok(Json(json!({"id": kept.await?})))
}

async fn remove(State(app): State<App>, Path((id, subtask)): Path<(i64, i64)>) -> Answered<Json<Value>> {
    let gone = app.store().write(move |db| {
        let all = Subtask::all(db, id)?;
        let mut family = vec![subtask];
        while let Some(child) = all
            .iter()
            .find(|one| one.parent.is_some_and(|parent| family.contains(&parent)) && !family.contains(&one.id))
        {
            family.push(child.id);
        }
        if all.iter().any(|one| family.contains(&one.id) && one.state != "open") {
            return Err(Failure::Conflict("this subtask, or one in it, is being mapped".to_owned()));
        }
        Ok(db.execute("DELETE FROM subtask WHERE project = ?1 AND id = ?2", [id, subtask])?)
    });
    if gone.await? == 0 { Err(Failure::missing("subtask")) } else { Ok(Json(json!({"removed": subtask}))) }
}

async fn hand_out(State(app): State<App>, Path(id): Path<i64>) -> Answered<Json<Value>> {
    let now = app.now();
    let made = app.store().write(move |db| {
        let template = template(db, id)?;
        let all = Subtask::all(db, id)?;
        let is_leaf = |one: &&Subtask| all.iter().all(|other| other.parent != Some(one.id));
        let mut made = 0;
        for subtask in all.iter().filter(is_leaf).filter(|one| one.state == "open") {
            insert(db, id, Step::Map, None, &subtask.payload(&template), 1, now)?;
            db.execute("UPDATE subtask SET state = 'mapping' WHERE id = ?1", [subtask.id])?;
            made += 1;
        }
        Ok(made)
    });
    Ok(Json(json!({"items": made.await?})))
}

#[derive(Serialize, Deserialize)]
#[serde(deny_unknown_fields)]
struct Mapped {
    draft: Draft,
}

#[derive(Serialize, Deserialize)]
#[serde(deny_unknown_fields)]
struct Verified {
    agree: bool,
    #[serde(default)]
    comment: String,
}

/// Checks a mapping or a verification and does what follows: what was mapped goes to somebody else, what somebody does not agree
/// with goes back.
pub(super) fn accept(db: &Connection, item: &Item, annotator: &Annotator, value: Value, now: i64) -> Answered<Value> {
    let misfit = |error: serde_json::Error| Failure::bad(format!("the answer does not fit: {error}"));
    let id = item.payload["subtask"].as_i64().ok_or_else(|| Failure::internal("an item without its subtask"))?;
    let template = template(db, item.project)?;
    let of_payload = |more: Value| -> Answered<Value> {
        let mut payload = Subtask::load(db, item.project, id)?.payload(&template);
        payload
            .as_object_mut()
            .into_iter()
            .for_each(|fields| fields.extend(more.as_object().cloned().unwrap_or_default()));
        Ok(payload)
    };
    let (next, payload, value) = if item.step == Step::Map {
        let mapped: Mapped = serde_json::from_value(value).map_err(misfit)?;
        let problems = problems(&mapped.draft);
        if !problems.is_empty() {
            return Err(Failure::bad(format!("the schema asks for more: {}", problems.join("; "))));
        }
        let draft = json!(mapped.draft);
        let update = "UPDATE subtask SET draft = ?2, round = round + 1, state = 'verifying' WHERE id = ?1";
        db.execute(update, params![id, draft.to_string()])?;
        (Step::Verify, of_payload(json!({"draft": draft}))?, json!(mapped))
    } else {
        let verified: Verified = serde_json::from_value(value).map_err(misfit)?;
        if verified.agree {
            db.execute("UPDATE subtask SET state = 'agreed' WHERE id = ?1", [id])?;
            return Ok(json!(verified));
        }
        if verified.comment.trim().chars().count() < 3 {
            return Err(Failure::bad("say what should be different"));
        }
        db.execute("UPDATE subtask SET state = 'mapping' WHERE id = ?1", [id])?;
        let more = json!({"draft": item.payload["draft"], "comment": verified.comment});
        (Step::Map, of_payload(more)?, json!(verified))
    };
    // Nobody verifies their own mapping, nor maps what they found fault with.
    let made = insert(db, item.project, next, None, &payload, 1, now)?;
    db.execute("INSERT INTO item_author (item, annotator) VALUES (?1, ?2)", [made, annotator.id])?;
    Ok(value)
}

/// What the schema's minimal constraints miss in a draft.
pub(super) fn problems(draft: &Draft) -> Vec<String> {
    let mut problems = Vec::new();
    for (name, text) in [("title", &draft.title), ("definition", &draft.definition), ("prompt", &draft.prompt)] {
        if text.trim().is_empty() {
            problems.push(format!("the {name} is empty"));
        }
    }
    if !is_one_sentence(&draft.prompt) {
        problems.push("the prompt is more than one sentence".to_owned());
    }
    if draft.positive.is_empty() {
        problems.push("there is no positive example".to_owned());
    }
    if draft.negative.len() < LEAST_NEGATIVE {
        problems
            .push(format!("there are {} negative examples, expected {LEAST_NEGATIVE} or more", draft.negative.len()));
    }
    for (kind, examples) in [("positive", &draft.positive), ("negative", &draft.negative)] {
        for (number, example) in examples.iter().enumerate() {
            let missing = [
                ("input", example.input.trim().is_empty()),
                ("output", example.output.trim().is_empty()),
                ("reason", example.reason.trim().is_empty()),
                ("suggestion", kind == "negative" && example.suggestion.trim().is_empty()),
            ];
            let named = missing.into_iter().filter(|(_, is_missing)| *is_missing).map(|(name, _)| name);
            problems.extend(named.map(|name| format!("{kind} example {} has no {name}", number + 1)));
        }
    }
    problems
}

/// Whether nothing follows the first end of a sentence.
fn is_one_sentence(text: &str) -> bool {
    let text = text.trim();
    let ends = text.char_indices().filter(|(_, c)| ".?!".contains(*c));
    ends.into_iter().all(|(at, c)| {
        let rest = &text[at + c.len_utf8()..];
        rest.trim().is_empty() || !rest.starts_with(char::is_whitespace)
    }) && !text.contains('\n')
}

/// Where the mapping stands: the template, its tree of subtasks, rounds, and the seconds of each step, as in Table 9.
pub(crate) fn report(db: &Connection, project: i64) -> Answered<Value> {
    let template = template(db, project)?;
    let query = "SELECT i.step, coalesce(sum(a.seconds), 0) FROM item i JOIN answer a ON a.item = i.id
        WHERE i.project = ?1 AND json_extract(i.payload, '$.subtask') = ?2 GROUP BY i.step";
    let mut statement = db.prepare_cached(query)?;
    let mut subtasks = Vec::new();
    let mut effort = [0_i64; 2];
    let all = Subtask::all(db, project)?;
    for subtask in &all {
        let rows =
            statement.query_map([project, subtask.id], |row| Ok((row.get::<_, String>(0)?, row.get::<_, i64>(1)?)))?;
        let mut seconds = json!({"map": 0, "verify": 0});
        for row in rows {
            let (step, spent) = row?;
            effort[usize::from(step == Step::Verify.name())] += spent;
            seconds[step.as_str()] = json!(spent);
        }
        let mut one = json!(subtask);
        one["seconds"] = seconds;
        subtasks.push(one);
    }
    let agreed: Vec<&Subtask> = all.iter().filter(|one| one.state == "agreed").collect();
    let rounds: i64 = agreed.iter().map(|one| one.round).sum();
    let each = |total: i64| (!agreed.is_empty()).then(|| total as f64 / agreed.len() as f64);
    Ok(json!({
        "template": template,
        "subtasks": subtasks,
        "agreed": agreed.len(),
        "rounds_per_subtask": each(rounds),
        "seconds_per_subtask": {"map": each(effort[0]), "verify": each(effort[1])},
    }))
}

/// The subtasks that both agree on, in the format of Natural Instructions, and the template they come from.
pub(super) fn export(db: &Connection, project: i64) -> Answered<Vec<File>> {
    let template = template(db, project)?;
    let mut files = vec![("template.txt".to_owned(), template.into_bytes())];
    for subtask in Subtask::all(db, project)?.iter().filter(|one| one.state == "agreed") {
        let draft: Draft = serde_json::from_str(subtask.draft.as_deref().unwrap_or("{}")).map_err(Failure::internal)?;
        let task = Task { id: format!("subtask{:03}", subtask.id), ..draft.task()? };
        let name = format!("{}_{}.json", task.id, crate::draft::name(&subtask.title));
        files.push((name, Format::NaturalInstructions.write(&task).text.into_bytes()));
    }
    match files.len() {
        1 => Err(Failure::Conflict("no subtask is agreed on yet".to_owned())),
        _ => Ok(files),
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_prompt_is_one_sentence() {
        for one in ["Write a question.", "Is it 3.5 km?", "Write it", ""] {
            assert!(is_one_sentence(one), "{one}");
        }
        for several in ["Write it. Then check.", "What? Say", "Two\nlines"] {
            assert!(!is_one_sentence(several), "{several}");
        }
    }

    #[test]
    fn the_minimal_constraints_are_named() {
        let example = |suggestion: &str| json!({"input": "i", "output": "o", "reason": "r", "suggestion": suggestion});
        let draft = |negative: Value| -> Draft {
            serde_json::from_value(
                json!({"title": "T", "definition": "D", "prompt": "Do it.", "positive": [example("")],
                "negative": negative}),
            )
            .unwrap()
        };
        assert_eq!(problems(&draft(json!([example("s"), example("s")]))), Vec::<String>::new());
        assert_eq!(
            problems(&draft(json!([example("")]))),
            ["there are 1 negative examples, expected 2 or more", "negative example 1 has no suggestion"]
        );
        assert_eq!(problems(&Draft::default()).len(), 5);
    }
}
