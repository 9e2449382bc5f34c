//! The store of answers, and the model that answers what it does not hold: for every command that has a model.

use anyhow::Result;
use saydo_cli::model::ModelArgs;
use saydo_cluster::{Answerer, Store};
use std::path::PathBuf;
use std::sync::Arc;

/// Where answers are kept, to be found again.
#[derive(Clone, clap::Args)]
pub struct StoreArgs {
    /// Folder of answers given before, found again by text, task and model; processes may share it (default: `answers`
    /// under the home folder)
    #[arg(long, value_name = "FOLDER")]
    store: Option<PathBuf>,

    /// Address in an object store, such as s3://bucket/answers, through which machines without a common folder share
    /// answers
    #[arg(long, value_name = "ADDRESS")]
    share: Option<String>,
}

impl StoreArgs {
    /// The model, and the store under which this process keeps its answers.
    pub fn answerer(&self, model: &ModelArgs, name: &str) -> Result<Arc<Answerer>> {
        let folder = self.store.clone().map_or_else(|| model.home().place().map(|home| home.answers()), Ok)?;
        let store = Store::open(&folder, name, self.share.as_deref())?;
        Ok(Arc::new(Answerer::new(model.open()?, Some(store))))
    }
}
