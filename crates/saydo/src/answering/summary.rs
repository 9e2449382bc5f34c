//! What a run counted, and when it gives up.

use saydo_corpus::{Cell, Row, Status};
use std::fmt;
use std::str::FromStr;

/// How it went with all rows of a run.
#[derive(Debug, Clone, Default, PartialEq)]
pub struct Summary {
    /// Rows that came out.
    pub rows: u64,
    /// Rows without an answer to at least one task: failed or unparsable.
    pub rows_failed: u64,
    /// Cells that were computed now; the others were read back.
    pub computed: u64,
    /// How it went, for each column.
    pub columns: Vec<Counts>,
    /// Whether it was stopped before the last document.
    pub interrupted: bool,
}

/// How many cells have which status.
#[derive(Debug, Clone, Copy, Default, PartialEq, Eq)]
pub struct Counts {
    /// There is an answer.
    pub ok: u64,
    /// The document does not say.
    pub na: u64,
    /// The reply is no answer.
    pub unparsable: u64,
    /// There is no reply, or no document.
    pub failed: u64,
    /// Pieces of replies that were left out because the document does not hold them, over all cells.
    pub ungrounded: u64,
}

impl Counts {
    fn add(&mut self, cell: &Cell) {
        self.ungrounded += cell.ungrounded as u64;
        match cell.status {
            Status::Ok => self.ok += 1,
            Status::Na => self.na += 1,
            Status::Unparsable => self.unparsable += 1,
            Status::Failed => self.failed += 1,
        }
    }
}

impl Summary {
    pub(crate) fn new(columns: usize) -> Self {
        Self { columns: vec![Counts::default(); columns], ..Self::default() }
    }

    pub(crate) fn add(&mut self, row: &Row) {
        self.rows += 1;
        let is_failed = |status| matches!(status, Status::Unparsable | Status::Failed);
        self.rows_failed += u64::from(row.cells.iter().any(|cell| is_failed(cell.status)));
        for (counts, cell) in self.columns.iter_mut().zip(&row.cells) {
            counts.add(cell);
        }
    }
}

/// How many rows may fail before a run gives up.
#[derive(Debug, Clone, Copy, PartialEq)]
pub enum FailOnError {
    /// More than this share of the rows, once there are 20: `0.1`.
    Share(f64),
    /// More than so many rows: `10`.
    Count(u64),
}

impl FailOnError {
    /// Below this number of rows a share says nothing.
    const MIN_ROWS: u64 = 20;

    pub(crate) fn is_reached(self, summary: &Summary) -> bool {
        match self {
            Self::Share(share) => {
                summary.rows >= Self::MIN_ROWS && summary.rows_failed as f64 > share * summary.rows as f64
            }
            Self::Count(count) => summary.rows_failed > count,
        }
    }
}

impl fmt::Display for FailOnError {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            Self::Share(share) => write!(f, "{share:?}"),
            Self::Count(count) => write!(f, "{count}"),
        }
    }
}

impl FromStr for FailOnError {
    type Err = String;

    fn from_str(text: &str) -> Result<Self, String> {
        let share = || text.parse().ok().filter(|share| (0.0..1.0).contains(share)).map(Self::Share);
        text.parse().ok().map(Self::Count).or_else(share).ok_or_else(|| {
            format!("`{text}` is no bound for failed rows, expected a share below 1 (0.1) or a count (10)")
        })
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn shares_wait_for_twenty_rows_and_counts_do_not() {
        let summary = |rows, rows_failed| Summary { rows, rows_failed, ..Summary::default() };
        let share: FailOnError = "0.1".parse().unwrap();
        assert!(!share.is_reached(&summary(19, 19)));
        assert!(!share.is_reached(&summary(20, 2)));
        assert!(share.is_reached(&summary(20, 3)));
        let count: FailOnError = "2".parse().unwrap();
        assert!(!count.is_reached(&summary(5, 2)));
        assert!(count.is_reached(&summary(5, 3)));
        assert!(FailOnError::from_str("0").unwrap().is_reached(&summary(1, 1)));
    }

    #[test]
    fn other_bounds_are_refused() {
        for text in ["", "-1", "1.5", "NaN", "inf", "10%"] {
            assert!(FailOnError::from_str(text).is_err(), "{text}");
        }
    }
}
