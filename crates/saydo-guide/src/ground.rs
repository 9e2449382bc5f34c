//! Finds a generated piece in the text it was taken from.

use crate::boundary::Boundaries;
use std::ops::Range;

/// All places, as byte ranges in order, where `piece` occurs in `text` as a piece of it (see
/// [`Constraint::PieceOf`](crate::Constraint::PieceOf)); occurrences may overlap. The piece is given unescaped
/// ([`Escape::read`](crate::Escape::read) undoes an escape). Whatever a guide produced as a piece of `text` is found at
/// least once; an empty piece is found nowhere.
///
/// ```
/// assert_eq!(saydo_guide::ground("An art fan: art is art.", "art"), [3..6, 12..15, 19..22]);
/// assert!(saydo_guide::ground("An artist", "art").is_empty());
/// ```
pub fn ground(text: &str, piece: &str) -> Vec<Range<usize>> {
    if piece.is_empty() {
        return vec![];
    }
    let Boundaries { starts, ends } = Boundaries::new(text);
    let is_end = |end: usize| ends.binary_search(&end).is_ok();
    let occurs = |start: &usize| text[*start..].starts_with(piece) && is_end(start + piece.len());
    starts.into_iter().filter(occurs).map(|start| start..start + piece.len()).collect()
}

#[cfg(test)]
mod tests {
    use super::ground;

    #[test]
    fn overlapping_places_are_all_found() {
        assert_eq!(ground("no no no", "no no"), [0..5, 3..8]);
        assert_eq!(ground("的的的", "的的"), [0..6, 3..9]);
    }

    #[test]
    fn what_is_no_piece_is_not_found() {
        for piece in ["", " no", "no ", "n", "yes"] {
            assert!(ground("no no", piece).is_empty(), "{piece:?}");
        }
    }
}
