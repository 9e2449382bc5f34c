//! The items of the writing steps: who is to write what.

use super::given::random;
use super::question::Question;
use super::write::{Original, Prompted};
use crate::failure::{Answered, Failure};
use crate::project::Project;
use crate::work::Step;
use rusqlite::{Connection, params};
use serde_json::Value;
use std::collections::HashSet;

/// Questions that are offered for composing.
const OFFERED: usize = 3;

/// Makes items for a step: `count` for each domain, or one for each question that has none yet. Gives how many.
pub(super) fn generate(db: &Connection, project: &Project, step: Step, count: usize, now: i64) -> Answered<usize> {
    let questions = Question::active(db, project.id)?;
    let items = match step {
        Step::Base => {
            let domain = |domain: &String| Prompted { domain: domain.clone(), questions: Vec::new() };
            project.settings.domains.iter().flat_map(|name| std::iter::repeat_n(domain(name), count)).collect()
        }
        Step::Compose => composed(db, project, &questions, count)?,
        Step::Paraphrase | Step::Flip | Step::Structure => {
            let begun = begun(db, project.id, step)?;
            let open = questions.iter().filter(|question| question.is_base() && !begun.contains(&question.id));
            open.map(|question| Prompted { domain: question.domain.clone(), questions: vec![original(question)] })
                .collect()
        }
        Step::Answer | Step::Judge | Step::Code | Step::Survey => {
            return Err(Failure::bad(format!("items of the step {} are not made this way", step.name())));
        }
    };
    let items: Vec<Prompted> = items;
    for item in &items {
        let question = item.questions.first().map(|question| question.id);
        let payload = serde_json::to_value(item).map_err(Failure::internal)?;
        insert(db, project.id, step, question.filter(|_| step != Step::Compose), &payload, 1, now)?;
    }
    Ok(items.len())
}

/// Keeps an item.
pub(super) fn insert(
    db: &Connection,
    project: i64,
    step: Step,
    question: Option<i64>,
    payload: &Value,
    wanted: i64,
    now: i64,
) -> Answered<i64> {
    let insert = "INSERT INTO item (project, step, question, payload, wanted, created) VALUES (?1, ?2, ?3, ?4, ?5, ?6)";
    db.prepare_cached(insert)?.execute(params![project, step.name(), question, payload.to_string(), wanted, now])?;
    Ok(db.last_insert_rowid())
}

fn original(question: &Question) -> Original {
    Original { id: question.id, text: question.text.clone(), kind: question.kind.clone() }
}

/// The questions that have an item of this step.
fn begun(db: &Connection, project: i64, step: Step) -> Answered<HashSet<i64>> {
    let query = "SELECT question FROM item WHERE project = ?1 AND step = ?2 AND question IS NOT NULL";
    let mut statement = db.prepare_cached(query)?;
    let rows = statement.query_map(params![project, step.name()], |row| row.get(0))?;
    Ok(rows.collect::<Result<_, _>>()?)
}

/// Three base questions of a domain, drawn for each item.
fn composed(db: &Connection, project: &Project, questions: &[Question], count: usize) -> Answered<Vec<Prompted>> {
    let earlier: u32 = db.query_row("SELECT count(*) FROM item WHERE project = ?1", [project.id], |row| row.get(0))?;
    let mut random = random(project.settings.seed, earlier);
    let mut items = Vec::new();
    for domain in &project.settings.domains {
        let of_domain: Vec<&Question> =
            questions.iter().filter(|question| question.is_base() && question.domain == *domain).collect();
        if of_domain.len() < OFFERED {
            continue;
        }
        for _ in 0..count {
            let mut left = of_domain.clone();
            let mut draw = || {
                let place = random.choice_index(left.len()).expect("at least three questions are left to draw three");
                original(left.remove(place))
            };
            items.push(Prompted { domain: domain.clone(), questions: (0..OFFERED).map(|_| draw()).collect() });
        }
    }
    match items.is_empty() && count > 0 {
        true => Err(Failure::Conflict("composing needs three base questions of a domain".to_owned())),
        false => Ok(items),
    }
}
