//! Which adapter a model is used with: one that the user names, none, or the one that ships with Saydo for it.

use super::fingerprint;
use anyhow::{Context, Result};
use saydo_adapter::Skill;
use saydo_hub::Source;
use saydo_model::adapter::Adapter;
use std::fs;
use std::path::PathBuf;

/// What stands behind `--adapter`.
#[derive(Debug, Clone, PartialEq, Eq)]
pub enum AdapterArg {
    /// Bare weights.
    None,
    /// The adapter in a folder.
    Folder(PathBuf),
}

/// An adapter, and what tells it from others.
pub(super) struct Chosen {
    pub adapter: Adapter,
    pub fingerprint: String,
}

impl AdapterArg {
    /// Reads `none`, or else a path; `./none` is a folder.
    pub fn parse(text: &str) -> Result<Self, String> {
        match text {
            "" => Err("expected a folder, or none".to_owned()),
            "none" => Ok(Self::None),
            folder => Ok(Self::Folder(folder.into())),
        }
    }

    pub(super) fn load(&self) -> Result<Option<Chosen>> {
        let Self::Folder(folder) = self else { return Ok(None) };
        let adapter = Adapter::load(folder)?;
        let read = |name: &str| {
            let path = folder.join(name);
            fs::read(&path).with_context(|| format!("cannot read {}", path.display()))
        };
        let files = [read("adapter_config.json")?, read("adapter_model.safetensors")?];
        let fingerprint = fingerprint::of_adapter([&files[0], &files[1]]);
        Ok(Some(Chosen { adapter, fingerprint }))
    }
}

/// The adapter that ships with Saydo for a model of the catalog and what it is to do. Files and folders have none: what they
/// hold is not known.
pub(super) fn shipped(source: &Source, skill: Skill) -> Result<Option<Chosen>> {
    let Source::Catalog(entry) = source else { return Ok(None) };
    let Some(files) = saydo_adapter::shipped(&entry.sha256, skill) else { return Ok(None) };
    let adapter = Adapter::parse(files.config, files.weights)
        .with_context(|| format!("cannot read the adapter that ships for {}", entry.name))?;
    Ok(Some(Chosen { adapter, fingerprint: fingerprint::of_adapter([files.config, files.weights]) }))
}

#[cfg(test)]
mod tests {
    use super::*;
    use saydo_hub::Catalog;

    #[test]
    fn none_is_no_folder() {
        assert_eq!(AdapterArg::parse("none"), Ok(AdapterArg::None));
        assert_eq!(AdapterArg::parse("./none"), Ok(AdapterArg::Folder("./none".into())));
        assert!(AdapterArg::parse("").is_err());
        assert!(AdapterArg::None.load().unwrap().is_none());
    }

    #[test]
    fn the_default_model_has_the_adapters_that_are_in_the_repository() {
        let catalog = Catalog::built_in();
        let source = |name: &str| Source::parse(name, &catalog).unwrap();
        for (skill, name) in [(Skill::Functions, "smollm2-135m"), (Skill::Tasks, "smollm2-135m-tasks")] {
            let shipped_one = shipped(&source("smollm2-135m"), skill).unwrap().expect("it ships");
            let folder = format!("{}/../../adapters/{name}", env!("CARGO_MANIFEST_DIR"));
            let named = AdapterArg::parse(&folder).unwrap().load().unwrap().expect("a folder");
            assert_eq!(shipped_one.fingerprint, named.fingerprint);
            assert_eq!(shipped_one.adapter.layers.len(), named.adapter.layers.len());
            assert!(shipped(&source("qwen2.5-coder-1.5b"), skill).unwrap().is_none());
            assert!(shipped(&Source::Path("model.gguf".into()), skill).unwrap().is_none());
        }
    }
}
