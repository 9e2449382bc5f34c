//! 95% intervals of the official numbers: other tasks of the same kinds could have been drawn.
//!
//! The tasks of a row are resampled with replacement. For the average, every row is resampled on its own, since the rows
//! are fixed by the protocol and only their tasks are a sample. The reference reports none.

use saydo_metrics::bootstrap::{Interval, RESAMPLES, interval_of, mean_interval};
use saydo_metrics::python::Random;
use serde::Serialize;

use super::competence::{Competence, Rows};

/// The intervals of a row as `[low, high]`.
#[derive(Debug, Clone, Copy, PartialEq, Serialize)]
pub struct CompetenceInterval {
    /// Of the mean.
    pub mean: [f64; 2],
    /// Of C@75.
    #[serde(rename = "75")]
    pub at_75: [f64; 2],
    /// Of C@90.
    #[serde(rename = "90")]
    pub at_90: [f64; 2],
}

/// The intervals of each row, and last of their unrounded `average`.
pub(crate) fn intervals(values: &Rows<Vec<f64>>, seed: u32) -> Rows<CompetenceInterval> {
    let mut rows = values.filter_map(|values| row_interval(values, seed));
    if let Some(average) = average_interval(values, seed) {
        rows.0.push(("average".to_owned(), average));
    }
    rows
}

fn ends(interval: Interval) -> [f64; 2] {
    [interval.low, interval.high]
}

fn row_interval(values: &[f64], seed: u32) -> Option<CompetenceInterval> {
    let interval = |values: &[f64]| mean_interval(values, u64::from(seed)).map(ends);
    let reached =
        |threshold: f64| values.iter().map(|value| f64::from(u8::from(*value >= threshold))).collect::<Vec<f64>>();
    Some(CompetenceInterval {
        mean: interval(values)?,
        at_75: interval(&reached(0.75))?,
        at_90: interval(&reached(0.90))?,
    })
}

fn average_interval(values: &Rows<Vec<f64>>, seed: u32) -> Option<CompetenceInterval> {
    let mut random = Random::seeded(seed);
    let averages: Vec<[f64; 3]> =
        (0..RESAMPLES).map(|_| resampled_average(values, &mut random)).collect::<Option<_>>()?;
    // The resamples are drawn above, within rows, so what is resampled here is one item: the whole file.
    let column = |cell: usize| {
        let mut cells = averages.iter().map(|cells| cells[cell]);
        interval_of(1, averages.len(), 0, |_| cells.next().unwrap_or(f64::NAN)).map(ends)
    };
    Some(CompetenceInterval { mean: column(0)?, at_75: column(1)?, at_90: column(2)? })
}

/// The average of one resample of every row.
fn resampled_average(values: &Rows<Vec<f64>>, random: &mut Random) -> Option<[f64; 3]> {
    let mut draw = |values: &[f64]| {
        let drawn = (0..values.len()).map(|_| random.choice_index(values.len()).map(|index| values[index]));
        Competence::of(&drawn.collect::<Option<Vec<f64>>>()?)
    };
    let rows: Vec<Competence> = values.0.iter().map(|(_, values)| draw(values)).collect::<Option<_>>()?;
    Competence::average(rows.iter()).map(|average| average.cells())
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn intervals_hold_the_number_itself_and_shrink_with_agreement() {
        let rows = Rows(vec![
            ("combination".to_owned(), vec![0.2, 0.95, 0.8, 0.4, 1.0, 0.77]),
            ("normal".to_owned(), vec![0.8; 5]),
        ]);
        let found = intervals(&rows, 1);
        let [low, high] = found.get("combination").unwrap().mean;
        assert!(low < 0.686 && 0.687 < high && low > 0.2 && high < 1.0);
        assert_eq!(found.get("normal").unwrap().at_75, [1.0, 1.0]);
        let [low, high] = found.get("average").unwrap().at_90;
        assert!(low < 1.0 / 6.0 && 1.0 / 6.0 < high);
        assert_eq!(found, intervals(&rows, 1));
        assert!(intervals(&Rows::default(), 1).0.is_empty());
    }
}
