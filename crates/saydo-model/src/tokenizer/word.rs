//! How byte-level tokenizers cut a text into words before any merging: no token crosses a word's edge.
//!
//! Each family publishes a pattern. All of them end in "white space, but of a run before something else leave the last
//! character to the next word", said with a lookahead; the regex engine here has no lookahead but takes time linear in
//! the text, so that step is done by hand. The names are those of the GGUF metadata, the patterns those llama.cpp uses.

use regex::Regex;
use std::sync::LazyLock;

static GPT2: LazyLock<Regex> =
    LazyLock::new(|| compile(r"'(?:[stmd]|re|ve|ll)| ?\p{L}+| ?\p{N}+| ?[^\s\p{L}\p{N}]+|\s+"));
static LLAMA3: LazyLock<Regex> = LazyLock::new(|| compile(&newer(r"\p{N}{1,3}")));
static QWEN2: LazyLock<Regex> = LazyLock::new(|| compile(&newer(r"\p{N}")));

/// The pattern of the newer families, which differ in how many digits stay together.
fn newer(digits: &str) -> String {
    let contraction = "'(?:[sS]|[tT]|[rR][eE]|[vV][eE]|[mM]|[lL][lL]|[dD])";
    format!(r"{contraction}|[^\r\n\p{{L}}\p{{N}}]?\p{{L}}+|{digits}| ?[^\s\p{{L}}\p{{N}}]+[\r\n]*|\s*[\r\n]+|\s+")
}

fn compile(pattern: &str) -> Regex {
    Regex::new(pattern).expect("the pattern is valid")
}

/// A family's way of cutting.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(super) enum Words {
    /// GPT-2 and BART.
    Gpt2,
    /// SmolLM: each digit is cut out first, then GPT-2's pattern cuts what lies between.
    SmolLm,
    /// Llama 3: up to three digits together.
    Llama3,
    /// Qwen 2: each digit alone.
    Qwen2,
}

impl Words {
    /// What messages say is known.
    pub(super) const NAMES: &str = "gpt-2, smollm, starcoder, llama-bpe, llama3, llama-v3, qwen2 or deepseek-r1-qwen";

    /// The way with this name in GGUF metadata.
    pub(super) fn from_name(name: &str) -> Option<Self> {
        Some(match name {
            "gpt-2" => Self::Gpt2,
            "smollm" | "starcoder" => Self::SmolLm,
            "llama-bpe" | "llama3" | "llama-v3" => Self::Llama3,
            "qwen2" | "deepseek-r1-qwen" => Self::Qwen2,
            _ => return None,
        })
    }

    /// Calls `take` with each word of `text` in order; joined they give it back.
    pub(super) fn each<'t>(self, text: &'t str, mut take: impl FnMut(&'t str)) {
        match self {
            Self::Gpt2 => each_match(&GPT2, text, LineBreaks::Space, take),
            Self::Llama3 => each_match(&LLAMA3, text, LineBreaks::End, take),
            Self::Qwen2 => each_match(&QWEN2, text, LineBreaks::End, take),
            Self::SmolLm => {
                let mut start = 0;
                for (at, digit) in text.match_indices(char::is_numeric) {
                    each_match(&GPT2, &text[start..at], LineBreaks::Space, &mut take);
                    take(digit);
                    start = at + digit.len();
                }
                each_match(&GPT2, &text[start..], LineBreaks::Space, take);
            }
        }
    }
}

fn each_match<'t>(pattern: &Regex, text: &'t str, line_breaks: LineBreaks, mut take: impl FnMut(&'t str)) {
    let mut at = 0;
    while let Some(found) = pattern.find_at(text, at) {
        let end = end_of_word(text, found.as_str(), found.end(), line_breaks);
        take(&text[found.start()..end]);
        at = end;
    }
}

/// What a line break is to a pattern.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
enum LineBreaks {
    /// White space like any other.
    Space,
    /// The end of a word.
    End,
}

/// Where the word ends whose match ended at `end`: one character earlier in white space that something follows.
fn end_of_word(text: &str, word: &str, end: usize, line_breaks: LineBreaks) -> usize {
    let last = word.chars().next_back().expect("the pattern matches no empty text");
    let ends_here = line_breaks == LineBreaks::End && matches!(last, '\r' | '\n');
    let is_run = last.is_whitespace() && word.len() > last.len_utf8();
    if is_run && !ends_here && end < text.len() { end - last.len_utf8() } else { end }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn words(words: Words, text: &str) -> Vec<&str> {
        let mut found = Vec::new();
        words.each(text, |word| found.push(word));
        assert_eq!(found.concat(), text);
        found
    }

    #[test]
    fn gpt2_keeps_runs_of_digits_and_breaks_contractions_in_lower_case_only() {
        assert_eq!(words(Words::Gpt2, "Room 123b, 3½!?"), ["Room", " 123", "b", ",", " 3½", "!?"]);
        assert_eq!(words(Words::Gpt2, "we'll she's I'M"), ["we", "'ll", " she", "'s", " I", "'", "M"]);
    }

    #[test]
    fn gpt2_leaves_the_last_white_space_to_the_next_word() {
        assert_eq!(words(Words::Gpt2, "a   b"), ["a", "  ", " b"]);
        assert_eq!(words(Words::Gpt2, "a\r\n\r\nb"), ["a", "\r\n\r", "\n", "b"]);
        assert_eq!(words(Words::Gpt2, "a \n "), ["a", " \n "]);
    }

    #[test]
    fn smollm_cuts_each_digit_out_before_it_looks_at_white_space() {
        assert_eq!(words(Words::SmolLm, "in 1999 x"), ["in", " ", "1", "9", "9", "9", " x"]);
        assert_eq!(words(Words::SmolLm, "a   7"), ["a", "   ", "7"]);
        assert_eq!(words(Words::SmolLm, "½٣"), ["½", "٣"]);
    }

    #[test]
    fn llama3_takes_three_digits_and_qwen2_one() {
        assert_eq!(words(Words::Llama3, " 1234567"), [" ", "123", "456", "7"]);
        assert_eq!(words(Words::Qwen2, " 123"), [" ", "1", "2", "3"]);
    }

    #[test]
    fn newer_patterns_end_words_at_line_breaks() {
        assert_eq!(words(Words::Qwen2, "a!\n\nb"), ["a", "!\n\n", "b"]);
        assert_eq!(words(Words::Qwen2, "a \r\n  \n   b"), ["a", " \r\n  \n", "  ", " b"]);
        assert_eq!(words(Words::Llama3, "a\t\tb"), ["a", "\t", "\tb"]);
        assert_eq!(words(Words::Llama3, "a  "), ["a", "  "]);
    }

    #[test]
    fn newer_patterns_break_contractions_in_any_case_and_take_one_mark_before_letters() {
        assert_eq!(words(Words::Qwen2, "I'M #tag (x)"), ["I", "'M", " #", "tag", " (", "x", ")"]);
        assert_eq!(words(Words::Qwen2, "a.b\u{a0}c"), ["a", ".b", "\u{a0}c"]);
    }

    #[test]
    fn an_empty_text_has_no_words() {
        for way in [Words::Gpt2, Words::SmolLm, Words::Llama3, Words::Qwen2] {
            assert!(words(way, "").is_empty());
        }
    }
}
