//! Natural Instructions: elements of the instruction in a chosen order, then the input (section 5.1 of the paper).
//!
//! Separators are those of the released encoder, uneven as they are: the first text has no line end before it, numbered
//! examples always have one, and a suggestion follows its reason without any. Definition precedes prompt although the
//! paper lists them the other way round. Rules NI1 to NI7 of docs/layouts.md.

use crate::strip::strip;
use crate::{Element, Error, RESERVED_INSTANCES, Result};
use saydo_task::{Example, Task};
use std::fmt::Write as _;

/// Which elements a prompt has, and how many examples of each kind.
#[derive(Debug, Clone, PartialEq, Eq, Hash)]
pub struct NaturalInstructions {
    /// The elements, in the order they are written. What a task lacks is left out.
    pub elements: Vec<Element>,
    /// How many positive and how many negative examples. Where a task has fewer positive ones, its first instances
    /// are borrowed; negative ones are never borrowed.
    pub num_examples: usize,
}

impl NaturalInstructions {
    /// The indices of the instances that are borrowed as positive examples of `task`. An evaluation that includes one
    /// of them shows the model its answer.
    pub fn borrowed_instances(&self, task: &Task) -> Vec<usize> {
        borrowed(self.num_shown().0, task)
    }

    /// How many positive and how many negative examples the elements ask for.
    pub(crate) fn num_shown(&self) -> (usize, usize) {
        let count = |is_asked: bool| if is_asked { self.num_examples } else { 0 };
        let has_negative = self.elements.iter().any(|element| element.is_negative());
        (count(self.elements.iter().any(|element| element.is_positive())), count(has_negative))
    }

    /// Everything before an instance's input.
    pub(crate) fn prefix(&self, task: &Task) -> Result<String> {
        let mut text = String::new();
        for element in &self.elements {
            match element {
                Element::Definition => push_text(&mut text, *element, task.definition.as_deref()),
                Element::Prompt => push_text(&mut text, *element, task.prompt.as_deref()),
                Element::ThingsToAvoid => push_text(&mut text, *element, task.things_to_avoid.as_deref()),
                Element::EmphasisAndCaution => push_text(&mut text, *element, task.emphasis.as_deref()),
                Element::PositiveExamplesFullOnly => self.push_plain_examples(&mut text, task)?,
                Element::PositiveExamplesFullExplanations => self.push_positive_examples(&mut text, task)?,
                Element::NegativeExamplesFullExplanations => self.push_negative_examples(&mut text, task),
                Element::AlternatingExamplesFullExplanations => self.push_alternating_examples(&mut text, task)?,
                Element::RawInstructions => {
                    let raw = task.raw.as_deref().ok_or_else(|| Error::NoRawInstructions { task: task.id.clone() })?;
                    text.push_str(strip(raw));
                }
            }
        }
        // The line ends even where a task lacks every element, as in the released prompts.
        if !self.elements.is_empty() {
            text.push('\n');
        }
        text.push_str("input: ");
        Ok(text)
    }

    fn push_plain_examples(&self, text: &mut String, task: &Task) -> Result<()> {
        for j in 0..self.num_examples {
            let shown = Shown::positive(task, j)?;
            if !text.is_empty() || shown.is_borrowed {
                text.push('\n');
            }
            text.push_str(&format!("input: {}\noutput: {}", shown.input, shown.output));
        }
        Ok(())
    }

    fn push_positive_examples(&self, text: &mut String, task: &Task) -> Result<()> {
        for j in 0..self.num_examples {
            push_numbered(text, "Positive", j, &Shown::positive(task, j)?);
        }
        Ok(())
    }

    /// A positive example and a negative one in turn, as far as the negative ones reach.
    fn push_alternating_examples(&self, text: &mut String, task: &Task) -> Result<()> {
        for j in 0..self.num_examples {
            push_numbered(text, "Positive", j, &Shown::positive(task, j)?);
            if let Some(example) = task.negative.get(j) {
                push_numbered(text, "Negative", j, &Shown::example(example));
            }
        }
        Ok(())
    }

    fn push_negative_examples(&self, text: &mut String, task: &Task) {
        for (j, example) in task.negative.iter().take(self.num_examples).enumerate() {
            push_numbered(text, "Negative", j, &Shown::example(example));
        }
    }
}

/// An instance's input and what follows it.
pub(crate) fn suffix(input: &str) -> String {
    format!("{input}\noutput:")
}

/// The instances that lengthen a task's positive examples to so many.
pub(super) fn borrowed(num_positive: usize, task: &Task) -> Vec<usize> {
    (0..num_positive.saturating_sub(task.positive.len())).map(borrowed_index).collect()
}

/// How many positive examples a task can give, borrowed ones included.
pub(crate) fn max_positive(task: &Task) -> usize {
    let can_be_borrowed = |i: &usize| task.instances.get(borrowed_index(*i)).is_some_and(|i| !i.outputs.is_empty());
    task.positive.len() + (0..task.instances.len()).take_while(can_be_borrowed).count()
}

/// The instance borrowed as the `i`-th extra example. The first evaluated instance is passed over for the 80th, which
/// is therefore borrowed twice when that many are.
fn borrowed_index(i: usize) -> usize {
    if i == RESERVED_INSTANCES { 80 } else { i }
}

fn push_text(text: &mut String, element: Element, value: Option<&str>) {
    let Some(value) = value else { return };
    if !text.is_empty() {
        text.push('\n');
    }
    write!(text, "{}: {}", element.name(), strip(value)).expect("writing into a string cannot fail");
}

/// An example as it goes into the prompt.
pub(crate) struct Shown<'t> {
    pub(crate) input: &'t str,
    pub(crate) output: &'t str,
    reason: Option<&'t str>,
    suggestion: Option<&'t str>,
    is_borrowed: bool,
}

impl<'t> Shown<'t> {
    fn example(example: &'t Example) -> Self {
        let Example { input, output, reason, suggestion } = example;
        Self { input, output, reason: reason.as_deref(), suggestion: suggestion.as_deref(), is_borrowed: false }
    }

    /// The `j`-th positive example; a borrowed instance past the task's own.
    pub(crate) fn positive(task: &'t Task, j: usize) -> Result<Self> {
        if let Some(example) = task.positive.get(j) {
            return Ok(Self { suggestion: None, ..Self::example(example) });
        }
        let index = borrowed_index(j - task.positive.len());
        let task_id = || task.id.clone();
        let instance = task.instances.get(index).ok_or_else(|| Error::NothingToBorrow {
            task: task_id(),
            positive: task.positive.len(),
            index,
        })?;
        let output = instance.outputs.first().ok_or_else(|| Error::BorrowedWithoutOutput { task: task_id(), index })?;
        Ok(Self { input: &instance.input, output, reason: None, suggestion: None, is_borrowed: true })
    }
}

/// A suggestion without a reason is written after an empty one, as the released files would have it.
fn push_numbered(text: &mut String, kind: &str, j: usize, shown: &Shown<'_>) {
    let Shown { input, output, .. } = shown;
    text.push_str(&format!("\n{kind} Example{}- \ninput: {input}\noutput: {output}", j + 1));
    if let Some(reason) = shown.reason.or(shown.suggestion.map(|_| "")) {
        text.push_str(&format!("\nreason: {reason}"));
    }
    if let Some(suggestion) = shown.suggestion {
        text.push_str(&format!("suggestion: {suggestion}"));
    }
}

#[cfg(test)]
mod tests;
