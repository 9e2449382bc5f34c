//! What the reference evaluator does not report: intervals, counts, and the headline metric of each category.

use super::group::Groups;
use super::headline::{HEADLINE, Metric};
use super::input::{Predictions, References, Track};
use super::instance::InstanceScore;
use crate::Mode;
use saydo_metrics::bootstrap::mean_interval;
use saydo_metrics::mean::sequential_sum;
use serde::Serialize;

/// The rest of the report.
#[derive(Debug, Clone, PartialEq, Serialize)]
pub struct Details {
    /// How it was scored.
    pub mode: Mode,
    /// Each track as a whole.
    pub tracks: Vec<TrackScore>,
    /// Each category of a track by the metric the paper's tables use for it; categories outside those tables are not
    /// listed.
    pub headline: Vec<HeadlineScore>,
    /// Predictions for ids that are not among the references; ignored.
    pub unknown_ids: usize,
    /// Predictions replaced by a later one for the same id.
    pub repeated_predictions: usize,
    /// References replaced by a later one with the same id.
    pub repeated_references: usize,
    /// References of neither track; ignored.
    pub other_tracks: usize,
}

/// A track as a whole.
#[derive(Debug, Clone, PartialEq, Serialize)]
pub struct TrackScore {
    /// The track.
    pub track: Track,
    /// How many instances it has.
    pub n: usize,
    /// How many of them had no prediction.
    pub missing: usize,
    /// Exact match.
    pub exact_match: Spread,
    /// ROUGE-L.
    #[serde(rename = "rougeL")]
    pub rouge_l: Spread,
    /// ROUGE-1.
    #[serde(rename = "rouge1")]
    pub rouge_1: Spread,
}

/// One category by its headline metric.
#[derive(Debug, Clone, PartialEq, Serialize)]
pub struct HeadlineScore {
    /// The track.
    pub track: Track,
    /// The category, as in keys.
    pub category: String,
    /// Its metric.
    pub metric: Metric,
    /// How many instances it has.
    pub n: usize,
    /// The score.
    #[serde(flatten)]
    pub score: Spread,
}

/// A mean in points from 0 to 100, not rounded, with its 95% interval over other instances.
#[derive(Debug, Clone, Copy, PartialEq, Serialize)]
pub struct Spread {
    /// The mean.
    pub mean: f64,
    /// The ends of the interval.
    pub interval: Option<[f64; 2]>,
}

impl Spread {
    /// Of at least one fraction.
    fn of(fractions: &[f64], seed: u64) -> Spread {
        let interval = mean_interval(fractions, seed);
        Spread {
            mean: 100.0 * sequential_sum(fractions) / fractions.len() as f64,
            interval: interval.map(|interval| [100.0 * interval.low, 100.0 * interval.high]),
        }
    }
}

impl Details {
    pub(super) fn new(references: &References, predictions: &Predictions, mode: Mode) -> Details {
        Details {
            mode,
            tracks: Vec::new(),
            headline: Vec::new(),
            unknown_ids: predictions.by_id.keys().filter(|id| !references.contains(id)).count(),
            repeated_predictions: predictions.repeated,
            repeated_references: references.repeated,
            other_tracks: references.instances.iter().filter(|reference| reference.track.is_none()).count(),
        }
    }

    /// Adds a track that has instances.
    pub(super) fn add_track(&mut self, track: Track, instances: &[InstanceScore], by_category: &Groups, seed: u64) {
        let spread =
            |value: fn(&InstanceScore) -> f64| Spread::of(&instances.iter().map(value).collect::<Vec<_>>(), seed);
        self.tracks.push(TrackScore {
            track,
            n: instances.len(),
            missing: instances.iter().filter(|instance| instance.missing).count(),
            exact_match: spread(|instance| Metric::ExactMatch.of(instance)),
            rouge_l: spread(|instance| Metric::RougeL.of(instance)),
            rouge_1: spread(|instance| instance.rouge_1),
        });
        for (category, metric) in HEADLINE {
            if let Some((_, members)) = by_category.iter().find(|(name, _)| name == category) {
                let values: Vec<f64> = members.iter().map(|&i| metric.of(&instances[i])).collect();
                let score = Spread::of(&values, seed);
                self.headline.push(HeadlineScore {
                    track,
                    category: category.to_owned(),
                    metric,
                    n: values.len(),
                    score,
                });
            }
        }
    }
}
