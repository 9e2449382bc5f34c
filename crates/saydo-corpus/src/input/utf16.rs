//! UTF-16 into UTF-8, as it is read.

use std::io::{self, BufRead, Read};

/// Gives the UTF-8 of a UTF-16 stream; its byte order mark is dropped.
pub struct Utf16<R> {
    inner: R,
    unit: fn([u8; 2]) -> u16,
    /// How many bytes were read.
    offset: u64,
    /// Decoded bytes not yet given out, and how many of them were.
    ready: Vec<u8>,
    given: usize,
}

/// How many characters are decoded at a time.
const CHUNK: usize = 8 * 1024;

impl<R: BufRead> Utf16<R> {
    pub fn little_endian(inner: R) -> Utf16<R> {
        Utf16 { inner, unit: u16::from_le_bytes, offset: 0, ready: Vec::new(), given: 0 }
    }

    pub fn big_endian(inner: R) -> Utf16<R> {
        Utf16 { unit: u16::from_be_bytes, ..Utf16::little_endian(inner) }
    }

    /// The next unit; none at the end.
    fn next_unit(&mut self) -> io::Result<Option<u16>> {
        let mut bytes = [0; 2];
        if self.inner.read(&mut bytes[..1])? == 0 {
            return Ok(None);
        }
        if self.inner.read(&mut bytes[1..])? == 0 {
            return Err(self.invalid("the last character is cut in half"));
        }
        self.offset += 2;
        Ok(Some((self.unit)(bytes)))
    }

    fn next_char(&mut self) -> io::Result<Option<char>> {
        let Some(first) = self.next_unit()? else { return Ok(None) };
        let units = match first {
            0xd800..0xdc00 => vec![first, self.next_unit()?.unwrap_or_default()],
            _ => vec![first],
        };
        let decoded = char::decode_utf16(units).next().and_then(Result::ok);
        decoded.map(Some).ok_or_else(|| self.invalid("half of a surrogate pair"))
    }

    fn invalid(&self, what: &str) -> io::Error {
        io::Error::new(io::ErrorKind::InvalidData, format!("not valid UTF-16 before byte {}: {what}", self.offset))
    }

    fn refill(&mut self) -> io::Result<()> {
        self.ready.clear();
        self.given = 0;
        while self.ready.len() < CHUNK {
            let at_start = self.offset == 0;
            match self.next_char()? {
                Some('\u{feff}') if at_start => {}
                Some(decoded) => self.ready.extend_from_slice(decoded.encode_utf8(&mut [0; 4]).as_bytes()),
                None => break,
            }
        }
        Ok(())
    }
}

impl<R: BufRead> Read for Utf16<R> {
    fn read(&mut self, buffer: &mut [u8]) -> io::Result<usize> {
        if self.given == self.ready.len() {
            self.refill()?;
        }
        let read = (&self.ready[self.given..]).read(buffer)?;
        self.given += read;
        Ok(read)
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn read(utf16: &[u8], big: bool) -> Result<String, String> {
        let mut text = String::new();
        let mut reader = if big { Utf16::big_endian(utf16) } else { Utf16::little_endian(utf16) };
        reader.read_to_string(&mut text).map(|_| text).map_err(|error| error.to_string())
    }

    #[test]
    fn both_byte_orders_are_read_and_the_mark_is_dropped() {
        let text = "\u{feff}Wasserfälle, 滝 и 🏞\r\n".repeat(5000);
        let little: Vec<u8> = text.encode_utf16().flat_map(u16::to_le_bytes).collect();
        let big: Vec<u8> = text.encode_utf16().flat_map(u16::to_be_bytes).collect();
        let expected = text.strip_prefix('\u{feff}').unwrap();
        assert_eq!(read(&little, false).unwrap(), expected);
        assert_eq!(read(&big, true).unwrap(), expected);
    }

    #[test]
    fn halves_are_refused_with_their_place() {
        insta::assert_snapshot!(read(&[0x41, 0, 0x42], false).unwrap_err(), @"not valid UTF-16 before byte 2: the last character is cut in half");
        insta::assert_snapshot!(read(&[0x41, 0, 0, 0xd8, 0x41, 0], false).unwrap_err(), @"not valid UTF-16 before byte 6: half of a surrogate pair");
    }
}
