//! What users may write for a model: a name of the catalog, a path, `hf:owner/repo[/file]` or `openai:NAME`.

use crate::catalog::{Catalog, Kind, Model};
use crate::error::Error;
use crate::hugging_face::{self, Reference};
use crate::store::Store;
use std::path::{Path, PathBuf};

/// Where a model comes from.
#[derive(Debug, Clone, PartialEq, Eq)]
pub enum Source {
    /// A model of the catalog.
    Catalog(Box<Model>),
    /// A file or folder of the user's.
    Path(PathBuf),
    /// A repository on Hugging Face, or one file of it.
    HuggingFace(Reference),
    /// A model that an OpenAI-compatible server answers for.
    OpenAi {
        /// Its name there.
        name: String,
    },
}

impl Source {
    /// Reads what a user wrote. A name of the catalog wins over a file of that name; `./name` is always a path. What is
    /// neither, and does not look like a path, is an error with the nearest names.
    pub fn parse(text: &str, catalog: &Catalog) -> Result<Self, Error> {
        if let Some(reference) = text.strip_prefix("hf:") {
            return Ok(Self::HuggingFace(reference.parse()?));
        }
        if let Some(name) = text.strip_prefix("openai:") {
            let is_named = !name.trim().is_empty();
            return is_named.then(|| Self::OpenAi { name: name.to_owned() }).ok_or(Error::NoServedModel);
        }
        if let Some(model) = catalog.models.iter().find(|model| model.name == text) {
            return Ok(Self::Catalog(Box::new(model.clone())));
        }
        let path = Path::new(text);
        if looks_like_path(text) || path.exists() {
            return Ok(Self::Path(path.to_owned()));
        }
        Err(catalog.unknown(Kind::Model, text))
    }
}

fn looks_like_path(text: &str) -> bool {
    let extension = Path::new(text).extension().and_then(|extension| extension.to_str());
    text.contains(['/', '\\']) || matches!(extension, Some("gguf" | "safetensors"))
}

/// The file or folder of a model, without touching the network. `hugging_face_cache` is where Hugging Face's tools keep
/// what they fetched.
pub fn resolve(source: &Source, store: &Store, hugging_face_cache: &Path) -> Result<PathBuf, Error> {
    match source {
        Source::Catalog(model) => store.find(&**model),
        Source::Path(path) if path.exists() => Ok(path.clone()),
        Source::Path(path) => Err(Error::NoSuchPath { path: path.clone() }),
        Source::HuggingFace(reference) => hugging_face::cached(reference, hugging_face_cache),
        Source::OpenAi { name } => Err(Error::Served { name: name.clone() }),
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn parse(text: &str) -> Result<Source, Error> {
        Source::parse(text, &Catalog::built_in())
    }

    #[test]
    fn each_form_is_told_apart() {
        assert!(matches!(parse("smollm2-135m"), Ok(Source::Catalog(model)) if model.name == "smollm2-135m"));
        assert_eq!(parse("./smollm2-135m").unwrap(), Source::Path("./smollm2-135m".into()));
        assert_eq!(parse("weights.gguf").unwrap(), Source::Path("weights.gguf".into()));
        assert!(matches!(parse("hf:a/b/c.gguf"), Ok(Source::HuggingFace(reference)) if reference.file.is_some()));
        assert_eq!(parse("openai:gpt-x").unwrap(), Source::OpenAi { name: "gpt-x".to_owned() });
    }

    #[test]
    fn what_is_none_of_them_is_an_error() {
        assert!(
            matches!(parse("smollm2"), Err(Error::Unknown { kind: Kind::Model, closest, .. }) if closest == ["smollm2-135m"])
        );
        assert!(matches!(parse("openai:"), Err(Error::NoServedModel)));
        assert!(matches!(parse("hf:alone"), Err(Error::Reference { .. })));
    }

    #[test]
    fn resolving_finds_what_is_here_and_says_what_is_not() {
        let home = tempfile::tempdir().unwrap();
        let (store, cache) = (Store::new(home.path()), home.path().join("hub"));
        let resolved = |text: &str| resolve(&parse(text).unwrap(), &store, &cache);
        let here = home.path().to_str().unwrap();
        assert_eq!(resolved(here).unwrap(), home.path());
        assert!(matches!(resolved("no/such.gguf"), Err(Error::NoSuchPath { .. })));
        assert!(matches!(resolved("openai:x"), Err(Error::Served { .. })));
        assert_eq!(resolved("gemma3-270m").unwrap_err().hint().unwrap(), "saydo models pull gemma3-270m");
        assert_eq!(resolved("hf:a/b").unwrap_err().hint().unwrap(), "saydo models pull hf:a/b");
    }
}
