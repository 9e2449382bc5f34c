//! The layouts by name, as the command line and run records spell them.

use super::{Layout, NaturalInstructions, TkInstruct};
use crate::Element::{self, *};
use crate::{Error, Result};

/// The fewest examples any released Natural Instructions run has; the paper's figures are those of the short runs.
const NUM_EXAMPLES: usize = 2;

/// A layout's name and what it stands for.
pub struct NamedLayout {
    /// The name.
    pub name: &'static str,
    /// The number of the encoding in the Natural Instructions paper, where it has one.
    pub number: Option<u8>,
    /// One line on what the prompt holds, with the paper it comes from.
    pub description: &'static str,
    build: fn() -> Layout,
}

impl NamedLayout {
    /// The layout itself.
    pub fn layout(&self) -> Layout {
        (self.build)()
    }
}

impl Layout {
    /// The layout of this name. Natural Instructions layouts start with two examples.
    pub fn named(name: &str) -> Result<Self> {
        let found = Self::names().iter().find(|layout| layout.name == name);
        found.map(NamedLayout::layout).ok_or_else(|| Error::UnknownLayout { found: name.to_owned() })
    }

    /// Every named layout.
    pub fn names() -> &'static [NamedLayout] {
        NAMES
    }
}

const fn numbered(name: &'static str, number: u8, description: &'static str, build: fn() -> Layout) -> NamedLayout {
    NamedLayout { name, number: Some(number), description, build }
}

const fn unnumbered(name: &'static str, description: &'static str, build: fn() -> Layout) -> NamedLayout {
    NamedLayout { name, number: None, description, build }
}

fn elements(elements: &[Element]) -> Layout {
    Layout::NaturalInstructions(NaturalInstructions { elements: elements.to_vec(), num_examples: NUM_EXAMPLES })
}

const NAMES: &[NamedLayout] = &[
    numbered("ni-prompt", 1, "Natural Instructions: the prompt", || elements(&[Prompt])),
    numbered("ni-examples", 2, "Natural Instructions: positive examples alone", || {
        elements(&[PositiveExamplesFullOnly])
    }),
    numbered("ni-prompt-definition", 3, "Natural Instructions: definition and prompt", || {
        elements(&[Definition, Prompt])
    }),
    numbered("ni-prompt-avoid", 4, "Natural Instructions: prompt and things to avoid", || {
        elements(&[Prompt, ThingsToAvoid])
    }),
    numbered("ni-prompt-emphasis", 5, "Natural Instructions: prompt, emphasis and caution", || {
        elements(&[Prompt, EmphasisAndCaution])
    }),
    numbered("ni-prompt-examples", 6, "Natural Instructions: prompt and positive examples", || {
        elements(&[Prompt, PositiveExamplesFullOnly])
    }),
    numbered(
        "ni-prompt-definition-examples",
        7,
        "Natural Instructions: definition, prompt and positive examples",
        || elements(&[Definition, Prompt, PositiveExamplesFullOnly]),
    ),
    numbered("ni-full", 8, "Natural Instructions: every element, examples with explanations", || {
        elements(&[
            Definition,
            Prompt,
            ThingsToAvoid,
            EmphasisAndCaution,
            NegativeExamplesFullExplanations,
            PositiveExamplesFullExplanations,
        ])
    }),
    unnumbered("ni-no-examples", "Natural Instructions: every text element, no examples", || {
        elements(&[Definition, Prompt, ThingsToAvoid, EmphasisAndCaution])
    }),
    unnumbered("ni-full-no-negative", "Natural Instructions: every text element and positive examples", || {
        elements(&[Definition, Prompt, ThingsToAvoid, EmphasisAndCaution, PositiveExamplesFullOnly])
    }),
    unnumbered(
        "ni-prompt-all-examples",
        "Natural Instructions: prompt, negative and positive examples explained",
        || elements(&[Prompt, NegativeExamplesFullExplanations, PositiveExamplesFullExplanations]),
    ),
    unnumbered(
        "ni-full-alternating",
        "Natural Instructions: every element, positive and negative examples in turn",
        || elements(&[Definition, Prompt, ThingsToAvoid, EmphasisAndCaution, AlternatingExamplesFullExplanations]),
    ),
    unnumbered("ni-raw", "Natural Instructions: the crowdsourcing instructions as workers were given them", || {
        elements(&[RawInstructions])
    }),
    unnumbered(
        "ni-no-instruction",
        "Natural Instructions: no instruction, the input between the signs of the others",
        || elements(&[]),
    ),
    unnumbered("none", "no instruction: the input alone", || Layout::Bare),
    unnumbered("zest-t5", "ZEST: question and context for T5", || Layout::ZestT5 { num_examples: 0 }),
    unnumbered("zest-bart", "ZEST: question and context on one line for BART", || Layout::ZestBart { num_examples: 0 }),
    unnumbered("tk-instruct", "Super-NaturalInstructions: the default of Tk-Instruct, same as tk-def-pos", || {
        Layout::TkInstruct(TkInstruct::default())
    }),
    unnumbered("tk-def", "Super-NaturalInstructions: definition", || Layout::TkInstruct(TkInstruct::DEFINITION)),
    unnumbered("tk-pos", "Super-NaturalInstructions: two positive examples", || {
        Layout::TkInstruct(TkInstruct::POSITIVE)
    }),
    unnumbered("tk-def-pos", "Super-NaturalInstructions: definition and two positive examples", || {
        Layout::TkInstruct(TkInstruct::DEFINITION_POSITIVE)
    }),
    unnumbered(
        "tk-def-pos-neg",
        "Super-NaturalInstructions: definition, two positive and two negative examples",
        || Layout::TkInstruct(TkInstruct::DEFINITION_POSITIVE_NEGATIVE),
    ),
    unnumbered("tk-def-pos-expl", "Super-NaturalInstructions: definition and two explained positive examples", || {
        Layout::TkInstruct(TkInstruct::DEFINITION_POSITIVE_EXPLAINED)
    }),
    unnumbered("turking", "Turking Test: the instruction is the input", || Layout::Turking),
];

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn every_name_is_its_own() {
        for named in Layout::names() {
            let same = Layout::names().iter().filter(|other| other.name == named.name);
            assert_eq!(same.count(), 1, "{}", named.name);
            assert_eq!(Layout::named(named.name).unwrap(), named.layout());
        }
    }

    #[test]
    fn the_paper_numbers_its_encodings_from_one_to_eight() {
        let numbers: Vec<u8> = Layout::names().iter().filter_map(|named| named.number).collect();
        assert_eq!(numbers, [1, 2, 3, 4, 5, 6, 7, 8]);
    }

    #[test]
    fn an_unknown_name_is_met_with_the_known_ones() {
        insta::assert_snapshot!(Layout::named("ni-ful").unwrap_err(), @"unknown layout `ni-ful`, expected one of `ni-prompt`, `ni-examples`, `ni-prompt-definition`, `ni-prompt-avoid`, `ni-prompt-emphasis`, `ni-prompt-examples`, `ni-prompt-definition-examples`, `ni-full`, `ni-no-examples`, `ni-full-no-negative`, `ni-prompt-all-examples`, `ni-full-alternating`, `ni-raw`, `ni-no-instruction`, `none`, `zest-t5`, `zest-bart`, `tk-instruct`, `tk-def`, `tk-pos`, `tk-def-pos`, `tk-def-pos-neg`, `tk-def-pos-expl`, `turking`");
    }
}
