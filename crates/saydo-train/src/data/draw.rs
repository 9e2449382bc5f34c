//! Examples of a prompt drawn anew: from a task's own examples and its instances.
//!
//! A task shows the same two examples above all its instances, and where it asks for a label both often have the same
//! one. A model that learns from that learns to repeat the label it was shown. Drawn examples have one label half of the
//! time, any of them alike, and different ones otherwise; below them, labels are balanced.

use crate::shuffle;
use rand_chacha::ChaCha8Rng;
use rand_chacha::rand_core::{Rng as _, SeedableRng as _};
use saydo_file::digest;
use saydo_task::{Example, Task};
use std::collections::BTreeMap;

/// Max distinct outputs of a task that asks for labels.
const MAX_LABELS: usize = 12;

/// The task with `count` examples in place of its own, and without the instances that they are taken from.
pub(super) fn with_drawn_examples(task: &Task, count: usize, wording: usize, seed: u64) -> Task {
    let mut random = generator(&task.id, wording, seed);
    let mut drawn = task.clone();
    let own = task.positive.iter().map(|example| (example.clone(), None));
    let of_instances = task.instances.iter().enumerate().filter_map(|(number, instance)| {
        let (input, output) = (instance.input.clone(), instance.outputs.first()?.clone());
        Some((Example { input, output, reason: None, suggestion: None }, Some(number)))
    });
    let mut pool: Vec<(Example, Option<usize>)> = match is_labelled(task) {
        true => own.chain(of_instances).collect(),
        // Explained examples are worth more than others where nothing hangs on their outputs.
        false if task.positive.len() >= count => own.collect(),
        false => own.chain(of_instances).collect(),
    };
    shuffle(&mut pool, &mut random);
    if is_labelled(task) {
        match random.next_u64() % 2 {
            0 => one_of_each_label_first(&mut pool),
            _ => one_label_first(&mut pool, random.next_u64()),
        }
    }
    pool.truncate(count);
    shuffle(&mut pool, &mut random);
    let used: Vec<usize> = pool.iter().filter_map(|(_, number)| *number).collect();
    drawn.positive = pool.into_iter().map(|(example, _)| example).collect();
    let mut number = 0;
    drawn.instances.retain(|_| {
        number += 1;
        !used.contains(&(number - 1))
    });
    drawn
}

/// The labels of a task that asks for one of a few.
pub(super) fn labels(task: &Task) -> Option<Vec<String>> {
    let outputs: Vec<&String> = task.instances.iter().filter_map(|instance| instance.outputs.first()).collect();
    let mut labels: Vec<String> = outputs.iter().map(|output| (*output).clone()).collect();
    labels.sort_unstable();
    labels.dedup();
    (labels.len() <= MAX_LABELS && labels.len() * 3 <= outputs.len()).then_some(labels)
}

fn is_labelled(task: &Task) -> bool {
    labels(task).is_some()
}

/// Moves the first example of each label to the front; the order is the same otherwise.
fn one_of_each_label_first(pool: &mut Vec<(Example, Option<usize>)>) {
    let mut labels: Vec<String> = Vec::new();
    let (first, rest): (Vec<_>, Vec<_>) = std::mem::take(pool).into_iter().partition(|(example, _)| {
        let is_new = !labels.contains(&example.output);
        if is_new {
            labels.push(example.output.clone());
        }
        is_new
    });
    pool.extend(first.into_iter().chain(rest));
}

/// Moves the examples of one label to the front, each label as likely as the others; the order is the same otherwise.
fn one_label_first(pool: &mut [(Example, Option<usize>)], drawn: u64) {
    let mut labels: Vec<String> = pool.iter().map(|(example, _)| example.output.clone()).collect();
    labels.sort_unstable();
    labels.dedup();
    let label = labels.swap_remove((drawn % labels.len() as u64) as usize);
    pool.sort_by_key(|(example, _)| example.output != label);
}

/// Instances of a task with labels, label by label in turn, so that any number of the first ones is balanced as far as
/// there are enough; those of other tasks as they are.
pub(super) fn balanced(task: &Task, instances: Vec<usize>) -> Vec<usize> {
    if !is_labelled(task) {
        return instances;
    }
    let mut by_label: BTreeMap<&str, Vec<usize>> = BTreeMap::new();
    for instance in instances {
        if let Some(label) = task.instances[instance].outputs.first() {
            by_label.entry(label).or_default().push(instance);
        }
    }
    let longest = by_label.values().map(Vec::len).max().unwrap_or_default();
    (0..longest).flat_map(|turn| by_label.values().filter_map(move |label| label.get(turn)).copied()).collect()
}

/// A generator that depends on what is drawn for and on nothing else, so that other tasks change nothing.
pub(super) fn generator(name: &str, wording: usize, seed: u64) -> ChaCha8Rng {
    ChaCha8Rng::from_seed(digest::of(format!("{name}\n{wording}\n{seed}")).bytes())
}

#[cfg(test)]
mod tests {
    use super::*;
    use saydo_task::Instance;
    use std::collections::HashSet;

    fn task(outputs: &[&str]) -> Task {
        let instance = |(number, output): (usize, &&str)| Instance {
            outputs: vec![(*output).to_owned()],
            ..Instance::unlabelled(format!("text {number}"))
        };
        let example = |n: usize| Example {
            input: format!("example {n}"),
            output: "Yes.".into(),
            reason: Some("So it is.".into()),
            suggestion: None,
        };
        Task {
            id: "t".into(),
            positive: vec![example(1), example(2)],
            instances: outputs.iter().enumerate().map(instance).collect(),
            ..Task::default()
        }
    }

    #[test]
    fn labels_of_examples_tell_nothing_and_examples_are_not_asked_again() {
        let task = task(&["Yes.", "No.", "No.", "No.", "Yes.", "No.", "Yes."]);
        let mut seen = HashSet::new();
        for wording in 0..40 {
            let drawn = with_drawn_examples(&task, 2, wording, 1);
            seen.insert(drawn.positive.iter().map(|example| example.output.clone()).collect::<Vec<_>>());
            let shown: Vec<&String> = drawn.positive.iter().map(|example| &example.input).collect();
            assert!(drawn.instances.iter().all(|instance| !shown.contains(&&instance.input)));
            assert_eq!(drawn, with_drawn_examples(&task, 2, wording, 1), "a seed gives one draw");
        }
        assert_eq!(seen.len(), 4, "one label twice, or both in either order: {seen:?}");
    }

    #[test]
    fn labels_are_balanced_as_far_as_there_are_enough() {
        let outputs = ["No.", "No.", "No.", "No.", "Yes.", "No.", "Yes.", "No."];
        let task = task(&outputs);
        let order = balanced(&task, (0..outputs.len()).collect());
        let labels: Vec<&str> = order.iter().map(|instance| outputs[*instance]).collect();
        assert_eq!(labels, ["No.", "Yes.", "No.", "Yes.", "No.", "No.", "No.", "No."]);
    }

    #[test]
    fn free_outputs_keep_explained_examples() {
        let task = task(&["a", "b", "c", "d"]);
        let drawn = with_drawn_examples(&task, 2, 0, 1);
        assert!(drawn.positive.iter().all(|example| example.reason.is_some()));
        assert_eq!(drawn.instances.len(), 4);
        assert_eq!(with_drawn_examples(&task, 3, 0, 1).positive.len(), 3);
    }
}
