//! Splits that hold out tasks by what they are: at random within categories, or by category, dataset or id; and the
//! Natural Instructions paper's own (section 4 there).

use super::random::Random;
use super::{Kind, Split, tasks};
use crate::dataset::Dataset;
use crate::format::natural_instructions::{CATEGORIES, EVALUATION_TASKS, category_of, dataset_of, subtask_number};
use crate::{Error, Task};
use std::collections::{BTreeMap, BTreeSet, HashSet};

impl Split {
    /// Holds out `per_category` tasks of each category, all of them where there are no more. Tasks without a category
    /// form one of their own.
    ///
    /// A task's fate depends only on the seed and the ids in its category, not on file order or other categories.
    pub fn random(dataset: &Dataset, per_category: usize, seed: u64) -> Result<Split, Error> {
        let mut categories: BTreeMap<&str, Vec<&Task>> = BTreeMap::new();
        for task in tasks(dataset) {
            categories.entry(category_of(task).unwrap_or_default()).or_default().push(task);
        }
        let mut held_out = HashSet::new();
        for (category, mut tasks) in categories {
            tasks.sort_by(|a, b| a.id.cmp(&b.id));
            Random::new(seed, category).shuffle(&mut tasks);
            held_out.extend(tasks.into_iter().take(per_category).map(|task| task.id.as_str()));
        }
        hold_out(Kind::Random { per_category, seed }, dataset, |task| held_out.contains(task.id.as_str()))
    }

    /// Holds out the tasks that name a category, among others or alone.
    pub fn leave_one_category(dataset: &Dataset, category: &str) -> Result<Split, Error> {
        let names = |task: &Task| names_of(&task.origin.category, category_of(task));
        let kind = Kind::LeaveOneCategory { category: known_name(dataset, "category", category, names)? };
        hold_out(kind, dataset, |task| names(task).iter().any(|name| same(name, category)))
    }

    /// Holds out the tasks that name a source dataset, among others or alone.
    pub fn leave_one_dataset(dataset: &Dataset, source: &str) -> Result<Split, Error> {
        let names = |task: &Task| names_of(&task.origin.dataset, dataset_of(task));
        let kind = Kind::LeaveOneDataset { dataset: known_name(dataset, "dataset", source, names)? };
        hold_out(kind, dataset, |task| names(task).iter().any(|name| same(name, source)))
    }

    /// Holds out one task.
    pub fn leave_one_task(dataset: &Dataset, id: &str) -> Result<Split, Error> {
        let task = known_name(dataset, "id", id, |task| vec![task.id.clone()])?;
        let kind = Kind::LeaveOneTask { task: task.clone() };
        hold_out(kind, dataset, |other| other.id == task)
    }

    /// Holds out the twelve evaluation tasks of the Natural Instructions paper; all other tasks are seen.
    pub fn natural_instructions(dataset: &Dataset) -> Result<Split, Error> {
        let is_held_out = |number: u8| EVALUATION_TASKS.contains(&number);
        let mut split =
            hold_out(Kind::NaturalInstructions, dataset, |task| subtask_number(&task.id).is_some_and(is_held_out))?;
        let present: HashSet<u8> = tasks(dataset).filter_map(|task| subtask_number(&task.id)).collect();
        let mut numbers: Vec<u8> = CATEGORIES.iter().flat_map(|(_, numbers)| numbers.iter().copied()).collect();
        numbers.sort_unstable();
        let absent = numbers.into_iter().filter(|number| !present.contains(number));
        split.absent = absent.map(|number| format!("subtask{number:03}")).collect();
        Ok(split)
    }
}

fn hold_out(kind: Kind, dataset: &Dataset, is_held_out: impl Fn(&Task) -> bool) -> Result<Split, Error> {
    let (unseen, seen) = tasks(dataset).partition(|task| is_held_out(task));
    Split::new(kind, seen, unseen)
}

fn same(name: &str, other: &str) -> bool {
    name.to_lowercase() == other.to_lowercase()
}

/// The names a task's file gives, or else the one that is known of it.
fn names_of(named: &[String], known: Option<&str>) -> Vec<String> {
    if named.is_empty() { known.into_iter().map(str::to_owned).collect() } else { named.to_vec() }
}

/// The name as the tasks spell it; case does not matter.
fn known_name(
    dataset: &Dataset,
    what: &'static str,
    name: &str,
    names: impl Fn(&Task) -> Vec<String>,
) -> Result<String, Error> {
    let known: BTreeSet<String> = tasks(dataset).flat_map(names).collect();
    let exact = known.contains(name).then(|| name.to_owned());
    let found = exact.or_else(|| known.iter().find(|known| same(known, name)).cloned());
    found.ok_or_else(|| Error::UnknownName { what, name: name.to_owned(), known: some(known) })
}

/// Enough names to choose from in a message.
fn some(known: BTreeSet<String>) -> Vec<String> {
    const SHOWN: usize = 20;
    let more = known.len().saturating_sub(SHOWN);
    let mut shown: Vec<_> = known.into_iter().take(SHOWN).collect();
    if more > 0 {
        shown.push(format!("and {more} more"));
    }
    shown
}
