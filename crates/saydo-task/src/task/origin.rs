//! Where a task comes from: dataset, category, domain, and how it was derived from other tasks.

/// Provenance of a task. Lists are empty and options none where nothing is known.
#[derive(Debug, Clone, PartialEq, Eq, Default)]
pub struct Origin {
    /// The datasets the instances come from.
    pub dataset: Vec<String>,
    /// The categories of the task; the first one counts in reports.
    pub category: Vec<String>,
    /// The domains of its texts.
    pub domain: Vec<String>,
    /// How a ZEST task generalizes its base task.
    pub generalization: Option<Generalization>,
    /// Ids of the tasks this one was derived from.
    pub derives_from: Vec<String>,
    /// Kinds of reasoning asked for.
    pub reasoning: Vec<String>,
    /// Language of the inputs.
    pub input_language: Vec<String>,
    /// Language of the outputs.
    pub output_language: Vec<String>,
    /// Language of the description.
    pub instruction_language: Vec<String>,
    /// Who wrote the task.
    pub contributors: Vec<String>,
    /// Where the source can be found.
    pub url: Vec<String>,
    /// Licenses of the instances.
    pub license: Vec<String>,
}

/// ZEST's types of generalization.
#[derive(Debug, Clone, PartialEq, Eq, Hash, PartialOrd, Ord)]
pub enum Generalization {
    /// An original question (`normal` in the files).
    Base,
    /// The same question in other words.
    Paraphrase,
    /// A question whose meaning was changed a little (`target_semantics`).
    SemanticFlip,
    /// Two questions joined (`combination`).
    Composition,
    /// An answer as records (`structure`).
    OutputStructure,
    /// A type the paper does not know, as the file has it.
    Other(String),
}

impl Generalization {
    /// The five types of the paper, in its order.
    pub const ALL: [Generalization; 5] = [
        Generalization::Base,
        Generalization::Paraphrase,
        Generalization::Composition,
        Generalization::SemanticFlip,
        Generalization::OutputStructure,
    ];

    /// The word the ZEST files use.
    pub fn key(&self) -> &str {
        match self {
            Generalization::Base => "normal",
            Generalization::Paraphrase => "paraphrase",
            Generalization::SemanticFlip => "target_semantics",
            Generalization::Composition => "combination",
            Generalization::OutputStructure => "structure",
            Generalization::Other(key) => key,
        }
    }

    /// The words the paper uses.
    pub fn name(&self) -> &str {
        match self {
            Generalization::Base => "base",
            Generalization::Paraphrase => "paraphrase",
            Generalization::SemanticFlip => "semantic flips",
            Generalization::Composition => "composition",
            Generalization::OutputStructure => "output structure",
            Generalization::Other(key) => key,
        }
    }

    /// The type a ZEST file names by `key`.
    pub fn from_key(key: &str) -> Self {
        Self::ALL.into_iter().find(|known| known.key() == key).unwrap_or_else(|| Generalization::Other(key.to_owned()))
    }
}
