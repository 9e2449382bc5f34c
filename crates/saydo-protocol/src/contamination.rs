//! Which samples of a plan the model has learned, and the words for it.

use crate::{GoldTask, Plan};
use std::fmt;

/// What a model that is evaluated has learned of a plan.
#[derive(Debug, Clone, PartialEq, Eq, Default)]
pub struct Contamination {
    /// Tasks that it learned.
    pub tasks: Vec<String>,
    /// Other tasks of which it learned inputs, and of how many.
    pub inputs: Vec<(String, usize)>,
    /// Samples of either kind.
    pub samples: usize,
    /// All tasks, and all samples.
    pub of: [usize; 2],
}

impl Contamination {
    /// What was learned of a plan's samples; none if that is nothing.
    pub fn of(plan: &Plan) -> Option<Self> {
        let samples = plan.samples.iter().filter(|sample| plan.tasks[sample.task].instances[sample.instance].seen);
        let samples = samples.count();
        let inputs = |task: &GoldTask| task.instances.iter().filter(|instance| instance.seen).count();
        let (tasks, others): (Vec<&GoldTask>, Vec<&GoldTask>) = plan.tasks.iter().partition(|task| task.seen);
        let inputs = others.into_iter().map(|task| (task.id.clone(), inputs(task))).filter(|(_, count)| *count > 0);
        let found = Self {
            tasks: tasks.into_iter().map(|task| task.id.clone()).collect(),
            inputs: inputs.collect(),
            samples,
            of: [plan.tasks.len(), plan.samples.len()],
        };
        (samples > 0).then_some(found)
    }
}

/// Names that a message lists before it only counts.
const NAMED: usize = 20;

impl fmt::Display for Contamination {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        let [tasks, samples] = self.of;
        write!(f, "the model was trained on {} of {samples} samples", self.samples)?;
        if !self.tasks.is_empty() {
            write!(f, "; {} of {tasks} tasks: {}", self.tasks.len(), listed(&self.tasks))?;
        }
        if !self.inputs.is_empty() {
            let inputs: Vec<String> = self.inputs.iter().map(|(task, count)| format!("{task} ({count})")).collect();
            write!(f, "; inputs of other tasks: {}", listed(&inputs))?;
        }
        Ok(())
    }
}

fn listed(names: &[String]) -> String {
    match names.len() {
        0..=NAMED => names.join(", "),
        all => format!("{} and {} more", names[..NAMED].join(", "), all - NAMED),
    }
}
