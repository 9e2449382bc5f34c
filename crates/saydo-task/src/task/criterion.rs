//! When a task counts as done: its own metric and its own level (ZEST, section 2.3).
//!
//! The paper lets every task have a metric μ and calls a model competent at the task if μ reaches a level c. A protocol has a
//! metric of its own; a task that states another one is judged by that.

/// A task's own metric and level; what it does not state is the protocol's.
#[derive(Debug, Clone, Copy, PartialEq, Default)]
pub struct Criterion {
    /// What is measured.
    pub metric: Option<Metric>,
    /// The value, from 0 to 1, at which a model is competent at the task.
    pub competent_at: Option<f64>,
}

/// A metric that a task can name. All lie in [0, 1].
#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash, PartialOrd, Ord)]
pub enum Metric {
    /// ZEST's task F1: NA apart from real answers, spans by shared words, records field by field.
    F1,
    /// The share of answers that equal a gold answer but for case, punctuation and spacing.
    Accuracy,
    /// The mean over gold labels of the share that is right.
    BalancedAccuracy,
    /// Mean ROUGE-L.
    RougeL,
}

impl Metric {
    /// Every metric, in the order messages list them.
    pub const ALL: [Metric; 4] = [Metric::F1, Metric::Accuracy, Metric::BalancedAccuracy, Metric::RougeL];

    /// The word for it in task files and results.
    pub fn name(self) -> &'static str {
        match self {
            Metric::F1 => "f1",
            Metric::Accuracy => "accuracy",
            Metric::BalancedAccuracy => "balanced-accuracy",
            Metric::RougeL => "rouge-l",
        }
    }

    /// The metric of this name.
    pub fn named(name: &str) -> Option<Self> {
        Metric::ALL.into_iter().find(|metric| metric.name() == name)
    }
}

impl Criterion {
    /// Whether the task states neither a metric nor a level.
    pub fn is_empty(&self) -> bool {
        *self == Self::default()
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn every_metric_has_a_name_of_its_own() {
        for metric in Metric::ALL {
            assert_eq!(Metric::named(metric.name()), Some(metric));
        }
        assert_eq!(Metric::named("bleu"), None);
    }
}
