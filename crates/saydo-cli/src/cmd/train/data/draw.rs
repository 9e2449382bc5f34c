//! Examples of a prompt drawn anew: from a task's own examples and its instances, one of each label first.
//!
//! A task shows the same two examples above all its instances, and where it asks for a label both often have the same
//! one. A model that learns from that learns to repeat the label it was shown. Drawn examples tell nothing about the
//! answer below them.

use rand_chacha::ChaCha8Rng;
use rand_chacha::rand_core::{Rng as _, SeedableRng as _};
use saydo_task::{Example, Task};
use sha2::{Digest as _, Sha256};

/// Outputs of a task that asks for labels are at most so many different ones.
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
        one_of_each_label_first(&mut pool);
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

/// Whether the task asks for one of a few labels.
fn is_labelled(task: &Task) -> bool {
    let outputs: Vec<&String> = task.instances.iter().filter_map(|instance| instance.outputs.first()).collect();
    let mut labels = outputs.clone();
    labels.sort_unstable();
    labels.dedup();
    labels.len() <= MAX_LABELS && labels.len() * 3 <= outputs.len()
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

/// A generator that depends on what is drawn for and on nothing else, so that other tasks change nothing.
pub(super) fn generator(name: &str, wording: usize, seed: u64) -> ChaCha8Rng {
    let digest = Sha256::digest(format!("{name}\n{wording}\n{seed}"));
    ChaCha8Rng::from_seed(digest.into())
}

/// Fisher and Yates.
pub(super) fn shuffle<T>(items: &mut [T], random: &mut ChaCha8Rng) {
    for last in (1..items.len()).rev() {
        items.swap(last, (random.next_u64() % (last as u64 + 1)) as usize);
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use saydo_task::Instance;

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
    fn examples_of_labels_differ_and_are_not_asked_again() {
        let task = task(&["Yes.", "No.", "No.", "No.", "Yes.", "No.", "Yes."]);
        let mut first = Vec::new();
        for wording in 0..20 {
            let drawn = with_drawn_examples(&task, 2, wording, 1);
            let mut labels: Vec<&str> = drawn.positive.iter().map(|example| &*example.output).collect();
            first.push(labels[0].to_owned());
            labels.sort_unstable();
            assert_eq!(labels, ["No.", "Yes."]);
            let shown: Vec<&String> = drawn.positive.iter().map(|example| &example.input).collect();
            assert!(drawn.instances.iter().all(|instance| !shown.contains(&&instance.input)));
            assert_eq!(drawn, with_drawn_examples(&task, 2, wording, 1), "a seed gives one draw");
        }
        assert!(first.contains(&"No.".to_owned()) && first.contains(&"Yes.".to_owned()), "either may come first");
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
