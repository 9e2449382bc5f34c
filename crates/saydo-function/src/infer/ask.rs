//! What one sentence asks for. Separate because a description may have several sentences, and some ask for nothing.

use super::field::{Found, found};
use super::opening;
use super::options::{self, Options};
use super::part::{self, Opening, begins_claim};
use super::vocabulary::{
    BE, BEFORE_QUESTION, CHECK, CHOOSE, DO, FIND, HAVE, MODAL, PARTICLE, QUESTION, WRITE, WRITTEN,
};
use super::word::Word;
use saydo_tagger::Tag;

/// What a sentence asks for.
#[derive(Debug, Clone, PartialEq, Eq)]
pub(super) enum Ask {
    /// One of a set of answers.
    Options(Options),
    /// Whether something holds.
    Claim(Found),
    /// Things of the document.
    Things(Vec<Found>),
    /// New text; the word that says so.
    Text(String),
    /// A class, without saying which classes there are; the word that says so.
    Class(String),
}

/// A sentence that asks for something.
#[derive(Debug, Clone, PartialEq, Eq)]
pub(super) struct Asking {
    /// What it asks for.
    pub ask: Ask,
    /// Whether it is a question, not a request.
    pub is_question: bool,
    /// Whether it speaks of things that a sentence before it asked for.
    pub refers_back: bool,
}

/// What a sentence asks for; none if it only tells something.
pub(super) fn read(words: &[Word]) -> Option<Asking> {
    let is_mark = words.iter().any(|word| word.text.starts_with(['?', '？', '؟']));
    let (asking, item) = opening::split(words);
    let end = asking.iter().rposition(|word| !word.is_mark()).map_or(0, |at| at + 1);
    let asking = &asking[..end];
    let first = asking.first()?;
    let is_question = first.is(QUESTION) || is_mark;
    let refers_back =
        item.is_some() || asking.iter().any(|word| word.is(&["each", "their", "its", "them", "they", "it", "whether"]));
    let ask = if is_order(asking) && !is_mark {
        None
    } else if in_own_words(words) && !asking.iter().any(|word| word.is(&["each"])) {
        Some(Ask::Text("in your own words".to_owned()))
    } else {
        question(asking, item).or_else(|| request(asking, item)).or_else(|| other(asking, is_mark))
    };
    ask.map(|ask| Asking { ask, is_question, refers_back })
}

/// `Do not guess.` asks for nothing.
fn is_order(words: &[Word]) -> bool {
    let [first, second, ..] = words else { return false };
    first.is(&["do", "have"]) && second.is(&["not", "n't", "a", "the"])
}

fn in_own_words(words: &[Word]) -> bool {
    words.windows(3).any(|three| three[0].is(&["your"]) && three[1].is(&["own"]) && three[2].is(&["words"]))
}

/// A question, also one inside a request: `whether …`.
fn question(words: &[Word], item: Option<&[Word]>) -> Option<Ask> {
    let first = words.first()?;
    if first.is(QUESTION) || first.is(BEFORE_QUESTION) && words.get(1).is_some_and(|word| word.is(QUESTION)) {
        let invents = |pair: &[Word]| pair[0].is(&["would", "could"]) && pair[1].is(&["be", "you"]);
        if words.windows(2).take(2).any(invents) {
            return Some(Ask::Text(format!("{} {}", words[0].lower, words[1].lower)));
        }
        return Some(Ask::Things(found(words, item)));
    }
    if first.is(&["whether", "if"]) {
        return Some(clause(&words[1..]));
    }
    let is_auxiliary = first.is(BE) || first.is(DO) || first.is(HAVE) || first.is(MODAL);
    let is_inverted = begins_claim(words) || words.get(1).is_some_and(|word| word.tag != Tag::Punctuation);
    if is_auxiliary && is_inverted {
        return Some(match options::in_question(words) {
            Some(options) => Ask::Options(options),
            None if asks_more(words) => Ask::Things(found(words, item)),
            None => Ask::Claim(Found::claim(words, Some(&first.lower))),
        });
    }
    None
}

/// Whether a yes-no question goes on to ask for a thing: `Is it significant, and what is the p-value?`
fn asks_more(words: &[Word]) -> bool {
    let asked = words.iter().position(|word| word.is(QUESTION));
    let joint = asked.and_then(|at| at.checked_sub(1)).map(|at| &words[at]);
    joint.is_some_and(|word| word.is(&["and", ","]))
        && part::parts(words).iter().all(|part| part.opening != Opening::Thing)
}

