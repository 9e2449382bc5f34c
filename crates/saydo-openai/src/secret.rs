//! Text that must not be seen: a type of its own, so that printing it takes intent.

use serde::Deserialize;
use std::fmt;

/// A key or a password. It can be read from a file and sent to a server, but neither printed nor written.
#[derive(Clone, PartialEq, Eq, Deserialize)]
#[serde(transparent)]
pub struct Secret(String);

impl Secret {
    /// Hides `text`.
    pub fn new(text: impl Into<String>) -> Self {
        Self(text.into())
    }

    /// The text itself.
    pub(crate) fn expose(&self) -> &str {
        &self.0
    }
}

impl fmt::Debug for Secret {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str("***")
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn does_not_print() {
        assert_eq!(format!("{:?} {:#?}", Secret::new("sk-1"), Some(Secret::new("sk-2"))), "*** Some(\n    ***,\n)");
    }
}
