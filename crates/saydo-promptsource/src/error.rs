//! What can go wrong with templates.

use std::path::PathBuf;

/// Why a file of templates or a template cannot be used.
#[derive(Debug, thiserror::Error)]
#[non_exhaustive]
pub enum Error {
    /// The file is no YAML.
    #[error("{}: {reason}, expected YAML", path.display())]
    Yaml {
        /// The file.
        path: PathBuf,
        /// What the parser said, with line and column.
        reason: String,
    },
    /// The file is YAML and no file of templates.
    #[error("{}: {found}, expected {expected}", path.display())]
    Shape {
        /// The file.
        path: PathBuf,
        /// What was found.
        found: String,
        /// What was expected.
        expected: &'static str,
    },
    /// A template is no Jinja.
    #[error("template `{template}`: {reason}")]
    Jinja {
        /// The template's name.
        template: String,
        /// What the engine said.
        reason: String,
    },
    /// A template cannot be filled with a row.
    #[error("template `{template}`, row {row}: {reason}")]
    Row {
        /// The template's name.
        template: String,
        /// The row, from 1.
        row: usize,
        /// What the engine said.
        reason: String,
    },
    /// A template has no target.
    #[error("template `{template}`, row {row}: no target, expected `|||` between prompt and target")]
    NoTarget {
        /// The template's name.
        template: String,
        /// The row, from 1.
        row: usize,
    },
}
