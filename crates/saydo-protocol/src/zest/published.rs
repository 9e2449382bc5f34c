//! The numbers of the paper (Tables 3 to 10), to print beside ours.
//!
//! Percent, as published. "Learning from Task Descriptions" (Weller and others, EMNLP 2020).

use super::ErrorKind;
use serde::Serialize;

/// Which part of the dataset a row was measured on.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Serialize)]
#[serde(rename_all = "lowercase")]
pub enum PublishedSplit {
    /// The development set.
    Dev,
    /// The test set.
    Test,
}

/// A row of a published table.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Serialize)]
pub struct PublishedRow {
    /// The model.
    pub model: &'static str,
    /// Where it was measured.
    pub split: PublishedSplit,
    /// The generalization type as the data files name it, or `overall`.
    pub category: &'static str,
    /// The mean.
    pub mean: u8,
    /// C@75.
    #[serde(rename = "75")]
    pub at_75: u8,
    /// C@90.
    #[serde(rename = "90")]
    pub at_90: u8,
}

/// T5-11B trained on ZEST and four other datasets at once.
pub const T5_MTL: &str = "T5-11B ZEST + MTL";
/// T5-11B trained on ZEST only.
pub const T5: &str = "T5-11B ZEST only";
/// BART-large trained on ZEST only.
pub const BART: &str = "BART-large ZEST only";
/// One author on 55 test tasks.
pub const HUMAN: &str = "human estimate";
/// T5-11B that sees the question without the passage.
pub const T5_QUESTION_ONLY: &str = "T5-11B question only";
/// T5-11B that sees the passage without the question; it predicts NA everywhere.
pub const T5_CONTEXT_ONLY: &str = "T5-11B context only";

/// The rows of each table in the order of the paper.
const CATEGORIES: [&str; 6] = ["normal", "paraphrase", "combination", "target_semantics", "structure", "overall"];

/// Share of structure questions, on the test set, whose prediction is not JSON.
pub const UNPARSABLE_STRUCTURES: f64 = 1.5;
/// Share of the other questions whose prediction is JSON.
pub const NEEDLESS_JSON: f64 = 0.008;

type Cells = [u8; 3];

/// Tables 7 to 10; Tables 3 and 4 are parts of them.
const TABLES: [(&str, PublishedSplit, [Cells; 6]); 7] = [
    (T5_MTL, PublishedSplit::Dev, [[71, 48, 16], [64, 36, 12], [66, 44, 22], [54, 27, 9], [33, 20, 10], [56, 35, 14]]),
    (T5_MTL, PublishedSplit::Test, [[63, 43, 22], [56, 32, 16], [65, 41, 15], [47, 18, 5], [47, 10, 3], [56, 28, 12]]),
    (T5, PublishedSplit::Dev, [[69, 48, 16], [56, 28, 12], [73, 56, 22], [56, 27, 9], [25, 0, 0], [56, 32, 12]]),
    (T5, PublishedSplit::Test, [[62, 40, 17], [56, 33, 12], [64, 40, 15], [45, 15, 6], [47, 14, 3], [55, 28, 11]]),
    (BART, PublishedSplit::Dev, [[50, 16, 8], [39, 8, 0], [44, 15, 7], [42, 5, 5], [23, 20, 20], [40, 13, 8]]),
    (BART, PublishedSplit::Test, [[51, 21, 7], [41, 13, 4], [44, 13, 5], [34, 7, 2], [19, 2, 2], [38, 11, 4]]),
    (HUMAN, PublishedSplit::Test, [[88, 85, 54], [85, 75, 50], [79, 67, 44], [68, 50, 40], [51, 30, 20], [74, 61, 42]]),
];

/// Table 5: overall on the development set with parts of the input left out.
const ABLATIONS: [(&str, Cells); 2] = [(T5_QUESTION_ONLY, [12, 10, 7]), (T5_CONTEXT_ONLY, [1, 1, 1])];

/// All published rows.
///
/// ```
/// use saydo_protocol::zest::published;
///
/// let human = published::rows().find(|row| row.model == published::HUMAN && row.category == "overall").unwrap();
/// assert_eq!(human.at_90, 42);
/// ```
pub fn rows() -> impl Iterator<Item = PublishedRow> {
    let row = |model, split, category, [mean, at_75, at_90]: Cells| PublishedRow {
        model,
        split,
        category,
        mean,
        at_75,
        at_90,
    };
    let tables = TABLES.into_iter().flat_map(move |(model, split, cells)| {
        CATEGORIES.into_iter().zip(cells).map(move |(category, cells)| row(model, split, category, cells))
    });
    tables.chain(ABLATIONS.into_iter().map(move |(model, cells)| row(model, PublishedSplit::Dev, "overall", cells)))
}

/// Table 6: the share of a kind among 100 errors of the best model, sorted by hand.
pub fn error_share(kind: ErrorKind) -> f64 {
    match kind {
        ErrorKind::Recall => 30.0,
        ErrorKind::Precision => 37.0,
        ErrorKind::Partial => 9.0,
        ErrorKind::Other => 24.0,
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn overall_is_the_mean_of_the_other_rows_but_for_one_cell() {
        let mut off = Vec::new();
        for (model, split, cells) in TABLES {
            for column in 0..3 {
                let sum: u32 = cells[..5].iter().map(|row| u32::from(row[column])).sum();
                // The paper averages unrounded rows, so a point either way is possible.
                if (f64::from(sum) / 5.0 - f64::from(cells[5][column])).abs() > 1.0 {
                    off.push((model, split, column));
                }
            }
        }
        // 56 in the paper, where the rows average 57.6.
        assert_eq!(off, [(T5_MTL, PublishedSplit::Dev, 0)]);
    }

    #[test]
    fn shares_fall_as_the_threshold_rises() {
        assert_eq!(rows().count(), 44);
        assert!(rows().all(|row| row.at_90 <= row.at_75));
    }
}
