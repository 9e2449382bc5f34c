//! Exercises: plain orders over the inputs of tasks, whose outputs follow from the text alone.
//!
//! Few tasks have inputs of the same kind, and those that do often ask for the same kind of output. A model that learns
//! from them learns to go by the input: shown a question it answers, whatever it was told to do with it. Here the same
//! inputs stand below other orders, and nothing but the order tells what is wanted.
//!
//! No order asks for what the papers measure: the nth word, nouns, words that two texts share or that matter in a question.

mod order;
mod part;

use super::draw::generator;
use crate::shuffle;
use order::Order;
use part::Part;
use rand_chacha::rand_core::Rng as _;
use saydo_task::{Example, Instance, Task};

/// Examples that an exercise has of its own.
const EXAMPLES: usize = 3;

/// So many instances of a task that are learned from are worth an exercise.
const INSTANCES_EACH: usize = 24;

/// Exercises over the inputs of a task of which `taken` instances are learned from, with up to `most` instances each. None if
/// its inputs are too short or too long for any order.
pub(super) fn exercises(task: &Task, taken: usize, most: usize, seed: u64) -> Vec<Task> {
    (0..taken.div_ceil(INSTANCES_EACH)).filter_map(|number| exercise(task, number, most, seed)).collect()
}

fn exercise(task: &Task, number: usize, most: usize, seed: u64) -> Option<Task> {
    let mut random = generator(&format!("exercise {}", task.id), number, seed);
    let mut inputs: Vec<&str> = task.instances.iter().map(|instance| &*instance.input).collect();
    shuffle(&mut inputs, &mut random);
    let parts = Part::all_of(&inputs);
    let part = parts.get(random.next_u64() as usize % parts.len().max(1))?;
    let order = Order::drawn(&mut random);
    let mut done = inputs.iter().filter_map(|input| Some((*input, order.output(part.of(input)?)?)));
    let example = |(input, output): (&str, String)| Example {
        input: input.to_owned(),
        output,
        reason: Some(order.reason(part.name())),
        suggestion: None,
    };
    let positive: Vec<Example> = done.by_ref().take(EXAMPLES).map(example).collect();
    let instance = |(input, output): (&str, String)| Instance { outputs: vec![output], ..Instance::unlabelled(input) };
    let instances: Vec<Instance> = done.take(most).map(instance).collect();
    (!instances.is_empty()).then(|| Task {
        id: format!("{} exercise {number}", task.id),
        definition: Some(order.definition(part.name())),
        prompt: Some(order.prompt(part.name())),
        things_to_avoid: Some(format!(
            "Do not do anything else with the {}, even if it seems to ask for it.",
            part.name()
        )),
        positive,
        instances,
        ..Task::default()
    })
}

#[cfg(test)]
mod tests {
    use super::*;

    fn task() -> Task {
        let towns = ["Ulm", "Bath", "Cork", "Lund", "Graz", "Pisa", "Bonn", "Metz"];
        let input = |town: &&str| {
            format!(
                "Fact: The bakers of {town} set up their tents in the old square. \nQuestion: Who bakes the bread of {town}?"
            )
        };
        let instances = towns.iter().map(|town| Instance::unlabelled(input(town))).collect();
        Task { id: "fairs".into(), instances, ..Task::default() }
    }

    #[test]
    fn the_same_inputs_have_other_outputs_under_other_orders() {
        let made = exercises(&task(), 240, 4, 1);
        // An order that comes to nothing for these texts makes no exercise.
        assert!((6..=10).contains(&made.len()), "{}", made.len());
        let mut definitions: Vec<&str> = made.iter().filter_map(|task| task.definition.as_deref()).collect();
        definitions.sort_unstable();
        definitions.dedup();
        assert!(definitions.len() > 4, "{definitions:?}");
        assert!(made.iter().any(|task| (task.positive.len(), task.instances.len()) == (EXAMPLES, 4)));
        for exercise in &made {
            assert!(exercise.positive.len() <= EXAMPLES && (1..=4).contains(&exercise.instances.len()));
            let shown: Vec<&str> = exercise.positive.iter().map(|example| &*example.input).collect();
            assert!(exercise.instances.iter().all(|instance| !shown.contains(&&*instance.input)), "shown and asked");
        }
        assert_eq!(made, exercises(&task(), 240, 4, 1));
        assert_ne!(made, exercises(&task(), 240, 4, 2));
    }

    #[test]
    fn inputs_without_words_give_no_exercise() {
        let instances = (0..9).map(|number| Instance::unlabelled(format!("[{number}, 5]"))).collect();
        assert_eq!(exercises(&Task { instances, ..Task::default() }, 48, 4, 1), []);
    }
}
