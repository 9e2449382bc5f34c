//! The protocols: a closed set.

use serde::{Deserialize, Serialize};

/// How a benchmark is run and scored.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash, Serialize, Deserialize)]
#[serde(rename_all = "kebab-case")]
pub enum Protocol {
    /// Typed answers, task F1 and competence by type of generalization (Weller and others, 2020).
    Zest,
    /// ROUGE-L on tasks never seen, by encoding and category (Mishra and others, 2022).
    NaturalInstructions,
    /// Exact match and ROUGE-L on the default test tasks (Wang and others, 2022).
    SuperNaturalInstructions,
    /// Seven instructions from crowd work down to the nth word (Efrat and Levy, 2020).
    Turking,
    /// A user's own task on labelled rows, scored as ZEST scores answers with its quirks repaired.
    Labelled,
    /// Questions over texts, some of which a text does not answer: everyday, ZEST's form, SQuAD's and others, each scored by
    /// its own rules and answered by the function that users call.
    Reading,
}

impl Protocol {
    /// Every protocol, in the order messages list them.
    pub const ALL: [Protocol; 6] = [
        Protocol::Zest,
        Protocol::NaturalInstructions,
        Protocol::SuperNaturalInstructions,
        Protocol::Turking,
        Protocol::Labelled,
        Protocol::Reading,
    ];

    /// The word for it on the command line and in files.
    pub fn name(self) -> &'static str {
        match self {
            Protocol::Zest => "zest",
            Protocol::NaturalInstructions => "natural-instructions",
            Protocol::SuperNaturalInstructions => "super-natural-instructions",
            Protocol::Turking => "turking",
            Protocol::Labelled => "labelled",
            Protocol::Reading => "reading",
        }
    }

    /// What people call it.
    pub fn title(self) -> &'static str {
        match self {
            Protocol::Zest => "ZEST",
            Protocol::NaturalInstructions => "Natural Instructions",
            Protocol::SuperNaturalInstructions => "Super-NaturalInstructions",
            Protocol::Turking => "Turking Test",
            Protocol::Labelled => "labelled rows",
            Protocol::Reading => "reading",
        }
    }

    /// The protocol of this name.
    pub fn parse(name: &str) -> Option<Self> {
        Self::ALL.into_iter().find(|protocol| protocol.name() == name)
    }

    /// The metrics of a sample, the headline first.
    pub fn metrics(self) -> &'static [&'static str] {
        match self {
            Protocol::Zest | Protocol::Labelled | Protocol::Reading => &["f1", "exact_match"],
            Protocol::NaturalInstructions => &["rougeL", "exact_match"],
            Protocol::SuperNaturalInstructions => &["rougeL", "exact_match"],
            Protocol::Turking => &["accuracy", "form"],
        }
    }
}

impl std::fmt::Display for Protocol {
    fn fmt(&self, f: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        f.write_str(self.name())
    }
}
