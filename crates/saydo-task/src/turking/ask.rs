//! What an instruction asks for, and the words around its resource.
//!
//! Templates: the paper's appendix, rule TT1 of docs/layouts.md. The three long ones stand in files of
//! their own, line for line; `{resource}` marks the place of the resource there and is looked for once, in the template
//! only, so a resource with braces in it stays as it is.

use super::{Condition, Kind, Ordinal};

const SNLI: &str = include_str!("template/snli.txt");
const SQUAD: &str = include_str!("template/squad.txt");
const NEWSQA: &str = include_str!("template/newsqa.txt");

/// What is asked about a resource.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash, PartialOrd, Ord)]
pub enum Ask {
    /// Three captions.
    Snli,
    /// Five questions about a paragraph.
    Squad,
    /// Questions about highlights.
    NewsQa,
    /// Every noun.
    Nouns,
    /// The nouns that meet a condition.
    NounsUnder(Condition),
    /// The nth word, from 1.
    NthWord(usize),
    /// The nth character, from 1.
    NthCharacter(usize),
}

impl Ask {
    /// The task this belongs to.
    pub fn kind(self) -> Kind {
        match self {
            Ask::Snli => Kind::Snli,
            Ask::Squad => Kind::Squad,
            Ask::NewsQa => Kind::NewsQa,
            Ask::Nouns => Kind::Nouns,
            Ask::NounsUnder(_) => Kind::NounsUnderCondition,
            Ask::NthWord(_) => Kind::NthWord,
            Ask::NthCharacter(_) => Kind::NthCharacter,
        }
    }

    /// The instruction's words before and after its resource.
    pub fn frame(self, ordinal: Ordinal) -> (String, String) {
        let template = self.kind().template();
        let filled = match self {
            Ask::NthWord(n) | Ask::NthCharacter(n) => template.replace("{nth}", &ordinal.write(n)),
            Ask::NounsUnder(condition) => under(condition, template),
            Ask::Snli | Ask::Squad | Ask::NewsQa | Ask::Nouns => template.to_owned(),
        };
        let (before, after) = filled.split_once("{resource}").expect("each template has one resource");
        (before.to_owned(), after.to_owned())
    }
}

impl Kind {
    /// The template, with the varying parts in braces.
    pub fn template(self) -> &'static str {
        match self {
            Kind::Snli => SNLI.trim_ascii_end(),
            Kind::Squad => SQUAD.trim_ascii_end(),
            Kind::NewsQa => NEWSQA.trim_ascii_end(),
            Kind::Nouns => "List all the nouns of the sentence \"{resource}\".",
            Kind::NounsUnderCondition => {
                "List all the {number} nouns from the sentence \"{resource}\" that start with {letter}."
            }
            Kind::NthWord => "Write the {nth} word from the sentence \"{resource}\".",
            Kind::NthCharacter => "Write down the {nth} letter from the sentence \"{resource}\".",
        }
    }
}

fn under(condition: Condition, template: &str) -> String {
    let spaced = |word: Option<&str>| word.map(|word| format!("{word} ")).unwrap_or_default();
    let case = spaced(condition.case_word());
    let article = if case.starts_with('u') { "an" } else { "a" };
    let letter = format!("{article} {case}{}", condition.sound_word().unwrap_or("letter"));
    template.replace("{number} ", &spaced(condition.number_word())).replace("{letter}", &letter)
}
