//! One rule for prompts that are longer than a model reads, the same in training and in evaluation.
//!
//! Examples go first, the last of them before the others; then the elements of the instruction, one after the other:
//! emphasis and caution, things to avoid, the definition, the prompt ([`DROP_ORDER`]); Tk-Instruct's definition goes with the
//! task's name, and ZEST's question stays. The input stays whole: it is what is asked about. Only an input that is too long by
//! itself loses its end, and the words that close the prompt still stand behind it.

use crate::{Element, Encoder, Layout, Prompt, Result, Tokens};
use saydo_task::Task;
use serde::{Deserialize, Serialize};
use std::collections::BTreeMap;
use std::sync::OnceLock;

/// The elements in the order in which they are dropped, when no example is left to drop.
pub const DROP_ORDER: [Element; 4] =
    [Element::EmphasisAndCaution, Element::ThingsToAvoid, Element::Definition, Element::Prompt];

/// What a prompt lacks because it would have been too long.
#[derive(Debug, Clone, Default, PartialEq, Eq, Serialize, Deserialize)]
pub struct Dropped {
    /// Examples, positive and negative ones.
    #[serde(default, skip_serializing_if = "is_zero")]
    pub examples: usize,
    /// Elements of the instruction, by name.
    #[serde(default, skip_serializing_if = "Vec::is_empty")]
    pub elements: Vec<String>,
    /// Whether the end of the input is missing.
    #[serde(default, skip_serializing_if = "is_false")]
    pub is_input_cut: bool,
}

fn is_zero(number: &usize) -> bool {
    *number == 0
}

fn is_false(flag: &bool) -> bool {
    !*flag
}

impl Dropped {
    /// Whether the prompt is whole.
    pub fn is_nothing(&self) -> bool {
        *self == Self::default()
    }

    /// How many prompts lack each kind of thing.
    pub fn tally<'d>(all: impl IntoIterator<Item = &'d Self>) -> BTreeMap<String, usize> {
        let mut counts = BTreeMap::new();
        for dropped in all {
            let examples = (dropped.examples > 0).then_some("examples");
            let input = dropped.is_input_cut.then_some("the end of the input");
            let elements = dropped.elements.iter().map(String::as_str);
            for what in examples.into_iter().chain(elements).chain(input) {
                *counts.entry(what.to_owned()).or_default() += 1;
            }
        }
        counts
    }
}

/// Makes the prompts of one task, each with as much as the model's limit leaves room for.
pub struct FittingEncoder<'a> {
    task: &'a Task,
    /// From the whole layout down to the input alone.
    rungs: Vec<Rung<'a>>,
    max_tokens: Option<usize>,
    tokens: Tokens<'a>,
}

/// A layout with less in it.
struct Rung<'a> {
    layout: Layout,
    elements: Vec<String>,
    encoder: OnceLock<Encoder<'a>>,
}

impl<'a> FittingEncoder<'a> {
    /// Prepares `task` for prompts of up to `max_tokens`, or of any length. It fails as [`Encoder::new`] does.
    pub fn new(task: &'a Task, layout: &Layout, max_tokens: Option<usize>, tokens: Tokens<'a>) -> Result<Self> {
        let rung = |(layout, elements)| Rung { layout, elements, encoder: OnceLock::new() };
        let rungs: Vec<Rung<'a>> = rungs(layout, max_tokens).into_iter().map(rung).collect();
        // The largest needs most of the task: where it can be written, all can.
        let whole = Encoder::new(task, &rungs[0].layout, tokens)?.never_cut();
        let fitting = Self { task, rungs, max_tokens, tokens };
        let _ = fitting.rungs[0].encoder.set(whole);
        Ok(fitting)
    }

