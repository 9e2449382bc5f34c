//! Lines that are kept until they are taken, so that they can be gone over again.

use std::io::{self, BufRead, ErrorKind};
use std::ops::Range;

/// The lines of a stream. They end with a line feed, a carriage return, or both.
pub struct Lines<R> {
    stream: R,
    /// Lines with their breaks.
    kept: Vec<u8>,
    /// How many bytes of these are taken.
    taken: usize,
    max: u64,
}

/// A line that was asked for.
pub enum Line {
    /// It ends here, break and all.
    Whole(usize),
    /// It is longer than a line may be, and was thrown away.
    TooLong,
    /// There is none.
    None,
}

impl<R: BufRead> Lines<R> {
    pub fn new(stream: R, max: u64) -> Lines<R> {
        Lines { stream, kept: Vec::new(), taken: 0, max }
    }

    /// Where the next line begins that is not taken. Places that were given out before are no longer right.
    pub fn begin(&mut self) -> usize {
        // What is taken is thrown away in large pieces: each byte is moved once or twice in all.
        if self.taken * 2 >= self.kept.len() {
            self.kept.drain(..self.taken);
            self.taken = 0;
        }
        self.taken
    }

    /// Takes all lines up to a place.
    pub fn take(&mut self, end: usize) {
        self.taken = end;
    }

    /// The bytes between two places.
    pub fn kept(&self, range: Range<usize>) -> &[u8] {
        &self.kept[range]
    }

    /// Reads the line that begins at a place, unless it is kept.
    pub fn end_of_line(&mut self, begin: usize) -> io::Result<Line> {
        let kept = &self.kept[begin..];
        if !kept.is_empty() {
            let end = memchr::memchr2(b'\r', b'\n', kept).map_or(kept.len(), |at| {
                let is_pair = kept[at] == b'\r' && kept.get(at + 1) == Some(&b'\n');
                at + 1 + usize::from(is_pair)
            });
            return Ok(Line::Whole(begin + end));
        }
        let mut is_too_long = false;
        loop {
            let buffer = fill(&mut self.stream)?;
            let end = memchr::memchr2(b'\r', b'\n', buffer);
            let used = end.map_or(buffer.len(), |at| at + 1);
            let (is_end, is_return) = (end.is_some() || used == 0, end.is_some_and(|at| buffer[at] == b'\r'));
            if !is_too_long {
                self.kept.extend_from_slice(&buffer[..used]);
            }
            self.stream.consume(used);
            if is_return && fill(&mut self.stream)?.first() == Some(&b'\n') {
                self.stream.consume(1);
                if !is_too_long {
                    self.kept.push(b'\n');
                }
            }
            if without_break(&self.kept[begin..]).0.len() as u64 > self.max {
                is_too_long = true;
                self.kept.truncate(begin);
            }
            if is_end {
                return Ok(match self.kept.len() {
                    _ if is_too_long => Line::TooLong,
                    end if end == begin => Line::None,
                    end => Line::Whole(end),
                });
            }
        }
    }
}

fn fill(stream: &mut impl BufRead) -> io::Result<&[u8]> {
    while let Err(error) = stream.fill_buf() {
        if error.kind() != ErrorKind::Interrupted {
            return Err(error);
        }
    }
    stream.fill_buf()
}

/// A line and its break.
pub fn without_break(line: &[u8]) -> (&[u8], &[u8]) {
    let text = line.strip_suffix(b"\n").unwrap_or(line);
    let text = text.strip_suffix(b"\r").unwrap_or(text);
    line.split_at(text.len())
}
