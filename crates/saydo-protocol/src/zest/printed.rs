//! The table of whole percentages that the paper prints, as CSV.

use saydo_metrics::python::round2;

use super::competence::{Competence, Rows};
use super::repair::{Repairs, quirk};

/// A share as whole percent. The reference cuts off after rounding to two decimals, so 29, 57 and 58 print one less
/// (Q15); repaired, it is rounded to the nearest.
///
/// ```
/// use saydo_protocol::zest::{Repairs, percent, quirk};
///
/// assert_eq!(percent(0.58, Repairs::NONE), 57);
/// assert_eq!(percent(0.58, Repairs::NONE.with(quirk::TRUNCATION)), 58);
/// ```
pub fn percent(share: f64, repairs: Repairs) -> i64 {
    let percent = if repairs.has(quirk::TRUNCATION) { (share * 100.0).round() } else { round2(share) * 100.0 };
    percent as i64
}

/// The rows and their average, with a header.
pub(super) fn table_csv(rows: &Rows<Competence>, average: &Competence, repairs: Repairs) -> String {
    let mut csv = String::from(",mean,75,90\n");
    for (name, row) in rows.0.iter().map(|(name, row)| (name.as_str(), row)).chain([("average", average)]) {
        csv.push_str(&quoted(name));
        for cell in row.cells() {
            csv.push(',');
            csv.push_str(&percent(cell, repairs).to_string());
        }
        csv.push('\n');
    }
    csv
}

/// Names other than the paper's reach the table with Q19 repaired, so they may hold anything.
fn quoted(name: &str) -> String {
    if name.contains([',', '"', '\n', '\r']) { format!("\"{}\"", name.replace('"', "\"\"")) } else { name.to_owned() }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn three_percentages_print_one_less_than_they_are() {
        let off: Vec<i64> = (0..=100).filter(|n| percent(*n as f64 / 100.0, Repairs::NONE) != *n).collect();
        assert_eq!(off, [29, 57, 58]);
        let repairs = Repairs::NONE.with(quirk::TRUNCATION);
        assert!((0..=100).all(|n| percent(n as f64 / 100.0, repairs) == n));
    }

    #[test]
    fn the_average_is_the_last_row() {
        let row = Competence { mean: 0.5, at_75: 1.0, at_90: 0.0 };
        let rows = Rows(vec![("normal".to_owned(), row), ("odd, \"one\"".to_owned(), row)]);
        let csv = table_csv(&rows, &row, Repairs::NONE);
        assert_eq!(csv, ",mean,75,90\nnormal,50,100,0\n\"odd, \"\"one\"\"\",50,100,0\naverage,50,100,0\n");
    }
}
