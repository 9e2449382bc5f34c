//! The seven tasks by name.

/// A task of the Turking Test.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash, PartialOrd, Ord)]
pub enum Kind {
    /// Write an entailed, a neutral and a contradicting caption.
    Snli,
    /// Write questions about a paragraph.
    Squad,
    /// Write questions about the highlights of a story.
    NewsQa,
    /// List the nouns of a sentence.
    Nouns,
    /// List the nouns of a sentence that meet a condition.
    NounsUnderCondition,
    /// Write the nth word of a sentence.
    NthWord,
    /// Write the nth character of a sentence.
    NthCharacter,
}

impl Kind {
    /// Every task, in the paper's order.
    pub const ALL: [Kind; 7] = [
        Kind::Snli,
        Kind::Squad,
        Kind::NewsQa,
        Kind::Nouns,
        Kind::NounsUnderCondition,
        Kind::NthWord,
        Kind::NthCharacter,
    ];

    /// The id of the generated task.
    pub fn id(self) -> &'static str {
        match self {
            Kind::Snli => "turking_snli",
            Kind::Squad => "turking_squad",
            Kind::NewsQa => "turking_newsqa",
            Kind::Nouns => "turking_nouns",
            Kind::NounsUnderCondition => "turking_nouns_condition",
            Kind::NthWord => "turking_nth_word",
            Kind::NthCharacter => "turking_nth_character",
        }
    }

    /// The words for this task in output.
    pub fn name(self) -> &'static str {
        match self {
            Kind::Snli => "SNLI",
            Kind::Squad => "SQuAD",
            Kind::NewsQa => "NewsQA",
            Kind::Nouns => "all nouns",
            Kind::NounsUnderCondition => "nouns under a condition",
            Kind::NthWord => "nth word",
            Kind::NthCharacter => "nth character",
        }
    }

    /// Whether an answer is right or wrong by itself, so that no person has to judge it.
    pub fn has_gold(self) -> bool {
        !matches!(self, Kind::Snli | Kind::Squad | Kind::NewsQa)
    }

    /// Where its resources come from.
    pub(super) fn dataset(self) -> &'static str {
        match self {
            Kind::Snli => "SNLI",
            Kind::Squad => "SQuAD",
            Kind::NewsQa => "CNN highlights",
            _ => "GLUE diagnostic",
        }
    }
}
