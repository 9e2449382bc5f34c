//! What can go wrong in constrained decoding.

/// A constraint, a vocabulary or a token that cannot be used.
#[derive(Debug, Clone, PartialEq, Eq, thiserror::Error)]
#[non_exhaustive]
pub enum Error {
    /// No text satisfies the constraint.
    #[error("constraint accepts no text: {reason}")]
    Nothing {
        /// The part that accepts nothing.
        reason: String,
    },
    /// The constraint, or something in it, is larger than is safe to work with.
    #[error("{what} is too large: found {found}, expected at most {most}")]
    TooLarge {
        /// What is too large.
        what: &'static str,
        /// Its size.
        found: usize,
        /// The greatest size that is taken.
        most: usize,
    },
    /// The constraint combines parts in a way that is not supported.
    #[error("constraint is not supported: {reason}")]
    Unsupported {
        /// The combination, and what to do instead.
        reason: &'static str,
    },
    /// The JSON Schema cannot be followed.
    #[error("JSON Schema cannot be followed: {reason}")]
    Schema {
        /// The feature or limit at fault.
        reason: String,
    },
    /// The vocabulary cannot be used.
    #[error("vocabulary is unusable: {reason}")]
    Vocabulary {
        /// What is wrong with it.
        reason: String,
    },
    /// The logits do not cover the vocabulary.
    #[error("found {found} logits, expected at least {expected}, one for each token")]
    Logits {
        /// How many logits were given.
        found: usize,
        /// How many tokens there are.
        expected: usize,
    },
    /// The token cannot come next.
    #[error("token {token} cannot come next under the constraint")]
    Token {
        /// The token.
        token: u32,
    },
    /// The constraint wants more text, but no token of the vocabulary spells it.
    #[error("no token of the vocabulary continues the text as the constraint asks")]
    Stuck,
    /// The text so far can be read under the constraint in too many ways to follow.
    #[error("text can be read in more than {most} ways under the constraint")]
    Ambiguous {
        /// How many ways are followed.
        most: usize,
    },
}
