//! The score of each instance: the best over its references.

use super::Options;
use super::input::{Predictions, Reference, References, Track};
use rayon::prelude::*;
use saydo_bpe::Gpt2;
use saydo_metrics::exact::exact_match;
use saydo_metrics::python;
use saydo_metrics::rouge::{RougeScorer, rouge_1, rouge_l};
use serde::Serialize;
use std::hash::Hash;

/// How many instances one thread scores at a time; it stems each word once for all of them.
const CHUNK: usize = 256;

/// The scores of one instance, as fractions.
#[derive(Debug, Clone, PartialEq, Serialize)]
pub struct InstanceScore {
    /// Its id.
    pub id: String,
    /// Its track.
    pub track: Track,
    /// Whether there was no prediction, so that the empty text was scored.
    pub missing: bool,
    /// Whether the prediction equals a reference but for case, punctuation and spacing.
    pub exact_match: bool,
    /// ROUGE-L F-measure.
    #[serde(rename = "rougeL")]
    pub rouge_l: f64,
    /// ROUGE-1 F-measure, which only a variant of the reference evaluator reports.
    #[serde(rename = "rouge1")]
    pub rouge_1: f64,
    /// The instance's position among the references.
    #[serde(skip)]
    pub(super) position: usize,
}

/// Scores the instances of a track, in order.
pub(super) fn score_track(
    references: &References,
    predictions: &Predictions,
    track: Track,
    options: &Options,
) -> Vec<InstanceScore> {
    let instances: Vec<_> =
        references.instances.iter().enumerate().filter(|(_, reference)| reference.track == Some(track)).collect();
    let score_chunk = |chunk: &[(usize, &Reference)]| {
        let mut rouge = RougeScorer::new();
        let score = |&(position, reference): &(usize, &Reference)| {
            let prediction = predictions.by_id.get(&reference.id).map(String::as_str);
            score(position, reference, prediction, track, &mut rouge, options)
        };
        chunk.iter().map(score).collect::<Vec<_>>()
    };
    instances.par_chunks(CHUNK).flat_map_iter(score_chunk).collect()
}

fn score(
    position: usize,
    reference: &Reference,
    prediction: Option<&str>,
    track: Track,
    rouge: &mut RougeScorer,
    options: &Options,
) -> InstanceScore {
    let text = prediction.unwrap_or_default();
    let text = if options.cut_at_full_stop { first_sentence(text) } else { text };
    let (rouge_l, rouge_1) = match track {
        Track::Default => best(text, &reference.references, |text| rouge.encode(text)),
        Track::Xlingual => best(text, &reference.references, |text| Gpt2::shared().rouge_pieces(text)),
    };
    InstanceScore {
        id: reference.id.clone(),
        track,
        missing: prediction.is_none(),
        exact_match: exact_match(text, &reference.references),
        rouge_l,
        rouge_1,
        position,
    }
}

/// The best ROUGE-L and the best ROUGE-1, not always of the same reference.
fn best<T: Eq + Hash>(text: &str, references: &[String], mut tokens: impl FnMut(&str) -> Vec<T>) -> (f64, f64) {
    let prediction = tokens(text);
    references.iter().fold((0.0, 0.0), |(best_l, best_1), reference| {
        let target = tokens(reference);
        let (l, one) = (rouge_l(&prediction, &target).f_measure, rouge_1(&prediction, &target).f_measure);
        (f64::max(best_l, l), f64::max(best_1, one))
    })
}

fn first_sentence(text: &str) -> &str {
    python::strip(text).split('.').next().unwrap_or_default()
}

#[cfg(test)]
mod tests {
    use super::first_sentence;

    #[test]
    fn a_prediction_is_cut_at_its_first_full_stop() {
        assert_eq!(first_sentence(" Yes. And no."), "Yes");
        assert_eq!(first_sentence("3.5"), "3");
        assert_eq!(first_sentence(""), "");
    }
}
