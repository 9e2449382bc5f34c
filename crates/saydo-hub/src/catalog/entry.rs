//! A model or a dataset, for all that treats both alike.

use super::{Dataset, Model};
use crate::error::Error;
use saydo_file::digest::is_sha256;
use std::fmt;

/// What can be pulled by name.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Kind {
    /// Weights: one file.
    Model,
    /// Data: a folder of files.
    Dataset,
}

impl Kind {
    /// The subcommand of `saydo` that is about it, which is also the name of its folder in a store.
    pub fn command(self) -> &'static str {
        match self {
            Self::Model => "models",
            Self::Dataset => "data",
        }
    }
}

impl fmt::Display for Kind {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str(match self {
            Self::Model => "model",
            Self::Dataset => "dataset",
        })
    }
}

/// An entry of the catalog.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Entry<'a> {
    /// A model.
    Model(&'a Model),
    /// A dataset.
    Dataset(&'a Dataset),
}

impl<'a> From<&'a Model> for Entry<'a> {
    fn from(model: &'a Model) -> Self {
        Self::Model(model)
    }
}

impl<'a> From<&'a Dataset> for Entry<'a> {
    fn from(dataset: &'a Dataset) -> Self {
        Self::Dataset(dataset)
    }
}

impl<'a> Entry<'a> {
    /// Which of the two it is.
    pub fn kind(self) -> Kind {
        match self {
            Self::Model(_) => Kind::Model,
            Self::Dataset(_) => Kind::Dataset,
        }
    }

    /// What users call it.
    pub fn name(self) -> &'a str {
        match self {
            Self::Model(model) => &model.name,
            Self::Dataset(dataset) => &dataset.name,
        }
    }

    /// Its license.
    pub fn license(self) -> &'a str {
        match self {
            Self::Model(model) => &model.license,
            Self::Dataset(dataset) => &dataset.license,
        }
    }

    /// Size of the weights, or of the file a dataset is fetched as where that is known.
    pub fn bytes(self) -> Option<u64> {
        match self {
            Self::Model(model) => Some(model.bytes),
            Self::Dataset(dataset) => dataset.bytes,
        }
    }

    /// SHA-256 of the same bytes, in lower-case hexadecimal digits.
    pub fn sha256(self) -> Option<&'a str> {
        match self {
            Self::Model(model) => Some(&model.sha256),
            Self::Dataset(dataset) => dataset.sha256.as_deref(),
        }
    }

    /// Says what is wrong with the entry, if anything. Entries may come from a user's file, and names become file names.
    pub(super) fn check(self) -> Result<(), Error> {
        let is_lower = |c: char| c.is_ascii_lowercase() || c.is_ascii_digit();
        if !self.name().starts_with(is_lower) || !self.name().chars().all(|c| is_lower(c) || ".-_".contains(c)) {
            return Err(self.wrong("its name is not made of lower-case letters, digits, `.`, `-` and `_`"));
        }
        if let Some(sum) = self.sha256().filter(|sum| !is_sha256(sum)) {
            return Err(self.wrong(&format!("sha256 is `{sum}`, expected 64 lower-case hexadecimal digits")));
        }
        let checked = match self {
            Self::Model(model) => model.check(),
            Self::Dataset(dataset) => dataset.check(),
        };
        checked.map_err(|problem| self.wrong(&problem))
    }

    pub(super) fn wrong(self, problem: &str) -> Error {
        Error::Entry { name: self.name().to_owned(), problem: problem.to_owned() }
    }
}
