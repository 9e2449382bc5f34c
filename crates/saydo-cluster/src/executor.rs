//! The process that has a model and answers the pieces of jobs.

use crate::{Answerer, Counts, Error, bucket, function, metrics, runtime};
use ballista_core::error::BallistaError;
use ballista_core::registry::BallistaFunctionRegistry;
use ballista_executor::executor_process::{ExecutorProcessConfig, start_executor_process};
use std::net::{IpAddr, SocketAddr, TcpListener};
use std::path::PathBuf;
use std::sync::Arc;
use std::time::Duration;

/// How an executor is run.
#[derive(Debug, Clone)]
pub struct ExecutorSettings {
    /// Its name: unlike any other's, and the same after a restart.
    pub name: String,
    /// Host and port of the scheduler.
    pub scheduler: (String, u16),
    /// The address it listens on.
    pub listen: IpAddr,
    /// The host under which others reach it, if not that address.
    pub external_host: Option<String>,
    /// The ports for results and for the scheduler's calls; free ones if there are none.
    pub ports: Option<(u16, u16)>,
    /// The folder for results that others fetch.
    pub work: PathBuf,
    /// Pieces that it works on at once.
    pub tasks: usize,
    /// Seconds between signs of life.
    pub heartbeat_seconds: u64,
    /// Seconds to wait for the scheduler at the start.
    pub connect_seconds: u16,
    /// Where its counters can be read by Prometheus, if anywhere.
    pub metrics: Option<SocketAddr>,
}

/// How often `report` is called at most.
const REPORT_EVERY: Duration = Duration::from_secs(1);

/// Runs an executor until the process is told to end. `report` is called with its counts whenever they have changed.
pub fn run_executor(
    settings: &ExecutorSettings,
    answerer: &Arc<Answerer>,
    report: impl Fn(Counts) + Send + 'static,
) -> Result<(), Error> {
    let failed = |reason: String| Error::Process { part: "executor", reason };
    let (port, grpc_port) = match settings.ports {
        Some(ports) => ports,
        None => free_ports(settings.listen).map_err(|error| failed(format!("no free port was found: {error}")))?,
    };
    std::fs::create_dir_all(&settings.work).map_err(|source| Error::Folder { path: settings.work.clone(), source })?;
    let scratch = settings.work.clone();
    let config = ExecutorProcessConfig {
        executor_id: settings.name.clone(),
        bind_host: settings.listen.to_string(),
        external_host: settings.external_host.clone().or_else(|| Some(settings.listen.to_string())),
        port,
        grpc_port,
        scheduler_host: settings.scheduler.0.clone(),
        scheduler_port: settings.scheduler.1,
        scheduler_connect_timeout_seconds: settings.connect_seconds,
        vcores: settings.tasks,
        work_dir: Some(settings.work.to_string_lossy().into_owned()),
        executor_heartbeat_interval_seconds: settings.heartbeat_seconds,
        override_function_registry: Some(Arc::new(registry(answerer))),
        override_runtime_producer: Some(Arc::new(move |_| bucket::environment(Some(&scratch)))),
        ..ExecutorProcessConfig::default()
    };
    runtime::block_on(async {
        tokio::spawn(watch(Arc::clone(answerer), report));
        if let Some(address) = settings.metrics {
            metrics::serve(address, Arc::clone(answerer)).await?;
        }
        let ended = start_executor_process(Arc::new(config)).await;
        ended.map_err(|error: BallistaError| failed(error.to_string()))
    })
}

/// The engine's own functions and ours.
fn registry(answerer: &Arc<Answerer>) -> BallistaFunctionRegistry {
    let mut registry = BallistaFunctionRegistry::default();
    for function in function::all(Some(answerer)) {
        registry.scalar_functions.insert(function.name().to_owned(), function);
    }
    registry
}

/// Two ports that nobody uses now.
fn free_ports(listen: IpAddr) -> std::io::Result<(u16, u16)> {
    let first = TcpListener::bind((listen, 0))?;
    let second = TcpListener::bind((listen, 0))?;
    Ok((first.local_addr()?.port(), second.local_addr()?.port()))
}

async fn watch(answerer: Arc<Answerer>, report: impl Fn(Counts)) {
    let mut told = Counts::default();
    loop {
        tokio::time::sleep(REPORT_EVERY).await;
        let now = answerer.counts();
        if now != told {
            report(now);
            told = now;
        }
    }
}
