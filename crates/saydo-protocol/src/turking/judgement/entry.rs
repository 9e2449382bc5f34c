//! The outputs that can be judged, each under an id that stays the same between export and import.

use crate::turking::{Error, Gold, Item, Outputs};
use saydo_task::turking::Kind;
use std::collections::HashMap;

/// One output to judge.
#[derive(Debug, Clone, PartialEq)]
pub struct Entry<'g> {
    /// `INSTANCE/DECODING/SAMPLE`, the sample counted from 1 within the decoding: `turking_snli-r0/nucleus/3`. A `/` or
    /// `%` in the decoding's name is written `%2F` or `%25`.
    pub id: String,
    /// The instance.
    pub item: &'g Item,
    /// The whole instruction, as the instance has it.
    pub instruction: &'g str,
    /// How the output was decoded.
    pub decoding: &'g str,
    /// What was written; empty if nothing was.
    pub output: &'g str,
}

impl Entry<'_> {
    /// The task the output belongs to.
    pub fn kind(&self) -> Kind {
        self.item.instruction.ask.kind()
    }
}

/// All outputs that can be judged, found by id.
#[derive(Debug, Clone)]
pub struct Entries<'g> {
    entries: Vec<Entry<'g>>,
    place_of: HashMap<String, usize>,
}

impl<'g> Entries<'g> {
    /// The outputs of the tasks that `keep` holds for, in the order of the gold. Outputs without text are among them: a
    /// judgement of the others alone would not be one of the model.
    pub fn new(gold: &'g Gold, outputs: &'g Outputs, keep: impl Fn(Kind) -> bool) -> Result<Entries<'g>, Error> {
        let mut entries = Vec::new();
        for (position, item) in gold.items().iter().enumerate() {
            if keep(item.instruction.ask.kind()) {
                entries.extend(of_item(item, gold.input(position), outputs, position));
            }
        }
        let place_of: HashMap<String, usize> = entries.iter().enumerate().map(|(at, e)| (e.id.clone(), at)).collect();
        if entries.is_empty() { Err(Error::NothingToJudge) } else { Ok(Entries { entries, place_of }) }
    }

    /// The outputs of the crowd's tasks, which only people can judge.
    pub fn open(gold: &'g Gold, outputs: &'g Outputs) -> Result<Entries<'g>, Error> {
        Entries::new(gold, outputs, |kind| !kind.has_gold())
    }

    /// The outputs in order.
    pub fn all(&self) -> &[Entry<'g>] {
        &self.entries
    }

    /// The place of an output in [`Entries::all`].
    pub fn position(&self, id: &str) -> Option<usize> {
        self.place_of.get(id).copied()
    }
}

fn of_item<'g>(item: &'g Item, instruction: &'g str, outputs: &'g Outputs, position: usize) -> Vec<Entry<'g>> {
    let mut samples: HashMap<&str, usize> = HashMap::new();
    let entry = |output: &'g crate::turking::Output| {
        let sample = samples.entry(&output.decoding).or_default();
        *sample += 1;
        Entry {
            id: format!("{}/{}/{sample}", item.id, output.decoding.replace('%', "%25").replace('/', "%2F")),
            item,
            instruction,
            decoding: &output.decoding,
            output: output.text.as_deref().unwrap_or_default(),
        }
    };
    outputs.of(position).iter().map(entry).collect()
}

#[cfg(test)]
pub(super) mod tests {
    use super::*;
    use crate::turking::Output;
    use saydo_task::turking::{Ask, Instruction, Ordinal};
    use saydo_task::{Instance, Task};

    /// So many captions, and one noun task, each with the given samples.
    pub(in crate::turking) fn captions(count: usize, samples: &[&str]) -> (Gold, Outputs) {
        let instance = |n: usize, ask: Ask, outputs: &[&str]| Instance {
            id: Some(format!("{}-r{n}", ask.kind().id())),
            input: Instruction { ask, resource: format!("A boat, number {n}.") }.text(Ordinal::Words),
            outputs: outputs.iter().map(|output| (*output).to_owned()).collect(),
            ..Instance::default()
        };
        let mut instances: Vec<Instance> = (0..count).map(|n| instance(n, Ask::Snli, &[])).collect();
        instances.push(instance(0, Ask::Nouns, &["boat, number"]));
        let gold = Gold::new(&[Task { instances, ..Task::default() }]).unwrap();
        let mut outputs = Outputs::new(&gold);
        for position in 0..=count {
            for text in samples {
                let text = Some((*text).to_owned());
                outputs.add(position, Output { decoding: "nucleus".to_owned(), text });
            }
        }
        (gold, outputs)
    }

    #[test]
    fn ids_name_instance_decoding_and_sample() {
        let (gold, mut outputs) = captions(1, &["One.", "Two."]);
        outputs.add(0, Output { decoding: "top/50%".to_owned(), text: None });
        let entries = Entries::open(&gold, &outputs).unwrap();
        let ids: Vec<&str> = entries.all().iter().map(|entry| entry.id.as_str()).collect();
        assert_eq!(ids, ["turking_snli-r0/nucleus/1", "turking_snli-r0/nucleus/2", "turking_snli-r0/top%2F50%25/1"]);
        assert_eq!((entries.position(ids[1]), entries.position("turking_snli-r0")), (Some(1), None));
        assert_eq!((entries.all()[1].output, entries.all()[2].output), ("Two.", ""));
        assert!(entries.all()[0].instruction.contains("\"A boat, number 0.\""));
    }

    #[test]
    fn the_tasks_are_the_callers_choice() {
        let (gold, outputs) = captions(2, &["x"]);
        assert_eq!(Entries::open(&gold, &outputs).unwrap().all().len(), 2);
        assert_eq!(Entries::new(&gold, &outputs, |_| true).unwrap().all().len(), 3);
        let none = Entries::new(&gold, &outputs, |kind| kind == Kind::Squad).unwrap_err().to_string();
        assert_eq!(none, "there is no output to judge, expected at least one of the tasks asked for");
    }
}
