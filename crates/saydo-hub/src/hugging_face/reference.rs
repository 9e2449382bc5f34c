//! `owner/repo[@revision][/file]`, the way Hugging Face's own tools write it.

use crate::error::Error;
use serde::Deserialize;
use std::fmt;
use std::str::FromStr;

/// A model repository on Hugging Face, or one file of it.
#[derive(Debug, Clone, PartialEq, Eq, Deserialize)]
#[serde(try_from = "String")]
pub struct Reference {
    /// User or organization.
    pub owner: String,
    /// Name of the repository.
    pub name: String,
    /// Branch, tag or commit; the main branch if there is none.
    pub revision: Option<String>,
    /// Path of a file in the repository.
    pub file: Option<String>,
}

impl Reference {
    /// `owner/repo`.
    pub fn repository(&self) -> String {
        format!("{}/{}", self.owner, self.name)
    }
}

impl FromStr for Reference {
    type Err = Error;

    /// Reads what stands after `hf:`. No part may be empty or lead out of its folder.
    fn from_str(text: &str) -> Result<Self, Error> {
        let wrong = || Error::Reference { text: text.to_owned() };
        let (owner, rest) = text.split_once('/').ok_or_else(wrong)?;
        let (repository, file) = match rest.split_once('/') {
            Some((repository, file)) => (repository, Some(file)),
            None => (rest, None),
        };
        let (name, revision) = match repository.split_once('@') {
            Some((name, revision)) => (name, Some(revision)),
            None => (repository, None),
        };
        let is_plain = |part: &str| {
            let is_word = |c: char| c.is_ascii_alphanumeric() || "-_.".contains(c);
            !part.is_empty() && part != "." && part != ".." && part.chars().all(is_word)
        };
        let is_inside =
            |file: &str| !file.contains('\\') && file.split('/').all(|part| !["", ".", ".."].contains(&part));
        let is_good = [Some(owner), Some(name), revision].into_iter().flatten().all(is_plain);
        if !is_good || !file.is_none_or(is_inside) {
            return Err(wrong());
        }
        let owned = |part: &str| part.to_owned();
        Ok(Self { owner: owned(owner), name: owned(name), revision: revision.map(owned), file: file.map(owned) })
    }
}

impl TryFrom<String> for Reference {
    type Error = Error;

    fn try_from(text: String) -> Result<Self, Error> {
        text.parse()
    }
}

impl fmt::Display for Reference {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(f, "{}/{}", self.owner, self.name)?;
        if let Some(revision) = &self.revision {
            write!(f, "@{revision}")?;
        }
        self.file.as_ref().map_or(Ok(()), |file| write!(f, "/{file}"))
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn every_form_reads_back_as_it_was_written() {
        for text in ["a/b", "a/b/c.gguf", "a/b/d/c.gguf", "a/b@v1", "a/b@0123abc/d/c@2.gguf"] {
            assert_eq!(text.parse::<Reference>().unwrap().to_string(), text);
        }
        let parsed: Reference = "a/b@v1/d/c.gguf".parse().unwrap();
        assert_eq!((parsed.revision.as_deref(), parsed.file.as_deref()), (Some("v1"), Some("d/c.gguf")));
    }

    #[test]
    fn what_is_empty_or_leads_out_of_the_folder_is_refused() {
        for text in ["", "a", "a/", "/b", "a/..", "../b", "a/b/", "a/b/../c", "a/b//c", "a/b@", "a/b@../c", "a b/c"] {
            assert!(text.parse::<Reference>().is_err(), "{text}");
        }
        let error = "a".parse::<Reference>().unwrap_err();
        insta::assert_snapshot!(error, @"`hf:a` is no model on Hugging Face, expected hf:owner/repo[@revision][/file]");
    }
}
