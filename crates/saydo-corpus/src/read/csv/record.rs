//! Cuts a table into records and cells by RFC 4180, and knows in which line it is.
//!
//! A parser that forgives everything takes the rest of the table for one cell once a quote is not closed. Here such a
//! quote costs the row it stands in: lines are kept until their record is whole, so that reading goes on at the line
//! behind the quote. Each line is gone over twice at most, because an open quote ends at the next odd run of quotes, and
//! only such a run can open one.

use super::super::{Bad, too_large};
use super::line::{Line, Lines, without_break};
use std::io::BufRead;
use std::ops::Range;

const QUOTE: u8 = b'"';

/// The records of a table, one at a time.
pub struct Records<R> {
    lines: Lines<R>,
    delimiter: u8,
    max: u64,
    /// The number of the record's first line, from 1, and how many lines it has.
    first_line: u64,
    line_count: u64,
    cells: Cells,
    is_over: bool,
}

/// The cells of a record without their quotes, end to end, and where each of them ends.
#[derive(Default)]
struct Cells {
    bytes: Vec<u8>,
    ends: Vec<usize>,
}

/// What the next byte of a line belongs to.
#[derive(Clone, Copy, PartialEq)]
enum Place {
    Begin,
    Bare,
    Quoted,
    /// Behind a quote inside quotes: it ends them, or is the first of two that stand for one.
    AfterQuote,
}

/// How far a record has come.
struct State {
    place: Place,
    /// The line in which the last quote was opened: where it ends, and how many lines of the record that makes.
    opened: (usize, u64),
}

impl<R: BufRead> Records<R> {
    pub fn new(stream: R, delimiter: u8, max: u64) -> Records<R> {
        let (lines, cells) = (Lines::new(stream, max), Cells::default());
        Records { lines, delimiter, max, first_line: 1, line_count: 0, cells, is_over: false }
    }

    /// Reads the next record; none after the last. Empty lines are passed over.
    pub fn read(&mut self) -> Option<Result<(), Bad>> {
        while !self.is_over {
            self.first_line += std::mem::take(&mut self.line_count);
            self.cells.bytes.clear();
            self.cells.ends.clear();
            match self.read_lines() {
                Ok(None) => self.is_over = true,
                Ok(Some(())) if self.cells.ends.is_empty() => {}
                Ok(Some(())) => return Some(Ok(())),
                Err(bad) => {
                    self.is_over = matches!(bad, Bad::Stream(_));
                    return Some(Err(bad));
                }
            }
        }
        None
    }

    /// The cells of the record.
    pub fn cells(&self) -> impl ExactSizeIterator<Item = &[u8]> {
        let Cells { bytes, ends } = &self.cells;
        ends.iter().enumerate().map(|(cell, &end)| &bytes[if cell == 0 { 0 } else { ends[cell - 1] }..end])
    }

    /// In which lines the record stands, for a message.
    pub fn place(&self) -> String {
        match self.line_count {
            0 | 1 => format!("line {}", self.first_line),
            count => format!("lines {} to {}", self.first_line, self.first_line + count - 1),
        }
    }

    /// Reads lines until the record is whole; none if there is no line. An empty line gives no cells.
    fn read_lines(&mut self) -> Result<Option<()>, Bad> {
        let begin = self.lines.begin();
        let mut state = State { place: Place::Begin, opened: (begin, 0) };
        let mut line = begin..begin;
        loop {
            let end = match (self.lines.end_of_line(line.end).map_err(Bad::Stream)?, state.place) {
                (Line::Whole(end), _) => end,
                (Line::None, Place::Quoted) => return Err(self.unclosed(&state, "unclosed quote")),
                (Line::None, _) => return Ok(None),
                (Line::TooLong, Place::Quoted) => return Err(self.too_large(&state)),
                (Line::TooLong, _) => {
                    self.line_count += 1;
                    return Err(Bad::Row(format!("{}: {}", self.place(), too_large(self.max))));
                }
            };
            line = line.end..end;
            self.line_count += 1;
            if !self.cut(line.clone(), &mut state) {
                return Err(self.unclosed(&state, "unclosed quote"));
            }
            if state.place != Place::Quoted {
                self.lines.take(end);
                return Ok(Some(()));
            }
            if (end - begin) as u64 > self.max {
                return Err(self.too_large(&state));
            }
        }
    }

    /// Cuts a line into cells; false if a quote of an earlier line is closed in the middle of a cell, and so was not meant
    /// to hold what stands between.
    fn cut(&mut self, line: Range<usize>, state: &mut State) -> bool {
        let line_end = line.end;
        let (mut rest, line_break) = without_break(self.lines.kept(line));
        let Cells { bytes, ends } = &mut self.cells;
        if rest.is_empty() && state.place == Place::Begin {
            return true;
        }
        while let Some((&byte, behind)) = rest.split_first() {
            match (state.place, byte) {
                (Place::Begin, QUOTE) => {
                    (state.place, state.opened) = (Place::Quoted, (line_end, self.line_count));
                    rest = behind;
                }
                (Place::AfterQuote, QUOTE) => {
                    bytes.push(QUOTE);
                    (state.place, rest) = (Place::Quoted, behind);
                }
                (Place::Quoted, _) => {
                    let (text, behind) = split_at(QUOTE, rest);
                    bytes.extend_from_slice(text);
                    state.place = if behind.is_some() { Place::AfterQuote } else { Place::Quoted };
                    rest = behind.unwrap_or_default();
                }
                (Place::Begin | Place::AfterQuote | Place::Bare, _) => {
                    let (text, behind) = split_at(self.delimiter, rest);
                    let is_of_earlier_quote = state.place == Place::AfterQuote && state.opened.0 != line_end;
                    if is_of_earlier_quote && !text.iter().all(u8::is_ascii_whitespace) {
                        return false;
                    }
                    bytes.extend_from_slice(text);
                    state.place = Place::Bare;
                    if behind.is_some() {
                        ends.push(bytes.len());
                        state.place = Place::Begin;
                    }
                    rest = behind.unwrap_or_default();
                }
            }
        }
        match state.place {
            Place::Quoted => bytes.extend_from_slice(line_break),
            _ => ends.push(bytes.len()),
        }
        true
    }

    /// Gives the lines behind the one with the open quote back.
    fn unclosed(&mut self, state: &State, what: &str) -> Bad {
        let (line_end, line_count) = state.opened;
        self.lines.take(line_end);
        self.line_count = line_count;
        let line = self.first_line + line_count - 1;
        Bad::Row(format!("line {line}: {what}; close it, or write it twice inside a quoted cell"))
    }

    fn too_large(&mut self, state: &State) -> Bad {
        self.unclosed(state, &format!("unclosed quote, or a cell {}", too_large(self.max)))
    }
}

/// What stands before the first such byte and what behind it; all and none if there is no such byte.
fn split_at(byte: u8, text: &[u8]) -> (&[u8], Option<&[u8]>) {
    match memchr::memchr(byte, text) {
        Some(at) => (&text[..at], Some(&text[at + 1..])),
        None => (text, None),
    }
}
