//! How many rows of each status there are, for each task.

use super::Column;
use crate::{Row, Status};

/// Counts in the order of [`Status::ALL`]: one list for each task, and one for the rows as a whole.
pub struct Tally {
    /// For each task, by its name.
    pub tasks: Vec<(String, [u64; 4])>,
    /// For the rows as a whole.
    pub rows: [u64; 4],
}

impl Tally {
    pub fn new(columns: &[Column]) -> Tally {
        Tally { tasks: columns.iter().map(|column| (column.name.clone(), [0; 4])).collect(), rows: [0; 4] }
    }

    pub fn add(&mut self, row: &Row) {
        for ((_, counts), cell) in self.tasks.iter_mut().zip(&row.cells) {
            counts[cell.status as usize] += 1;
        }
        self.rows[row.status() as usize] += 1;
    }

    /// How many rows there are.
    pub fn total(&self) -> u64 {
        self.rows.iter().sum()
    }

    /// How many rows as a whole have this status.
    pub fn rows(&self, status: Status) -> u64 {
        self.rows[status as usize]
    }
}
