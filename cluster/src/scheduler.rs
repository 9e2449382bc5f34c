//! The process that plans jobs and hands their pieces to executors.

use crate::session::{cluster_config, planning_state};
use crate::{Error, runtime};
use ballista_core::error::BallistaError;
use ballista_scheduler::cluster::BallistaCluster;
use ballista_scheduler::config::SchedulerConfig;
use ballista_scheduler::scheduler_process::{create_scheduler, start_grpc_service_with_listener};
use datafusion_proto::protobuf::{LogicalPlanNode, PhysicalPlanNode};
use std::net::TcpListener;
use std::sync::Arc;

/// How a scheduler is run.
#[derive(Debug)]
pub struct SchedulerSettings {
    /// Where it listens, bound already, so that nobody takes the port meanwhile.
    pub listener: TcpListener,
    /// Seconds without a sign of life after which an executor counts as lost and its pieces are done again.
    pub executor_timeout_seconds: u64,
}

/// Pieces that a job is split into where its client does not say.
const PARTITIONS: usize = 16;

/// Runs a scheduler until the process is ended.
pub fn run_scheduler(settings: SchedulerSettings) -> Result<(), Error> {
    let address = settings.listener.local_addr().map_err(|error| failed(error.into()))?;
    let config = SchedulerConfig {
        bind_host: address.ip().to_string(),
        bind_port: address.port(),
        external_host: address.ip().to_string(),
        executor_timeout_seconds: settings.executor_timeout_seconds,
        expire_dead_executor_interval_seconds: settings.executor_timeout_seconds.clamp(1, 15),
        no_executors_grace_period_seconds: settings.executor_timeout_seconds.max(180),
        override_session_builder: Some(Arc::new(planning_state)),
        override_config_producer: Some(Arc::new(|| cluster_config(PARTITIONS))),
        ..SchedulerConfig::default()
    };
    runtime::block_on(async {
        let cluster = BallistaCluster::new_from_config(&config).await.map_err(failed)?;
        config.validate().map_err(failed)?;
        let config = Arc::new(config);
        let scheduler = create_scheduler::<LogicalPlanNode, PhysicalPlanNode>(cluster, config).await.map_err(failed)?;
        start_grpc_service_with_listener(listener(settings.listener).map_err(failed)?, scheduler).await.map_err(failed)
    })
}

fn failed(error: BallistaError) -> Error {
    Error::Process { part: "scheduler", reason: error.to_string() }
}

/// The listener for the runtime that this is called in.
fn listener(listener: TcpListener) -> Result<tokio::net::TcpListener, BallistaError> {
    listener.set_nonblocking(true)?;
    Ok(tokio::net::TcpListener::from_std(listener)?)
}
