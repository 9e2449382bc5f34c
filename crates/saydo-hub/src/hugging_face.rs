//! Models that users name themselves: `hf:owner/repo[@revision][/file]`, fetched into the cache that Hugging Face's tools
//! share, and found there.

mod cache;
mod reference;
mod repository;
mod selection;

pub use cache::cached;
pub use reference::Reference;

use crate::download::Transfer;
use crate::error::Error;
use crate::progress::Progress;
use repository::Repository;
use selection::Selection;
use std::fmt;
use std::path::{Path, PathBuf};

/// How to get at Hugging Face.
#[derive(Debug, Clone, Default)]
pub struct Access {
    /// Where its tools keep what they fetched.
    pub cache: PathBuf,
    /// Another server than the usual one.
    pub endpoint: Option<String>,
    /// Who asks, for repositories that are not everybody's.
    pub token: Option<Token>,
    /// Fetch nothing.
    pub offline: bool,
    /// How patient transfers are.
    pub transfer: Transfer,
}

/// A secret: it is sent, and never shown.
#[derive(Clone)]
pub struct Token(pub String);

impl fmt::Debug for Token {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str("Token")
    }
}

/// Fetches a model into the cache of Hugging Face's tools and returns its file or folder. What is there already is not
/// fetched again, and an interrupted download resumes.
pub fn fetch(reference: &Reference, access: &Access, progress: &mut dyn FnMut(Progress<'_>)) -> Result<PathBuf, Error> {
    if access.offline {
        return cached(reference, &access.cache).map_err(|_| offline(reference));
    }
    let repository = Repository::open(reference, access)?;
    let (selection, listed) = repository.select()?;
    let snapshot = repository.fetch(&listed, progress)?;
    Ok(match selection {
        Selection::File(file) => snapshot.join(file),
        Selection::Folder(_) => snapshot,
    })
}

/// Fetches the file of a reference that names one into a folder, past the cache.
pub(crate) fn fetch_into(
    reference: &Reference,
    folder: &Path,
    access: &Access,
    progress: &mut dyn FnMut(Progress<'_>),
) -> Result<PathBuf, Error> {
    if access.offline {
        return Err(offline(reference));
    }
    let repository = Repository::open(reference, access)?;
    let (_, listed) = repository.select()?;
    let [file] = &listed[..] else {
        let problem = format!("{} files make the model, expected one", listed.len());
        return Err(Error::Repository { repository: reference.repository(), problem });
    };
    repository.download(file, folder, progress)
}

fn offline(reference: &Reference) -> Error {
    Error::Offline { reference: reference.to_string() }
}

#[cfg(test)]
mod tests;
