//! Tasks that stand on two sides: by id, by fingerprint, or by what they say.

use super::{Leak, LeakKind, Placed, Side};
use crate::Task;
use crate::excerpt::quoted;
use crate::split::fingerprint::elements;
use std::collections::HashMap;

type Name = (Side, String);

/// The tasks met so far.
#[derive(Default)]
pub(super) struct SeenTasks {
    ids: HashMap<String, Name>,
    fingerprints: HashMap<String, Name>,
    descriptions: HashMap<String, Name>,
}

impl SeenTasks {
    /// The first thing that makes this task the same as one met before on another side.
    pub(super) fn leak(&self, placed: Placed<'_>) -> Option<Leak> {
        let leak = |kind, from: &Name, example| Leak { kind, from: from.clone(), to: placed.name(), example };
        let same = self.ids.get(&placed.task.id).or_else(|| self.fingerprints.get(&placed.task.fingerprint));
        if let Some(from) = same {
            return Some(leak(LeakKind::SameTask, from, String::new()));
        }
        let task = placed.content?;
        let from = self.descriptions.get(&description(task)?)?;
        let text = task.definition.as_deref().or(task.prompt.as_deref()).unwrap_or_default();
        Some(leak(LeakKind::SameDescription, from, quoted(text)))
    }

    pub(super) fn add(&mut self, placed: Placed<'_>) {
        self.ids.entry(placed.task.id.clone()).or_insert_with(|| placed.name());
        self.fingerprints.entry(placed.task.fingerprint.clone()).or_insert_with(|| placed.name());
        if let Some(description) = placed.content.and_then(description) {
            self.descriptions.entry(description).or_insert_with(|| placed.name());
        }
    }
}

/// What a task says, in one case and spacing; titles are names and do not count. None if it says nothing.
fn description(task: &Task) -> Option<String> {
    let texts = elements(task).filter(|(tag, _)| *tag != "title");
    let words: Vec<_> = texts.flat_map(|(_, text)| text.split_whitespace()).map(str::to_lowercase).collect();
    (!words.is_empty()).then(|| words.join(" "))
}
