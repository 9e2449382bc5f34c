//! Names of record fields: a short phrase made from the words that ask for the field. Separate because naming never
//! decides whether there is a field.

use super::form::{past, singular};
use super::vocabulary::{ARTICLE, BE, DO, HAVE, MODAL, PRONOUN, QUESTION};
use super::word::{Word, join};
use saydo_tagger::Tag;

/// The most words a name has.
const LONGEST: usize = 6;

/// Nouns that say little without what follows their `of`.
const PARTIAL: &[&str] = &["end", "top", "bottom", "part", "rest", "half", "side", "start", "beginning"];

/// Nouns that count or measure what follows their `of`, which stays plural.
const COUNTING: &[&str] = &["number", "amount", "quantity", "count"];

/// The name of the noun phrase that begins here, and how many words the phrase has; none if no noun is in it.
///
/// What the noun belongs to is left out: `the price of the house` is a `price`, but `date of birth` stays whole, and
/// `the names of the trails` are trails.
pub(super) fn noun(words: &[Word]) -> Option<(String, usize)> {
    let skipped = words.iter().take_while(|word| is_before_name(word)).count();
    let length = words[skipped..].iter().take_while(|word| is_in_name(word)).count();
    let end = skipped + length;
    let head = words[skipped..end].iter().rposition(Word::is_noun).map(|at| skipped + at)?;
    let phrase = &words[skipped..=head];
    let after = &words[head + 1..];
    let [of, next, ..] = after else { return Some((named(phrase), head + 1)) };
    if !of.is(&["of"]) {
        return Some((named(phrase), head + 1));
    }
    let is_owned = next.is(ARTICLE) || next.is(PRONOUN) || next.text.chars().all(char::is_uppercase);
    let is_name = words[head].is(&["name", "names"]) && phrase.len() == 1;
    let rest = || noun(&after[1..]).map(|(name, length)| (name, head + 2 + length));
    match rest() {
        Some((owner, end)) if is_name && !next.is(&["this"]) && !next.is(&["that"]) => Some((owner, end)),
        Some((owner, end)) if !is_owned || words[head].is(PARTIAL) => {
            let counted = words[head].is(COUNTING);
            let owner = if counted { join(&words[head + 2..end]) } else { owner };
            Some((format!("{} of {owner}", named(phrase)), end))
        }
        _ => Some((named(phrase), head + 1)),
    }
}

/// Whether a word stands before a noun without being part of its name.
fn is_before_name(word: &Word) -> bool {
    word.is(ARTICLE)
        || word.is(&["me", "us", "of", "following", "specific", "exact", "various", "different", "several"])
}

fn is_in_name(word: &Word) -> bool {
    let is_content = matches!(word.tag, Tag::Adjective | Tag::Numeral | Tag::Other) || word.is_noun();
    let is_gerund = word.tag == Tag::Verb && word.lower.ends_with("ing");
    let is_owner = word.lower == "'s" && word.tag == Tag::Particle;
    let is_function = [ARTICLE, PRONOUN, BE, DO, HAVE, MODAL, QUESTION].iter().any(|list| word.is(list));
    let is_late = word.is(&["available", "and", "or"]) || word.is(&["due"]) && word.tag != Tag::Adjective;
    is_owner || (is_content || is_gerund) && !is_function && !is_late
}

/// The words of a noun phrase as a name: lower case, one instead of several.
fn named(phrase: &[Word]) -> String {
    let mut name = join(phrase);
    if let Some(last) = phrase.last() {
        name.truncate(name.len() - last.lower.len().min(name.len()));
        name.push_str(&singular(&last.lower));
    }
    name
}

/// The name of a yes-no field: what is said of the thing, without the thing itself. `auxiliary` is the verb that began
/// the question, if it did.
pub(super) fn statement(words: &[Word], auxiliary: Option<&str>) -> String {
    let mut kept = without_things(words);
    let first_verb = |word: &&Word| !matches!(word.tag, Tag::Adverb) && !word.is(&["ever", "never", "always", "also"]);
    if auxiliary == Some("did") {
        let (adverbs, rest) = kept.split_at(kept.iter().take_while(|word| !first_verb(word)).count());
        // With a subject of its own the verb is not the first word, and is left as it is.
        if rest.first().is_some_and(|word| !word.is_noun() || words.first().is_some_and(|first| first.is(PRONOUN))) {
            let mut changed: Vec<Word> = adverbs.iter().map(|word| (*word).clone()).collect();
            changed.extend(rest.iter().map(|word| (*word).clone()));
            let verb = &mut changed[adverbs.len()];
            verb.lower = past(&verb.lower);
            return short(&changed.iter().collect::<Vec<_>>());
        }
    }
    if let [have, to, ..] = kept.as_slice()
        && have.is(HAVE)
    {
        let count = if to.is(&["to"]) { 2 } else { 1 };
        kept.drain(..count);
    }
    short(&kept)
}

/// The words without articles, auxiliaries, pronouns, and whatever is called `this`.
fn without_things(words: &[Word]) -> Vec<&Word> {
    let mut kept: Vec<&Word> = Vec::new();
    let mut at = 0;
    while let Some(word) = words.get(at) {
        if word.is(&["this", "that"]) {
            while kept.last().is_some_and(|last| last.tag == Tag::Adposition) {
                kept.pop();
            }
            at += 1 + this_thing(&words[at + 1..]);
            continue;
        }
        let is_verb = word.is(BE) || word.is(&["be", "been", "being"]) || word.is(MODAL) || word.is(DO);
        let is_auxiliary = is_verb || word.is(HAVE) && word.tag == Tag::Auxiliary;
        let is_dropped = word.is_mark() || is_auxiliary || word.is(PRONOUN) || word.is(ARTICLE);
        if !is_dropped {
            kept.push(word);
        }
        at += 1;
    }
    // What stood behind these was left out.
    let is_cut = words.last().is_some_and(|last| kept.last().is_none_or(|kept| *kept != last));
    while is_cut
        && kept.len() > 1
        && kept.last().is_some_and(|last| matches!(last.tag, Tag::Adposition | Tag::Coordinator))
    {
        kept.pop();
    }
    kept
}

/// How many words after `this` name the thing: adjectives, then nouns.
fn this_thing(words: &[Word]) -> usize {
    let adjectives = words.iter().take_while(|word| word.tag == Tag::Adjective).count();
    adjectives + words[adjectives..].iter().take_while(|word| word.is_noun()).count().min(2)
}

/// The words up to the first place where the name is complete.
fn short(words: &[&Word]) -> String {
    let mut end = 0;
    for word in words {
        let before = &words[..end];
        let is_whole = before.len() > 1 && before.iter().any(|word| word.is_noun() || word.lower.ends_with("ed"));
        let is_relative = word.is(QUESTION) || word.is(&["that", "because", "while"]);
        let is_gerund = word.lower.ends_with("ing") && word.tag == Tag::Verb;
        let is_followed = end + 1 < words.len();
        let opens = is_followed && word.tag == Tag::Adposition || word.is(&["outside", "than"]) || is_gerund;
        if end == LONGEST || !before.is_empty() && is_relative || is_whole && opens {
            break;
        }
        end += 1;
    }
    let texts: Vec<&str> = words[..end].iter().map(|word| word.lower.as_str()).collect();
    texts.join(" ").replace(" 's", "'s")
}
