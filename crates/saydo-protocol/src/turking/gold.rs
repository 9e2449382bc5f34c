//! The instances to be answered, read back from generated tasks.
//!
//! What an instance asks for, and about which resource, comes from its input, so tasks serve in every format. An
//! instance without an id (some formats drop it) is known as `TASK#POSITION`, from 0.

use super::Error;
use saydo_task::Task;
use saydo_task::turking::Instruction;
use std::collections::HashMap;

/// An instance: what is asked, and what is right.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Item {
    /// The instance's id.
    pub id: String,
    /// What is asked about which resource.
    pub instruction: Instruction,
    /// The right answers, of which one is enough; none for the crowd's tasks.
    pub gold: Vec<String>,
}

/// All instances, found by id.
#[derive(Debug, Clone, Default)]
pub struct Gold {
    items: Vec<Item>,
    inputs: Vec<String>,
    place_of: HashMap<String, usize>,
}

impl Gold {
    /// Reads the instances of tasks; each must follow a template of the Turking Test.
    pub fn new(tasks: &[Task]) -> Result<Gold, Error> {
        let mut gold = Gold::default();
        for task in tasks {
            for (position, instance) in task.instances.iter().enumerate() {
                let id = instance.id.clone().unwrap_or_else(|| format!("{}#{position}", task.id));
                let Some(instruction) = Instruction::parse(&instance.input) else {
                    return Err(Error::UnknownInstruction { task: task.id.clone(), id });
                };
                if instruction.ask.kind().has_gold() && instance.outputs.is_empty() {
                    return Err(Error::NoGold { task: task.id.clone(), id });
                }
                gold.add(Item { id, instruction, gold: instance.outputs.clone() }, &instance.input)?;
            }
        }
        if gold.items.is_empty() { Err(Error::NoInstance) } else { Ok(gold) }
    }

    fn add(&mut self, item: Item, input: &str) -> Result<(), Error> {
        if self.place_of.insert(item.id.clone(), self.items.len()).is_some() {
            return Err(Error::RepeatedInstance { id: item.id });
        }
        self.items.push(item);
        self.inputs.push(input.to_owned());
        Ok(())
    }

    /// The instances, in the order of the tasks.
    pub fn items(&self) -> &[Item] {
        &self.items
    }

    /// The input of the instance at a place of [`Gold::items`]: the whole instruction as the task has it.
    ///
    /// # Panics
    /// If there is no such place.
    pub fn input(&self, position: usize) -> &str {
        &self.inputs[position]
    }

    /// The place of an instance in [`Gold::items`].
    pub fn position(&self, id: &str) -> Option<usize> {
        self.place_of.get(id).copied()
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use saydo_task::Instance;

    const WORD: &str = "Write the second word from the sentence \"It rained.\".";

    fn gold(instances: &[(Option<&str>, &str, &[&str])]) -> Result<Gold, String> {
        let instance = |(id, input, outputs): &(Option<&str>, &str, &[&str])| Instance {
            id: id.map(str::to_owned),
            input: (*input).to_owned(),
            outputs: outputs.iter().map(|output| (*output).to_owned()).collect(),
            ..Instance::default()
        };
        let task = Task { id: "t".to_owned(), instances: instances.iter().map(instance).collect(), ..Task::default() };
        Gold::new(&[task]).map_err(|error| error.to_string())
    }

    #[test]
    fn instances_without_ids_are_known_by_place() {
        let gold = gold(&[(Some("a"), WORD, &["rained."]), (None, WORD, &["rained."])]).unwrap();
        assert_eq!((gold.position("a"), gold.position("t#1"), gold.position("t#0")), (Some(0), Some(1), None));
        assert_eq!(gold.items()[1].instruction.resource, "It rained.");
    }

    #[test]
    fn what_cannot_be_scored_is_named() {
        assert_eq!(
            gold(&[(None, "Do it.", &["x"])]).unwrap_err(),
            "task `t`, instance `t#0`: the input follows no template, expected one of the Turking Test"
        );
        let no_gold = gold(&[(Some("a"), WORD, &[])]).unwrap_err();
        assert_eq!(no_gold, "task `t`, instance `a`: no output, expected the gold answer");
        let twice = gold(&[(Some("a"), WORD, &["x"]), (Some("a"), WORD, &["x"])]).unwrap_err();
        assert_eq!(twice, "instance `a` stands twice in the gold tasks, expected each id once");
        assert_eq!(gold(&[]).unwrap_err(), "the gold tasks hold no instance, expected at least one");
    }
}
