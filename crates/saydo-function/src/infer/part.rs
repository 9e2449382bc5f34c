//! Cuts a request or a question into the parts that each ask for one thing: `List the hikes | their length | whether dogs
//! are allowed`. Separate because this is where an `and` is found to join two things, or only two words of one.

use super::name::noun;
use super::vocabulary::{
    BE, BEFORE_QUESTION, CHECK, DO, FIND, HAVE, MODAL, PARTICLE, POSSESSIVE, PRONOUN, QUESTION, TOGETHER, WRITTEN,
};
use super::word::Word;
use saydo_tagger::Tag;

/// How a part begins, which tells what it asks for.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(super) enum Opening {
    /// With a question word.
    Question,
    /// With an auxiliary: `are they accessible`.
    Claim,
    /// With `whether` or `if`.
    Whether,
    /// With a noun that names new text: `a short summary`.
    Written,
    /// With another noun.
    Thing,
}

/// A part that asks for one thing.
#[derive(Debug, Clone, Copy)]
pub(super) struct Part<'a> {
    /// How it begins.
    pub opening: Opening,
    /// Its words, the joint before them left out.
    pub words: &'a [Word],
}

/// A place where a part may begin.
struct Cut {
    /// Where the joint begins, and where the words after it do.
    joint: usize,
    start: usize,
    opening: Opening,
    /// Whether the joint alone says that another thing follows.
    is_sure: bool,
}

/// The parts of a request (its verb left out) or question; at least one unless there are no words.
pub(super) fn parts(words: &[Word]) -> Vec<Part<'_>> {
    if words.is_empty() {
        return Vec::new();
    }
    let mut parts: Vec<Part<'_>> = Vec::new();
    let mut start = 0;
    let mut opening_now = opening(words).map_or(Opening::Thing, |(opening, _, _)| opening);
    let mut refused = false;
    for cut in cuts(words) {
        let before = Part { opening: opening_now, words: &words[start..cut.joint] };
        let rest = &words[cut.start..];
        if cut.opening == Opening::Thing && !cut.is_sure && (refused || !adds(&before, rest, parts.len())) {
            refused = true;
            continue;
        }
        parts.push(before);
        (start, opening_now) = (cut.start, cut.opening);
    }
    parts.push(Part { opening: opening_now, words: &words[start..] });
    parts
}

fn cuts(words: &[Word]) -> Vec<Cut> {
    let mut cuts = Vec::new();
    let mut at = 1;
    while at < words.len() {
        let Some((length, mut is_sure)) = joint(words, at) else {
            at += 1;
            continue;
        };
        let mut start = at + length;
        while let Some((more, sure)) = joint(words, start) {
            start += more;
            is_sure |= sure;
        }
        if let Some((opening, skipped, asks)) = opening(&words[start..])
            && !is_relative(words, at, start)
        {
            let is_single = || number(&words[start..]).is_some_and(|plural| !plural);
            let is_sure =
                is_sure && (opening != Opening::Thing || !words[at].is(&["including"]) || is_single()) || asks;
            cuts.push(Cut { joint: at, start: start + skipped, opening, is_sure });
        }
        at = start.max(at + 1);
    }
    cuts
}

/// `, which are …` tells more about what stands before it and asks for nothing.
fn is_relative(words: &[Word], joint: usize, start: usize) -> bool {
    let is_comma_alone = start == joint + 1 && words[joint].is(&[","]);
    is_comma_alone
        && words[start].is(&["which", "who"])
        && words.get(start + 1).is_some_and(|word| word.is(BE))
        && words.get(start + 2).is_some_and(|word| !word.is(&["the", "their", "its"]))
        && !words[0].is(QUESTION)
}

/// How many words join what stands before with what follows, and whether they always join things.
fn joint(words: &[Word], at: usize) -> Option<(usize, bool)> {
    let word = words.get(at)?;
    if word.is(&[",", ";", "and", "&", "then", "also", "-", "–", "—"]) {
        return Some((1, false));
    }
    let is_phrase = |phrase: &&&[&str]| {
        phrase.iter().enumerate().all(|(n, part)| words.get(at + n).is_some_and(|word| word.is(&[part])))
    };
    if let Some(phrase) = TOGETHER.iter().find(is_phrase) {
        return Some((phrase.len(), true));
    }
    let owns = |word: &Word| word.is(POSSESSIVE);
    let after_comma = at > 0 && words[at - 1].is(&[","]);
    let rest = &words[at + 1..];
    let is_of_each = |pair: &[Word]| pair[0].is(&["of", "for"]) && pair[1].is(&["each", "every"]);
    let is_with = word.is(&["with"])
        && (after_comma
            || rest.first().is_some_and(owns)
            || rest.iter().any(|word| word.is(&["whether"]))
            || rest.windows(2).any(is_of_each));
    is_with.then_some((1, true))
}

