//! The code books: which errors there are, in words that two people read alike.

use crate::Protocol;
use crate::turking::Pattern;
use crate::turking::judgement::PERSON_PATTERNS;
use crate::zest::ErrorKind;
use serde::Serialize;

/// The code for an output that the scorer calls wrong and the coder does not.
pub const NOT_AN_ERROR: &str = "not-an-error";

/// The codes of a protocol.
#[derive(Debug, Clone, PartialEq, Serialize)]
pub struct Book {
    /// Where the codes come from.
    pub origin: &'static str,
    /// The codes; a coder gives the first that fits.
    pub codes: Vec<Code>,
}

/// One code.
#[derive(Debug, Clone, Copy, PartialEq, Serialize)]
pub struct Code {
    /// Its name.
    pub name: &'static str,
    /// When to give it.
    pub meaning: &'static str,
    /// The paper's share in percent, where it has one for all tasks together.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub published: Option<f64>,
}

const fn code(name: &'static str, meaning: &'static str, published: Option<f64>) -> Code {
    Code { name, meaning, published }
}

const NO_ERROR: Code =
    code(NOT_AN_ERROR, "the output is right: the gold answer is wrong or says the same in other words", None);

/// The code book of a protocol.
pub fn book(protocol: Protocol) -> Book {
    let (origin, mut codes) = match protocol {
        Protocol::Zest | Protocol::Labelled | Protocol::Reading => ("ZEST, Table 6 (100 errors of T5-11B)", zest()),
        Protocol::Turking => ("the Turking Test's error patterns; its shares are by task", turking()),
        Protocol::NaturalInstructions | Protocol::SuperNaturalInstructions => {
            ("ours: Table 8 of the paper is not readable in our copy", natural_instructions())
        }
    };
    codes.push(NO_ERROR);
    Book { origin, codes }
}

fn zest() -> Vec<Code> {
    ErrorKind::ALL
        .map(|kind| match kind {
            ErrorKind::Recall => code("recall", "says NA although the text has an answer", Some(30.0)),
            ErrorKind::Precision => code("precision", "gives an answer although the text has none", Some(37.0)),
            ErrorKind::Partial => {
                code("partial", "gives some of several answers or fields and misses others", Some(9.0))
            }
            ErrorKind::Other => code("other", "any other error", Some(24.0)),
        })
        .to_vec()
}

fn turking() -> Vec<Code> {
    let pattern = |pattern: Pattern| {
        let meaning = match pattern {
            Pattern::RepeatsResource => "repeats the resource and no more",
            Pattern::BeginsWithResource => "begins with the resource and goes on",
            Pattern::RepeatsInstruction => "repeats the instruction and no more",
            Pattern::Repeats => "repeats both the resource and the instruction",
            Pattern::ContinuesResource => "goes on with the resource instead of doing the task",
            Pattern::ContinuesInstruction => "goes on with the instruction instead of doing the task",
            Pattern::CopiesExample => "is about the instruction's example",
            Pattern::CopiesWholeExample => "copies an example of the instruction word for word",
            Pattern::CopiesPartOfExample => "copies a part of an example",
            Pattern::ForbiddenQuestion => "asks a question that the instruction forbids",
        };
        code(pattern.name(), meaning, None)
    };
    let [general, unrelated] = PERSON_PATTERNS;
    let mut codes: Vec<Code> = Pattern::ALL.map(pattern).to_vec();
    codes.push(code(general, "asks something general that the resource does not answer", None));
    codes.push(code(unrelated, "is about something else than the resource", None));
    codes.push(code("wrong-answer", "does the task and gets it wrong", None));
    codes.push(code("other", "any other error", None));
    codes
}

fn natural_instructions() -> Vec<Code> {
    vec![
        code("empty-or-garbled", "says nothing, or nothing that can be read", None),
        code("copies-input", "repeats the input or a part of it instead of doing the task", None),
        code("copies-example", "repeats an example of the instruction, or its pattern, for another input", None),
        code("other-task", "does a task, but not the one that is asked for", None),
        code("wrong-form", "does the task in a form that the instruction rules out", None),
        code("ungrounded", "does the task about something that the input does not say", None),
        code("incomplete", "does a part of the task, or stops in the middle", None),
        code("wrong-answer", "does the task in the right form and gets it wrong", None),
        code("other", "any other error", None),
    ]
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn every_book_has_distinct_codes_and_a_way_out() {
        for protocol in Protocol::ALL {
            let book = book(protocol);
            let names: std::collections::BTreeSet<&str> = book.codes.iter().map(|code| code.name).collect();
            assert_eq!(names.len(), book.codes.len(), "{protocol}");
            assert!(names.contains(NOT_AN_ERROR) && names.contains("other"), "{protocol}");
        }
        let published: f64 = book(Protocol::Zest).codes.iter().filter_map(|code| code.published).sum();
        assert_eq!(published, 100.0);
    }
}
