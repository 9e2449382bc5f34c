//! A sorted list of strings that is looked up one byte at a time: labels, or all pieces of a text.
//!
//! Where a lookup has come to is a [`Span`] of the list: the strings that begin with the bytes so far. For pieces the
//! list holds every suffix of the text that starts where a piece may start, so memory is linear in the text: the
//! suffixes share its bytes, and marks say where a piece may end.

use crate::boundary::Boundaries;
use crate::byte_set::ByteSet;
use crate::{Escape, suffix};

/// The strings from `lo` to before `hi`: those that share their first `depth` bytes with what was looked up.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash)]
pub(crate) struct Span {
    lo: u32,
    hi: u32,
    depth: u32,
}

/// A sorted list of strings.
pub(crate) struct Strings {
    bytes: Vec<u8>,
    /// Where each string starts, in the order of the strings.
    starts: Vec<u32>,
    /// Whether a string may end before this byte: one bit for each offset, the end of the last byte among them.
    ends: Vec<u64>,
    /// Whether a string stops where the next one starts, instead of running to the end of the bytes.
    apart: bool,
}

impl Strings {
    /// Just these words, which must not be empty.
    pub fn words(mut words: Vec<&str>) -> Strings {
        words.sort_unstable();
        words.dedup();
        let mut bytes = vec![];
        let mut starts = vec![];
        for word in words {
            starts.push(bytes.len() as u32);
            bytes.extend_from_slice(word.as_bytes());
        }
        let ends = marks(bytes.len(), starts.iter().copied().chain([bytes.len() as u32]));
        Strings { bytes, starts, ends, apart: true }
    }

    /// All pieces of a text; there are none if it is blank.
    pub fn pieces(text: &str, escape: Escape) -> Strings {
        let mut boundaries = Boundaries::new(text);
        let last = boundaries.ends.last().copied().unwrap_or(0);
        let written = match escape {
            Escape::None => text[..last].to_owned(),
            Escape::Json => write(&text[..last], &mut boundaries),
        };
        let offsets: Vec<u32> = boundaries.starts.iter().map(|&at| at as u32).collect();
        let ends = marks(written.len(), boundaries.ends.iter().map(|&at| at as u32));
        let starts = suffix::sort(written.as_bytes(), &offsets);
        Strings { bytes: written.into_bytes(), starts, ends, apart: false }
    }

    /// Whether there are no strings.
    pub fn is_empty(&self) -> bool {
        self.starts.is_empty()
    }

    /// All strings, before any byte is looked up.
    pub fn all(&self) -> Span {
        Span { lo: 0, hi: self.starts.len() as u32, depth: 0 }
    }

    /// The strings of the span whose next byte is this one; none if there are none.
    pub fn narrow(&self, span: Span, byte: u8) -> Option<Span> {
        let before = |at: u32| self.byte(at, span.depth).is_none_or(|found| found < byte);
        let lo = first(span.lo, span.hi, before);
        if lo == span.hi || self.byte(lo, span.depth) != Some(byte) {
            return None;
        }
        let hi = first(lo + 1, span.hi, |at| self.byte(at, span.depth) == Some(byte));
        Some(Span { lo, hi, depth: span.depth + 1 })
    }

    /// Whether what was looked up is itself one of the strings. Something must have been looked up.
    pub fn may_end(&self, span: Span) -> bool {
        self.starts[span.lo as usize..span.hi as usize].iter().any(|start| {
            let at = (start + span.depth) as usize;
            self.ends[at / 64] >> (at % 64) & 1 == 1
        })
    }

    /// Whether a string of the span goes on.
    pub fn may_continue(&self, span: Span) -> bool {
        // Strings that stop here sort before those that go on.
        self.byte(span.hi - 1, span.depth).is_some()
    }

    /// Adds the bytes that may come next.
    pub fn next_bytes(&self, span: Span, set: &mut ByteSet) {
        let mut at = span.lo;
        while at < span.hi {
            let byte = self.byte(at, span.depth);
            byte.into_iter().for_each(|byte| set.insert(byte));
            at = first(at + 1, span.hi, |at| self.byte(at, span.depth) == byte);
        }
    }

    fn byte(&self, index: u32, depth: u32) -> Option<u8> {
        let at = self.starts[index as usize] + depth;
        let stop = if self.apart { self.starts.get(index as usize + 1).copied() } else { None };
        if stop.is_some_and(|stop| at >= stop) { None } else { self.bytes.get(at as usize).copied() }
    }
}