/// What stands behind `whether`.
fn clause(words: &[Word]) -> Ask {
    match options::in_clause(words) {
        Some(options) => Ask::Options(options),
        None => Ask::Claim(Found::claim(words, None)),
    }
}

fn request(words: &[Word], item: Option<&[Word]>) -> Option<Ask> {
    let first = words.first()?;
    if let Some(options) = options::in_request(words) {
        return Some(Ask::Options(options));
    }
    let skipped = 1 + words[1..].iter().take_while(|word| word.is(PARTICLE)).count();
    let object = behind_colon(&words[skipped..]);
    if first.is(&["answer"])
        && let Some(ask) = question(object, item)
    {
        return Some(ask);
    }
    let asks = |word: &Word| word.is(QUESTION) || word.is(&["whether", "if"]);
    let verb = || first.lower.clone();
    if first.is(&["explain"]) {
        return Some(Ask::Text(verb()));
    }
    if (first.is(CHECK) || first.is(FIND)) && object.first().is_some_and(asks) {
        return question(object, item);
    }
    let is_particle_verb = words.get(1).is_some_and(|word| word.is(&["out", "down", "up"]));
    if first.is(WRITE) && !(is_particle_verb && first.is(&["write"])) && begins_object(object) {
        return Some(Ask::Text(verb()));
    }
    if first.is(CHOOSE) && !first.is(FIND) && begins_object(object) {
        return Some(Ask::Class(verb()));
    }
    if first.is(FIND) && begins_object(object) {
        let things = found(object, item);
        return Some(match new_text(object) {
            Some(noun) if things.len() < 2 => Ask::Text(noun),
            _ => Ask::Things(things),
        });
    }
    None
}

/// What a short announcement leads to: `the following fields: name and e-mail`.
fn behind_colon(words: &[Word]) -> &[Word] {
    const LONGEST: usize = 6;
    match words.iter().position(|word| word.is(&[":"])) {
        Some(at) if at <= LONGEST && at + 1 < words.len() => &words[at + 1..],
        _ => words,
    }
}

/// Whether an object may begin here: `state of the art` is no request to state anything.
fn begins_object(words: &[Word]) -> bool {
    words.first().is_some_and(|word| !word.is(&["of", "is", "are", "was", "were", "'s"]))
}

/// The noun for new text that a request begins with: `a short summary`.
fn new_text(words: &[Word]) -> Option<String> {
    let end = words.iter().position(|word| matches!(word.tag, Tag::Adposition | Tag::Verb)).unwrap_or(words.len());
    let last = words[..end].iter().rfind(|word| word.is_noun())?;
    let is_certain = last.is(&["summary", "explanation", "translation", "paraphrase", "overview", "synopsis"]);
    let is_one = words.first().is_some_and(|word| word.is(&["a", "an", "one", "your"]));
    (last.is(WRITTEN) && (is_certain || is_one)).then(|| last.lower.clone())
}

/// A question in another order, or the bare name of a thing.
fn other(words: &[Word], is_mark: bool) -> Option<Ask> {
    let first = words.first()?;
    if is_mark {
        let asked = words.iter().position(|word| word.is(QUESTION));
        let behind_colon = words.iter().position(|word| word.is(&[":"])).map(|at| &words[at + 1..]);
        return match (asked, behind_colon.and_then(|words| question(words, None))) {
            (_, Some(ask)) => Some(ask),
            (Some(at), None) => Some(Ask::Things(found(&words[at..], None))),
            (None, None)
                if words.last().is_some_and(Word::is_noun) && words.iter().all(|word| word.tag != Tag::Verb) =>
            {
                Some(Ask::Things(found(words, None)))
            }
            (None, None) => Some(Ask::Claim(Found::claim(words, None))),
        };
    }
    let is_verb = |word: &Word| matches!(word.tag, Tag::Verb | Tag::Auxiliary) && !word.lower.ends_with("ed");
    let is_name =
        words.iter().all(|word| !is_verb(word)) && words.iter().any(Word::is_noun) && !first.is(&["no", "not"]);
    is_name.then(|| Ask::Things(found(words, None)))
}
