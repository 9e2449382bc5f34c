//! Inputs that stand on two sides, found by hashes of their text in one case and spacing.
//!
//! The hash has 64 bits: among a million texts, one chance in thirty million of a false match.

use super::{Leak, LeakKind, Placed, SharedTexts, Side};
use crate::Task;
use crate::excerpt::quoted;
use rayon::prelude::*;
use std::collections::{BTreeMap, BTreeSet, HashMap};
use std::hash::{DefaultHasher, Hasher};

/// The texts met so far: examples in descriptions as well as instances, since both are learned from.
#[derive(Default)]
pub(super) struct SeenTexts {
    tasks: Vec<(Side, String)>,
    /// For each input, the tasks that have it.
    inputs: HashMap<u64, Vec<u32>>,
    /// For each input and output, the tasks that have them.
    pairs: HashMap<u64, Vec<u32>>,
}

/// The hashes of one instance or example; none for an empty input.
struct Hashes {
    input: u64,
    pairs: Vec<u64>,
}

impl SeenTexts {
    /// What the instances of these tasks share with the texts met so far, by pair of tasks, and how many instances
    /// share anything at all.
    pub(super) fn leaks(&self, placed: &[Placed<'_>]) -> (Vec<Leak>, SharedTexts) {
        let of_tasks: Vec<_> = placed.par_iter().map(|placed| self.leaks_of(*placed)).collect();
        let mut leaks = Vec::new();
        let mut total = SharedTexts::default();
        for (of_task, shared) in of_tasks {
            leaks.extend(of_task);
            total += shared;
        }
        (leaks, total)
    }

    fn leaks_of(&self, placed: Placed<'_>) -> (Vec<Leak>, SharedTexts) {
        let mut by_task: BTreeMap<u32, (SharedTexts, &str)> = BTreeMap::new();
        let mut total = SharedTexts::default();
        for instance in placed.content.iter().flat_map(|task| &task.instances) {
            let Some(hashes) = Hashes::of(&instance.input, &instance.outputs) else { continue };
            let Some(same_input) = self.inputs.get(&hashes.input) else { continue };
            let same_pair: BTreeSet<u32> =
                hashes.pairs.iter().filter_map(|pair| self.pairs.get(pair)).flatten().copied().collect();
            for task in same_input {
                let (shared, _) = by_task.entry(*task).or_insert((SharedTexts::default(), &instance.input));
                *shared += SharedTexts { instances: 1, with_output: usize::from(same_pair.contains(task)) };
            }
            total += SharedTexts { instances: 1, with_output: usize::from(!same_pair.is_empty()) };
        }
        let leak = |(task, (shared, input)): (u32, (SharedTexts, &str))| Leak {
            kind: LeakKind::SharedTexts(shared),
            from: self.tasks[task as usize].clone(),
            to: placed.name(),
            example: quoted(input),
        };
        (by_task.into_iter().map(leak).collect(), total)
    }

    pub(super) fn add(&mut self, placed: &[Placed<'_>]) {
        let hashed: Vec<Vec<Hashes>> = placed.par_iter().map(|placed| texts_of(placed.content)).collect();
        for (placed, texts) in placed.iter().zip(hashed) {
            let number = u32::try_from(self.tasks.len()).expect("a split has fewer than four billion tasks");
            self.tasks.push(placed.name());
            for Hashes { input, pairs } in texts {
                note(&mut self.inputs, input, number);
                pairs.into_iter().for_each(|pair| note(&mut self.pairs, pair, number));
            }
        }
    }
}

/// Tasks are added one after the other, so a task that is in the list already is its last.
fn note(map: &mut HashMap<u64, Vec<u32>>, hash: u64, task: u32) {
    let tasks = map.entry(hash).or_default();
    if tasks.last() != Some(&task) {
        tasks.push(task);
    }
}

fn texts_of(task: Option<&Task>) -> Vec<Hashes> {
    let Some(task) = task else { return Vec::new() };
    let examples = task.positive.iter().chain(&task.negative);
    let examples = examples.filter_map(|example| Hashes::of(&example.input, std::slice::from_ref(&example.output)));
    let instances = task.instances.iter().filter_map(|instance| Hashes::of(&instance.input, &instance.outputs));
    examples.chain(instances).collect()
}

impl Hashes {
    fn of(input: &str, outputs: &[String]) -> Option<Self> {
        let text = normalized(input);
        if text.is_empty() {
            return None;
        }
        let input = hash(0, &text);
        let pairs = outputs.iter().map(|output| hash(input, &normalized(output))).collect();
        Some(Hashes { input, pairs })
    }
}

/// The hash of a text after something that was hashed before.
fn hash(before: u64, text: &str) -> u64 {
    let mut hasher = DefaultHasher::new();
    hasher.write_u64(before);
    hasher.write(text.as_bytes());
    hasher.finish()
}

/// Words in lower case, one space between them.
fn normalized(text: &str) -> String {
    let mut words = String::with_capacity(text.len());
    for word in text.split_whitespace() {
        if !words.is_empty() {
            words.push(' ');
        }
        words.push_str(word);
    }
    if words.is_ascii() {
        words.make_ascii_lowercase();
        words
    } else {
        words.to_lowercase()
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn case_and_spacing_do_not_matter() {
        assert_eq!(normalized(" The\nPARK\u{a0}opens É "), "the park opens é");
        assert!(Hashes::of(" \n", &[]).is_none());
    }

    #[test]
    fn a_pair_is_not_its_joined_text() {
        let pair = |input: &str, output: &str| Hashes::of(input, &[output.to_owned()]).unwrap().pairs[0];
        assert_eq!(pair("a", "B"), pair("A ", "b"));
        assert_ne!(pair("a b", "c"), pair("a", "b c"));
    }
}