/// The first index for which `skip` no longer holds. Most answers are near, so the search widens from the start.
fn first(lo: u32, hi: u32, skip: impl Fn(u32) -> bool) -> u32 {
    let (mut lo, mut hi, mut stride) = (lo, hi, 1);
    while lo < hi {
        let probe = (lo + stride - 1).min(hi - 1);
        if !skip(probe) {
            hi = probe;
            break;
        }
        lo = probe + 1;
        stride *= 2;
    }
    while lo < hi {
        let middle = lo + (hi - lo) / 2;
        if skip(middle) { lo = middle + 1 } else { hi = middle }
    }
    lo
}

fn marks(len: usize, offsets: impl Iterator<Item = u32>) -> Vec<u64> {
    let mut marks = vec![0; len / 64 + 1];
    for at in offsets {
        marks[at as usize / 64] |= 1 << (at % 64);
    }
    marks
}

/// Writes the text as JSON and moves the boundaries to where they are in what is written.
fn write(text: &str, boundaries: &mut Boundaries) -> String {
    let mut out = String::with_capacity(text.len() + text.len() / 16);
    let (mut starts, mut ends) = (boundaries.starts.iter_mut().peekable(), boundaries.ends.iter_mut().peekable());
    for (at, c) in text.char_indices().map(|(at, c)| (at, Some(c))).chain([(text.len(), None)]) {
        let is_here = |place: &&mut usize| **place == at;
        starts.next_if(is_here).into_iter().for_each(|place| *place = out.len());
        ends.next_if(is_here).into_iter().for_each(|place| *place = out.len());
        c.into_iter().for_each(|c| Escape::Json.write_char(c, &mut out));
    }
    out
}

#[cfg(test)]
mod tests {
    use super::*;

    fn look_up(strings: &Strings, text: &str) -> Option<Span> {
        text.bytes().try_fold(strings.all(), |span, byte| strings.narrow(span, byte))
    }

    fn accepts(strings: &Strings, text: &str) -> bool {
        look_up(strings, text).is_some_and(|span| strings.may_end(span))
    }

    #[test]
    fn words_are_found_whole_only() {
        let words = Strings::words(vec!["no", "yes", "not", "no"]);
        for (text, found) in [("no", true), ("not", true), ("yes", true), ("n", false), ("ye", false), ("noyes", false)]
        {
            assert_eq!(accepts(&words, text), found, "{text}");
        }
        let span = look_up(&words, "no").expect("a word");
        assert!(words.may_continue(span));
        assert!(!words.may_continue(look_up(&words, "not").expect("a word")));
    }

    #[test]
    fn pieces_keep_to_boundaries() {
        let pieces = Strings::pieces("the cat, the cats ", Escape::None);
        for (text, found) in
            [("the cat", true), ("cats", true), ("cat, the", true), ("cat,", true), ("the cat, t", false)]
        {
            assert_eq!(accepts(&pieces, text), found, "{text}");
        }
        assert!(look_up(&pieces, "he").is_none());
        assert!(!accepts(&pieces, "the "));
        assert!(!pieces.may_continue(look_up(&pieces, "the cats").expect("a piece")));
    }

    #[test]
    fn json_pieces_are_written_escaped() {
        let pieces = Strings::pieces("say \"a\\b\"\nnow", Escape::Json);
        for (text, found) in [(r#"\"a"#, true), (r#"\"\nnow"#, true), (r#"\\"#, true), ("\"", false), (r#"\"#, false)] {
            assert_eq!(accepts(&pieces, text), found, "{text}");
        }
    }

    #[test]
    fn next_bytes_are_those_that_narrow() {
        let pieces = Strings::pieces("a bb abc 的 ab", Escape::None);
        for prefix in ["", "a", "ab", "a b", "的"] {
            let span = look_up(&pieces, prefix).expect("a prefix");
            let mut set = ByteSet::default();
            pieces.next_bytes(span, &mut set);
            let expected: Vec<u8> = (0..=255).filter(|&byte| pieces.narrow(span, byte).is_some()).collect();
            assert_eq!(set.iter().collect::<Vec<_>>(), expected);
            assert_eq!(set.len(), expected.len());
        }
    }
}
