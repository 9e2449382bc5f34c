//! What can stop the scoring of Super-NaturalInstructions predictions.

use super::input::Track;
use saydo_task::problem::Place;

/// Why predictions could not be scored.
#[derive(Debug, thiserror::Error)]
#[non_exhaustive]
pub enum Error {
    /// A file cannot be read, or its content is wrong.
    #[error(transparent)]
    Input(#[from] saydo_task::Error),
    /// A track has no instance, which the reference evaluator cannot average (Q18).
    #[error("found no reference of the track `{track}`, expected at least one (fixed scoring leaves the track out)")]
    EmptyTrack {
        /// The track.
        track: Track,
    },
    /// No track has an instance.
    #[error("found no reference of the tracks `default` and `xlingual`, expected at least one")]
    NoInstance,
    /// An instance lacks what the first instance of its track is grouped by.
    #[error("{place}: found no `{field}` for the instance `{id}`, expected one because the first of its track has it")]
    Ungrouped {
        /// Where the instance stands.
        place: Place,
        /// Its id.
        id: String,
        /// The missing field.
        field: &'static str,
    },
}
