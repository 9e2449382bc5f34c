//! Models that users name themselves: `hf:owner/repo[@revision][/file]`.
//!
//! What Hugging Face's own tools have fetched is found in their cache by every build. Fetching needs the feature
//! `hugging-face`, because the client brings its own TLS, compression and storage code, several hundred crates in all.

mod cache;
#[cfg(feature = "hugging-face")]
mod fetch;
mod reference;
mod selection;

pub use cache::cached;
#[cfg(feature = "hugging-face")]
pub use fetch::fetch;
#[cfg(feature = "hugging-face")]
pub(crate) use fetch::fetch_into;
pub use reference::Reference;

use std::path::PathBuf;

/// How to get at Hugging Face. The token is left to its client, which reads `HF_TOKEN` and the file that logging in
/// writes.
#[derive(Debug, Clone)]
pub struct Access {
    /// Where its tools keep what they fetched.
    pub cache: PathBuf,
    /// Another server than the usual one.
    pub endpoint: Option<String>,
    /// Fetch nothing.
    pub offline: bool,
}

/// Fetching, in a build without it.
#[cfg(not(feature = "hugging-face"))]
mod without {
    use super::{Access, Reference};
    use crate::error::Error;
    use crate::progress::Progress;
    use std::path::{Path, PathBuf};

    /// What the cache has; this build fetches nothing.
    pub fn fetch(
        reference: &Reference,
        access: &Access,
        _progress: &mut dyn FnMut(Progress<'_>),
    ) -> Result<PathBuf, Error> {
        super::cached(reference, &access.cache).map_err(|_| Error::NoHuggingFace)
    }

    pub(crate) fn fetch_into(
        _reference: &Reference,
        _folder: &Path,
        _access: &Access,
        _progress: &mut dyn FnMut(Progress<'_>),
    ) -> Result<PathBuf, Error> {
        Err(Error::NoHuggingFace)
    }
}

#[cfg(not(feature = "hugging-face"))]
pub use without::fetch;
#[cfg(not(feature = "hugging-face"))]
pub(crate) use without::fetch_into;
