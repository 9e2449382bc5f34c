//! Where queries over tables run, for every command that has them; and what is said by a program built without.

use std::path::PathBuf;

/// A cluster, if the work is to be done on one.
#[derive(Clone, clap::Args)]
pub struct ClusterArgs {
    /// Scheduler of a cluster (`saydo cluster`) that does the work
    #[arg(long, value_name = "HOST:PORT")]
    pub cluster: Option<String>,

    /// Pieces that the rows are split into on a cluster; several for each executor
    #[arg(long, value_name = "N", default_value_t = 16)]
    pub partitions: usize,
}

/// Where answers are kept, to be found again.
#[derive(Clone, clap::Args)]
pub struct StoreArgs {
    /// Folder of answers given before, found again by text, task and model; processes may share it (default: `answers`
    /// under the home folder)
    #[arg(long, value_name = "FOLDER")]
    pub store: Option<PathBuf>,

    /// Address in an object store, such as s3://bucket/answers, through which machines without a common folder share
    /// answers
    #[arg(long, value_name = "ADDRESS")]
    pub share: Option<String>,
}

#[cfg(feature = "cluster")]
pub use built::{answerer, place};

#[cfg(feature = "cluster")]
mod built {
    use super::{ClusterArgs, StoreArgs};
    use crate::model::ModelArgs;
    use anyhow::{Result, bail};
    use saydo_cluster::{Answerer, Place, Source, Store};
    use std::sync::Arc;

    /// The model, and the store under which this process keeps its answers.
    pub fn answerer(model: &ModelArgs, store: &StoreArgs, name: &str) -> Result<Arc<Answerer>> {
        let folder = store.store.clone().map_or_else(|| model.home().answers(), Ok)?;
        let store = Store::open(&folder, name, store.share.as_deref())?;
        let opened = model.open()?;
        let source = Source {
            model: opened.model,
            name: opened.name,
            fingerprint: opened.fingerprint,
            settings: opened.settings,
            aptitudes: opened.aptitudes,
        };
        Ok(Arc::new(Answerer::new(source, Some(store))))
    }

    /// The cluster that was named, if one was.
    pub fn place(args: &ClusterArgs) -> Result<Option<Place>> {
        let Some(scheduler) = args.cluster.clone() else { return Ok(None) };
        if args.partitions == 0 {
            bail!("0 partitions, expected at least 1");
        }
        Ok(Some(Place::Cluster { scheduler, partitions: args.partitions }))
    }
}

/// What a program built without them says to queries over tables.
#[cfg(not(feature = "cluster"))]
pub fn missing<T>(what: &str) -> anyhow::Result<T> {
    anyhow::bail!(
        "{what} is not in this build, to keep it small; build with it: cargo install --path crates/saydo-cli --features cluster"
    )
}
