//! What can be wrong with a task file: a stable code, the place, what was found and what was expected.
//!
//! Readers and the linter share this type. A reader collects every problem of a file; loading fails on the first one
//! that is an error, `saydo lint` prints them all.

mod code;

pub use code::Code;
use std::path::PathBuf;

/// Whether a file can still be used.
#[derive(Debug, Clone, Copy, PartialEq, Eq, PartialOrd, Ord)]
pub enum Severity {
    /// The file cannot be used as it is.
    Error,
    /// The file can be used, but something is odd.
    Warning,
}

impl Severity {
    /// The word for this severity in output.
    pub fn name(self) -> &'static str {
        match self {
            Severity::Error => "error",
            Severity::Warning => "warning",
        }
    }
}

/// A place in a file.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Place {
    /// The file, as the user named it.
    pub file: PathBuf,
    /// The line, from 1.
    pub line: usize,
    /// The column in characters, from 1.
    pub column: usize,
}

impl std::fmt::Display for Place {
    fn fmt(&self, f: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        write!(f, "{}:{}:{}", self.file.display(), self.line, self.column)
    }
}

/// One thing that is wrong or odd in a file.
#[derive(Debug, Clone, PartialEq, Eq, thiserror::Error)]
#[error("{place}: {}{found}, expected {expected}", self.at())]
pub struct Problem {
    /// The stable code.
    pub code: Code,
    /// Where it stands.
    pub place: Place,
    /// The element it is about, such as `Instances[3].input`; empty for the file as a whole.
    pub element: String,
    /// What was found.
    pub found: String,
    /// What was expected.
    pub expected: String,
}

impl Problem {
    /// Whether the file can still be used.
    pub fn severity(&self) -> Severity {
        self.code.severity()
    }

    /// What to do about it.
    pub fn hint(&self) -> &'static str {
        self.code.hint()
    }

    fn at(&self) -> String {
        if self.element.is_empty() { String::new() } else { format!("{}: ", self.element) }
    }
}
