//! The metric that the paper's tables use for each category of test tasks: exact match where there is one right answer,
//! ROUGE-L where there are many.

use super::instance::InstanceScore;
use saydo_metrics::mean::sequential_sum;
use serde::Serialize;
use std::fmt;

/// A metric of the evaluator.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Serialize)]
pub enum Metric {
    /// Equality but for case, punctuation and spacing.
    #[serde(rename = "exact_match")]
    ExactMatch,
    /// ROUGE-L F-measure.
    #[serde(rename = "rougeL")]
    RougeL,
}

impl Metric {
    /// Both metrics, in the order they are reported.
    pub const ALL: [Metric; 2] = [Metric::ExactMatch, Metric::RougeL];

    /// The metric's name in keys.
    pub fn name(self) -> &'static str {
        match self {
            Metric::ExactMatch => "exact_match",
            Metric::RougeL => "rougeL",
        }
    }

    /// The points of one instance as a fraction.
    pub(super) fn of(self, instance: &InstanceScore) -> f64 {
        match self {
            Metric::ExactMatch => f64::from(u8::from(instance.exact_match)),
            Metric::RougeL => instance.rouge_l,
        }
    }

    /// The mean over members, of which there is at least one, in points from 0 to 100.
    pub(super) fn mean(self, instances: &[InstanceScore], members: &[usize]) -> f64 {
        let values: Vec<f64> = members.iter().map(|&i| self.of(&instances[i])).collect();
        100.0 * sequential_sum(&values) / values.len() as f64
    }
}

impl fmt::Display for Metric {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str(self.name())
    }
}

/// The categories of the test tasks, as they are written in keys, each with its metric.
pub const HEADLINE: [(&str, Metric); 12] = [
    ("textual_entailment", Metric::ExactMatch),
    ("cause_effect_classification", Metric::ExactMatch),
    ("coreference_resolution", Metric::ExactMatch),
    ("dialogue_act_recognition", Metric::ExactMatch),
    ("answerability_classification", Metric::ExactMatch),
    ("word_analogy", Metric::ExactMatch),
    ("overlap_extraction", Metric::RougeL),
    ("keyword_tagging", Metric::RougeL),
    ("question_rewriting", Metric::RougeL),
    ("title_generation", Metric::RougeL),
    ("data_to_text", Metric::RougeL),
    ("grammar_error_correction", Metric::RougeL),
];
