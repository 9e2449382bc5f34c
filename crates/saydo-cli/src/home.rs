//! The flags that say where models, datasets and runs are kept on this machine.

use anyhow::Result;
use saydo::environment;
use saydo_hub::{Catalog, Store};
use std::path::PathBuf;

/// Where models and datasets are kept, and which there are.
#[derive(Clone, Default, clap::Args)]
pub struct Home {
    /// Folder for models, datasets and runs (default: `saydo` in the platform's cache folder)
    #[arg(
        long,
        env = "SAYDO_HOME",
        hide_env_values = true,
        value_name = "FOLDER",
        global = true,
        hide_short_help = true,
        help_heading = "Files and folders"
    )]
    home: Option<PathBuf>,

    /// TOML file with more models and datasets; its entries override the built-in catalog
    #[arg(long, value_name = "FILE", global = true, hide_short_help = true, help_heading = "Files and folders")]
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

    /// The folder of pulled models and datasets.
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

    /// The folder of answers to labelled rows.
    pub fn checks(&self) -> Result<PathBuf> {
        Ok(self.folder()?.join("checks"))
    }

    /// The file of what was measured of models on this machine.
    pub fn speeds(&self) -> Result<PathBuf> {
        Ok(self.folder()?.join("speeds.json"))
    }

    /// The folder of pulled datasets.
    pub fn data(&self) -> Result<PathBuf> {
        Ok(self.folder()?.join("data"))
    }

    /// The folder of what `saydo serve` keeps.
    pub fn server(&self) -> Result<PathBuf> {
        Ok(self.folder()?.join("serve"))
    }

    /// The folder that everything is kept below: `saydo` in the platform's cache folder, if none is named.
    fn folder(&self) -> Result<PathBuf> {
        Ok(environment::home(self.home.as_deref())?)
    }
}

/// A folder on a server of the user's own choice that has the datasets' files: `SAYDO_DATA_MIRROR`.
pub fn data_mirror() -> Option<String> {
    std::env::var("SAYDO_DATA_MIRROR").ok().filter(|address| !address.trim().is_empty())
}
