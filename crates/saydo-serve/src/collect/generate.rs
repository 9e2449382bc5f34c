//! The items of the writing steps: who is to write what.

use super::export::PARTS;
use super::given::random;
use super::part;
use super::question::Question;
use super::write::{Original, Prompted};
use crate::failure::{Answered, Failure};
use crate::project::Project;
use crate::work::Step;
use rusqlite::{Connection, params};
use saydo_metrics::python::Random;
use serde::Serialize;
use serde_json::Value;
use std::collections::HashSet;

/// Questions that are offered for composing.
const OFFERED: usize = 3;
/// Draws for an item that somebody could do who wrote none of its questions, at most.
const REDRAWN: usize = 20;

/// What was made.
#[derive(Debug, Serialize)]
pub(super) struct Made {
    items: usize,
    /// Where base questions are, in train, dev and test; only where they have been split.
    #[serde(skip_serializing_if = "Option::is_none")]
    base: Option<[usize; 3]>,
    /// Parts of a domain with too few base questions to compose from.
    #[serde(skip_serializing_if = "Vec::is_empty")]
    too_few: Vec<String>,
}

/// Makes items for a step: `count` for each domain, or one for each question that has none yet. Every step but the first
/// splits the base questions that are not split yet.
pub(super) fn generate(db: &Connection, project: &Project, step: Step, count: usize, now: i64) -> Answered<Made> {
    let mut made = Made { items: 0, base: None, too_few: Vec::new() };
    if matches!(step, Step::Paraphrase | Step::Flip | Step::Compose | Step::Structure) {
        made.base = Some(part::assign(db, project.id, project.settings.seed)?.base);
    }
    let questions = Question::active(db, project.id)?;
    let items = match step {
        Step::Base => {
            let domain = |domain: &String| Prompted { domain: domain.clone(), questions: Vec::new() };
            project.settings.domains.iter().flat_map(|name| std::iter::repeat_n(domain(name), count)).collect()
        }
        Step::Compose => composed(db, project, &questions, count, &mut made.too_few)?,
        Step::Paraphrase | Step::Flip | Step::Structure => {
            let begun = begun(db, project.id, step)?;
            let open = questions.iter().filter(|question| question.is_base() && !begun.contains(&question.id));
            open.map(|question| Prompted { domain: question.domain.clone(), questions: vec![original(question)] })
                .collect()
        }
        Step::Answer | Step::Judge | Step::Code | Step::Survey | Step::Map | Step::Verify => {
            return Err(Failure::bad(format!("items of the step {} are not made this way", step.name())));
        }
    };
    let items: Vec<Prompted> = items;
    for item in &items {
        let question = item.questions.first().map(|question| question.id);
        let payload = serde_json::to_value(item).map_err(Failure::internal)?;
        let id = insert(db, project.id, step, question.filter(|_| step != Step::Compose), &payload, 1, now)?;
        item.questions.iter().try_for_each(|question| keep_from_author(db, project.id, id, question.id))?;
    }
    Ok(Made { items: items.len(), ..made })
}

/// Whoever wrote a question does not vary it.
fn keep_from_author(db: &Connection, project: i64, item: i64, question: i64) -> Answered<()> {
    let insert = "INSERT OR IGNORE INTO item_author (item, annotator) SELECT ?1, n.id FROM annotator n
        JOIN question q ON q.project = n.project AND q.author = n.name WHERE n.project = ?2 AND q.id = ?3";
    db.prepare_cached(insert)?.execute([item, project, question])?;
    Ok(())
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

/// Three base questions of a domain and part, drawn for each item; the parts get their share of the items.
fn composed(
    db: &Connection,
    project: &Project,
    questions: &[Question],
    count: usize,
    too_few: &mut Vec<String>,
) -> Answered<Vec<Prompted>> {
    let earlier: u32 = db.query_row("SELECT count(*) FROM item WHERE project = ?1", [project.id], |row| row.get(0))?;
    let mut random = random(project.settings.seed, earlier);
    let people = people(db, project.id)?;
    let mut items = Vec::new();
    for domain in &project.settings.domains {
        let of_part = |part: &str| -> Vec<&Question> {
            let is_it = |question: &&Question| {
                question.is_base() && question.domain == *domain && question.part.as_deref() == Some(part)
            };
            questions.iter().filter(is_it).collect()
        };
        let parts: Vec<(&str, Vec<&Question>)> = PARTS.into_iter().map(|part| (part, of_part(part))).collect();
        let (able, unable): (Vec<_>, Vec<_>) = parts.into_iter().partition(|(_, found)| found.len() >= OFFERED);
        too_few.extend(unable.iter().map(|(part, found)| format!("{domain}, {part}: {} base questions", found.len())));
        let shares = shares(count, &able.iter().map(|(_, found)| found.len()).collect::<Vec<_>>());
        for ((_, found), share) in able.iter().zip(shares) {
            for _ in 0..share {
                let mut drawn = draw(found, &mut random);
                // Where somebody could do it who wrote none of the three, somebody can.
                for _ in 0..REDRAWN {
                    if people.iter().any(|name| drawn.iter().all(|question| question.author != *name)) {
                        break;
                    }
                    drawn = draw(found, &mut random);
                }
                items.push(Prompted { domain: domain.clone(), questions: drawn.into_iter().map(original).collect() });
            }
        }
    }
    match items.is_empty() && count > 0 {
        true => Err(Failure::Conflict(
            "composing needs three base questions of a domain in the same part of the data (train, dev or test)"
                .to_owned(),
        )),
        false => Ok(items),
    }
}

/// The names of those who are given work.
fn people(db: &Connection, project: i64) -> Answered<Vec<String>> {
    let mut statement = db.prepare_cached("SELECT name FROM annotator WHERE project = ?1 AND active AND pooled")?;
    let rows = statement.query_map([project], |row| row.get(0))?;
    Ok(rows.collect::<Result<_, _>>()?)
}

/// Three different questions.
fn draw<'q>(questions: &[&'q Question], random: &mut Random) -> Vec<&'q Question> {
    let mut left = questions.to_vec();
    let mut one =
        || left.remove(random.choice_index(left.len()).expect("at least three questions are left to draw three"));
    (0..OFFERED).map(|_| one()).collect()
}

/// A number divided in proportion to sizes: whole parts first, what is left to the largest remainders.
fn shares(count: usize, sizes: &[usize]) -> Vec<usize> {
    let total: usize = sizes.iter().sum::<usize>().max(1);
    let mut shares: Vec<usize> = sizes.iter().map(|size| count * size / total).collect();
    let mut places: Vec<usize> = (0..sizes.len()).collect();
    places.sort_by_key(|place| std::cmp::Reverse(count * sizes[*place] % total));
    let left = if sizes.is_empty() { 0 } else { count - shares.iter().sum::<usize>() };
    places.into_iter().take(left).for_each(|place| shares[place] += 1);
    shares
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn items_are_shared_out_by_size_and_none_is_lost() {
        assert_eq!(shares(10, &[8, 2, 10]), [4, 1, 5]);
        assert_eq!(shares(3, &[4, 5]), [1, 2]);
        assert_eq!(shares(1, &[4, 5]), [0, 1]);
        assert_eq!(shares(5, &[]), Vec::<usize>::new());
    }
}
