//! Plain text tables: the first column to the left, the others to the right unless they are words.

use std::fmt::Write as _;

/// A table with a header row.
pub struct Table {
    rows: Vec<Vec<String>>,
    words: Vec<usize>,
}

impl Table {
    /// A table with these column names.
    pub fn new(header: &[&str]) -> Self {
        Table { rows: vec![header.iter().map(|name| (*name).to_owned()).collect()], words: vec![0] }
    }

    /// This table with columns of words, which stand to the left.
    pub fn with_words(mut self, columns: &[usize]) -> Self {
        self.words.extend(columns);
        self
    }

    /// Adds a row; missing cells at its end stay empty.
    pub fn row(&mut self, cells: impl IntoIterator<Item = String>) {
        self.rows.push(cells.into_iter().collect());
    }

    /// The table as text, each line ended.
    pub fn render(&self) -> String {
        let columns = self.rows.iter().map(Vec::len).max().unwrap_or_default();
        let width = |column: usize| {
            let lengths = self.rows.iter().filter_map(|row| row.get(column)).map(|cell| cell.chars().count());
            lengths.max().unwrap_or_default()
        };
        let widths: Vec<usize> = (0..columns).map(width).collect();
        let mut out = String::new();
        for (i, row) in self.rows.iter().enumerate() {
            let mut line = String::new();
            for (column, width) in widths.iter().enumerate() {
                let cell = row.get(column).map(String::as_str).unwrap_or_default();
                line.push_str(if column == 0 { "" } else { "  " });
                let written = if self.words.contains(&column) {
                    write!(line, "{cell:<width$}")
                } else {
                    write!(line, "{cell:>width$}")
                };
                written.expect("writing into a string cannot fail");
            }
            out.push_str(line.trim_end());
            out.push('\n');
            if i == 0 {
                let rule = widths.iter().sum::<usize>() + 2 * widths.len().saturating_sub(1);
                out.push_str(&"-".repeat(rule));
                out.push('\n');
            }
        }
        out
    }
}

/// A share as a percentage with one decimal.
pub fn percent(share: f64) -> String {
    format!("{:.1}", 100.0 * share)
}

#[cfg(test)]
mod tests {
    use super::Table;

    #[test]
    fn columns_line_up() {
        let mut table = Table::new(&["type", "mean"]);
        table.row(["base".to_owned(), "7.5".to_owned()]);
        table.row(["semantic flips".to_owned(), "100.0".to_owned()]);
        insta::assert_snapshot!(table.render(), @r"
        type             mean
        ---------------------
        base              7.5
        semantic flips  100.0
        ");
    }

    #[test]
    fn columns_of_words_stand_to_the_left() {
        let mut table = Table::new(&["name", "size", "license"]).with_words(&[2]);
        table.row(["tiny".to_owned(), "5".to_owned(), "MIT".to_owned()]);
        insta::assert_snapshot!(table.render(), @r"
        name  size  license
        -------------------
        tiny     5  MIT
        ");
    }
}
