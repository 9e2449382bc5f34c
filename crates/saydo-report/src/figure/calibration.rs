//! Whether a model is right as often as it is sure: ten bins of confidence, and how far they are off on average.

use super::{Figure, measure};
use crate::Run;
use crate::chart::{Bin, Chart, Series};
use crate::number::points;

const BINS: usize = 10;

pub(super) fn figure(runs: &[Run]) -> Option<Figure> {
    let first = runs.first()?;
    let series = |run: &Run| Series { name: run.name.clone(), values: bins(&pairs(run)) };
    let series: Vec<Series<Bin>> = runs.iter().map(series).collect();
    let sure = || series.iter().filter(|series| !series.values.is_empty());
    sure().next()?;
    let errors: Vec<String> =
        sure().map(|series| format!("{} {}", series.name, points(error(&series.values)))).collect();
    Some(Figure {
        title: "calibration: score by confidence".to_owned(),
        note: format!(
            "On the dashed line a model is right as often as it is sure. Marks grow with the number of samples. Expected \
             calibration error, in points: {}.",
            errors.join("; ")
        ),
        chart: Chart::Reliability { series, measure: measure(first).to_owned() },
    })
}

/// The confidence and the score of each sample that has both.
fn pairs(run: &Run) -> Vec<(f64, f64)> {
    let samples = run.scores.samples.iter();
    samples.filter_map(|sample| Some((sample.confidence?, sample.metrics.first().copied().flatten()?))).collect()
}

fn bins(pairs: &[(f64, f64)]) -> Vec<Bin> {
    let of = |confidence: f64| ((confidence * BINS as f64) as usize).min(BINS - 1);
    let bin = |number: usize| {
        let inside: Vec<&(f64, f64)> = pairs.iter().filter(|(confidence, _)| of(*confidence) == number).collect();
        let mean = |value: fn(&(f64, f64)) -> f64| {
            100.0 * inside.iter().map(|pair| value(pair)).sum::<f64>() / inside.len() as f64
        };
        (!inside.is_empty()).then(|| Bin {
            confidence: mean(|pair| pair.0),
            score: mean(|pair| pair.1),
            count: inside.len(),
        })
    };
    (0..BINS).filter_map(bin).collect()
}

/// The mean distance between confidence and score, by samples.
fn error(bins: &[Bin]) -> f64 {
    let count: usize = bins.iter().map(|bin| bin.count).sum();
    bins.iter().map(|bin| bin.count as f64 * (bin.confidence - bin.score).abs()).sum::<f64>() / count as f64
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn full_confidence_is_in_the_last_bin() {
        let bins = bins(&[(1.0, 1.0), (0.95, 0.0), (0.05, 0.0)]);
        assert_eq!(bins.len(), 2);
        assert_eq!((bins[1].count, bins[1].score), (2, 50.0));
    }

    #[test]
    fn the_error_weighs_bins_by_their_samples() {
        let bins = [Bin { confidence: 90.0, score: 60.0, count: 3 }, Bin { confidence: 20.0, score: 10.0, count: 1 }];
        assert_eq!(error(&bins), 25.0);
    }
}
