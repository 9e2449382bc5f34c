//! The process that plans jobs and hands their pieces to executors.

use crate::session::{cluster_config, planning_state};
use crate::{Error, runtime};
use ballista_scheduler::cluster::BallistaCluster;
use ballista_scheduler::config::SchedulerConfig;
use ballista_scheduler::scheduler_process::start_server;
use std::net::SocketAddr;
use std::sync::Arc;

/// How a scheduler is run.
#[derive(Debug, Clone)]
pub struct SchedulerSettings {
    /// Where it listens.
    pub listen: SocketAddr,
    /// Seconds without a sign of life after which an executor counts as lost and its pieces are done again.
    pub executor_timeout_seconds: u64,
}

/// Pieces that a job is split into where its client does not say.
const PARTITIONS: usize = 16;

/// Runs a scheduler until the process is ended.
pub fn run_scheduler(settings: &SchedulerSettings) -> Result<(), Error> {
    let config = SchedulerConfig {
        bind_host: settings.listen.ip().to_string(),
        bind_port: settings.listen.port(),
        external_host: settings.listen.ip().to_string(),
        executor_timeout_seconds: settings.executor_timeout_seconds,
        expire_dead_executor_interval_seconds: settings.executor_timeout_seconds.clamp(1, 15),
        no_executors_grace_period_seconds: settings.executor_timeout_seconds.max(180),
        override_session_builder: Some(Arc::new(planning_state)),
        override_config_producer: Some(Arc::new(|| cluster_config(PARTITIONS))),
        ..SchedulerConfig::default()
    };
    let failed =
        |error: ballista_core::error::BallistaError| Error::Process { part: "scheduler", reason: error.to_string() };
    runtime::block_on(async {
        let cluster = BallistaCluster::new_from_config(&config).await.map_err(failed)?;
        start_server(cluster, settings.listen, Arc::new(config)).await.map_err(failed)
    })
}
