//! Documents of a project, and passages for its questions: each pair becomes an item to answer.

use super::Asked;
use super::generate::insert;
use super::given::random;
use super::question::Question;
use crate::App;
use crate::compute::compute;
use crate::failure::{Answered, Failure};
use crate::project::Project;
use crate::work::Step;
use rusqlite::{Connection, params};
use saydo_search::{Document, Finder, Passage, Rules, choose};
use serde::Serialize;
use std::collections::HashSet;

/// How many passages were found, and for how many questions.
#[derive(Debug, Serialize)]
pub(super) struct Found {
    questions: usize,
    passages: usize,
    /// Questions that got fewer than asked for.
    short: usize,
}

/// Keeps documents; one with a name that is there already takes its place.
pub(super) fn keep(db: &Connection, project: i64, documents: &[Document]) -> Answered<usize> {
    Project::load(db, project)?;
    let insert = "INSERT INTO document (project, entity, text) VALUES (?1, ?2, ?3)
        ON CONFLICT (project, entity) DO UPDATE SET text = excluded.text";
    for document in documents {
        let entity = document.entity.trim();
        if entity.is_empty() || document.text.trim().is_empty() {
            return Err(Failure::bad("expected a name and a text for every document"));
        }
        db.prepare_cached(insert)?.execute(params![project, entity, document.text])?;
    }
    Ok(documents.len())
}

/// Finds passages for the questions that have none yet, and makes items of them.
pub(super) async fn find(app: &App, project: i64) -> Answered<Found> {
    let gathered = app.store().read(move |db| {
        let project = Project::load(db, project)?;
        let questions = without_passages(db, project.id)?;
        Ok((project.settings, questions, documents(db, project.id)?))
    });
    let (settings, questions, documents) = gathered.await?;
    if documents.is_empty() {
        return Err(Failure::Conflict("there are no documents to search; add some first".to_owned()));
    }
    let rules = Rules { per_question: settings.passages as usize, entity_share: settings.entity_share };
    let (texts, seed) = (questions.iter().map(|question| question.text.clone()).collect::<Vec<_>>(), settings.seed);
    let first = questions.first().map_or(0, |question| question.id as u32);
    let passages = compute(move || search(&documents, &texts, &rules, seed, first)).await?;
    let now = app.now();
    app.store().write(move |db| make_items(db, project, &questions, passages, now)).await
}

fn search(
    documents: &[Document],
    questions: &[String],
    rules: &Rules,
    seed: u32,
    stream: u32,
) -> Answered<Vec<Vec<Passage>>> {
    let finder = Finder::new(documents).map_err(Failure::internal)?;
    let mut random = random(seed, stream);
    let mut below = |most: usize| random.choice_index(most).unwrap_or(0);
    let texts: Vec<&str> = questions.iter().map(String::as_str).collect();
    choose(&finder, &texts, rules, &mut below).map_err(Failure::internal)
}

fn make_items(
    db: &Connection,
    project: i64,
    questions: &[Question],
    passages: Vec<Vec<Passage>>,
    now: i64,
) -> Answered<Found> {
    let settings = Project::load(db, project)?.settings;
    // Somebody else may have found passages for the same questions in the meantime.
    let open: HashSet<i64> = without_passages(db, project)?.iter().map(|question| question.id).collect();
    let mut found = Found { questions: 0, passages: 0, short: 0 };
    for (question, passages) in questions.iter().zip(passages).filter(|(question, _)| open.contains(&question.id)) {
        found.questions += 1;
        found.passages += passages.len();
        found.short += usize::from(passages.len() < settings.passages as usize);
        let wanted = if question.kind == "records" { settings.annotators_of_records } else { settings.annotators };
        for passage in passages {
            let asked = Asked {
                question: question.text.clone(),
                kind: question.kind.clone(),
                fields: question.fields.clone(),
                entity: passage.entity,
                passage: passage.text,
                suggestions: settings.suggestions,
            };
            let payload = serde_json::to_value(asked).map_err(Failure::internal)?;
            insert(db, project, Step::Answer, Some(question.id), &payload, i64::from(wanted), now)?;
        }
    }
    Ok(found)
}

fn without_passages(db: &Connection, project: i64) -> Answered<Vec<Question>> {
    let query = "SELECT DISTINCT question FROM item WHERE project = ?1 AND step = 'answer' AND question IS NOT NULL";
    let mut statement = db.prepare_cached(query)?;
    let begun =
        statement.query_map([project], |row| row.get(0))?.collect::<Result<std::collections::HashSet<i64>, _>>()?;
    Ok(Question::active(db, project)?.into_iter().filter(|question| !begun.contains(&question.id)).collect())
}

fn documents(db: &Connection, project: i64) -> Answered<Vec<Document>> {
    let mut statement = db.prepare_cached("SELECT entity, text FROM document WHERE project = ?1 ORDER BY entity")?;
    let rows = statement.query_map([project], |row| Ok(Document { entity: row.get(0)?, text: row.get(1)? }))?;
    Ok(rows.collect::<Result<_, _>>()?)
}
