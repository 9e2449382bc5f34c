//! Baselines: what a score is worth is seen beside what no model at all reaches.

use crate::{Plan, Sample};
use saydo_task::Task;
use std::collections::HashMap;

/// A rule that replies without a model.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Baseline {
    /// Always NA.
    AlwaysNa,
    /// Always the task's most frequent gold output. It has seen the gold: a bound, and no method.
    Majority,
    /// The input itself.
    CopyInput,
    /// The output of the task's first positive example.
    CopyExample,
    /// Always the word `the`, the most frequent one.
    The,
    /// Always the letter `e`, the most frequent one.
    E,
}

impl Baseline {
    /// Every baseline, in the order messages list them.
    pub const ALL: [Baseline; 6] = [
        Baseline::AlwaysNa,
        Baseline::Majority,
        Baseline::CopyInput,
        Baseline::CopyExample,
        Baseline::The,
        Baseline::E,
    ];

    /// The word for it after `baseline:`.
    pub fn name(self) -> &'static str {
        match self {
            Baseline::AlwaysNa => "always-na",
            Baseline::Majority => "majority",
            Baseline::CopyInput => "copy-input",
            Baseline::CopyExample => "copy-example",
            Baseline::The => "the",
            Baseline::E => "e",
        }
    }

    /// The baseline of this name.
    pub fn parse(name: &str) -> Option<Self> {
        Self::ALL.into_iter().find(|baseline| baseline.name() == name)
    }

    /// What it replies to a sample.
    pub fn reply(self, plan: &Plan, sample: &Sample) -> String {
        let task = &plan.sources[sample.task];
        match self {
            Baseline::AlwaysNa => "n/a".to_owned(),
            Baseline::Majority => majority(task),
            Baseline::CopyInput => plan.tasks[sample.task].instances[sample.instance].input.clone(),
            Baseline::CopyExample => task.positive.first().map_or_else(String::new, |example| example.output.clone()),
            Baseline::The => "the".to_owned(),
            Baseline::E => "e".to_owned(),
        }
    }
}

/// The most frequent first output, the first of equals in the order of the alphabet.
fn majority(task: &Task) -> String {
    let mut counts: HashMap<&str, usize> = HashMap::new();
    for output in task.instances.iter().filter_map(|instance| instance.outputs.first()) {
        *counts.entry(output).or_default() += 1;
    }
    let most = counts.into_iter().max_by(|(a, m), (b, n)| m.cmp(n).then_with(|| b.cmp(a)));
    most.map_or_else(String::new, |(output, _)| output.to_owned())
}

#[cfg(test)]
mod tests {
    use super::*;
    use saydo_task::Instance;

    #[test]
    fn the_majority_is_counted_and_equals_go_by_the_alphabet() {
        let instance = |output: &str| Instance { outputs: vec![output.to_owned()], ..Instance::default() };
        let task = |outputs: &[&str]| Task {
            instances: outputs.iter().map(|output| instance(output)).collect(),
            ..Task::default()
        };
        assert_eq!(majority(&task(&["no", "yes", "no"])), "no");
        assert_eq!(majority(&task(&["yes", "no"])), "no");
        assert_eq!(majority(&task(&[])), "");
    }

    #[test]
    fn every_name_parses_back() {
        for baseline in Baseline::ALL {
            assert_eq!(Baseline::parse(baseline.name()), Some(baseline));
        }
    }
}
