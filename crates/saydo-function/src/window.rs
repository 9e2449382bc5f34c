//! Documents longer than the model's context: split into windows at sentence bounds, each starting with the end of the
//! one before it, so that what spans a cut is whole in one of them.

use std::sync::Arc;
use unicode_segmentation::UnicodeSegmentation;

/// How long a window may be, and how that is measured.
#[derive(Clone)]
pub struct WindowSize {
    /// The greatest number of tokens of a prompt and its reply together: the model's context.
    pub context_tokens: usize,
    /// How many tokens a text has. May not exceed the number of its bytes, so that short texts need no counting.
    pub count: Arc<dyn Fn(&str) -> usize + Send + Sync>,
}

impl WindowSize {
    /// For models whose tokenizer is not at hand: one token for three bytes, rounded up. English has more than four
    /// bytes to a token, most other scripts about three.
    pub fn estimated(context_tokens: usize) -> Self {
        Self { context_tokens, count: Arc::new(|text| text.len().div_ceil(3)) }
    }
}

impl std::fmt::Debug for WindowSize {
    fn fmt(&self, f: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        f.debug_struct("WindowSize").field("context_tokens", &self.context_tokens).finish_non_exhaustive()
    }
}

/// A stretch of a document.
#[derive(Debug, Clone, PartialEq, Eq)]
pub(crate) struct Window {
    /// Characters of the document before it.
    pub start: usize,
    /// Its text.
    pub text: Arc<str>,
}

impl Window {
    /// The text with a space for every break inside a paragraph: what a model copies from text that is wrapped at some width.
    /// Every character keeps its place.
    pub fn unwrapped(&self) -> Arc<str> {
        if !self.text.contains('\n') {
            return Arc::clone(&self.text);
        }
        let mut before = '\n';
        let mut after = self.text.chars().skip(1).chain(['\n']);
        let unwrapped = self.text.chars().map(|c| {
            let is_inside = c == '\n' && before != '\n' && after.clone().next().is_some_and(|next| next != '\n');
            (before, _) = (c, after.next());
            if is_inside { ' ' } else { c }
        });
        unwrapped.collect::<String>().into()
    }
}

/// One part in so many of a window is the end of the window before.
const OVERLAP: usize = 8;

/// Windows of at most `max_tokens` tokens that cover the text; one, holding all of it, if it fits.
pub(crate) fn windows(text: &Arc<str>, max_tokens: usize, size: &WindowSize) -> Vec<Window> {
    if text.len() <= max_tokens || (size.count)(text) <= max_tokens {
        return vec![Window { start: 0, text: Arc::clone(text) }];
    }
    let pieces = pieces(text, max_tokens, size);
    let mut windows = Vec::new();
    let mut first = 0;
    while first < pieces.len() {
        let mut tokens = 0;
        let fits = |piece: &&Piece| {
            tokens += piece.tokens;
            tokens <= max_tokens
        };
        // A piece never has more tokens than a window, so each window takes at least one.
        let end = first + pieces[first..].iter().take_while(fits).count().max(1);
        let bytes = pieces[first].start..pieces.get(end).map_or(text.len(), |next| next.start);
        windows.push(Window { start: text[..bytes.start].chars().count(), text: Arc::from(&text[bytes]) });
        if end == pieces.len() {
            break;
        }
        first = overlap_start(&pieces[first..end], max_tokens / OVERLAP).map_or(end, |back| end - back);
    }
    windows
}

/// A sentence, or a part of one that is too long for a window.
struct Piece {
    start: usize,
    tokens: usize,
}

fn pieces(text: &str, max_tokens: usize, size: &WindowSize) -> Vec<Piece> {
    let mut pieces = Vec::new();
    for (start, sentence) in text.split_sentence_bound_indices() {
        push(&mut pieces, start, sentence, max_tokens, size);
    }
    pieces
}

