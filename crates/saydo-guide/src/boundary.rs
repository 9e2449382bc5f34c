//! Where a piece of a text may start and end.
//!
//! The rule: at a word boundary of Unicode Standard Annex 29 that is also a boundary between grapheme clusters, or
//! between any two grapheme clusters of which one belongs to a script that is written without spaces between words or
//! joins particles to words; and a piece neither starts nor ends with white space. [`crate::Constraint::PieceOf`] and
//! [`crate::ground`] both follow it, so what one produces the other finds.

use unicode_script::{Script, ScriptExtension, UnicodeScript};
use unicode_segmentation::UnicodeSegmentation;

/// Byte offsets, ascending, at which a piece of a text may start and end. Every start has an end after it.
pub(crate) struct Boundaries {
    /// Where a piece may start.
    pub starts: Vec<usize>,
    /// Where a piece may end.
    pub ends: Vec<usize>,
}

impl Boundaries {
    /// The boundaries of a text. Both lists are empty if the text is blank.
    pub fn new(text: &str) -> Boundaries {
        let cuts = cuts(text);
        let solid = |c: Option<char>| c.is_some_and(|c| !c.is_whitespace());
        let ends: Vec<usize> = cuts.iter().copied().filter(|&at| solid(text[..at].chars().next_back())).collect();
        let last = ends.last().copied().unwrap_or(0);
        let starts = cuts.into_iter().filter(|&at| at < last && solid(text[at..].chars().next())).collect();
        Boundaries { starts, ends }
    }
}

/// Every place where the text may be cut, its two ends among them.
fn cuts(text: &str) -> Vec<usize> {
    let words = text.split_word_bound_indices().map(|(at, _)| at).chain([text.len()]);
    if text.is_ascii() {
        return words.collect();
    }
    let mut words = words.peekable();
    let mut cuts = vec![];
    let mut spaceless_before = false;
    for (at, cluster) in text.grapheme_indices(true) {
        while words.next_if(|&word| word < at).is_some() {}
        let spaceless = cluster.chars().next().is_some_and(is_spaceless);
        if words.peek() == Some(&at) || spaceless || spaceless_before {
            cuts.push(at);
        }
        spaceless_before = spaceless;
    }
    cuts.push(text.len());
    cuts
}

/// Whether a word's bounds cannot be told from the characters around this one.
fn is_spaceless(c: char) -> bool {
    const SCRIPTS: [Script; 9] = [
        Script::Han,
        Script::Hiragana,
        Script::Katakana,
        Script::Hangul,
        Script::Bopomofo,
        Script::Thai,
        Script::Lao,
        Script::Khmer,
        Script::Myanmar,
    ];
    if c < '\u{300}' {
        return false;
    }
    let extension: ScriptExtension = c.script_extension();
    !extension.is_common()
        && !extension.is_inherited()
        && SCRIPTS.iter().any(|&script| extension.contains_script(script))
}

#[cfg(test)]
mod tests {
    use super::*;

    fn pieces(text: &str) -> Vec<&str> {
        let Boundaries { starts, ends } = Boundaries::new(text);
        let shortest = |start: &usize| ends.iter().find(|end| *end > start).map(|end| &text[*start..*end]);
        starts.iter().filter_map(shortest).collect()
    }

    #[test]
    fn words_stay_whole_and_punctuation_stands_alone() {
        assert_eq!(
            pieces(" Don't pay $3.14, foo_bar-baz!\r\n"),
            ["Don't", "pay", "$", "3.14", ",", "foo_bar", "-", "baz", "!"]
        );
        assert_eq!(pieces("Straße às ações"), ["Straße", "às", "ações"]);
        assert_eq!(pieces("שלום עולם"), ["שלום", "עולם"]);
    }

    #[test]
    fn scripts_without_spaces_are_cut_at_any_character() {
        assert_eq!(pieces("東京タワー"), ["東", "京", "タ", "ワ", "ー"]);
        assert_eq!(pieces("AI가 좋다"), ["AI", "가", "좋", "다"]);
        assert_eq!(pieces("น้ำตก"), ["น้ำ", "ต", "ก"]);
    }

    #[test]
    fn grapheme_clusters_are_never_cut() {
        assert_eq!(pieces("👩‍👩‍👧🇩🇪🇫🇷 e\u{301}t"), ["👩‍👩‍👧", "🇩🇪", "🇫🇷", "e\u{301}t"]);
        assert_eq!(pieces("か\u{3099}く"), ["か\u{3099}", "く"]);
    }

    #[test]
    fn a_blank_text_has_no_pieces() {
        for text in ["", " ", "\r\n\t", "\u{3000}"] {
            assert!(pieces(text).is_empty(), "{text:?}");
        }
    }
}
