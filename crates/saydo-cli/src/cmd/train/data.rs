//! What is learned from, and what is held back.

use super::Args;
use crate::task_split;
use anyhow::{Result, bail};
use saydo_encode::Layout;
use saydo_task::Task;
use saydo_task::dataset::Dataset;
use saydo_task::format::natural_instructions::{EVALUATION_TASKS, subtask_number};
use saydo_task::split::fingerprint;
use saydo_train::Example;
use sha2::{Digest as _, Sha256};

pub(super) struct Data {
    /// How many tasks are learned from.
    pub seen: usize,
    /// What is learned from.
    pub examples: Vec<Example>,
    /// The tasks that are held back.
    pub dev: Vec<Task>,
    /// What tells the data from others.
    pub fingerprint: String,
}

impl Data {
    pub fn load(args: &Args) -> Result<Self> {
        let layouts = args.layout.iter().map(|name| Layout::named(name)).collect::<Result<Vec<_>, _>>()?;
        let mut tasks = Vec::new();
        for path in &args.data {
            tasks.extend(Dataset::load(path)?.tasks.into_iter().map(|located| located.task));
        }
        if let Some(split) = &args.split {
            let seen: Vec<String> = task_split::load(split, &tasks)?.seen.into_iter().map(|task| task.id).collect();
            tasks.retain(|task| seen.contains(&task.id));
        }
        // Whatever else is asked for, what the paper evaluates on is never learned from.
        tasks.retain(|task| !subtask_number(&task.id).is_some_and(|number| EVALUATION_TASKS.contains(&number)));
        tasks.retain(|task| task.instances.iter().any(|instance| !instance.outputs.is_empty()));
        tasks.sort_by(|a, b| a.id.cmp(&b.id));
        if tasks.len() <= args.dev_tasks {
            bail!("{} tasks to learn from with {} held back, expected more", tasks.len(), args.dev_tasks);
        }
        let dev = held_back(&mut tasks, args.dev_tasks);
        let mut examples = Vec::new();
        let mut state = Sha256::new();
        for (number, task) in tasks.iter().enumerate() {
            let layout = &layouts[number % layouts.len()];
            let instances = chosen(task, layout, args.per_task_cap);
            examples.extend(Example::of_task(number, task, &instances, layout)?);
            state.update(fingerprint(task));
        }
        state.update(format!("{:?} {}", args.layout, args.per_task_cap));
        let digest: String = state.finalize().iter().map(|byte| format!("{byte:02x}")).collect();
        Ok(Self { seen: tasks.len(), examples, dev, fingerprint: digest })
    }
}

/// Takes so many tasks out, spread evenly over the ids, so that every kind has its chance.
fn held_back(tasks: &mut Vec<Task>, count: usize) -> Vec<Task> {
    let all = tasks.len();
    let places: Vec<usize> = (0..count).map(|i| (2 * i + 1) * all / (2 * count)).collect();
    let mut dev = Vec::new();
    for place in places.into_iter().rev() {
        dev.push(tasks.remove(place));
    }
    dev.reverse();
    dev
}

/// Instances spread over the task, those that the prompt borrows as examples left out.
fn chosen(task: &Task, layout: &Layout, cap: usize) -> Vec<usize> {
    let borrowed = match layout {
        Layout::NaturalInstructions(layout) => layout.borrowed_instances(task),
        _ => Vec::new(),
    };
    let all: Vec<usize> = (0..task.instances.len()).filter(|instance| !borrowed.contains(instance)).collect();
    let taken = all.len().min(cap);
    (0..taken).map(|i| all[i * all.len() / taken]).collect()
}
