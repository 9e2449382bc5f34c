//! ZEST's types of generalization over tasks of any source: C@T with consistency.
//!
//! The rule is ZEST's (Z24 and Z25 of docs/metrics.md, with Q14 repaired), and so are the numbers on ZEST's files: a
//! paraphrase or semantic flip counts the worse of its F1 and that of its base task, which must be among the tasks; a
//! composition or output structure counts on its own. The average is that of the rows.

use crate::GoldTask;
use crate::zest::{Competence, Rows, intervals};
use saydo_task::Generalization;
use serde::Serialize;
use std::collections::HashMap;

/// One type of generalization, or the average of all.
#[derive(Debug, Clone, PartialEq, Serialize)]
pub struct TypeScores {
    /// The type in the paper's words, or [`TypeScores::AVERAGE`].
    pub name: String,
    /// How many tasks count in it.
    pub tasks: usize,
    /// Mean, C@75 and C@90.
    pub scores: [f64; 3],
    /// Their 95% intervals: over other tasks of the same types.
    pub intervals: Option<[[f64; 2]; 3]>,
}

impl TypeScores {
    /// The name of the average.
    pub const AVERAGE: &str = "average";
}

/// The rows in the paper's order, then their average; empty if no task has a type.
pub(super) fn by_type(tasks: &[(&GoldTask, f64)], seed: u64) -> Vec<TypeScores> {
    let values = values(tasks);
    let rows = values.filter_map(|values| Competence::of(values));
    let intervals = intervals(&values, seed as u32);
    let row = |name: &str, tasks: usize, scores: &Competence| TypeScores {
        name: name.to_owned(),
        tasks,
        scores: scores.cells(),
        intervals: intervals.get(name).map(|row| [row.mean, row.at_75, row.at_90]),
    };
    let of_types = rows.0.iter().zip(&values.0).map(|((name, scores), (_, values))| row(name, values.len(), scores));
    let all = values.0.iter().map(|(_, values)| values.len()).sum();
    let average = Competence::average(rows.0.iter().map(|(_, row)| row));
    of_types.chain(average.map(|average| row(TypeScores::AVERAGE, all, &average))).collect()
}

/// What each task counts, type by type.
fn values(tasks: &[(&GoldTask, f64)]) -> Rows<Vec<f64>> {
    let type_of = |task: &GoldTask| task.generalization.as_deref().map(Generalization::from_key);
    let is_base = |task: &GoldTask| type_of(task) == Some(Generalization::Base);
    let bases: HashMap<&str, f64> =
        tasks.iter().filter(|(task, _)| is_base(task)).map(|(task, f1)| (task.id.as_str(), *f1)).collect();
    let mut rows: Rows<Vec<f64>> = Rows::default();
    for kind in Generalization::ALL {
        for (task, f1) in tasks.iter().filter(|(task, _)| type_of(task).as_ref() == Some(&kind)) {
            let is_paired = matches!(kind, Generalization::Paraphrase | Generalization::SemanticFlip);
            let of_bases = task.derives_from.iter().filter_map(|id| bases.get(id.as_str()).copied());
            let value = match of_bases.reduce(f64::min) {
                Some(base) if is_paired => Some(base.min(*f1)),
                None if is_paired && !bases.is_empty() => None,
                _ => Some(*f1),
            };
            value.into_iter().for_each(|value| rows.entry(kind.name()).push(value));
        }
    }
    rows
}

#[cfg(test)]
mod tests {
    use super::*;

    fn task(id: &str, kind: &str, derives_from: &[&str]) -> GoldTask {
        GoldTask {
            id: id.to_owned(),
            generalization: Some(kind.to_owned()),
            derives_from: derives_from.iter().map(|id| (*id).to_owned()).collect(),
            ..GoldTask::default()
        }
    }

    fn scored(tasks: &[(GoldTask, f64)]) -> Vec<(String, usize, [f64; 3])> {
        let tasks: Vec<(&GoldTask, f64)> = tasks.iter().map(|(task, f1)| (task, *f1)).collect();
        by_type(&tasks, 0).into_iter().map(|row| (row.name, row.tasks, row.scores)).collect()
    }

    #[test]
    fn a_paraphrase_or_flip_counts_the_worse_of_itself_and_its_base() {
        let tasks = [
            (task("f", "target_semantics", &["b"]), 0.8),
            (task("b", "normal", &[]), 0.5),
            (task("p", "paraphrase", &["b", "elsewhere"]), 0.3),
            (task("c", "combination", &["b"]), 1.0),
            (task("lost", "paraphrase", &["elsewhere"]), 1.0),
        ];
        let expected = [
            ("base", 1, [0.5, 0.0, 0.0]),
            ("paraphrase", 1, [0.3, 0.0, 0.0]),
            ("composition", 1, [1.0, 1.0, 1.0]),
            ("semantic flips", 1, [0.5, 0.0, 0.0]),
            ("average", 4, [0.575, 0.25, 0.25]),
        ];
        assert_eq!(scored(&tasks), expected.map(|(name, tasks, scores)| (name.to_owned(), tasks, scores)));
    }

    #[test]
    fn without_bases_tasks_count_alone_and_without_types_there_is_nothing() {
        let rows = scored(&[(task("p", "paraphrase", &["b"]), 0.9)]);
        assert_eq!(rows[0], ("paraphrase".to_owned(), 1, [0.9, 1.0, 1.0]));
        assert!(scored(&[(GoldTask::default(), 1.0)]).is_empty());
        assert!(scored(&[]).is_empty());
    }
}