    /// The prompt for one input, and what it lacks.
    pub fn prompt(&self, input: &str) -> (Prompt, Dropped) {
        // Nearly all prompts fit, and to count the tokens of one is slow.
        let fits = |rung: &Rung<'a>| self.fits(&self.encoder(rung).prompt(input));
        let place = if fits(&self.rungs[0]) { 0 } else { self.rungs.partition_point(|rung| !fits(rung)) };
        let rung = self.rungs.get(place).unwrap_or_else(|| self.rungs.last().expect("the whole layout is a rung"));
        let encoder = self.encoder(rung);
        let shown = encoder.num_shown(input, self.task, &rung.layout);
        let wanted = self.rungs[0].layout.shown_inputs(self.task).len();
        let dropped = Dropped {
            examples: wanted - shown,
            elements: rung.elements.clone(),
            is_input_cut: place == self.rungs.len(),
        };
        match self.max_tokens.filter(|_| dropped.is_input_cut) {
            Some(max_tokens) => (self.cut(encoder, input, max_tokens), dropped),
            None => (encoder.prompt(input), dropped),
        }
    }

    fn fits(&self, prompt: &Prompt) -> bool {
        self.max_tokens.is_none_or(|max_tokens| (self.tokens.count)(&prompt.text()) <= max_tokens)
    }

    fn encoder<'s>(&'s self, rung: &'s Rung<'a>) -> &'s Encoder<'a> {
        rung.encoder.get_or_init(|| {
            let encoder = Encoder::new(self.task, &rung.layout, self.tokens);
            encoder.expect("a layout with less in it needs less of the task").never_cut()
        })
    }

    /// The prompt of as much of the input's beginning as fits. The words around it stay even where they alone are too many.
    fn cut(&self, encoder: &Encoder<'_>, input: &str, max_tokens: usize) -> Prompt {
        let count = |prompt: &Prompt| (self.tokens.count)(&prompt.text());
        let mut room = max_tokens.saturating_sub(count(&encoder.prompt("")));
        loop {
            let prompt = encoder.prompt(&(self.tokens.truncate)(input, room));
            let beyond = count(&prompt).saturating_sub(max_tokens);
            if beyond == 0 || room == 0 {
                return Prompt { is_cut: true, ..prompt };
            }
            room = room.saturating_sub(beyond);
        }
    }
}

/// Layouts with ever less in them, each with the elements that it lacks.
fn rungs(layout: &Layout, max_tokens: Option<usize>) -> Vec<(Layout, Vec<String>)> {
    let mut rungs = Vec::new();
    match layout {
        Layout::NaturalInstructions(own) => {
            let (positive, negative) = own.num_shown();
            let fewer = |count: usize| (layout.clone().with_num_examples(count), Vec::new());
            // The whole layout, and then with fewer examples, if it has any.
            rungs.push((layout.clone(), Vec::new()));
            rungs.extend((0..positive.max(negative)).rev().map(fewer));
            let (mut rest, mut gone) = (own.clone(), Vec::new());
            rest.num_examples = 0;
            for element in DROP_ORDER.into_iter().filter(|element| own.elements.contains(element)) {
                rest.elements.retain(|other| *other != element);
                gone.push(element.name().to_owned());
                rungs.push((Layout::NaturalInstructions(rest.clone()), gone.clone()));
            }
        }
        Layout::ZestT5 { num_examples } | Layout::ZestBart { num_examples } => {
            let fewer = |count: usize| (layout.clone().with_num_examples(count), Vec::new());
            rungs.extend((0..=*num_examples).rev().map(fewer));
        }
        Layout::TkInstruct(own) => {
            // It packs examples itself, into its own limit or the model's.
            let mut bounded = *own;
            bounded.max_source_length = own.max_source_length.min(max_tokens.unwrap_or(usize::MAX));
            rungs.push((Layout::TkInstruct(bounded), Vec::new()));
            if own.definition || own.task_name {
                let bare = crate::TkInstruct { definition: false, task_name: false, ..bounded };
                let bare = crate::TkInstruct { num_positive: 0, num_negative: 0, ..bare };
                rungs.push((Layout::TkInstruct(bare), vec![Element::Definition.name().to_owned()]));
            }
        }
        Layout::Bare | Layout::Turking => rungs.push((layout.clone(), Vec::new())),
    }
    rungs
}

#[cfg(test)]
mod tests;
