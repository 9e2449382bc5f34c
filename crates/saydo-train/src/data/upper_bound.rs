//! What a model reaches that learns the very task it is measured on: the papers' upper bound. Instances, not tasks, are split.

use crate::Error;
use saydo_encode::select_instances;
use saydo_task::{Instance, Task};

/// Instances that `saydo eval natural-instructions` measures.
const MEASURED: usize = 100;
/// Of the others, one in so many is held back to validate on.
const DEV_STEP: usize = 20;

/// One task, its instances put apart.
pub(super) struct Parts {
    /// What is learned from.
    pub learned: Task,
    /// What is validated on.
    pub dev: Task,
    /// What is measured, and must not be learned from.
    pub measured: Task,
}

/// Puts apart the instances of the one task that an id, or its beginning, names.
pub(super) fn parts(tasks: &[Task], id: &str) -> Result<Parts, Error> {
    let found: Vec<&Task> = tasks.iter().filter(|task| task.id.starts_with(id)).collect();
    let [task] = found[..] else {
        let names = found.iter().map(|task| task.id.clone()).collect();
        return Err(Error::NoOneTask { id: id.to_owned(), found: names });
    };
    let measured = select_instances(task.instances.len(), MEASURED)
        .map_err(|source| Error::NoUpperBound { task: task.id.clone(), source })?;
    let others: Vec<usize> = (0..task.instances.len()).filter(|instance| !measured.contains(instance)).collect();
    let (dev, learned): (Vec<usize>, Vec<usize>) = others.iter().partition(|instance| *instance % DEV_STEP == 0);
    let part = |name: &str, instances: &[usize]| {
        let instances: Vec<Instance> = instances.iter().map(|instance| task.instances[*instance].clone()).collect();
        Task { id: format!("{}{name}", task.id), instances, ..task.clone() }
    };
    Ok(Parts { learned: part("", &learned), dev: part(" (dev)", &dev), measured: part(" (measured)", &measured) })
}

#[cfg(test)]
mod tests {
    use super::*;

    fn task(id: &str, instances: usize) -> Task {
        let instance = |number: usize| Instance::unlabelled(format!("input {number}"));
        Task { id: id.into(), instances: (0..instances).map(instance).collect(), ..Task::default() }
    }

    #[test]
    fn what_is_measured_is_neither_learned_nor_validated_on() {
        let Parts { learned, dev, measured } = parts(&[task("t1", 400), task("t2", 400)], "t2").unwrap();
        assert_eq!((&*learned.id, measured.instances.len()), ("t2", MEASURED));
        let of = |task: &Task| task.instances.iter().map(|one| one.input.clone()).collect::<Vec<_>>();
        let mut all = [of(&learned), of(&dev), of(&measured)].concat();
        assert_eq!(all.len(), 400);
        all.sort();
        all.dedup();
        assert_eq!(all.len(), 400, "each instance has one part");
        assert!(!dev.instances.is_empty());
    }

    #[test]
    fn one_task_must_be_named_and_have_enough_instances() {
        let error = |tasks: &[Task], id: &str| parts(tasks, id).err().expect("an error");
        let message = |tasks: &[Task], id: &str| error(tasks, id).to_string();
        let two = [task("t1", 400), task("t2", 400)];
        assert_eq!(message(&two, "t"), "--upper-bound t is the beginning of 2 tasks (t1, t2), expected one");
        assert!(message(&two, "x").contains("of 0 tasks"));
        let few = error(&[task("t1", 90)], "t1");
        let source = std::error::Error::source(&few).expect("it says why").to_string();
        assert!(source.contains("at least 161 are needed"), "{source}");
    }
}
