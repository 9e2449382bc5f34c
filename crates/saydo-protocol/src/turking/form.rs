//! Whether an output to one of the crowd's tasks has the form that was asked for.
//!
//! The paper had people say whether an output would be right for some resource ("form consistency"). These checks need no
//! people and see less: an output that fails them was not even an attempt, one that passes may still be wrong.

use super::pattern::INSTRUCTION_RUN;
use super::sentence::sentences;
use super::word::{folded, words};
use saydo_task::turking::{Ask, Ordinal};

/// What was asked for: three captions, and at least three questions.
const WANTED: usize = 3;

/// The fewest words of a caption or question.
const MIN_WORDS: usize = 2;

/// Words that ask, wherever they stand in a question.
const QUESTION_WORDS: [&str; 9] = ["who", "whom", "whose", "what", "which", "when", "where", "why", "how"];

/// Words that make a question when they stand first.
const AUXILIARIES: [&str; 25] = [
    "is", "are", "was", "were", "am", "do", "does", "did", "has", "have", "had", "can", "could", "will", "would",
    "shall", "should", "may", "might", "must", "isn't", "aren't", "wasn't", "didn't", "doesn't",
];

/// Words after `how` that make it a question with a short answer.
const SHORT_HOW: [&str; 4] = ["far", "long", "many", "much"];

/// Words that say which of the three captions a sentence is.
const LABELS: [&str; 12] = [
    "true",
    "false",
    "maybe",
    "might",
    "definitely",
    "possibly",
    "neutral",
    "entailment",
    "contradiction",
    "correct",
    "incorrect",
    "neither",
];

/// A label is at most this many words long.
const MAX_LABEL_WORDS: usize = 5;

/// The form of an output.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct Form {
    /// Whether it has the form that was asked for.
    pub is_consistent: bool,
    /// SNLI: whether one of the first three captions says which it is; such an output is not consistent.
    pub is_labelled: bool,
    /// NewsQA: whether one of the first three questions begins with a forbidden `why` or `how`; such an output is not
    /// consistent.
    pub is_forbidden: bool,
}

/// The form of an output without its introduction; none for the tasks with gold.
pub(super) fn form(text: &str, ask: Ask) -> Option<Form> {
    match ask {
        Ask::Snli => Some(captions(text)),
        Ask::Squad => Some(questions(text, false)),
        Ask::NewsQa => Some(questions(text, true)),
        _ => None,
    }
}

/// The first three sentences exist, differ, are not questions or parts of the instruction, and say nothing about which
/// they are.
fn captions(text: &str) -> Form {
    let sentences = sentences(text);
    let first: Vec<&str> = sentences.into_iter().take(WANTED).collect();
    let is_labelled = first.iter().any(|sentence| is_labelled(sentence));
    let are_captions =
        first.len() == WANTED && are_distinct(&first) && first.iter().all(|sentence| is_caption(sentence));
    Form { is_consistent: are_captions && !is_labelled, is_labelled, is_forbidden: false }
}

fn is_caption(sentence: &str) -> bool {
    words(sentence).len() >= MIN_WORDS && !sentence.ends_with('?') && !is_from_instruction(sentence, Ask::Snli)
}

/// Whether a sentence repeats the instruction outside its examples.
fn is_from_instruction(sentence: &str, ask: Ask) -> bool {
    INSTRUCTION_RUN.is_shared(&words(sentence), &super::pattern::instruction_words(ask, Ordinal::default()))
}

/// Whether a label stands before a colon or dash, or in brackets at either end.
fn is_labelled(sentence: &str) -> bool {
    let before = [": ", " - ", " – ", " — "]
        .iter()
        .filter_map(|sign| Some(sentence.split_once(sign)?.0))
        .min_by_key(|s| s.len());
    let first = sentence.strip_prefix(['(', '[']).and_then(|rest| Some(rest.split_once([')', ']'])?.0));
    let last =
        sentence.trim_end_matches('.').strip_suffix([')', ']']).and_then(|rest| Some(rest.rsplit_once(['(', '['])?.1));
    [before, first, last].into_iter().flatten().any(|label| {
        let label = words(label);
        label.len() <= MAX_LABEL_WORDS && label.iter().any(|word| LABELS.contains(&word.as_str()))
    })
}

/// The output starts with a question and has three different ones. Answers may stand between them.
fn questions(text: &str, has_forbidden: bool) -> Form {
    let sentences = sentences(text);
    let starts_right = sentences.first().is_some_and(|first| is_question(first));
    let first: Vec<&str> = sentences.into_iter().filter(|sentence| is_question(sentence)).take(WANTED).collect();
    let is_forbidden = has_forbidden && first.iter().any(|question| has_long_answer(question));
    let are_questions = starts_right && first.len() == WANTED && are_distinct(&first);
    Form { is_consistent: are_questions && !is_forbidden, is_labelled: false, is_forbidden }
}

