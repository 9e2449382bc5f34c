//! JSON Lines: one value on each line; empty lines are passed over but counted.

use super::objects::Numbered;
use super::{Bad, not_utf8, too_large};
use serde_json::Value;
use std::io::{self, BufRead, Read};

/// The values of a stream of lines.
pub struct Lines<R> {
    stream: R,
    line: Vec<u8>,
    number: u64,
    max: u64,
}

impl<R: BufRead> Lines<R> {
    pub fn new(stream: R, max: u64) -> Lines<R> {
        Lines { stream, line: Vec::new(), number: 0, max }
    }

    /// Reads the next line; none at the end.
    fn read_line(&mut self) -> Result<Option<()>, Bad> {
        self.line.clear();
        self.number += 1;
        let read = self.stream.by_ref().take(self.max.saturating_add(1)).read_until(b'\n', &mut self.line);
        let read = read.map_err(Bad::Stream)?;
        if read as u64 > self.max && self.line.last() != Some(&b'\n') {
            self.line = Vec::new();
            self.skip_line().map_err(Bad::Stream)?;
            return Err(Bad::Row(too_large(self.max)));
        }
        Ok((read > 0).then_some(()))
    }

    fn skip_line(&mut self) -> io::Result<()> {
        loop {
            let buffer = self.stream.fill_buf()?;
            let end = memchr::memchr(b'\n', buffer);
            let used = end.map_or(buffer.len(), |end| end + 1);
            self.stream.consume(used);
            if end.is_some() || used == 0 {
                return Ok(());
            }
        }
    }

    fn parse(&self) -> Result<Value, Bad> {
        serde_json::from_slice(&self.line).map_err(|error| match std::str::from_utf8(&self.line) {
            Ok(_) => Bad::Row(format!("not JSON: {}", without_line(&error.to_string()))),
            Err(error) => Bad::Row(not_utf8(error)),
        })
    }
}

/// The parser's message without "line 1", which it counts within the one line it is given.
fn without_line(message: &str) -> String {
    message.replace("at line 1 column", "at column")
}

impl<R: BufRead> Iterator for Lines<R> {
    type Item = Numbered;

    fn next(&mut self) -> Option<Numbered> {
        loop {
            match self.read_line() {
                Ok(None) => return None,
                Ok(Some(())) if self.line.iter().all(u8::is_ascii_whitespace) => {}
                Ok(Some(())) => return Some((self.number, self.parse())),
                Err(bad) => return Some((self.number, Err(bad))),
            }
        }
    }
}
