//! The models and datasets that have a name, as a value: the built-in list, and files of the same form.

mod dataset;
mod entry;
mod model;

pub use dataset::{Dataset, Format};
pub(crate) use dataset::{is_inside, url};
pub use entry::{Entry, Kind};
pub use model::{Measured, Model, Part};

use crate::error::Error;
use serde::Deserialize;
use std::path::Path;

/// A list of models and one of datasets, each under its own name.
#[derive(Debug, Clone, Default, PartialEq, Eq, Deserialize)]
#[serde(deny_unknown_fields)]
pub struct Catalog {
    /// The models, in the order they are listed.
    #[serde(rename = "model", default)]
    pub models: Vec<Model>,
    /// The datasets, in the order they are listed.
    #[serde(rename = "dataset", default)]
    pub datasets: Vec<Dataset>,
}

impl Catalog {
    /// What every build knows.
    pub fn built_in() -> Self {
        Self::parse(include_str!("catalog/catalog.toml"), "built in").expect("a test reads the built-in catalog")
    }

    /// Reads TOML text; `origin` says in errors where it came from. Every entry is checked.
    pub fn parse(text: &str, origin: &str) -> Result<Self, Error> {
        let malformed = |source| Error::Catalog { origin: origin.to_owned(), source: Box::new(source) };
        let catalog: Catalog = toml::from_str(text).map_err(malformed)?;
        for kind in [Kind::Model, Kind::Dataset] {
            let entries = catalog.entries(kind);
            for (i, entry) in entries.iter().enumerate() {
                entry.check()?;
                if entries[..i].iter().any(|earlier| earlier.name() == entry.name()) {
                    return Err(entry.wrong("its name stands in the catalog twice, expected each name once"));
                }
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
        merge(&mut self.models, other.models, |model| &model.name);
        merge(&mut self.datasets, other.datasets, |dataset| &dataset.name);
        self
    }

    /// All entries of a kind, in the order they are listed.
    pub fn entries(&self, kind: Kind) -> Vec<Entry<'_>> {
        match kind {
            Kind::Model => self.models.iter().map(Entry::Model).collect(),
            Kind::Dataset => self.datasets.iter().map(Entry::Dataset).collect(),
        }
    }

    /// The entry of a name, or an error with the names nearest to it.
    pub fn entry(&self, kind: Kind, name: &str) -> Result<Entry<'_>, Error> {
        let found = self.entries(kind).into_iter().find(|entry| entry.name() == name);
        found.ok_or_else(|| self.unknown(kind, name))
    }

    /// The error for a name that is not here.
    pub(crate) fn unknown(&self, kind: Kind, name: &str) -> Error {
        let known: Vec<String> = self.entries(kind).iter().map(|entry| entry.name().to_owned()).collect();
        let likeness = |known: &String| (strsim::jaro_winkler(&name.to_lowercase(), known), known.clone());
        let mut ranked: Vec<(f64, String)> = known.iter().map(likeness).filter(|(like, _)| *like > 0.7).collect();
        ranked.sort_by(|a, b| b.0.total_cmp(&a.0));
        let closest = ranked.into_iter().map(|(_, name)| name).collect();
        Error::Unknown { kind, name: name.to_owned(), closest, known }
    }
}

fn merge<T>(known: &mut Vec<T>, more: Vec<T>, name: fn(&T) -> &str) {
    for entry in more {
        match known.iter_mut().find(|known| name(known) == name(&entry)) {
            Some(known) => *known = entry,
            None => known.push(entry),
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn the_built_in_catalog_is_well_formed() {
        let catalog = Catalog::built_in();
        let names = |kind| catalog.entries(kind).iter().map(|entry| entry.name()).collect::<Vec<_>>();
        assert_eq!(
            names(Kind::Model),
            ["smollm2-135m", "qwen2.5-coder-0.5b", "qwen2.5-coder-1.5b", "gemma3-270m", "flan-t5-small"]
        );
        assert_eq!(catalog.models[2].parts.len(), 22);
        assert!(catalog.models[3].terms.is_some());
        assert_eq!(
            names(Kind::Dataset),
            [
                "zest",
                "natural-instructions",
                "natural-instructions-predictions",
                "super-natural-instructions",
                "glue-diagnostic",
                "snli",
                "squad"
            ]
        );
        for entry in &catalog.datasets {
            assert!(entry.addresses.iter().all(|address| address.starts_with("https://")), "{}", entry.name);
        }
    }

    #[test]
    fn an_unknown_name_comes_back_with_the_nearest_ones() {
        let error = |kind, name| Catalog::built_in().entry(kind, name).unwrap_err();
        insta::assert_snapshot!(error(Kind::Model, "smolm2-135"), @"no model is named `smolm2-135`, expected smollm2-135m");
        insta::assert_snapshot!(error(Kind::Model, "zzz"), @"no model is named `zzz`, expected smollm2-135m, qwen2.5-coder-0.5b, qwen2.5-coder-1.5b, gemma3-270m or flan-t5-small");
        insta::assert_snapshot!(error(Kind::Dataset, "zset"), @"no dataset is named `zset`, expected zest");
        insta::assert_snapshot!(error(Kind::Dataset, "xyz"), @"no dataset is named `xyz`, expected zest, natural-instructions, natural-instructions-predictions, super-natural-instructions, glue-diagnostic, snli or squad");
    }

    #[test]
    fn a_later_catalog_adds_and_replaces() {
        let mut other = Catalog::built_in();
        other.models.truncate(1);
        other.models[0].description = "mine".to_owned();
        other.models.push(Model { name: "new".to_owned(), ..other.models[0].clone() });
        other.datasets.truncate(1);
        other.datasets[0].addresses = vec!["https://example.org/zest.zip".to_owned()];
        other.datasets.push(Dataset { name: "new".to_owned(), ..other.datasets[0].clone() });
        let both = Catalog::built_in().with(other);
        assert_eq!((both.models.len(), both.datasets.len()), (6, 8));
        assert_eq!(both.models[0].description, "mine");
        assert_eq!(both.datasets[0].addresses, ["https://example.org/zest.zip"]);
    }

    #[test]
    fn a_name_that_stands_there_twice_is_refused() {
        let model =
            "[[model]]\nname = \"a\"\ndescription = \"\"\nlicense = \"\"\nbytes = 1\nhugging-face = \"a/b/c\"\n";
        let model = format!("{model}sha256 = \"{}\"\n", "0".repeat(64));
        assert!(Catalog::parse(&model, "test").is_ok());
        let error = Catalog::parse(&model.repeat(2), "test").unwrap_err();
        insta::assert_snapshot!(error, @"catalog entry `a`: its name stands in the catalog twice, expected each name once");
    }

    #[test]
    fn a_typo_in_a_key_is_refused() {
        for kind in ["model", "dataset"] {
            let error = Catalog::parse(&format!("[[{kind}]]\nnam = \"a\"\n"), "mine.toml").unwrap_err();
            assert_eq!(error.to_string(), "cannot read the catalog mine.toml");
            assert!(std::error::Error::source(&error).unwrap().to_string().contains("unknown field `nam`"));
        }
    }
}
