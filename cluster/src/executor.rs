//! The process that has a model and answers the pieces of jobs.

mod results;

use crate::{Answerer, Counts, Error, bucket, function, metrics, runtime};
use ballista_core::error::BallistaError;
use ballista_core::registry::BallistaFunctionRegistry;
use ballista_executor::executor_process::{ExecutorProcessConfig, start_executor_process};
use results::Results;
use std::net::{IpAddr, SocketAddr, TcpListener};
use std::path::PathBuf;
use std::sync::Arc;
use std::time::{Duration, Instant};

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

/// The time between two tries to reach the scheduler.
const RETRY_EVERY: Duration = Duration::from_millis(500);

/// What a running executor tells.
pub enum Told {
    /// Its counters can be read at this address.
    Metrics(SocketAddr),
    /// The scheduler cannot be reached yet, or did not take it in; why.
    Waiting(String),
    /// Its counts have changed.
    Counts(Counts),
}

/// Runs an executor until the process is told to end. `tell` is called with what happens.
pub fn run_executor(
    settings: &ExecutorSettings,
    answerer: &Arc<Answerer>,
    tell: impl Fn(Told) + Send + Sync + 'static,
) -> Result<(), Error> {
    saydo_file::disk::create_folders(&settings.work)
        .map_err(|source| Error::Folder { path: settings.work.clone(), source })?;
    let tell = Arc::new(tell);
    runtime::block_on(async {
        tokio::spawn(watch(Arc::clone(answerer), Arc::clone(&tell)));
        if let Some(address) = settings.metrics {
            tell(Told::Metrics(metrics::serve(address, Arc::clone(answerer)).await?));
        }
        let (begun, patience) = (Instant::now(), Duration::from_secs(settings.connect_seconds.into()));
        let mut has_told = false;
        // A scheduler that is not up yet, one that is too busy to take an executor in, and a port that another process
        // took first are all worth another try; the engine's own waiting knows only the first, and never ends.
        loop {
            let Err(error) = attempt(settings, answerer).await else { return Ok(()) };
            if begun.elapsed() >= patience {
                return Err(Error::Process { part: "executor", reason: error.to_string() });
            }
            if !has_told {
                tell(Told::Waiting(error.to_string()));
                has_told = true;
            }
            tokio::time::sleep(RETRY_EVERY).await;
        }
    })
}

/// Runs it once: an error if it did not come so far as to work.
async fn attempt(settings: &ExecutorSettings, answerer: &Arc<Answerer>) -> Result<(), BallistaError> {
    let results = Results::bind(SocketAddr::new(settings.listen, settings.ports.map_or(0, |(port, _)| port)))?;
    let grpc_port = match settings.ports {
        Some((_, port)) => port,
        None => TcpListener::bind((settings.listen, 0))?.local_addr()?.port(),
    };
    let scratch = settings.work.clone();
    let config = ExecutorProcessConfig {
        executor_id: settings.name.clone(),
        bind_host: settings.listen.to_string(),
        external_host: settings.external_host.clone().or_else(|| Some(settings.listen.to_string())),
        port: results.port(),
        grpc_port,
        scheduler_host: settings.scheduler.0.clone(),
        scheduler_port: settings.scheduler.1,
        scheduler_connect_timeout_seconds: 0,
        vcores: settings.tasks,
        work_dir: Some(settings.work.to_string_lossy().into_owned()),
        executor_heartbeat_interval_seconds: settings.heartbeat_seconds,
        override_function_registry: Some(Arc::new(registry(answerer))),
        override_runtime_producer: Some(Arc::new(move |_| bucket::environment(Some(&scratch)))),
        override_arrow_flight_service: Some(results.into_provider()),
        ..ExecutorProcessConfig::default()
    };
    start_executor_process(Arc::new(config)).await
}

/// The engine's own functions and ours.
fn registry(answerer: &Arc<Answerer>) -> BallistaFunctionRegistry {
    let mut registry = BallistaFunctionRegistry::default();
    for function in function::all(Some(answerer)) {
        registry.scalar_functions.insert(function.name().to_owned(), function);
    }
    registry
}

async fn watch(answerer: Arc<Answerer>, tell: Arc<impl Fn(Told)>) {
    let mut told = Counts::default();
    loop {
        tokio::time::sleep(REPORT_EVERY).await;
        let now = answerer.counts();
        if now != told {
            tell(Told::Counts(now));
            told = now;
        }
    }
}
