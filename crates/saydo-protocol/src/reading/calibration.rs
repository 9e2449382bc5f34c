//! Whether confidence means something: of answers that are 90 % sure, 90 in a hundred should be right.

use serde::Serialize;

/// How many bins confidences are sorted into.
pub const BINS: usize = 10;

/// Confidences against what became of the answers.
#[derive(Debug, Clone, PartialEq, Serialize)]
pub struct Calibration {
    /// The mean distance between confidence and share of right answers, weighted by the size of the bins (expected
    /// calibration error).
    pub error: f64,
    /// The bins that hold answers, from unsure to sure.
    pub bins: Vec<Bin>,
}

/// Answers that are about equally sure.
#[derive(Debug, Clone, Copy, PartialEq, Serialize)]
pub struct Bin {
    /// How many.
    pub count: usize,
    /// Their mean confidence.
    pub confidence: f64,
    /// The share that is right.
    pub accuracy: f64,
}

/// Calibration of answers, each with its confidence (from 0 to 1) and whether it is right; none for no answers.
pub fn calibration(rows: &[(f64, bool)]) -> Option<Calibration> {
    let mut bins: Vec<Vec<(f64, bool)>> = vec![Vec::new(); BINS];
    for row in rows {
        let place = (row.0.clamp(0.0, 1.0) * BINS as f64) as usize;
        bins[place.min(BINS - 1)].push(*row);
    }
    let bin = |rows: &Vec<(f64, bool)>| Bin {
        count: rows.len(),
        confidence: rows.iter().map(|row| row.0).sum::<f64>() / rows.len() as f64,
        accuracy: rows.iter().filter(|row| row.1).count() as f64 / rows.len() as f64,
    };
    let bins: Vec<Bin> = bins.iter().filter(|rows| !rows.is_empty()).map(bin).collect();
    let off = |bin: &Bin| bin.count as f64 * (bin.confidence - bin.accuracy).abs();
    let error = bins.iter().map(off).sum::<f64>() / rows.len() as f64;
    (!rows.is_empty()).then_some(Calibration { error, bins })
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn confidence_that_holds_costs_nothing() {
        let rows: Vec<(f64, bool)> = (0..10).map(|number| (0.9, number > 0)).collect();
        assert!(calibration(&rows).unwrap().error < 1e-12);
        let sure = calibration(&[(1.0, false), (1.0, true)]).unwrap();
        assert_eq!((sure.error, sure.bins.len()), (0.5, 1));
        assert_eq!(calibration(&[]), None);
    }
}
