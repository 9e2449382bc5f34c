//! How a project was collected, for the data card of a release; and the release itself.

use super::export::{Collected, File};
use super::near::near;
use super::question::Question;
use super::state::{AnsweredItem, answered_items};
use crate::failure::{Answered, Failure};
use crate::project::{self, Project};
use rusqlite::Connection;
use saydo_protocol::release::{Collection, PARTS, Release};

/// What is known of how a project was collected.
pub(super) fn collection(db: &Connection, project: &Project, collected: &Collected) -> Answered<Collection> {
    let settings = &project.settings;
    let items = answered_items(db, project.id)?;
    let questions = Question::all(db, project.id)?;
    let one = |query: &str| Ok::<_, Failure>(db.query_row(query, [project.id], |row| row.get::<_, Option<i64>>(0))?);
    let of_answers = "FROM answer a JOIN item i ON i.id = a.item WHERE i.project = ?1 AND i.gold IS NULL";
    let ends =
        [one(&format!("SELECT min(a.created) {of_answers}"))?, one(&format!("SELECT max(a.created) {of_answers}"))?];
    let count = |found: Option<i64>| found.and_then(|count| usize::try_from(count).ok()).unwrap_or(0);
    let steps = project::steps(db, project)?;
    let cost = steps.iter().filter_map(|step| step.cost).reduce(|sum, cost| sum + cost);
    let collection = Collection {
        period: ends[0].zip(ends[1]).map(|(first, last)| [first, last]),
        documents: count(one("SELECT count(*) FROM document WHERE project = ?1")?),
        workers: count(one(&format!("SELECT count(DISTINCT a.annotator) {of_answers}"))?),
        annotators: [settings.annotators as usize, settings.annotators_of_records as usize],
        passages: settings.passages as usize,
        entity_share: settings.entity_share,
        qualification: settings.requirements.in_words(settings.qualification),
        suggestions: settings.suggestions,
        steps,
        agreement: project::agreement(&items),
        decided: items.iter().filter(|item: &&AnsweredItem| item.decided.is_some()).count(),
        left_out: collected.left_out,
        ambiguous: collected.ambiguous,
        near_duplicates: near(&questions).len(),
        cost,
    };
    Ok(collection.rounded())
}

/// The folder of a release.
pub(super) fn release(project: &Project, collected: Collected, collection: Collection) -> Answered<Vec<File>> {
    let mut release = Release {
        name: project.name.clone(),
        license: project.settings.license.clone(),
        collection: Some(collection),
        ..Release::default()
    };
    for task in collected.tasks {
        let part = collected.parts.get(&task.id).and_then(|part| PARTS.iter().position(|name| name == part));
        let part = part.ok_or_else(|| Failure::internal("a task without a part"))?;
        release.parts[part].push(task);
    }
    release.files().map_err(|error| Failure::Conflict(format!("this cannot be released: {error}")))
}
