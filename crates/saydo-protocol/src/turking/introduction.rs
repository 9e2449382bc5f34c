//! The introduction rule: a phrase that leads up to the answer does not make it wrong.
//!
//! The paper does not list the phrases it let pass. Only those of the grammar below are recognized, in any case of
//! letters; anything else is part of the answer. `[x]` may be left out, `a | b` is a choice:
//!
//! ```text
//! introduction = opener | [opener] answer | [opener] ["here is" | "here are"] subject end
//! opener       = "sure" | "ok" | "okay" | "certainly" | "of course", then one of , . ! :
//! answer       = ["the" | "my"] "answer", then end
//! subject      = ["the"] [nth] "word" [place]                          nth word
//!              | ["the"] [nth] ("letter" | "character") [place]        nth character
//!              | ["all"] ["of"] ["the"] [number] ("noun" | "nouns") [place] [condition] [place]
//! place        = ("in" | "of" | "from") ("the" | "this" | "that") ["given" | "above" | "following"] "sentence"
//!                [the sentence itself, in quotes; case and punctuation aside]
//! condition    = "that" ("start" | "starts" | "begin" | "begins") "with" ["a" | "an"], the words of the condition
//! end          = ":" | ("is" | "are" | "would be") [":"]
//! ```
//!
//! A number, condition or sentence that is not the one asked for makes the phrase no introduction. For the crowd's tasks
//! an introduction is an opener, or a first line of at most twelve words that ends with a colon and speaks of captions or
//! questions.

mod cursor;

use cursor::Cursor;
use saydo_task::turking::{Ask, Condition, Instruction, Ordinal};

/// The longest opening line of a crowd's task that counts as an introduction, in words.
const MAX_LINE_WORDS: usize = 12;

/// What follows the introduction; the text itself if it has none, or nothing follows.
pub(super) fn without<'t>(text: &'t str, instruction: &Instruction) -> &'t str {
    let mut cursor = Cursor::new(text);
    let has_opener = opener(&mut cursor);
    let rest = match instruction.ask {
        Ask::Snli => line(&cursor, "caption"),
        Ask::Squad | Ask::NewsQa => line(&cursor, "question"),
        ask => answer(cursor).or_else(|| lead(cursor, ask, &instruction.resource)),
    };
    let rest = rest.map_or_else(|| has_opener.then(|| cursor.rest()), Some);
    rest.filter(|rest| !rest.is_empty()).unwrap_or(text)
}

fn opener(cursor: &mut Cursor<'_>) -> bool {
    let start = *cursor;
    let has_word = cursor.word(&["sure", "ok", "okay", "certainly"]) || cursor.words(&["of", "course"]);
    let is_opener = has_word && cursor.sign(&[',', '.', '!', ':']);
    if !is_opener {
        *cursor = start;
    }
    is_opener
}

fn line<'t>(cursor: &Cursor<'t>, about: &str) -> Option<&'t str> {
    let (line, rest) = cursor.rest().split_once('\n')?;
    let line = line.trim_end().strip_suffix(':')?.to_lowercase();
    let is_short = line.split_whitespace().count() <= MAX_LINE_WORDS;
    (is_short && line.contains(about)).then(|| rest.trim_start())
}

fn answer(mut cursor: Cursor<'_>) -> Option<&str> {
    cursor.word(&["the", "my"]);
    (cursor.word(&["answer"]) && end(&mut cursor)).then(|| cursor.rest())
}

fn lead<'t>(mut cursor: Cursor<'t>, ask: Ask, sentence: &str) -> Option<&'t str> {
    if cursor.word(&["here"]) && !cursor.word(&["is", "are"]) {
        return None;
    }
    let has_subject = match ask {
        Ask::NthWord(n) => element(&mut cursor, n, &["word"]) && place(&mut cursor, sentence),
        Ask::NthCharacter(n) => element(&mut cursor, n, &["letter", "character"]) && place(&mut cursor, sentence),
        Ask::Nouns => nouns(&mut cursor, None, sentence),
        Ask::NounsUnder(asked) => nouns(&mut cursor, Some(asked), sentence),
        Ask::Snli | Ask::Squad | Ask::NewsQa => false,
    };
    (has_subject && end(&mut cursor)).then(|| cursor.rest())
}

fn end(cursor: &mut Cursor<'_>) -> bool {
    let has_verb = cursor.word(&["is", "are"]) || cursor.words(&["would", "be"]);
    cursor.sign(&[':']) || has_verb
}

fn element(cursor: &mut Cursor<'_>, n: usize, names: &[&str]) -> bool {
    cursor.word(&["the"]);
    Ordinal::ALL.into_iter().any(|ordinal| cursor.word(&[&ordinal.write(n)]));
    cursor.word(names)
}

fn nouns(cursor: &mut Cursor<'_>, asked: Option<Condition>, sentence: &str) -> bool {
    cursor.word(&["all"]);
    cursor.word(&["of"]);
    cursor.word(&["the"]);
    let key = asked.map(Condition::key).unwrap_or_default();
    let (number, letters): (Vec<_>, Vec<_>) =
        key.split('-').filter(|part| !part.is_empty()).partition(|part| ["singular", "plural"].contains(part));
    cursor.word(&number);
    cursor.word(&["noun", "nouns"])
        && place(cursor, sentence)
        && condition(cursor, asked, &letters)
        && place(cursor, sentence)
}

/// Passes over the condition if it stands there; false if another one does.
fn condition(cursor: &mut Cursor<'_>, asked: Option<Condition>, letters: &[&str]) -> bool {
    if !cursor.word(&["that"]) {
        return true;
    }
    let has_verb = cursor.word(&["start", "starts", "begin", "begins"]) && cursor.word(&["with"]);
    cursor.word(&["a", "an"]);
    let has_letters = letters.iter().all(|word| cursor.word(&[word]));
    let has_kind = asked.is_none_or(|asked| asked.sound().is_some() || cursor.word(&["letter"]));
    asked.is_some() && has_verb && has_letters && has_kind
}

/// Passes over a mention of the sentence if one stands there; false if it is of another sentence.
fn place(cursor: &mut Cursor<'_>, sentence: &str) -> bool {
    let start = *cursor;
    let is_there = cursor.word(&["in", "of", "from"]) && cursor.word(&["the", "this", "that"]) && {
        cursor.word(&["given", "above", "following"]);
        cursor.word(&["sentence"])
    };
    if !is_there {
        *cursor = start;
        return true;
    }
    !cursor.is_at_quote() || cursor.quoted(sentence)
}

#[cfg(test)]
mod tests;
