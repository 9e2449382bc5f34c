//! Documents of a project, and passages for its questions: each pair becomes an item to answer. A paraphrase has the passages of
//! its base question, so that both ask the same of the same texts.

use super::Asked;
use super::generate::insert;
use super::given::random;
use super::question::Question;
use crate::App;
use crate::compute::compute;
use crate::failure::{Answered, Failure};
use crate::project::{Project, Settings};
use crate::work::Step;
use rusqlite::{Connection, params};
use saydo_search::{Document, Finder, Passage, Rules, choose};
use saydo_task::Generalization;
use serde::Serialize;
use std::collections::HashSet;

/// How many passages were found, and for how many questions.
#[derive(Debug, Serialize)]
pub(super) struct Found {
    questions: usize,
    passages: usize,
    /// Questions that got fewer than asked for.
    short: usize,
    /// Paraphrases that got the passages of their base question.
    copied: usize,
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
        let (questions, _) = open(db, project.id)?;
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
    let (searched, _) = open(db, project)?;
    let searched: HashSet<i64> = searched.iter().map(|question| question.id).collect();
    let mut found = Found { questions: 0, passages: 0, short: 0, copied: 0 };
    for (question, passages) in questions.iter().zip(passages).filter(|(question, _)| searched.contains(&question.id)) {
        found.add(&settings, passages.len());
        for passage in passages {
            ask(db, project, &settings, question, (passage.entity, passage.text), now)?;
        }
    }
    let (_, paraphrases) = open(db, project)?;
    for question in paraphrases {
        let base = question.derives_from.first().copied().unwrap_or_default();
        let passages = passages_of(db, base)?;
        found.add(&settings, passages.len());
        found.copied += 1;
        for passage in passages {
            ask(db, project, &settings, &question, passage, now)?;
        }
    }
    Ok(found)
}

impl Found {
    fn add(&mut self, settings: &Settings, passages: usize) {
        self.questions += 1;
        self.passages += passages;
        self.short += usize::from(passages < settings.passages as usize);
    }
}

/// Makes an item of a question and a passage: its entity and its text.
fn ask(
    db: &Connection,
    project: i64,
    settings: &Settings,
    question: &Question,
    (entity, passage): (String, String),
    now: i64,
) -> Answered<()> {
    let wanted = if question.kind == "records" { settings.annotators_of_records } else { settings.annotators };
    let asked = Asked {
        question: question.text.clone(),
        kind: question.kind.clone(),
        fields: question.fields.clone(),
        entity,
        passage,
        suggestions: settings.suggestions,
    };
    let payload = serde_json::to_value(asked).map_err(Failure::internal)?;
    insert(db, project, Step::Answer, Some(question.id), &payload, i64::from(wanted), now).map(drop)
}

/// The passages of a question that has some: of each its entity and its text.
fn passages_of(db: &Connection, question: i64) -> Answered<Vec<(String, String)>> {
    let query = "SELECT payload FROM item WHERE question = ?1 AND step = 'answer' AND gold IS NULL ORDER BY id";
    let mut statement = db.prepare_cached(query)?;
    let rows = statement.query_map([question], |row| row.get::<_, String>(0))?;
    let mut passages = Vec::new();
    for row in rows {
        let asked: Asked = serde_json::from_str(&row?).map_err(Failure::internal)?;
        passages.push((asked.entity, asked.passage));
    }
    Ok(passages)
}

/// The questions without passages: those to search for, and paraphrases that take those of their base question.
fn open(db: &Connection, project: i64) -> Answered<(Vec<Question>, Vec<Question>)> {
    let query = "SELECT DISTINCT question FROM item WHERE project = ?1 AND step = 'answer' AND question IS NOT NULL";
    let mut statement = db.prepare_cached(query)?;
    let begun = statement.query_map([project], |row| row.get(0))?.collect::<Result<HashSet<i64>, _>>()?;
    let active = Question::active(db, project)?;
    let bases: HashSet<i64> = active.iter().map(|question| question.id).collect();
    let open = active.into_iter().filter(|question| !begun.contains(&question.id));
    Ok(open.partition(|question| {
        let is_paraphrase = question.generalization == Generalization::Paraphrase.key();
        let has_base = question.derives_from.first().is_some_and(|base| begun.contains(base) || bases.contains(base));
        !(is_paraphrase && has_base)
    }))
}

fn documents(db: &Connection, project: i64) -> Answered<Vec<Document>> {
    let mut statement = db.prepare_cached("SELECT entity, text FROM document WHERE project = ?1 ORDER BY entity")?;
    let rows = statement.query_map([project], |row| Ok(Document { entity: row.get(0)?, text: row.get(1)? }))?;
    Ok(rows.collect::<Result<_, _>>()?)
}
