//! One-column CSV (RFC 4180), where a quoted cell may hold line ends and doubled quotes.
//!
//! Written here rather than taken from a crate because an empty line is a cell of its own: dropping it, as CSV readers
//! do, would move every prediction after it to the wrong example.

use super::super::error::LineFault;

/// Each cell with the line it starts on.
pub(super) fn cells(text: &str) -> impl Iterator<Item = (usize, Result<String, LineFault>)> {
    let mut rest = text;
    let mut line = 1;
    std::iter::from_fn(move || {
        if rest.is_empty() {
            return None;
        }
        let (cell, tail) = match rest.strip_prefix('"') {
            Some(quoted) => quoted_cell(quoted),
            None => plain_cell(rest),
        };
        let start = line;
        line += rest[..rest.len() - tail.len()].matches('\n').count();
        rest = tail;
        Some((start, cell))
    })
}

fn plain_cell(text: &str) -> (Result<String, LineFault>, &str) {
    let (cell, tail) = split_line(text);
    let cell = match cell {
        "" => Err(LineFault::Empty),
        cell if cell.contains(',') => Err(LineFault::Columns),
        cell => Ok(cell.to_owned()),
    };
    (cell, tail)
}

/// Reads a cell whose opening quote is gone, and the rest of its line.
fn quoted_cell(text: &str) -> (Result<String, LineFault>, &str) {
    let mut cell = String::new();
    let mut rest = text;
    while let Some((part, after)) = rest.split_once('"') {
        cell.push_str(part);
        let Some(tail) = after.strip_prefix('"') else {
            let (junk, tail) = split_line(after);
            let cell = match junk.chars().next() {
                None => Ok(cell),
                Some(',') => Err(LineFault::Columns),
                Some(_) => Err(LineFault::Cell),
            };
            return (cell, tail);
        };
        cell.push('"');
        rest = tail;
    }
    (Err(LineFault::Cell), "")
}

/// The text up to the line end, without it, and what follows.
fn split_line(text: &str) -> (&str, &str) {
    let (line, tail) = text.split_once('\n').unwrap_or((text, ""));
    (line.strip_suffix('\r').unwrap_or(line), tail)
}

#[cfg(test)]
mod tests {
    use super::*;

    fn found(text: &str) -> Vec<(usize, Result<String, LineFault>)> {
        cells(text).collect()
    }

    #[test]
    fn quoted_cells_hold_anything() {
        let expected = [
            (1, Ok("yes".to_owned())),
            (2, Ok("a, \"b\"\nc".to_owned())),
            (4, Ok(String::new())),
            (5, Ok("no".to_owned())),
        ];
        assert_eq!(found("yes\r\n\"a, \"\"b\"\"\nc\"\n\"\"\nno"), expected);
    }

    #[test]
    fn empty_lines_second_columns_and_broken_quotes_are_faults_of_their_line() {
        let expected = [
            (1, Err(LineFault::Empty)),
            (2, Err(LineFault::Columns)),
            (3, Err(LineFault::Columns)),
            (4, Err(LineFault::Cell)),
            (5, Ok("x".to_owned())),
            (6, Err(LineFault::Cell)),
        ];
        assert_eq!(found("\na,b\n\"a\",b\n\"a\"b\nx\n\"open\nend"), expected);
    }
}
