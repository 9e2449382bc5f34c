//! References built from task files, as the benchmark's own were: the first hundred instances of each test task.

use super::input::{Reference, References, Track};
use saydo_task::dataset::{Dataset, LocatedTask};
use saydo_task::problem::Place;

/// How many instances of a test task are scored.
const INSTANCES_PER_TASK: usize = 100;

/// References from task files, and what could not be found.
#[derive(Debug, Clone, Default, PartialEq, Eq)]
pub struct TestReferences {
    /// The references, in the order of the list.
    pub references: References,
    /// Tasks of the list that the dataset does not have.
    pub absent: Vec<String>,
    /// Instances among the first hundred that have no output and were left out.
    pub without_output: usize,
}

/// The references of the test tasks named in a split's list. An instance without id is known by its task and position,
/// as `task-0`.
pub fn references_from_tasks<S: AsRef<str>>(dataset: &Dataset, test_tasks: &[S], track: Track) -> TestReferences {
    let mut found = TestReferences::default();
    let mut references = Vec::new();
    for name in test_tasks.iter().map(AsRef::as_ref) {
        let Some(located) = dataset.tasks.iter().find(|located| located.task.id == name) else {
            found.absent.push(name.to_owned());
            continue;
        };
        let first = located.task.instances.iter().take(INSTANCES_PER_TASK).count();
        let before = references.len();
        references.extend((0..first).filter_map(|i| reference(located, i, track)));
        found.without_output += first - (references.len() - before);
    }
    found.references = references.into_iter().collect();
    found
}

fn reference(located: &LocatedTask, i: usize, track: Track) -> Option<Reference> {
    let task = &located.task;
    let instance = &task.instances[i];
    (!instance.outputs.is_empty()).then(|| Reference {
        id: instance.id.clone().unwrap_or_else(|| format!("{}-{i}", task.id)),
        references: instance.outputs.clone(),
        task: Some(task.id.clone()),
        category: task.origin.category.first().cloned(),
        track: Some(track),
        place: Place { file: located.path.clone(), line: located.line, column: 1 },
    })
}
