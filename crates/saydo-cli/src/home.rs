//! Where models, datasets and runs are kept on this machine. The only place that asks the environment.

use anyhow::{Context, Result};
use etcetera::BaseStrategy;
use saydo_hub::hugging_face::Access;
use saydo_hub::{Catalog, Store};
use std::path::{Path, PathBuf};

/// Where models are kept, and which there are.
#[derive(Clone, clap::Args)]
pub struct Home {
    /// Folder that pulled models and runs are kept in; by default `saydo` in the platform's cache folder
    #[arg(long, env = "SAYDO_HOME", hide_env_values = true, value_name = "FOLDER", global = true)]
    home: Option<PathBuf>,

    /// More models, in a TOML file like the built-in catalog; its entries win
    #[arg(long, value_name = "FILE", global = true)]
    catalog: Option<PathBuf>,
}

impl Home {
    /// The built-in catalog, and what the user added.
    pub fn catalog(&self) -> Result<Catalog> {
        let built_in = Catalog::built_in();
        Ok(match &self.catalog {
            Some(path) => built_in.with(Catalog::load(path)?),
            None => built_in,
        })
    }

    /// The folder of pulled models.
    pub fn store(&self) -> Result<Store> {
        Ok(Store::new(self.folder()?))
    }

    /// The folder of runs that were given no folder of their own.
    pub fn runs(&self) -> Result<PathBuf> {
        Ok(self.folder()?.join("runs"))
    }

    /// The folder of answers that queries over tables have been given.
    pub fn answers(&self) -> Result<PathBuf> {
        Ok(self.folder()?.join("answers"))
    }

    /// The folder of pulled datasets.
    pub fn data(&self) -> Result<PathBuf> {
        Ok(self.folder()?.join("data"))
    }

    /// The folder of what `saydo serve` keeps.
    pub fn server(&self) -> Result<PathBuf> {
        Ok(self.folder()?.join("serve"))
    }

    fn folder(&self) -> Result<PathBuf> {
        folder(self.home.as_deref())
    }
}

/// Where datasets are kept, and which there are.
#[derive(clap::Args)]
pub struct DataHome {
    /// Folder that pulled datasets are kept in, below `data`; by default `saydo` in the platform's cache folder
    #[arg(long, env = "SAYDO_HOME", hide_env_values = true, value_name = "FOLDER", global = true)]
    home: Option<PathBuf>,

    /// More datasets, in a TOML file like the built-in catalog; its entries win
    #[arg(long, value_name = "FILE", global = true)]
    catalog: Option<PathBuf>,
}

impl DataHome {
    /// The built-in catalog, and what the user added.
    pub fn catalog(&self) -> Result<saydo_data::Catalog> {
        let built_in = saydo_data::Catalog::built_in();
        Ok(match &self.catalog {
            Some(path) => built_in.with(saydo_data::Catalog::load(path)?),
            None => built_in,
        })
    }

    /// The folder of pulled datasets.
    pub fn store(&self) -> Result<saydo_data::Store> {
        Ok(saydo_data::Store::new(folder(self.home.as_deref())?))
    }
}

/// The folder that everything is kept below, if none is named: `saydo` in the platform's cache folder.
fn folder(named: Option<&Path>) -> Result<PathBuf> {
    if let Some(home) = named {
        return Ok(home.to_owned());
    }
    let base = etcetera::base_strategy::choose_native_strategy();
    let base = base.context("no cache folder was found; SAYDO_HOME can name a folder for models, data and runs")?;
    Ok(base.cache_dir().join("saydo"))
}

/// A folder on a server of the user's own choice that has the datasets' files: `SAYDO_DATA_MIRROR`.
pub fn data_mirror() -> Option<String> {
    std::env::var("SAYDO_DATA_MIRROR").ok().filter(|address| !address.trim().is_empty())
}

/// Hugging Face as its own tools are set up: `HF_HUB_CACHE`, `HF_HOME`, `HF_ENDPOINT`, `HF_HUB_OFFLINE`.
pub fn hugging_face() -> Result<Access> {
    let folder = |name| std::env::var_os(name).filter(|value| !value.is_empty()).map(PathBuf::from);
    let usual = || {
        let caches = folder("XDG_CACHE_HOME").or_else(|| Some(etcetera::home_dir().ok()?.join(".cache")));
        Some(caches?.join("huggingface/hub"))
    };
    let cache = folder("HF_HUB_CACHE").or_else(|| Some(folder("HF_HOME")?.join("hub"))).or_else(usual);
    Ok(Access {
        cache: cache.context("no home folder was found; HF_HOME can name a folder for Hugging Face's cache")?,
        endpoint: std::env::var("HF_ENDPOINT").ok().filter(|endpoint| !endpoint.is_empty()),
        offline: std::env::var("HF_HUB_OFFLINE").is_ok_and(|value| is_true(&value)),
    })
}

/// As Hugging Face's tools read switches.
fn is_true(value: &str) -> bool {
    ["1", "on", "yes", "true"].contains(&value.to_lowercase().as_str())
}
