//! How a dataset was collected: what the server knows of it and the data card tells.

use serde::{Deserialize, Serialize};

/// How a dataset was collected.
#[derive(Debug, Clone, Default, PartialEq, Serialize, Deserialize)]
#[serde(default)]
pub struct Collection {
    /// When the first and the last answer came, in seconds since 1970.
    pub period: Option<[i64; 2]>,
    /// How many documents passages were taken from.
    pub documents: usize,
    /// How many people answered or wrote anything.
    pub workers: usize,
    /// Annotators wanted for a pair of question and passage, and where answers are records.
    pub annotators: [usize; 2],
    /// Passages wanted for each question.
    pub passages: usize,
    /// The greatest share of passages from one document.
    pub entity_share: f64,
    /// What workers had to show, in words; empty for nothing.
    pub qualification: Vec<String>,
    /// Whether annotators could see what a model would answer.
    pub suggestions: bool,
    /// The steps that people did.
    pub steps: Vec<StepFacts>,
    /// How far annotators agreed.
    pub agreement: Agreement,
    /// Answers that the owner decided, as annotators did not agree.
    pub decided: usize,
    /// Pairs of question and passage that lack answers or a decision, and are left out.
    pub left_out: usize,
    /// Pieces of answers that hold a `|`, which stands between pieces.
    pub ambiguous: usize,
    /// Pairs of questions that are nearly the same and of no common family.
    pub near_duplicates: usize,
    /// The currency-free cost of everything, where rewards are known: the sum of `cost` of all steps.
    pub cost: Option<f64>,
}

/// A step of the collection.
#[derive(Debug, Clone, Default, PartialEq, Serialize, Deserialize)]
#[serde(default)]
pub struct StepFacts {
    /// Its name: `base`, `paraphrase`, `answer`, ….
    pub step: String,
    /// Items of work.
    pub items: usize,
    /// Answers given.
    pub answers: usize,
    /// People who gave them.
    pub workers: usize,
    /// The median of seconds for an item.
    pub seconds: Option<i64>,
    /// What an answer is paid, where that is known.
    pub reward: Option<f64>,
    /// What all answers cost, fees included, where that is known.
    pub cost: Option<f64>,
}

/// How far annotators agreed on the answers to the same passage.
#[derive(Debug, Clone, Default, PartialEq, Serialize, Deserialize)]
#[serde(default)]
pub struct Agreement {
    /// Items with two answers or more.
    pub items: usize,
    /// The share of pairs of annotators who agree.
    pub percent: Option<f64>,
    /// Cohen's kappa, averaged over pairs of annotators.
    pub cohen: Option<f64>,
    /// Fleiss' kappa.
    pub fleiss: Option<f64>,
    /// Krippendorff's alpha.
    pub krippendorff: Option<f64>,
}

impl Collection {
    /// The same with costs and agreement to six decimals, which read back from JSON as they were written.
    pub fn rounded(mut self) -> Self {
        let Agreement { percent, cohen, fleiss, krippendorff, .. } = &mut self.agreement;
        let costs = self.steps.iter_mut().map(|step| &mut step.cost).chain([&mut self.cost]);
        for value in costs.chain([percent, cohen, fleiss, krippendorff]) {
            *value = value.map(|value| (value * 1e6).round() / 1e6);
        }
        self
    }
}
