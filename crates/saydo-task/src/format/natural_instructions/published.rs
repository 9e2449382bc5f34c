//! What the paper knows about its 61 subtasks and their files do not say: category, source dataset, and which of them
//! its random split holds out.
//!
//! The categories are those of section 3 (13 question generation, 16 answer generation, 12 classification, 8 incorrect
//! answer generation, 10 minimal text modification, 2 verification); the twelve evaluation tasks are the ones with
//! released model outputs, two of each category.

use crate::Task;

/// The categories of the paper, each with the numbers of its subtasks.
pub const CATEGORIES: [(&str, &[u8]); 6] = [
    ("question generation", &[1, 3, 6, 9, 12, 15, 23, 26, 31, 32, 40, 48, 60]),
    ("answer generation", &[2, 4, 7, 10, 13, 16, 24, 28, 33, 41, 43, 47, 51, 54, 58, 61]),
    ("classification", &[18, 19, 20, 21, 22, 27, 46, 49, 50, 52, 56, 57]),
    ("incorrect answer generation", &[5, 8, 11, 14, 17, 25, 42, 55]),
    ("minimal text modification", &[29, 30, 34, 35, 36, 37, 38, 45, 53, 59]),
    ("verification", &[39, 44]),
];

/// The numbers of the twelve subtasks that the paper's random split holds out.
pub const EVALUATION_TASKS: [u8; 12] = [2, 3, 5, 8, 22, 33, 34, 39, 40, 44, 45, 52];

/// How file names spell the source datasets, and how the paper does.
const DATASETS: [(&str, &str); 12] = [
    ("cosmosqa", "CosmosQA"),
    ("drop", "DROP"),
    ("essential_terms", "Essential-Terms"),
    ("mctaco", "MCTACO"),
    ("misc", "miscellaneous"),
    ("miscellaenous", "miscellaneous"),
    ("miscellaneous", "miscellaneous"),
    ("multirc", "MultiRC"),
    ("qasc", "QASC"),
    ("quoref", "Quoref"),
    ("ropes", "ROPES"),
    ("winogrande", "Winogrande"),
];

/// The number in a published id such as `subtask003_mctaco_question_generation_event_duration`.
pub fn subtask_number(id: &str) -> Option<u8> {
    let (number, _) = split_id(id)?;
    Some(number)
}

fn split_id(id: &str) -> Option<(u8, &str)> {
    let rest = id.strip_prefix("subtask")?;
    let digits = rest.get(..3).filter(|digits| digits.bytes().all(|byte| byte.is_ascii_digit()))?;
    let name = rest[3..].strip_prefix('_').or(rest[3..].is_empty().then_some(""))?;
    let number = digits.parse().ok().filter(|number| (1..=61).contains(number))?;
    Some((number, name))
}

/// The category of a task: the first its file names, else the paper's if it is one of the 61 subtasks.
///
/// ```
/// use saydo_task::{Task, format::natural_instructions::category_of};
/// let task = Task { id: "subtask039_qasc_find_overlapping_words".into(), ..Task::default() };
/// assert_eq!(category_of(&task), Some("verification"));
/// ```
pub fn category_of(task: &Task) -> Option<&str> {
    let published = || {
        let number = subtask_number(&task.id)?;
        CATEGORIES.iter().find(|(_, numbers)| numbers.contains(&number)).map(|(name, _)| *name)
    };
    task.origin.category.first().map(String::as_str).or_else(published)
}

/// The source dataset of a task: the first its file names, else the one in the name of a published subtask.
pub fn dataset_of(task: &Task) -> Option<&str> {
    let published = || {
        let (_, name) = split_id(&task.id)?;
        let starts_with = |spelling: &str| name.strip_prefix(spelling).is_some_and(|rest| rest.starts_with('_'));
        DATASETS.iter().find(|(spelling, _)| starts_with(spelling)).map(|(_, dataset)| *dataset)
    };
    task.origin.dataset.first().map(String::as_str).or_else(published)
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::Origin;

    fn task(id: &str) -> Task {
        Task { id: id.to_owned(), ..Task::default() }
    }

    #[test]
    fn every_subtask_has_one_category() {
        let mut numbers: Vec<u8> = CATEGORIES.iter().flat_map(|(_, numbers)| numbers.iter().copied()).collect();
        numbers.sort_unstable();
        assert_eq!(numbers, (1..=61).collect::<Vec<u8>>());
    }

    #[test]
    fn two_tasks_of_each_category_are_held_out() {
        for (category, numbers) in CATEGORIES {
            let held_out = numbers.iter().filter(|number| EVALUATION_TASKS.contains(number)).count();
            assert_eq!(held_out, 2, "{category}");
        }
    }

    #[test]
    fn dataset_and_category_come_from_the_file_first() {
        let published = task("subtask044_essential_terms_identifying_essential_words");
        assert_eq!((category_of(&published), dataset_of(&published)), (Some("verification"), Some("Essential-Terms")));
        let origin = Origin { category: vec!["c".into()], dataset: vec!["d".into()], ..Origin::default() };
        let own = Task { origin, ..published };
        assert_eq!((category_of(&own), dataset_of(&own)), (Some("c"), Some("d")));
    }

    #[test]
    fn other_ids_are_not_taken_for_subtasks() {
        for id in ["subtask62_x", "subtask062_x", "subtask000_x", "subtask0033", "task003_mctaco_x", "subtask00é"] {
            assert_eq!((category_of(&task(id)), dataset_of(&task(id))), (None, None), "{id}");
        }
        assert_eq!(dataset_of(&task("subtask003_mctacos_x")), None);
    }
}
