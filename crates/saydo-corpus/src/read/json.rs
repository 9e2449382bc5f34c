//! JSON as one array, one value, or several values one after the other, taken apart without holding all of it.
//!
//! Only brackets and quotes are followed here, to cut the stream into values; each value is parsed on its own, so that
//! one bad value does not hide the next.

use super::objects::Numbered;
use super::{Bad, not_utf8, too_large};
use std::io::BufRead;

/// The values of a stream.
pub struct Values<R> {
    stream: R,
    /// Whether the stream is one array of values.
    is_array: bool,
    is_over: bool,
    number: u64,
    max: u64,
    fault: Option<Bad>,
}

impl<R: BufRead> Values<R> {
    /// Reads up to the first byte that is not a space.
    pub fn new(stream: R, max: u64) -> Values<R> {
        let mut values = Values { stream, is_array: false, is_over: false, number: 0, max, fault: None };
        match values.skip_spaces(false) {
            Ok(Some(b'[')) => {
                values.is_array = true;
                values.stream.consume(1);
            }
            Ok(_) => {}
            Err(bad) => values.fault = Some(bad),
        }
        values
    }

    /// Whether it is an array: then its values have numbers.
    pub fn is_array(&self) -> bool {
        self.is_array
    }

    /// The next byte that is not a space (nor a comma, between values of an array), which stays in the stream.
    fn skip_spaces(&mut self, and_commas: bool) -> Result<Option<u8>, Bad> {
        loop {
            let buffer = self.stream.fill_buf().map_err(Bad::Stream)?;
            let skipped = |byte: &u8| byte.is_ascii_whitespace() || (and_commas && *byte == b',');
            let spaces = buffer.iter().take_while(|byte| skipped(byte)).count();
            if let Some(&byte) = buffer.get(spaces) {
                self.stream.consume(spaces);
                return Ok(Some(byte));
            }
            if buffer.is_empty() {
                return Ok(None);
            }
            self.stream.consume(spaces);
        }
    }

    /// The bytes of the next value; none after the last.
    fn next_bytes(&mut self) -> Result<Option<Vec<u8>>, Bad> {
        match (self.skip_spaces(self.is_array)?, self.is_array) {
            (None, false) => return Ok(None),
            (None, true) => return Err(self.end("the file ends before its array does")),
            (Some(b']'), true) => return self.close(),
            _ => {}
        }
        let mut cut = Cut::default();
        let mut value = Vec::new();
        loop {
            let buffer = self.stream.fill_buf().map_err(Bad::Stream)?;
            if buffer.is_empty() {
                return if cut.is_inside() { Err(self.end("the file ends inside a value")) } else { Ok(Some(value)) };
            }
            let end = buffer.iter().position(|&byte| cut.ends_before(byte));
            let used = end.unwrap_or(buffer.len());
            if value.len() as u64 <= self.max {
                value.extend_from_slice(&buffer[..used]);
            }
            self.stream.consume(used);
            if end.is_some() {
                break;
            }
        }
        if value.is_empty() {
            // A closing bracket where a value was expected: it is the value, or the stream would stand still.
            value.push(b']');
            self.stream.consume(1);
        }
        if value.len() as u64 > self.max { Err(Bad::Row(too_large(self.max))) } else { Ok(Some(value)) }
    }

    /// The end of the array; nothing may follow.
    fn close(&mut self) -> Result<Option<Vec<u8>>, Bad> {
        self.stream.consume(1);
        self.is_over = true;
        match self.skip_spaces(false)? {
            None => Ok(None),
            Some(_) => Err(Bad::Row("there is more after the end of the array".to_owned())),
        }
    }

    fn end(&mut self, reason: &str) -> Bad {
        self.is_over = true;
        Bad::Row(reason.to_owned())
    }
}

impl<R: BufRead> Iterator for Values<R> {
    type Item = Numbered;

    fn next(&mut self) -> Option<Numbered> {
        if self.is_over {
            return None;
        }
        let bytes = match self.fault.take() {
            Some(bad) => Err(bad),
            None => self.next_bytes(),
        };
        self.number += 1;
        let value = bytes.transpose()?.and_then(|bytes| {
            serde_json::from_slice(&bytes).map_err(|error| match std::str::from_utf8(&bytes) {
                Ok(_) => Bad::Row(format!("not JSON: {error}")),
                Err(error) => Bad::Row(not_utf8(error)),
            })
        });
        Some((self.number, value))
    }
}

/// Where in a value we are.
#[derive(Default)]
struct Cut {
    depth: usize,
    in_text: bool,
    is_escaped: bool,
    is_complete: bool,
    is_begun: bool,
}

impl Cut {
    fn is_inside(&self) -> bool {
        self.depth > 0 || self.in_text
    }

    /// Takes one byte in; true if the value ended before it.
    fn ends_before(&mut self, byte: u8) -> bool {
        if self.is_complete {
            return true;
        }
        if self.in_text {
            self.in_text = self.is_escaped || byte != b'"';
            self.is_escaped = !self.is_escaped && byte == b'\\';
            self.is_complete = !self.in_text && self.depth == 0;
            return false;
        }
        let at_top = self.depth == 0;
        match byte {
            b'"' | b'{' | b'[' if at_top && self.is_begun => return true,
            b'"' => self.in_text = true,
            b'{' | b'[' => self.depth += 1,
            b'}' | b']' | b',' if at_top => return true,
            b'}' | b']' => {
                self.depth -= 1;
                self.is_complete = self.depth == 0;
            }
            byte if at_top && byte.is_ascii_whitespace() => return true,
            _ => {}
        }
        self.is_begun = true;
        false
    }
}
