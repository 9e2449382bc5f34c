//! Follows free text byte by byte: well-formed UTF-8 without control characters, limited in length.

mod tokens;

use crate::Escape;
use crate::byte_set::ByteSet;
pub(crate) use tokens::LineTokens;

/// Where in a line the text has come to.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash)]
pub(crate) struct Line {
    /// How many characters have been begun.
    chars: usize,
    inside: Inside,
}

/// What of the last character is still to come.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash)]
enum Inside {
    /// Nothing.
    Nothing,
    /// The character after a backslash.
    Escaped,
    /// So many bytes, the next of them in this range.
    Bytes { left: u8, first: u8, last: u8 },
}

impl Line {
    /// Whether a character that is written so can begin with this byte.
    pub fn may_begin(byte: u8, escape: Escape) -> bool {
        lead(byte, escape).is_some()
    }

    /// An empty line.
    pub const START: Line = Line { chars: 0, inside: Inside::Nothing };

    /// After one more byte; none if it cannot come here.
    pub fn step(self, byte: u8, max_chars: usize, escape: Escape) -> Option<Line> {
        let inside = match self.inside {
            Inside::Nothing if self.chars == max_chars => return None,
            Inside::Nothing => lead(byte, escape)?,
            Inside::Escaped => matches!(byte, b'"' | b'\\').then_some(Inside::Nothing)?,
            Inside::Bytes { first, last, .. } if byte < first || byte > last => return None,
            Inside::Bytes { left: 1, .. } => Inside::Nothing,
            Inside::Bytes { left, .. } => Inside::Bytes { left: left - 1, first: 0x80, last: 0xbf },
        };
        let chars = self.chars + usize::from(self.inside == Inside::Nothing);
        Some(Line { chars, inside })
    }

    /// Whether the line may end here.
    pub fn may_end(self) -> bool {
        self.chars > 0 && self.inside == Inside::Nothing
    }

    /// Whether more may follow.
    pub fn may_continue(self, max_chars: usize) -> bool {
        self.chars < max_chars || self.inside != Inside::Nothing
    }

    /// Adds the bytes that may come next.
    pub fn next_bytes(self, max_chars: usize, set: &mut ByteSet) {
        match self.inside {
            Inside::Nothing if self.chars == max_chars => {}
            // A little more than may come: the step decides.
            Inside::Nothing => set.insert_range(0x20, 0xf4),
            Inside::Escaped => b"\"\\".iter().for_each(|&byte| set.insert(byte)),
            Inside::Bytes { first, last, .. } => set.insert_range(first, last),
        }
    }

    /// How many more characters may come, if the last one has ended.
    pub fn room(self, max_chars: usize) -> Option<usize> {
        (self.inside == Inside::Nothing).then(|| max_chars - self.chars)
    }
}

/// What follows the first byte of a character: Unicode 15, table 3-7, less the control characters.
fn lead(byte: u8, escape: Escape) -> Option<Inside> {
    let bytes = |left, first, last| Some(Inside::Bytes { left, first, last });
    match byte {
        b'"' if escape == Escape::Json => None,
        b'\\' if escape == Escape::Json => Some(Inside::Escaped),
        0x20..=0x7e => Some(Inside::Nothing),
        0xc2 => bytes(1, 0xa0, 0xbf),
        0xc3..=0xdf => bytes(1, 0x80, 0xbf),
        0xe0 => bytes(2, 0xa0, 0xbf),
        0xed => bytes(2, 0x80, 0x9f),
        0xe1..=0xef => bytes(2, 0x80, 0xbf),
        0xf0 => bytes(3, 0x90, 0xbf),
        0xf1..=0xf3 => bytes(3, 0x80, 0xbf),
        0xf4 => bytes(3, 0x80, 0x8f),
        _ => None,
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn accepts(bytes: &[u8], max_chars: usize, escape: Escape) -> bool {
        let last = bytes.iter().try_fold(Line::START, |line, &byte| line.step(byte, max_chars, escape));
        last.is_some_and(Line::may_end)
    }

    #[test]
    fn every_character_but_controls_is_taken() {
        for c in (0..=0x10ffff).filter_map(char::from_u32) {
            let mut buffer = [0; 4];
            assert_eq!(accepts(c.encode_utf8(&mut buffer).as_bytes(), 1, Escape::None), !c.is_control(), "{c:?}");
        }
    }

    #[test]
    fn malformed_bytes_and_long_lines_are_refused() {
        let cases: [&[u8]; 7] = [b"\xc0\xaf", b"\xed\xa0\x80", b"\xf5\x80\x80\x80", b"\xe3\x81", b"\xff", b"", b"abcd"];
        for bytes in cases {
            assert!(!accepts(bytes, 3, Escape::None), "{bytes:?}");
        }
        assert!(accepts("東京塔".as_bytes(), 3, Escape::None));
    }

    #[test]
    fn json_quotes_and_backslashes_are_escaped() {
        for (text, taken) in [(r#"a\"b"#, true), (r"\\", true), ("\"", false), ("\\", false), (r"\n", false)] {
            assert_eq!(accepts(text.as_bytes(), 9, Escape::Json), taken, "{text}");
        }
    }
}
