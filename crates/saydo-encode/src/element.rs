//! The elements of a Natural Instructions instruction that a prompt can be made of (section 5.1 of the paper).

use crate::{Error, Result};

/// A part of an instruction, as the released encoder knows it.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash)]
pub enum Element {
    /// What to do, in full.
    Definition,
    /// What to do, in one line.
    Prompt,
    /// What an answer must not do.
    ThingsToAvoid,
    /// What an answer must take special care of.
    EmphasisAndCaution,
    /// Positive examples as input and output alone.
    PositiveExamplesFullOnly,
    /// Positive examples, numbered, with the reason each is good.
    PositiveExamplesFullExplanations,
    /// Negative examples, numbered, with the reason each is bad and how to mend it.
    NegativeExamplesFullExplanations,
    /// A positive example and a negative one in turn, numbered and explained (appendix B.1 of the paper).
    AlternatingExamplesFullExplanations,
    /// The instructions as crowd workers were given them (appendix C.1), without a name before them.
    RawInstructions,
}

impl Element {
    /// Every element, in the order messages list them.
    pub const ALL: [Element; 9] = [
        Element::Definition,
        Element::Prompt,
        Element::ThingsToAvoid,
        Element::EmphasisAndCaution,
        Element::PositiveExamplesFullOnly,
        Element::PositiveExamplesFullExplanations,
        Element::NegativeExamplesFullExplanations,
        Element::AlternatingExamplesFullExplanations,
        Element::RawInstructions,
    ];

    /// The element's name in the released files, and in the prompt where it is printed.
    pub fn name(self) -> &'static str {
        match self {
            Element::Definition => "Definition",
            Element::Prompt => "Prompt",
            Element::ThingsToAvoid => "Things to Avoid",
            Element::EmphasisAndCaution => "Emphasis & Caution",
            Element::PositiveExamplesFullOnly => "Positive Examples Full Only",
            Element::PositiveExamplesFullExplanations => "Positive Examples Full Explanations",
            Element::NegativeExamplesFullExplanations => "Negative Examples Full Explanations",
            Element::AlternatingExamplesFullExplanations => "Alternating Examples Full Explanations",
            Element::RawInstructions => "Raw Instructions",
        }
    }

    /// The element of this name; space around it and case do not matter.
    pub fn parse(name: &str) -> Result<Self> {
        let name = name.trim();
        Self::ALL
            .into_iter()
            .find(|element| element.name().eq_ignore_ascii_case(name))
            .ok_or_else(|| Error::UnknownElement { found: name.to_owned() })
    }

    /// Elements from a comma-separated list, in its order. An empty name is an error like any unknown one.
    ///
    /// ```
    /// use saydo_encode::Element;
    ///
    /// assert_eq!(Element::parse_list("Definition, Prompt")?, [Element::Definition, Element::Prompt]);
    /// # Ok::<(), saydo_encode::Error>(())
    /// ```
    pub fn parse_list(names: &str) -> Result<Vec<Self>> {
        names.split(',').map(Self::parse).collect()
    }

    /// Whether the element is a list of positive examples, which instances may be borrowed to lengthen.
    pub(crate) fn is_positive(self) -> bool {
        matches!(
            self,
            Element::PositiveExamplesFullOnly
                | Element::PositiveExamplesFullExplanations
                | Element::AlternatingExamplesFullExplanations
        )
    }

    /// Whether the element shows negative examples.
    pub(crate) fn is_negative(self) -> bool {
        matches!(self, Element::NegativeExamplesFullExplanations | Element::AlternatingExamplesFullExplanations)
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn every_name_parses_back() {
        for element in Element::ALL {
            assert_eq!(Element::parse(element.name()), Ok(element));
        }
        let names = "definition,  things to avoid ,Emphasis & Caution";
        let elements = [Element::Definition, Element::ThingsToAvoid, Element::EmphasisAndCaution];
        assert_eq!(Element::parse_list(names).unwrap(), elements);
    }

    #[test]
    fn an_unknown_name_is_met_with_the_known_ones() {
        let error = Element::parse_list("Definition,Pormpt").unwrap_err();
        insta::assert_snapshot!(error, @"unknown element `Pormpt`, expected one of `Definition`, `Prompt`, `Things to Avoid`, `Emphasis & Caution`, `Positive Examples Full Only`, `Positive Examples Full Explanations`, `Negative Examples Full Explanations`, `Alternating Examples Full Explanations`, `Raw Instructions`");
        assert_eq!(Element::parse_list(""), Err(Error::UnknownElement { found: String::new() }));
    }
}