fn is_question(sentence: &str) -> bool {
    let words = words(sentence);
    let is_asking = words.iter().any(|word| QUESTION_WORDS.contains(&word.as_str()));
    let starts_asking = words.first().is_some_and(|word| AUXILIARIES.contains(&word.as_str()));
    sentence.trim_end_matches(['"', '”', ')']).ends_with('?')
        && words.len() >= MIN_WORDS
        && (is_asking || starts_asking)
}

/// Whether a question begins with `why`, or with `how` in other than one of the permitted ways.
fn has_long_answer(question: &str) -> bool {
    let words = words(question);
    let second = words.get(1).map(String::as_str).unwrap_or_default();
    match words.first().map(String::as_str) {
        Some("why") => true,
        Some("how") => !SHORT_HOW.contains(&second),
        _ => false,
    }
}

fn are_distinct(sentences: &[&str]) -> bool {
    let distinct: std::collections::HashSet<String> =
        sentences.iter().map(|sentence| folded(&words(sentence).join(" "))).collect();
    distinct.len() == sentences.len()
}

#[cfg(test)]
mod tests {
    use super::*;

    fn is_consistent(text: &str, ask: Ask) -> bool {
        form(text, ask).unwrap().is_consistent
    }

    #[test]
    fn captions_are_three_different_sentences() {
        for text in [
            "A person is on a boat. She waves to a friend. She is asleep.",
            "1. A person is on a boat.\n2. She waves to a friend.\n3. She is asleep.\n\nHere's another caption:",
            "• \"A person is outdoors\"\n• \"A friend leaves\"\n• \"Nobody is here\"",
        ] {
            assert!(is_consistent(text, Ask::Snli), "{text}");
        }
        for text in [
            "",
            "A person is on a boat. She waves.",
            "A boat sails. A boat sails! She is asleep.",
            "Who is on a boat? She waves to a friend. She is asleep.",
            "Boat. She waves to a friend. She is asleep.",
            "• Write one alternate caption that is definitely true.\n• A boat sails.\n• She is asleep.",
        ] {
            assert!(!is_consistent(text, Ask::Snli), "{text}");
        }
    }

    #[test]
    fn captions_that_say_what_they_are_are_told_apart() {
        for text in [
            "True: A boat sails. She waves. She is asleep.",
            "Definitely false - A boat sails.\nShe waves.\nShe is asleep.",
            "A boat sails (true). She waves (maybe). She is asleep (false).",
            "(Neutral) A boat sails. She waves. She is asleep.",
        ] {
            let form = form(text, Ask::Snli).unwrap();
            assert!(form.is_labelled && !form.is_consistent, "{text}");
        }
        for text in [
            "A true story is read out: the boat is lost. She waves. It rains.",
            "The boat stays true. She waves (and smiles). It might rain.",
        ] {
            assert!(!form(text, Ask::Snli).unwrap().is_labelled, "{text}");
        }
    }

    #[test]
    fn questions_come_first_and_there_are_three() {
        for text in [
            "When was it built? Who paid for it? What color is it?",
            "1. When was it built?\n2. Did Ruth Alder pay?\n3. In which year did it end?\n4. Why?",
            "Q: When was it built?\nA: In 1871.\nQ: Who paid?\nA: Ruth.\nQ: The lamp burned what?\nA: Oil.",
        ] {
            assert!(is_consistent(text, Ask::Squad), "{text}");
        }
        for text in [
            "",
            "When was it built? Who paid for it?",
            "It was built. When was it built? Who paid for it? What color is it?",
            "When was it built? When was it built? Who paid for it?",
            "When was it built. Who paid for it. What color is it.",
            "Really? You think so? Truly, now?",
        ] {
            assert!(!is_consistent(text, Ask::Squad), "{text}");
        }
    }

    #[test]
    fn some_questions_are_forbidden_about_highlights() {
        let with = |question: &str| format!("{question} Who won a prize? Where is the choir from?");
        for question in ["How many won?", "How far is it?", "How long is it?", "How much is it?", "What is how?"] {
            assert!(is_consistent(&with(question), Ask::NewsQa), "{question}");
        }
        for question in ["Why did they win?", "How did they win?", "\"How old are they?\"", "How come?"] {
            let form = form(&with(question), Ask::NewsQa).unwrap();
            assert!(form.is_forbidden && !form.is_consistent, "{question}");
            assert!(is_consistent(&with(question), Ask::Squad), "{question}");
        }
        let late = "Who won? Where was it? What was it? Why did they win?";
        assert!(is_consistent(late, Ask::NewsQa), "only the first three count");
    }

    #[test]
    fn tasks_with_gold_have_no_form() {
        assert_eq!(form("cat", Ask::Nouns), None);
    }
}
