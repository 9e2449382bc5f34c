//! Which tasks and inputs a model has learned: fingerprints that travel with an adapter or checkpoint, so that nobody
//! mistakes a score on learned data for one on unseen data.
//!
//! Fingerprints are 64 bits of SHA-256 over normalized text, so a task is found under another file name or with other
//! white space. A list of them is sorted and searched; with n entries, a text that was never learned is taken for learned
//! with a chance of n in 2^64.

mod file;

pub use file::FILE_NAME;

use crate::Task;
use saydo_file::digest::Sum;
use std::collections::BTreeSet;

/// What one example leaves in the record of what was learned.
#[derive(Debug, Clone, Default, PartialEq, Eq)]
pub struct Trace {
    tasks: Vec<u64>,
    input: Option<u64>,
}

impl Trace {
    /// The trace of an input under a task. A text without content leaves none: it would match every other such text.
    pub fn of(task: &Task, input: &str) -> Self {
        Self { tasks: task_prints(task), input: print("input", input) }
    }
}

/// The tasks and inputs that were learned, by those who trained a model and by whatever it was trained from.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Seen {
    tasks: BTreeSet<u64>,
    inputs: BTreeSet<u64>,
    /// Whether the record is complete: false if the model goes on from one that carries none.
    pub is_complete: bool,
}

impl Default for Seen {
    /// Nothing learned, and nothing unknown.
    fn default() -> Self {
        Self { tasks: BTreeSet::new(), inputs: BTreeSet::new(), is_complete: true }
    }
}

impl Seen {
    /// Adds what an example leaves.
    pub fn add(&mut self, trace: &Trace) {
        self.tasks.extend(&trace.tasks);
        self.inputs.extend(trace.input);
    }

    /// Adds everything that another model learned, such as the one that training starts from; `None` stands for a model
    /// that carries no record.
    pub fn inherit(&mut self, ancestor: Option<&Self>) {
        let Some(ancestor) = ancestor else {
            self.is_complete = false;
            return;
        };
        self.tasks.extend(&ancestor.tasks);
        self.inputs.extend(&ancestor.inputs);
        self.is_complete &= ancestor.is_complete;
    }

    /// Whether a task was learned: one with the same description, or of the same published name.
    pub fn has_task(&self, task: &Task) -> bool {
        task_prints(task).iter().any(|print| self.tasks.contains(print))
    }

    /// Whether an input was learned, under whatever task.
    pub fn has_input(&self, input: &str) -> bool {
        print("input", input).is_some_and(|print| self.inputs.contains(&print))
    }

    /// How many fingerprints of tasks and of inputs there are.
    pub fn counts(&self) -> [usize; 2] {
        [self.tasks.len(), self.inputs.len()]
    }
}

/// A text without case, and with one space between words: texts that agree in this are the same to a learner.
pub fn normalized(text: &str) -> String {
    text.split_whitespace().collect::<Vec<_>>().join(" ").to_lowercase()
}

/// A task is known by each of its descriptions: its definitions, or failing those its prompt or title. Tasks of the published
/// collections are also known by name, since their descriptions were reworded between versions.
fn task_prints(task: &Task) -> Vec<u64> {
    let definitions = task.definition.iter().chain(&task.other_definitions);
    let mut prints: Vec<u64> = definitions.filter_map(|text| print("task", &words(text))).collect();
    if prints.is_empty() {
        let description = task.prompt.as_ref().or(task.title.as_ref());
        prints.extend(description.and_then(|text| print("task", &words(text))));
    }
    prints.extend(published_name(&task.id).and_then(|name| print("name", name)));
    prints
}

/// Descriptions are compared without punctuation, which differs between releases.
fn words(text: &str) -> String {
    text.split(|c: char| !c.is_alphanumeric()).filter(|word| !word.is_empty()).collect::<Vec<_>>().join(" ")
}

/// `001_quoref_question_generation` for that task of Natural Instructions (`subtask001_…`) and of
/// Super-NaturalInstructions (`task001_…`), where it is the same task.
fn published_name(id: &str) -> Option<&str> {
    let name = id.strip_prefix("sub").unwrap_or(id).strip_prefix("task")?;
    let (number, rest) = name.split_once('_')?;
    let is_number = number.len() >= 3 && number.bytes().all(|byte| byte.is_ascii_digit());
    (is_number && !rest.is_empty()).then_some(name)
}

/// The first 64 bits of SHA-256 over a kind and a normalized text; none for a text without content.
fn print(kind: &str, text: &str) -> Option<u64> {
    let text = normalized(text);
    if text.is_empty() {
        return None;
    }
    let mut sum = Sum::default();
    [kind.as_bytes(), b"\n", text.as_bytes()].iter().for_each(|part| sum.update(part));
    let digest = sum.bytes();
    Some(u64::from_be_bytes(digest[..8].try_into().expect("SHA-256 has 32 bytes")))
}

#[cfg(test)]
mod tests {
    use super::*;

    fn task(id: &str, definition: &str) -> Task {
        Task { id: id.into(), definition: Some(definition.into()), ..Task::default() }
    }

    fn seen(task: &Task, input: &str) -> Seen {
        let mut seen = Seen::default();
        seen.add(&Trace::of(task, input));
        seen
    }

    #[test]
    fn a_renamed_task_and_a_reformatted_input_are_found() {
        let seen = seen(&task("a", "Name the animal."), "A fox\nran by.");
        assert!(seen.has_task(&task("b", " name  the Animal")) && seen.has_input("a Fox ran  by."));
        assert!(!seen.has_task(&task("a", "Name the plant.")) && !seen.has_input("A fox ran by"));
    }

    #[test]
    fn a_published_name_is_enough_and_other_ids_are_not() {
        let seen = seen(&task("task039_qasc_find_overlapping_words", "Old wording."), "x");
        assert!(seen.has_task(&task("subtask039_qasc_find_overlapping_words", "New wording.")));
        assert!(!seen.has_task(&task("task040_qasc_question_generation", "New wording.")));
        assert_eq!(
            (published_name("task"), published_name("task1_x"), published_name("question_12")),
            (None, None, None)
        );
    }

    #[test]
    fn a_task_without_definition_is_known_by_its_prompt() {
        let prompt = Task { prompt: Some("Say it.".into()), title: Some("T".into()), ..Task::default() };
        assert!(seen(&prompt, "x").has_task(&task("", "say it")));
    }

    #[test]
    fn texts_without_content_match_nothing() {
        let seen = seen(&Task::default(), " \n");
        assert!(!seen.has_task(&Task::default()) && !seen.has_input(""));
        assert_eq!(seen.counts(), [0, 0]);
    }

    #[test]
    fn what_an_ancestor_learned_is_inherited_and_an_unknown_one_is_remembered() {
        let mut own = seen(&task("a", "one"), "x");
        own.inherit(Some(&seen(&task("b", "two"), "y")));
        assert!(own.has_task(&task("", "two")) && own.has_input("y") && own.has_input("x") && own.is_complete);
        own.inherit(None);
        let mut child = Seen::default();
        child.inherit(Some(&own));
        assert!(!child.is_complete && child.has_input("x"));
    }

    #[test]
    fn a_hundred_thousand_unseen_texts_match_none_of_a_hundred_thousand_seen_ones() {
        let mut seen = Seen::default();
        for number in 0..100_000 {
            seen.add(&Trace::of(&Task::default(), &format!("learned text {number}")));
        }
        assert_eq!(seen.counts()[1], 100_000, "no two share a fingerprint");
        assert_eq!((0..100_000).filter(|number| seen.has_input(&format!("other text {number}"))).count(), 0);
    }
}
