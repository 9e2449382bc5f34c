//! The words a model is asked in.
//!
//! What the paper told its annotators is not published; the rules are its own (section 2), the words are ours. The head
//! depends on the instruction only, so that every prompt about it shares its beginning.

use crate::turking::Item;
use crate::turking::judgement::Question;
use saydo_task::turking::{Kind, Ordinal};

/// The rules and the instruction.
pub(super) fn head(item: &Item) -> String {
    let kind = item.instruction.ask.kind();
    format!(
        "Somebody was given an instruction and wrote a response. Judge the response by these rules.\n\
         1. Read it from the start. If its beginning does what was asked, ignore whatever follows.\n\
         2. A phrase that introduces the answer may come first.\n\
         3. {}\n\n\
         Instruction:\n<<<\n{}\n>>>\n\n",
        enough(kind),
        item.instruction.text(Ordinal::default())
    )
}

/// The response and a question about it, up to the answer.
pub(super) fn tail(item: &Item, output: &str, question: Question) -> String {
    let resource = resource(item.instruction.ask.kind());
    let asked = match question {
        Question::Accurate => format!("Does the response do what the instruction asks, for the {resource} in it?"),
        Question::FormConsistent => {
            format!("Is there any {resource} for which the response would do what the instruction asks?")
        }
    };
    format!("Response:\n<<<\n{}\n>>>\n\nQuestion: {asked} Answer Yes or No.\nAnswer:", output.trim())
}

/// What is enough for a right answer.
fn enough(kind: Kind) -> &'static str {
    match kind {
        Kind::Snli => {
            "The first three sentences must be one caption that is true, one that may be true and one that is false, in \
             any order and without saying which is which."
        }
        Kind::Squad | Kind::NewsQa => "Three good questions are enough, in any order. Answers to them are not needed.",
        Kind::Nouns | Kind::NounsUnderCondition => "The list may be in any order and form, but complete.",
        Kind::NthWord | Kind::NthCharacter => "Case, quotes and punctuation around the answer do not matter.",
    }
}

fn resource(kind: Kind) -> &'static str {
    match kind {
        Kind::Snli => "caption",
        Kind::Squad => "paragraph",
        Kind::NewsQa => "set of highlights",
        _ => "sentence",
    }
}
