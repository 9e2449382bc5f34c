//! The numbers of the paper (Tables 1 to 3 and the text around them), to print beside ours.
//!
//! Percent, as published. "The Turking Test: Can Language Models Understand Instructions?" (Efrat and Levy, 2020), for
//! GPT-2 with 1.5 billion parameters, judged by people.

use super::Pattern;
use saydo_task::turking::Kind;
use serde::Serialize;

/// The model behind every published number.
pub const MODEL: &str = "GPT-2 1.5B";

/// The observed agreement of the paper's annotators.
pub const AGREEMENT: f64 = 98.0;

/// What the paper reports for a task.
#[derive(Debug, Clone, Copy, PartialEq, Serialize)]
pub struct Published {
    /// Right outputs.
    pub accuracy: f64,
    /// Outputs that would be right for some resource; the crowd's tasks only.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub form_consistency: Option<f64>,
    /// Always the same answer: `the` or `e`.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub baseline: Option<f64>,
    /// How many outputs were judged.
    pub outputs: usize,
    /// The decoding that is reported.
    pub decoding: &'static str,
}

/// The row of a task.
///
/// ```
/// use saydo_protocol::turking::published;
/// use saydo_task::turking::Kind;
///
/// assert_eq!(published::row(Kind::NthWord).baseline, Some(6.4));
/// ```
pub fn row(kind: Kind) -> Published {
    let crowd = |accuracy, consistency| Published {
        accuracy,
        form_consistency: Some(consistency),
        baseline: None,
        outputs: 500,
        decoding: "nucleus",
    };
    let gold = |accuracy, baseline, outputs| Published {
        accuracy,
        form_consistency: None,
        baseline,
        outputs,
        decoding: "greedy",
    };
    match kind {
        Kind::Snli => crowd(0.4, 12.0),
        Kind::Squad => crowd(0.2, 6.0),
        Kind::NewsQa => crowd(4.2, 22.0),
        Kind::Nouns => gold(9.0, None, 100),
        Kind::NounsUnderCondition => gold(3.5, None, 689),
        Kind::NthWord => gold(2.0, Some(6.4), 832),
        Kind::NthCharacter => gold(1.3, Some(13.8), 832),
    }
}

/// How many resources the paper took. Of the crowd's tasks it sampled five outputs for each.
pub fn resources(kind: Kind) -> usize {
    let outputs = row(kind).outputs;
    if kind.has_gold() { outputs } else { outputs / 5 }
}

/// The share of outputs that show a pattern, where the paper gives one. It sorted by hand, and 150 outputs only for each
/// of the crowd's tasks, so our rules and its numbers agree in kind and not in detail.
pub fn pattern(kind: Kind, pattern: Pattern) -> Option<f64> {
    match (kind, pattern) {
        (Kind::Snli, Pattern::ContinuesResource) => Some(17.0),
        (Kind::Squad, Pattern::ContinuesResource) => Some(3.0),
        (Kind::NewsQa, Pattern::ContinuesResource) => Some(24.0),
        (Kind::Snli, Pattern::ContinuesInstruction) => Some(19.0),
        (Kind::Snli, Pattern::CopiesExample) => Some(11.0),
        (Kind::NewsQa, Pattern::CopiesExample) => Some(6.0),
        (Kind::NewsQa, Pattern::ForbiddenQuestion) => Some(49.0),
        (Kind::Nouns, Pattern::Repeats) => Some(10.0),
        (Kind::NounsUnderCondition, Pattern::Repeats) => Some(30.0),
        (Kind::NthWord, Pattern::Repeats) => Some(46.0),
        (Kind::NthCharacter, Pattern::Repeats) => Some(59.0),
        _ => None,
    }
}

/// The share of repetitions of a kind among 50 that the authors sorted (section 5.4).
pub fn repetition(kind: Kind, what: Repetition) -> Option<f64> {
    match (kind, what) {
        (Kind::NthCharacter, Repetition::BeginsWithResource) => Some(96.0),
        (Kind::NthCharacter, Repetition::ResourceAlone) => Some(54.0),
        (Kind::NthWord, Repetition::BeginsWithResource) => Some(0.0),
        (Kind::NthWord, Repetition::Both) => Some(100.0),
        _ => None,
    }
}

/// What an output repeats.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Repetition {
    /// It begins with the resource, whatever follows.
    BeginsWithResource,
    /// The resource and nothing of the instruction.
    ResourceAlone,
    /// The instruction and nothing of the resource.
    InstructionAlone,
    /// Both.
    Both,
}

impl Repetition {
    /// Every kind, in the order of reports.
    pub const ALL: [Repetition; 4] =
        [Repetition::BeginsWithResource, Repetition::ResourceAlone, Repetition::InstructionAlone, Repetition::Both];

    /// The words for it in output.
    pub fn name(self) -> &'static str {
        match self {
            Repetition::BeginsWithResource => "begins with the resource",
            Repetition::ResourceAlone => "the resource alone",
            Repetition::InstructionAlone => "the instruction alone",
            Repetition::Both => "both",
        }
    }

    /// Whether an output with these patterns repeats in this way.
    pub fn is_in(self, patterns: &[Pattern]) -> bool {
        let has = |pattern| patterns.contains(&pattern);
        let (resource, instruction) = (has(Pattern::RepeatsResource), has(Pattern::RepeatsInstruction));
        match self {
            Repetition::BeginsWithResource => has(Pattern::BeginsWithResource),
            Repetition::ResourceAlone => resource && !instruction,
            Repetition::InstructionAlone => instruction && !resource,
            Repetition::Both => resource && instruction,
        }
    }
}

/// As [`pattern`] for what only people see, by its name in judgements. Of NewsQA the paper gives only the sum of the two.
pub fn person_pattern(kind: Kind, name: &str) -> Option<f64> {
    match (kind, name) {
        (Kind::Squad, "ungrounded-general") => Some(23.0),
        (Kind::Squad, "ungrounded-unrelated") => Some(15.0),
        _ => None,
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn every_task_has_a_row_and_crowd_tasks_a_consistency() {
        for kind in Kind::ALL {
            let row = row(kind);
            assert!(row.accuracy < 10.0);
            assert_eq!(row.form_consistency.is_some(), !kind.has_gold());
        }
        let patterns = Kind::ALL.into_iter().flat_map(|kind| Pattern::ALL.map(|shown| pattern(kind, shown)));
        assert_eq!(patterns.flatten().count(), 11);
    }
}
