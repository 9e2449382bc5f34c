//! What stands before the asking: `please`, `I want to know`, `Given a review,`. Separate because the rules that follow
//! look at first words.

use super::part::begins_claim;
use super::vocabulary::{ANSWER, BE, BEFORE_QUESTION, CHECK, CHOOSE, DO, FIND, HAVE, MODAL, QUESTION, WRITE};
use super::word::Word;

/// Phrases that only lead to the asking.
const LEADS: &[&[&str]] = &[
    &["please"],
    &["kindly"],
    &["also"],
    &["then"],
    &["now"],
    &["finally"],
    &["first"],
    &["your", "task", "is", "to"],
    &["your", "job", "is", "to"],
    &["your", "goal", "is", "to"],
    &["the", "task", "is", "to"],
    &["the", "goal", "is", "to"],
    &["task", ":"],
    &["question", ":"],
    &["you", "are", "asked", "to"],
    &["you", "need", "to"],
    &["you", "have", "to"],
    &["you", "must"],
    &["you", "should"],
    &["i", "want", "you", "to"],
    &["i", "want", "to", "know"],
    &["i", "want", "to"],
    &["i", "want"],
    &["i", "need", "to", "know"],
    &["i", "need", "you", "to"],
    &["i", "need", "to"],
    &["i", "need"],
    &["i", "would", "like", "to", "know"],
    &["i", "would", "like", "you", "to"],
    &["i", "would", "like"],
    &["i", "'d", "like", "to", "know"],
    &["i", "'d", "like", "you", "to"],
    &["i", "'d", "like"],
    &["we", "want", "to", "know"],
    &["we", "need", "to", "know"],
    &["tell", "me"],
    &["tell", "us"],
    &["let", "me", "know"],
    &["help", "me"],
    &["try", "to"],
    &["-"],
    &["*"],
    &["•"],
];

/// The asking part of a sentence, and the thing it is asked about if the sentence began with `For each …,`.
pub(super) fn split(words: &[Word]) -> (&[Word], Option<&[Word]>) {
    let mut words = words;
    let mut item = None;
    loop {
        let rest = without_lead(words).or_else(|| polite(words)).or_else(|| {
            let (adjunct, rest) = adjunct(words)?;
            if adjunct[0].is(&["for"]) && adjunct.get(1).is_some_and(|word| word.is(&["each", "every", "all"])) {
                item = Some(&adjunct[1..]);
            }
            Some(rest)
        });
        match rest {
            Some(rest) => words = rest,
            None => return (words, item),
        }
    }
}

fn without_lead(words: &[Word]) -> Option<&[Word]> {
    let is_lead =
        |lead: &&&[&str]| words.len() > lead.len() && lead.iter().zip(words).all(|(part, word)| word.is(&[part]));
    LEADS.iter().find(is_lead).map(|lead| &words[lead.len()..])
}

/// `Could you list …?` is a request, `Can you rent a boat?` a question.
fn polite(words: &[Word]) -> Option<&[Word]> {
    let [modal, you, rest @ ..] = words else { return None };
    if !(modal.is(MODAL) && you.is(&["you"])) {
        return None;
    }
    let is_polite = rest.first()?.is(&["please", "kindly"]);
    let verb = rest.first()?;
    let is_writing = verb.is(WRITE) && !verb.is(&["change", "make", "add", "fix", "complete", "create"]);
    let is_request = verb.is(FIND) || verb.is(CHECK) || verb.is(CHOOSE) || is_writing;
    let is_seeing =
        verb.is(&["find", "see", "get", "read", "spot", "look", "pick", "collect", "file", "place", "call", "work"]);
    let asks = is_request && (modal.is(&["could", "would"]) || !is_seeing);
    (is_polite || asks).then_some(rest)
}

/// A phrase up to a comma behind which the asking begins: `If the reviewer mentions delivery, …`.
fn adjunct(words: &[Word]) -> Option<(&[Word], &[Word])> {
    const OPENS: &[&str] = &[
        "given",
        "if",
        "when",
        "after",
        "before",
        "while",
        "during",
        "as",
        "since",
        "based",
        "according",
        "using",
        "once",
        "because",
        "although",
        "reading",
        "considering",
        "looking",
        "within",
        "among",
        "between",
        "here",
        "so",
        "read",
        "consider",
    ];
    let first = words.first()?;
    let inverted = words.get(1).is_some_and(|word| word.is(BE) || word.is(DO) || word.is(MODAL) || word.is(HAVE));
    let is_adjunct =
        first.is(OPENS) || first.is(BEFORE_QUESTION) && words.get(1).is_some_and(|word| !word.is(QUESTION));
    if !is_adjunct || inverted {
        return None;
    }
    let joints: &[&str] = if first.is(&["read", "consider"]) { &[",", ":", "and"] } else { &[",", ":"] };
    let commas = words.iter().enumerate().filter(|(_, word)| word.is(joints)).map(|(at, _)| at);
    let cut = commas.into_iter().find(|at| begins_asking(&words[at + 1..]))?;
    Some((&words[..cut], &words[cut + 1..]))
}

fn begins_asking(words: &[Word]) -> bool {
    let words = without_lead(words).unwrap_or(words);
    let Some(first) = words.first() else { return false };
    let before = first.is(BEFORE_QUESTION) && words.get(1).is_some_and(|word| word.is(QUESTION));
    let is_verb = [FIND, CHECK, CHOOSE, WRITE, ANSWER].iter().any(|list| first.is(list));
    first.is(QUESTION) || before || is_verb || begins_claim(words) || polite(words).is_some()
}
