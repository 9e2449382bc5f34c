//! The flags that say where models, datasets and runs are kept on this machine.

use anyhow::Result;
use saydo::environment;
use saydo::session::Places;
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
        Ok(Store::new(self.place()?.folder().to_owned()))
    }

    /// Everything of ours on this machine.
    pub fn place(&self) -> Result<environment::Home> {
        Ok(environment::Home::of_environment(self.home.as_deref())?)
    }

    /// Where models are looked for, and how servers are reached from here.
    pub fn places(&self) -> Result<Places> {
        Ok(Places {
            home: self.place()?,
            catalog: self.catalog()?,
            hugging_face_cache: environment::hugging_face()?.cache,
            reach: environment::reach(),
        })
    }
}

/// A folder on a server of the user's own choice that has the datasets' files: `SAYDO_DATA_MIRROR`.
pub fn data_mirror() -> Option<String> {
    std::env::var("SAYDO_DATA_MIRROR").ok().filter(|address| !address.trim().is_empty())
}
