//! Sentences and words: what every rule of the inference looks at. Separate because cutting a text and tagging it is no
//! part of any rule.

use super::step;
use saydo_tagger::{Tag, Tagger, tokenize};
use std::borrow::Cow;

/// What is read of a description, at most: so many sentences, so many words of each, so many characters of a word. No
/// person writes more, and rules that compare words with each other stay within a bound however long a text is.
const MAX_SENTENCES: usize = 200;
const MAX_WORDS: usize = 400;
const MAX_CHARS: usize = 100;

/// A word or a mark of a sentence.
#[derive(Debug, Clone, PartialEq, Eq)]
pub(super) struct Word {
    /// As written.
    pub text: String,
    /// In lower case.
    pub lower: String,
    /// Its part of speech, as the tagger sees it.
    pub tag: Tag,
}

impl Word {
    /// Whether it is one of these, in lower case.
    pub fn is(&self, list: &[&str]) -> bool {
        step::read(1);
        list.contains(&self.lower.as_str())
    }

    /// Whether it is a noun.
    pub fn is_noun(&self) -> bool {
        step::read(1);
        self.tag.is_noun()
    }

    /// Whether it is a mark and no word.
    pub fn is_mark(&self) -> bool {
        step::read(1);
        !self.text.chars().any(char::is_alphanumeric)
    }
}

/// The first sentences of a text, each with its final mark. Line ends part sentences too.
pub(super) fn sentences(text: &str) -> Vec<&str> {
    step::read(text.len());
    let sentences = text.lines().flat_map(of_line).map(str::trim);
    sentences.filter(|sentence| sentence.contains(char::is_alphanumeric)).take(MAX_SENTENCES).collect()
}

/// The sentences of one line.
fn of_line(line: &str) -> impl Iterator<Item = &str> {
    let mut start = 0;
    let mut marks = line.char_indices().filter(|(_, mark)| is_final(*mark));
    std::iter::from_fn(move || {
        let rest = start;
        for (at, mark) in marks.by_ref() {
            let end = at + mark.len_utf8();
            if ends_sentence(&line[start..at], mark, &line[end..]) {
                start = end;
                return Some(&line[rest..end]);
            }
        }
        start = line.len();
        (rest < line.len()).then(|| &line[rest..])
    })
}

fn is_final(mark: char) -> bool {
    matches!(mark, '.' | '?' | '!' | '。' | '？' | '！' | '؟')
}

/// A period inside a number or an address, or after an abbreviation, ends nothing.
fn ends_sentence(before: &str, mark: char, after: &str) -> bool {
    let is_cut = after.is_empty() || after.starts_with(char::is_whitespace) || !mark.is_ascii();
    if !is_cut || mark != '.' {
        return is_cut;
    }
    // What stands before the mark is read only where a space follows it, so no word is read twice.
    let last = before.rsplit(char::is_whitespace).next().unwrap_or_default().to_lowercase();
    let is_short = matches!(last.as_str(), "e.g" | "i.e" | "mr" | "mrs" | "ms" | "dr" | "no" | "vs" | "etc");
    let is_initials = last.len() > 1 && last.contains('.') && last.split('.').all(|part| part.chars().count() == 1);
    step::read(last.len());
    !(is_short || is_initials)
}

/// The words of a sentence. A hyphenated word is one word, and `degree(s)` is `degrees`.
pub(super) fn words(tagger: &Tagger, sentence: &str) -> Vec<Word> {
    let sentence = beginning(sentence).replace("(s)", "s").replace('’', "'");
    // The tokenizer looks around itself within what no space parts.
    step::read(sentence.split_whitespace().map(|chunk| chunk.len() * chunk.len()).sum());
    let mut tokens = tokenize(&sentence);
    tokens.truncate(MAX_WORDS);
    let tags = tagger.tag(&tokens);
    let mut words: Vec<Word> = Vec::with_capacity(tokens.len());
    let mut end = 0;
    let mut joins = false;
    for (token, tag) in tokens.into_iter().zip(tags) {
        let start = sentence.len() - sentence[end..].trim_start().len();
        let touches = start == end;
        end = start + token.len();
        let is_hyphen = matches!(token, "-" | "‑") && sentence[end..].starts_with(char::is_alphanumeric);
        match words.last_mut() {
            Some(last) if touches && !last.is_mark() && (is_hyphen || joins) => {
                last.text.push_str(token);
                last.lower.push_str(&token.to_lowercase());
                // `four-legged` ends in what looks like a verb, but stands where an adjective does.
                last.tag = if tag.is_noun() { tag } else { Tag::Adjective };
            }
            _ => words.push(Word { text: token.to_owned(), lower: token.to_lowercase(), tag }),
        }
        joins = is_hyphen;
    }
    mend(&mut words);
    words
}

/// As much of a sentence as is read. Sentences that are short enough stay as they are, spaces and all.
fn beginning(sentence: &str) -> Cow<'_, str> {
    step::read(sentence.len());
    let is_long = |chunk: &str| chunk.len() > MAX_CHARS && chunk.chars().nth(MAX_CHARS).is_some();
    if sentence.split_whitespace().nth(MAX_WORDS).is_none() && !sentence.split_whitespace().any(is_long) {
        return Cow::Borrowed(sentence);
    }
    let cut = |chunk: &str| chunk.chars().take(MAX_CHARS).collect::<String>();
    Cow::Owned(sentence.split_whitespace().take(MAX_WORDS).map(cut).collect::<Vec<_>>().join(" "))
}

/// Mends what the tagger gets wrong in the short questions people ask.
fn mend(words: &mut [Word]) {
    for at in 0..words.len() {
        let after_dog = at > 0 && words[at - 1].is(&["dog", "cat", "horse"]);
        if after_dog && words[at].is(&["breed", "breeds"]) {
            words[at].tag = if words[at].lower.ends_with('s') { Tag::PluralNoun } else { Tag::Noun };
        }
        let ends_phrase =
            words.get(at + 1).is_none_or(|next| next.is_mark() || next.is(&["and", "or", "of", "for", "in"]));
        if ends_phrase
            && words[at].is(&["total", "address", "contact", "salary", "cost", "email", "individual"])
            && at > 0
        {
            words[at].tag = Tag::Noun;
        }
        if words[at].is(&["e-mail", "email"]) && words[at].tag != Tag::PluralNoun {
            words[at].tag = Tag::Noun;
        }
        if words[at].is(&["whether", "if"]) {
            words[at].tag = Tag::Subordinator;
        }
    }
}

/// The words as text, marks left out.
pub(super) fn join(words: &[Word]) -> String {
    let texts: Vec<&str> = words.iter().filter(|word| !word.is_mark()).map(|word| word.lower.as_str()).collect();
    texts.join(" ").replace(" 's", "'s")
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn sentences_end_at_marks_but_not_at_abbreviations() {
        let text = "Is it a U.S. state? See e.g. Ohio, 3.5 miles.\nList it";
        assert_eq!(sentences(text), ["Is it a U.S. state?", "See e.g. Ohio, 3.5 miles.", "List it"]);
        assert_eq!(sentences("是吗？好。"), ["是吗？", "好。"]);
        assert!(sentences(" ?! \n").is_empty());
    }

    #[test]
    fn hyphenated_words_stay_whole() {
        let words = words(&Tagger::embedded(), "What four-legged animals, and degree(s)?");
        let texts: Vec<&str> = words.iter().map(|word| word.text.as_str()).collect();
        assert_eq!(texts, ["What", "four-legged", "animals", ",", "and", "degrees", "?"]);
        assert_eq!(words[1].tag, Tag::Adjective);
    }
}
