//! Sessions of the engine with our functions and tables in them.

use crate::table::Files;
use crate::{Answerer, Error, bucket, function};
use ballista::prelude::SessionContextExt as _;
use ballista_core::extension::SessionConfigExt as _;
use ballista_core::utils::default_session_builder;
use datafusion::common::Result;
use datafusion::execution::{FunctionRegistry as _, SessionState, SessionStateBuilder};
use datafusion::prelude::{SessionConfig, SessionContext};
use std::sync::Arc;
use std::time::Duration;
use tokio::net::TcpStream;

/// Rows that go through a function together. Few enough that answers show soon, enough to fill a model's batch.
const BATCH_ROWS: usize = 512;

/// How long reaching the scheduler may take.
const CONNECT_TIMEOUT: Duration = Duration::from_secs(10);

/// Where a query runs.
#[derive(Debug, Clone)]
pub enum Place {
    /// In this process, with this model.
    Here(Arc<Answerer>),
    /// On a cluster.
    Cluster {
        /// Host and port of its scheduler.
        scheduler: String,
        /// Pieces that the rows are split into; several for each executor, so that none waits long for the last.
        partitions: usize,
    },
}

/// A session in which queries of this place can be planned and run.
pub(crate) async fn context(place: &Place) -> Result<SessionContext, Error> {
    let context = match place {
        Place::Here(_) => {
            // Rows go to one model, which has threads and batches of its own.
            let config = SessionConfig::new().with_target_partitions(1).with_batch_size(BATCH_ROWS);
            SessionContext::new_with_config_rt(config, bucket::environment(None)?)
        }
        Place::Cluster { scheduler, partitions } => {
            let builder = SessionStateBuilder::new().with_config(cluster_config(*partitions)).with_default_features();
            let state = builder.with_runtime_env(bucket::environment(None)?).build();
            SessionContext::remote_with_state(&format!("df://{scheduler}"), state).await?
        }
    };
    let answerer = match place {
        Place::Here(answerer) => Some(answerer),
        Place::Cluster { .. } => None,
    };
    // Only now: a session that is made fit for a cluster forgets the functions it had before.
    for function in function::all(answerer) {
        context.register_udf(function.as_ref().clone());
    }
    Ok(Files::in_session(context))
}

/// Finds out whether the scheduler can be reached, before the engine says so in its own words.
pub(crate) async fn reach(place: &Place) -> Result<(), Error> {
    let Place::Cluster { scheduler, .. } = place else { return Ok(()) };
    let unreachable = |reason: String| Error::Unreachable { scheduler: scheduler.clone(), reason };
    match tokio::time::timeout(CONNECT_TIMEOUT, TcpStream::connect(scheduler.as_str())).await {
        Ok(Ok(_)) => Ok(()),
        Ok(Err(error)) => Err(unreachable(error.to_string())),
        Err(_) => Err(unreachable(format!("no answer within {} seconds", CONNECT_TIMEOUT.as_secs()))),
    }
}

/// Settings without which one core of a cluster does all the work: files are split however small they are, and an executor
/// takes one piece at a time.
pub(crate) fn cluster_config(partitions: usize) -> SessionConfig {
    SessionConfig::new_with_ballista()
        .with_target_partitions(partitions)
        .with_batch_size(BATCH_ROWS)
        .set_usize("datafusion.optimizer.repartition_file_min_size", 0)
        .set_usize("ballista.scheduler.max_partitions_per_task", 1)
}

/// The state in which a scheduler plans: it knows the functions' types, and has no model.
pub(crate) fn planning_state(config: SessionConfig) -> Result<SessionState> {
    let builder = SessionStateBuilder::new_from_existing(default_session_builder(config)?);
    let mut state = builder.with_runtime_env(bucket::environment(None)?).build();
    for function in function::all(None) {
        state.register_udf(function)?;
    }
    Ok(state)
}
