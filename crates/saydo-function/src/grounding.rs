//! From what a model wrote to a piece of the document: only text that stands there becomes a span.

use saydo_task::Span;
use std::ops::Range;

/// Where `piece` stands in `text`, in bytes: the first place that overlaps none of `taken`, or failing that the first.
///
/// A piece that is written a little differently (case, white space, the shape of quotes and dashes) is found too; what
/// counts is then the document's own writing. None if it does not occur.
pub(crate) fn locate(text: &str, piece: &str, taken: &[Range<usize>]) -> Option<Range<usize>> {
    let mut places = saydo_guide::ground(text, piece);
    if places.is_empty() {
        places = ground_folded(text, piece);
    }
    let free =
        places.iter().position(|place| taken.iter().all(|other| place.end <= other.start || other.end <= place.start));
    (!places.is_empty()).then(|| places.swap_remove(free.unwrap_or(0)))
}

/// The span at these bytes of a window that starts so many characters into its document.
pub(crate) fn span(window: &str, window_start: usize, bytes: Range<usize>, score: Option<f64>) -> Span {
    let start = window_start + window[..bytes.start].chars().count();
    let text = &window[bytes];
    Span { start, end: start + text.chars().count(), text: text.to_owned(), label: None, record: None, score }
}

/// Places whose folded writing equals the piece's.
fn ground_folded(text: &str, piece: &str) -> Vec<Range<usize>> {
    let wanted: String = fold(piece.trim()).into_iter().map(|(_, folded)| folded).collect();
    let wanted = wanted.trim_matches(|c: char| matches!(c, '"' | '.' | ',' | ';') || c.is_whitespace());
    if wanted.is_empty() {
        return Vec::new();
    }
    let folded = fold(text);
    let joined: String = folded.iter().map(|(_, folded)| *folded).collect();
    // Byte offsets in `joined` of each folded character, to come back to the document's own bytes.
    let starts: Vec<usize> = joined.char_indices().map(|(at, _)| at).collect();
    let own = |at: usize| starts.binary_search(&at).map_or(text.len(), |index| folded[index].0);
    let places = joined.match_indices(wanted).map(|(at, found)| own(at)..own(at + found.len()));
    places.filter_map(|place| trimmed_piece(text, place)).collect()
}

/// The same place without white space around it, if it neither starts nor ends inside a word.
fn trimmed_piece(text: &str, place: Range<usize>) -> Option<Range<usize>> {
    let raw = &text[place.clone()];
    let start = place.start + (raw.len() - raw.trim_start().len());
    let piece = raw.trim();
    saydo_guide::ground(text, piece).into_iter().find(|found| found.start == start)
}

/// Each character's byte offset with its folded writing: lower case, one space for white space, plain quotes and
/// dashes. A character may fold to several or to none.
fn fold(text: &str) -> Vec<(usize, char)> {
    let mut folded: Vec<(usize, char)> = Vec::with_capacity(text.len());
    for (at, c) in text.char_indices() {
        match c {
            c if c.is_whitespace() => {
                if folded.last().is_none_or(|(_, last)| *last != ' ') {
                    folded.push((at, ' '));
                }
            }
            '‘' | '’' | '‚' | '′' | '`' => folded.push((at, '\'')),
            '“' | '”' | '„' | '«' | '»' | '″' => folded.push((at, '"')),
            '‐' | '‑' | '‒' | '–' | '—' | '−' => folded.push((at, '-')),
            c => folded.extend(c.to_lowercase().map(|lower| (at, lower))),
        }
    }
    folded
}

#[cfg(test)]
mod tests {
    use super::*;
    use proptest::prelude::*;

    fn found<'a>(text: &'a str, piece: &str) -> Option<&'a str> {
        locate(text, piece, &[]).map(|place| &text[place])
    }

    #[test]
    fn the_documents_own_writing_is_returned() {
        let text = "The  Bridalveil\nFall – “a paved” trail.";
        assert_eq!(found(text, "Bridalveil\nFall"), Some("Bridalveil\nFall"));
        assert_eq!(found(text, "bridalveil fall"), Some("Bridalveil\nFall"));
        assert_eq!(found(text, "\"A paved\" trail"), Some("a paved” trail"));
        assert_eq!(found(text, "Lehamite"), None);
        assert_eq!(found(text, ""), None);
        assert_eq!(found(text, " \"\" "), None);
    }

    #[test]
    fn a_place_not_taken_yet_comes_first() {
        let text = "fish and fish";
        assert_eq!(locate(text, "fish", std::slice::from_ref(&(0..4))), Some(9..13));
        assert_eq!(locate(text, "fish", &[0..4, 9..13]), Some(0..4));
    }

    #[test]
    fn offsets_count_characters_of_the_document() {
        let span = span("日本 é 🐻‍❄️ x", 10, 10..23, None);
        assert_eq!((span.start, span.text.as_str()), (15, "🐻‍❄️"));
        assert_eq!(span.end, 15 + span.text.chars().count());
    }

    proptest! {
        #[test]
        fn whatever_is_asked_for_what_is_found_is_there(text in "\\PC{0,40}", piece in "\\PC{0,8}") {
            if let Some(place) = locate(&text, &piece, &[]) {
                prop_assert!(text.get(place.clone()).is_some_and(|found| !found.is_empty()));
            }
        }
    }
}
