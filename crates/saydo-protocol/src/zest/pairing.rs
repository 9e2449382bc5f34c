//! What each task contributes to the official result.
//!
//! Rules Z24 and Z25 of docs/metrics.md: paraphrases and semantic flips count only as far as their base task is
//! done too; compositions and output structures count on their own.

use saydo_task::format::zest::Record;
use saydo_task::node::Value;

use super::competence::Rows;
use super::error::Error;
use super::python_text::{equal, to_text};
use super::repair::{Repairs, quirk};
use super::task_score::{Outcome, TaskScore};

/// The generalization type of base tasks.
pub(super) const BASE: &str = "normal";

/// How a task's value comes about.
enum Kind {
    Base,
    Alone,
    Paired,
    Unknown,
}

impl Kind {
    fn of(category: &str) -> Self {
        match category {
            BASE => Kind::Base,
            "combination" | "structure" => Kind::Alone,
            "paraphrase" | "target_semantics" => Kind::Paired,
            _ => Kind::Unknown,
        }
    }
}

/// Fills in each task's official value, and says which values are not what the paper would count.
pub(super) fn pair(records: &[Record], tasks: &mut [TaskScore], repairs: Repairs) -> Result<Vec<String>, Error> {
    let bases = Bases::new(records, tasks);
    if bases.0.is_empty() && !repairs.has(quirk::NO_BASE) {
        return Err(Error::NoBaseTask);
    }
    let mut warnings = Vec::new();
    for (record, task) in records.iter().zip(tasks) {
        let Outcome::Scored(task) = &mut task.outcome else { continue };
        task.official = match Kind::of(&task.category) {
            Kind::Base | Kind::Alone => Some(task.f1),
            Kind::Paired if bases.0.is_empty() => {
                warnings.push(format!("task {}: no base task in the file, counted unpaired", to_text(&record.id)));
                Some(task.f1)
            }
            Kind::Paired => bases.of(record, repairs)?.map(|base| base.min(task.f1)),
            Kind::Unknown if repairs.has(quirk::NO_BASE) => {
                let (id, found) = (to_text(&record.id), &task.category);
                warnings.push(format!("task {id}: unknown generalization type `{found}`, counted unpaired"));
                Some(task.f1)
            }
            Kind::Unknown => {
                let found = task.category.clone();
                let is_left_out = bases.of(record, repairs)?.is_none();
                is_left_out.then_some(()).ok_or(Error::UnknownType { task: to_text(&record.id), found })?;
                None
            }
        };
    }
    Ok(warnings)
}

/// The values of each row: the other types in the order of their first contribution, then the base tasks.
pub(super) fn official_values(tasks: &[TaskScore]) -> Rows<Vec<f64>> {
    let mut rows: Rows<Vec<f64>> = Rows::default();
    let mut base = Vec::new();
    for task in tasks.iter().filter_map(TaskScore::scored) {
        match (task.official, task.category.as_str()) {
            (None, _) => {}
            (Some(value), BASE) => base.push(value),
            (Some(value), category) => rows.entry(category).push(value),
        }
    }
    if !base.is_empty() {
        rows.0.push((BASE.to_owned(), base));
    }
    rows
}

/// The base tasks of the file: id and F1.
struct Bases<'a>(Vec<(&'a Value, f64)>);

impl<'a> Bases<'a> {
    fn new(records: &'a [Record], tasks: &[TaskScore]) -> Self {
        let scored = records.iter().zip(tasks).filter_map(|(record, task)| Some((&record.id, task.scored()?)));
        Bases(scored.filter(|(_, task)| task.category == BASE).map(|(id, task)| (id, task.f1)).collect())
    }

    fn with_id(&self, id: &Value) -> Vec<f64> {
        self.0.iter().filter(|(base, _)| same_id(base, id)).map(|(_, f1)| *f1).collect()
    }

    /// The F1 of the base of a derived task; none if no base is in the file.
    ///
    /// Of several bases the reference takes the last, and it crashes if the very last id is not in the file while
    /// another is, or if an id is there twice (Q14). Repaired: the least F1 of all that are found.
    fn of(&self, record: &Record, repairs: Repairs) -> Result<Option<f64>, Error> {
        if repairs.has(quirk::BASES) {
            return Ok(record.derives_from.iter().flat_map(|id| self.with_id(id)).reduce(f64::min));
        }
        let (mut last, mut missing) = (None, None);
        for id in &record.derives_from {
            match self.with_id(id).as_slice() {
                [] => missing = Some(id),
                [f1] => (last, missing) = (Some(*f1), None),
                several => {
                    let (task, base) = (to_text(&record.id), to_text(id));
                    return Err(Error::RepeatedBase { task, base, found: several.len() });
                }
            }
        }
        match missing.filter(|_| last.is_some()) {
            Some(id) => Err(Error::LaterBaseMissing { task: to_text(&record.id), base: to_text(id) }),
            None => Ok(last),
        }
    }
}

/// Ids are compared as Python compares scalars, except that null and `NaN` equal nothing.
fn same_id(a: &Value, b: &Value) -> bool {
    let has_identity = |id: &Value| match id {
        Value::Float(number) => !number.is_nan(),
        Value::Bool(_) | Value::Integer(_) | Value::String(_) => true,
        Value::Null | Value::Array(_) | Value::Object(_) => false,
    };
    has_identity(a) && equal(a, b)
}

#[cfg(test)]
mod tests;
