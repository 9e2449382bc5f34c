//! Super-NaturalInstructions: exact match and ROUGE-L per track, category and task.
//!
//! The flat result has the keys, the order and the rounding of the reference evaluator; what it does not report
//! (intervals, counts, the one metric per category that the paper's tables use) stands apart under `details`. Groups are
//! means over instances, never over tasks. Rules S1 to S8 of docs/metrics.md.

mod details;
mod error;
mod flat;
mod group;
mod headline;
mod input;
mod instance;
pub(crate) mod plan;
pub(crate) mod score;
pub(crate) mod table;
mod tasks;

pub use details::{Details, HeadlineScore, Spread, TrackScore};
pub use error::Error;
pub use headline::{HEADLINE, Metric};
pub use input::{Predictions, Reference, References, Track};
pub use instance::InstanceScore;
pub use tasks::{TestReferences, references_from_tasks};

use crate::Mode;
use serde::Serialize;
use serde_json::{Map, Value};
use std::path::Path;

/// How predictions are scored.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Default)]
pub struct Options {
    /// Strict stops where the reference does: on a track without instances (Q18), and on an instance without the
    /// category or task that the first of its track has. Fixed leaves the track out, and the instance out of the groups.
    pub mode: Mode,
    /// Cuts each prediction at the first full stop, once it is stripped, as the paper did for GPT-3.
    pub cut_at_full_stop: bool,
    /// Seeds the resampling behind the intervals.
    pub seed: u64,
}

/// The scores, in points from 0 to 100.
#[derive(Debug, Clone, PartialEq, Serialize)]
pub struct Report {
    /// What the reference evaluator gives: its keys, in its order, rounded to four decimals.
    #[serde(flatten)]
    pub scores: Map<String, Value>,
    /// What it does not give.
    pub details: Details,
    /// The score of each instance of the two tracks, in the order of the tracks.
    #[serde(skip)]
    pub instances: Vec<InstanceScore>,
}

/// Scores a file of predictions against a file of references.
///
/// ```no_run
/// use saydo_protocol::super_natural_instructions::{Options, score};
/// use std::path::Path;
///
/// let report = score(Path::new("references.jsonl"), Path::new("predictions.jsonl"), &Options::default())?;
/// println!("{}", report.scores["rougeL_default_track"]);
/// # Ok::<(), saydo_protocol::super_natural_instructions::Error>(())
/// ```
pub fn score(references: &Path, predictions: &Path, options: &Options) -> Result<Report, Error> {
    evaluate(&References::load(references)?, &Predictions::load(predictions)?, options)
}

/// Scores predictions against references that are in memory.
pub fn evaluate(references: &References, predictions: &Predictions, options: &Options) -> Result<Report, Error> {
    let mut report = Report {
        scores: Map::new(),
        details: Details::new(references, predictions, options.mode),
        instances: Vec::new(),
    };
    for track in Track::ALL {
        let instances = instance::score_track(references, predictions, track, options);
        if instances.is_empty() {
            match options.mode {
                Mode::Strict => return Err(Error::EmptyTrack { track }),
                Mode::Fixed => continue,
            }
        }
        let by_category = group::by_category(references, &instances, options.mode)?;
        let by_task = group::by_task(references, &instances, options.mode)?;
        flat::add_track(&mut report.scores, track, &instances, &by_category, &by_task);
        report.details.add_track(track, &instances, &by_category, options.seed);
        report.instances.extend(instances);
    }
    if report.instances.is_empty() {
        return Err(Error::NoInstance);
    }
    Ok(report)
}

#[cfg(test)]
mod tests;
