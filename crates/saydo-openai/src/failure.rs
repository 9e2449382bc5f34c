//! How one attempt can fail, and whether another may fare better.

use crate::Error;
use crate::field::Unusable;
use crate::server::Blame;
use std::sync::Arc;
use std::time::Duration;

/// Words of messages that come with a status of passing trouble, but tell of trouble that stays: a parameter the server
/// does not know (llama-server and llama-cpp-python say so with status 500), or money that has run out.
const LASTING: [&str; 4] = ["logprobs", "no echo", "validation error", "insufficient_quota"];

/// Why an attempt brought no usable answer.
pub(crate) enum Failure {
    Connect(reqwest::Error),
    Timeout,
    Broken(reqwest::Error),
    Status { status: u16, message: String, asked: Option<Duration> },
    TooLong { limit: usize },
    Unusable { reason: Unusable, message: String },
}

impl From<reqwest::Error> for Failure {
    fn from(error: reqwest::Error) -> Self {
        // The client's own words would show the whole URL, with its query.
        let error = error.without_url();
        match () {
            () if error.is_connect() => Self::Connect(error),
            () if error.is_timeout() => Self::Timeout,
            () => Self::Broken(error),
        }
    }
}

impl Failure {
    /// Whether the same request may succeed a moment later.
    pub(crate) fn is_passing(&self) -> bool {
        match self {
            Self::Connect(_) | Self::Timeout | Self::Broken(_) => true,
            Self::Unusable { reason, .. } => matches!(reason, Unusable::Lacks(_)),
            Self::Status { status: 501, .. } | Self::TooLong { .. } => false,
            Self::Status { status, message, .. } => {
                matches!(status, 408 | 429 | 500..) && !LASTING.iter().any(|word| message.contains(word))
            }
        }
    }

    /// What it says about the server.
    pub(crate) fn blame(&self) -> Blame {
        match self {
            Self::Connect(_) | Self::Status { status: 401, .. } => Blame::Absence,
            Self::Timeout => Blame::Silence,
            Self::Status { status: 429 | 503, .. } if self.is_passing() => Blame::Overload,
            Self::Broken(_) | Self::Status { .. } if self.is_passing() => Blame::Fault,
            Self::Unusable { reason: Unusable::Lacks(_), .. } => Blame::Fault,
            _ => Blame::None,
        }
    }

    /// Whether another server may do what this one cannot: the error is transient, or access is denied.
    pub(crate) fn is_local(&self) -> bool {
        self.is_passing() || self.blame() == Blame::Absence
    }

    /// How long the server asks to wait.
    pub(crate) fn asked(&self) -> Option<Duration> {
        if let Self::Status { asked, .. } = self { *asked } else { None }
    }

    /// This failure after the last attempt at `url`.
    pub(crate) fn into_error(self, url: String, attempts: u32, timeout_ms: u64, key_given: bool) -> Error {
        match self {
            Self::Connect(source) => Error::Connect { url, attempts, source: Arc::new(source) },
            Self::Timeout => Error::Timeout { url, timeout_ms, attempts },
            Self::Broken(source) => Error::Broken { url, attempts, source: Arc::new(source) },
            Self::Status { status: 401, message, .. } => Error::Unauthorized { url, key_given, message },
            Self::Status { status, message, .. } => Error::Status { url, status, attempts, message },
            Self::TooLong { limit } => Error::TooLong { url, limit },
            Self::Unusable { reason: Unusable::Final(error), .. } => error,
            Self::Unusable { reason: Unusable::Lacks(missing), message } => {
                Error::Malformed { url, missing: missing.to_owned(), attempts, message }
            }
        }
    }
}