/// How the words begin, how many of them only lead there (`say whether`), and whether a verb among these asks anew; none
/// if nothing is asked for here.
fn opening(words: &[Word]) -> Option<(Opening, usize, bool)> {
    let first = words.first()?;
    let second = words.get(1);
    let second_is = |list: &[&str]| second.is_some_and(|word| word.is(list));
    if first.is(QUESTION) || first.is(BEFORE_QUESTION) && second_is(QUESTION) {
        return Some((Opening::Question, 0, false));
    }
    if first.is(&["whether"])
        || first.is(&["if"]) && second.is_some_and(|word| !word.is(&["any", "so", "possible", "applicable"]))
    {
        return Some((Opening::Whether, 0, false));
    }
    if begins_claim(words) {
        return Some((Opening::Claim, 0, false));
    }
    let is_verb = first.is(FIND) || first.is(CHECK);
    let leads = |word: &Word| {
        word.is(&["the", "a", "an", "all", "every", "each", "whether", "if", "me", "out"])
            || word.is(QUESTION)
            || word.is(POSSESSIVE)
    };
    if is_verb && second.is_some_and(leads) {
        let skipped = 1 + words[1..].iter().take_while(|word| word.is(PARTICLE)).count();
        let (opening, more, _) = opening(&words[skipped..])?;
        return Some((opening, skipped + more, true));
    }
    let (_, length) = noun(words)?;
    let is_new = words[..length].iter().any(|word| word.is(WRITTEN)) && !first.is(&["the"]) && !first.is(POSSESSIVE);
    Some((if is_new { Opening::Written } else { Opening::Thing }, 0, false))
}

/// Whether a yes-no question begins here: an auxiliary, then a subject. `and have the word in the title` does not.
pub(super) fn begins_claim(words: &[Word]) -> bool {
    let [auxiliary, subject, ..] = words else { return false };
    let is_pronoun = subject.is(PRONOUN);
    let is_subject = is_pronoun
        || subject.is_noun()
        || subject.is(POSSESSIVE)
        || subject.is(&["the", "this", "a", "an", "all", "both"]);
    if auxiliary.is(HAVE) {
        is_pronoun && !subject.is(&["any", "one", "those", "these"])
    } else {
        (auxiliary.is(BE) || auxiliary.is(DO) || auxiliary.is(MODAL)) && is_subject
    }
}

/// Whether a noun phrase behind a joint is another thing, and not a second word for the things before.
fn adds(before: &Part<'_>, words: &[Word], count: usize) -> bool {
    let Some((_, length)) = noun(words) else { return false };
    let Some(is_plural) = number(words) else { return false };
    if words[0].is(POSSESSIVE) {
        return true;
    }
    let end = words.iter().position(|word| word.is(&[",", "and"])).unwrap_or(words.len());
    if words[..end].iter().any(|word| word.is(&["them", "each", "their", "its"])) {
        return true;
    }
    let Some(tail) = tail(before) else { return false };
    if !tail.is_empty() {
        let is_named = words[0].is(&["the", "a", "an"]);
        return is_named && !is_plural && tail[0].is(&["of", "to", "for"]) && length > 1;
    }
    !is_plural || count > 1
}

/// What follows the noun that a part asks for; none if it asks for no noun.
fn tail<'a>(part: &Part<'a>) -> Option<&'a [Word]> {
    let words = part.words;
    let start = match part.opening {
        Opening::Question if words.get(1).is_some_and(|word| word.is(BE)) => 2,
        Opening::Question if words[0].is(&["what", "which", "whose"]) => 1,
        Opening::Thing | Opening::Written => 0,
        _ => return None,
    };
    let (_, length) = noun(&words[start..])?;
    let head = words[start..start + length].iter().position(|word| word.is(&["of"])).unwrap_or(length);
    Some(&words[start + head..])
}

/// Whether the noun of a phrase is plural; none if there is no noun.
fn number(words: &[Word]) -> Option<bool> {
    let (_, length) = noun(words)?;
    let of = words[..length].iter().position(|word| word.is(&["of"])).unwrap_or(length);
    let head = words[..of].iter().rfind(|word| word.is_noun())?;
    Some(matches!(head.tag, Tag::PluralNoun | Tag::PluralProperNoun))
}
