//! The models that have a name, as a value: the built-in list, and files of the same form.

mod entry;

pub use entry::{Entry, Measured, Part};

use crate::error::Error;
use serde::Deserialize;
use std::path::Path;

/// A list of models, each under its own name.
#[derive(Debug, Clone, Default, PartialEq, Eq, Deserialize)]
#[serde(deny_unknown_fields)]
pub struct Catalog {
    /// The models, in the order they are listed.
    #[serde(rename = "model", default)]
    pub entries: Vec<Entry>,
}

impl Catalog {
    /// The models every build knows.
    pub fn built_in() -> Self {
        Self::parse(include_str!("catalog/catalog.toml"), "built in").expect("a test reads the built-in catalog")
    }

    /// Reads TOML text; `origin` says in errors where it came from. Every entry is checked.
    pub fn parse(text: &str, origin: &str) -> Result<Self, Error> {
        let malformed = |source| Error::Catalog { origin: origin.to_owned(), source: Box::new(source) };
        let catalog: Catalog = toml::from_str(text).map_err(malformed)?;
        for (i, entry) in catalog.entries.iter().enumerate() {
            entry.check()?;
            if catalog.entries[..i].iter().any(|earlier| earlier.name == entry.name) {
                return Err(entry.wrong("its name stands in the catalog twice, expected each name once"));
            }
        }
        Ok(catalog)
    }

    /// Reads a TOML file.
    pub fn load(path: &Path) -> Result<Self, Error> {
        let text = std::fs::read_to_string(path).map_err(Error::read(path))?;
        Self::parse(&text, &path.display().to_string())
    }

    /// This catalog with the entries of another; where both have a name, the other's entry stands.
    pub fn with(mut self, other: Self) -> Self {
        for entry in other.entries {
            match self.entries.iter_mut().find(|known| known.name == entry.name) {
                Some(known) => *known = entry,
                None => self.entries.push(entry),
            }
        }
        self
    }

    /// The entry of a name, or an error with the names nearest to it.
    pub fn entry(&self, name: &str) -> Result<&Entry, Error> {
        self.entries.iter().find(|entry| entry.name == name).ok_or_else(|| self.unknown(name))
    }

    /// The error for a name that is not here.
    pub(crate) fn unknown(&self, name: &str) -> Error {
        let mut ranked: Vec<(f64, &str)> = self
            .entries
            .iter()
            .map(|entry| (strsim::jaro_winkler(&name.to_lowercase(), &entry.name), entry.name.as_str()))
            .filter(|(likeness, _)| *likeness > 0.7)
            .collect();
        ranked.sort_by(|a, b| b.0.total_cmp(&a.0));
        Error::UnknownModel {
            name: name.to_owned(),
            closest: ranked.into_iter().map(|(_, name)| name.to_owned()).collect(),
            known: self.entries.iter().map(|entry| entry.name.clone()).collect(),
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn the_built_in_catalog_is_well_formed() {
        let catalog = Catalog::built_in();
        let names: Vec<&str> = catalog.entries.iter().map(|entry| entry.name.as_str()).collect();
        assert_eq!(names, ["smollm2-135m", "qwen2.5-coder-0.5b", "qwen2.5-coder-1.5b", "gemma3-270m"]);
        assert_eq!(catalog.entry("qwen2.5-coder-1.5b").unwrap().parts.len(), 22);
        assert!(catalog.entry("gemma3-270m").unwrap().terms.is_some());
    }

    #[test]
    fn an_unknown_name_comes_back_with_the_nearest_ones() {
        let error = Catalog::built_in().entry("smolm2-135").unwrap_err();
        insta::assert_snapshot!(error, @"no model is named `smolm2-135`, expected smollm2-135m");
        let error = Catalog::built_in().entry("zzz").unwrap_err();
        insta::assert_snapshot!(error, @"no model is named `zzz`, expected smollm2-135m, qwen2.5-coder-0.5b, qwen2.5-coder-1.5b or gemma3-270m");
    }

    #[test]
    fn a_later_catalog_adds_and_replaces() {
        let mut other = Catalog::built_in();
        other.entries.truncate(1);
        other.entries[0].description = "mine".to_owned();
        other.entries.push(Entry { name: "new".to_owned(), ..other.entries[0].clone() });
        let both = Catalog::built_in().with(other);
        assert_eq!(both.entries.len(), 5);
        assert_eq!(both.entry("smollm2-135m").unwrap().description, "mine");
    }

    #[test]
    fn a_typo_in_a_key_is_refused() {
        let error = Catalog::parse("[[model]]\nnam = \"a\"\n", "mine.toml").unwrap_err();
        assert_eq!(error.to_string(), "cannot read the catalog mine.toml");
        assert!(std::error::Error::source(&error).unwrap().to_string().contains("unknown field `nam`"));
    }
}