/// Adds the sentence, halved at a word bound as often as it takes. A single character is never cut.
fn push(pieces: &mut Vec<Piece>, start: usize, sentence: &str, max_tokens: usize, size: &WindowSize) {
    let tokens = (size.count)(sentence);
    match (tokens > max_tokens).then(|| middle(sentence)).flatten() {
        None => pieces.push(Piece { start, tokens }),
        Some(middle) => {
            push(pieces, start, &sentence[..middle], max_tokens, size);
            push(pieces, start + middle, &sentence[middle..], max_tokens, size);
        }
    }
}

/// The word bound nearest behind the middle, or a character bound if there is none; none for a single character.
fn middle(text: &str) -> Option<usize> {
    let half = text.len() / 2;
    let inside = |at: &usize| *at >= half && *at > 0;
    let word = text.split_word_bound_indices().map(|(at, _)| at).find(inside);
    word.or_else(|| text.grapheme_indices(true).map(|(at, _)| at).filter(|at| *at > 0).max_by_key(|at| *at <= half))
}

/// How many pieces at the end of a window have at most `tokens` tokens; none if that would be all or nothing of it.
fn overlap_start(window: &[Piece], tokens: usize) -> Option<usize> {
    let mut sum = 0;
    let count = window.iter().rev().take_while(|piece| {
        sum += piece.tokens;
        sum <= tokens
    });
    Some(count.count()).filter(|count| *count > 0 && *count < window.len())
}

#[cfg(test)]
mod tests {
    use super::*;
    use proptest::prelude::*;

    fn size() -> WindowSize {
        WindowSize { context_tokens: 0, count: Arc::new(|text| text.split_whitespace().count().max(1).min(text.len())) }
    }

    fn texts(text: &str, max_tokens: usize) -> Vec<(usize, String)> {
        let windows = windows(&Arc::from(text), max_tokens, &size());
        windows.into_iter().map(|window| (window.start, window.text.to_string())).collect()
    }

    #[test]
    fn breaks_inside_a_paragraph_become_spaces() {
        let unwrapped = |text: &str| Window { start: 0, text: Arc::from(text) }.unwrapped().to_string();
        assert_eq!(unwrapped("Doyles\nRiver Falls.\n\nA\nlist\n"), "Doyles River Falls.\n\nA list\n");
        assert_eq!(unwrapped("\nÉté\n\n\n"), "\nÉté\n\n\n");
    }

    #[test]
    fn a_text_that_fits_is_one_window() {
        assert_eq!(texts("One. Two.", 100), [(0, "One. Two.".to_owned())]);
        assert_eq!(texts("", 5), [(0, String::new())]);
    }

    #[test]
    fn windows_end_with_sentences_and_overlap() {
        let text = "a b c d e f. G h. I j k l m n o. P q. R s t u v w x y z.";
        let windows = texts(text, 17);
        assert_eq!(windows[0], (0, "a b c d e f. G h. I j k l m n o. P q. ".to_owned()));
        assert_eq!(windows[1].1, "P q. R s t u v w x y z.");
        assert_eq!(windows.len(), 2);
    }

    #[test]
    fn a_sentence_too_long_is_cut_at_a_word() {
        for (_, window) in texts("one two three four five six seven", 4) {
            assert!(window.split_whitespace().all(|word| "one two three four five six seven".contains(word)));
            assert!(window.split_whitespace().count() <= 4, "{window}");
        }
    }

    proptest! {
        #[test]
        fn windows_cover_the_text_and_know_their_place(text in "(\\PC|[.!? 。\n]){0,80}", max in 1usize..12) {
            let count: Arc<dyn Fn(&str) -> usize + Send + Sync> = Arc::new(|text| text.chars().count());
            let size = WindowSize { context_tokens: 0, count };
            let chars: Vec<char> = text.chars().collect();
            let mut covered = 0;
            for window in windows(&Arc::from(text.as_str()), max, &size) {
                let inside: Vec<char> = window.text.chars().collect();
                prop_assert!(window.start <= covered);
                prop_assert_eq!(&chars[window.start..window.start + inside.len()], &inside[..]);
                prop_assert!(window.start + inside.len() >= covered);
                covered = window.start + inside.len();
            }
            prop_assert_eq!(covered, chars.len());
        }
    }
}
