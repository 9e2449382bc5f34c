//! `saydo-cluster executor`: the processes that answer.

use super::store::StoreArgs;
use anyhow::{Context, Result};
use saydo_cli::failure::Verdict;
use saydo_cli::model::ModelArgs;
use saydo_cli::output;
use saydo_cluster::{ExecutorSettings, Told, run_executor};
use std::net::{IpAddr, SocketAddr};
use std::num::NonZeroUsize;
use std::path::PathBuf;

/// Answer pieces of jobs with a model
///
/// The model is loaded once. Every answer is kept in the store as soon as it is known; executors that share the folder
/// never compute an answer twice, whichever of them is lost.
#[derive(clap::Args)]
pub struct Args {
    /// The scheduler
    #[arg(long, value_name = "HOST:PORT", default_value = "127.0.0.1:50050")]
    scheduler: String,

    /// A name unlike any other executor's (default: made of the host's name and the process's number)
    #[arg(long)]
    name: Option<String>,

    /// Address to listen on
    #[arg(long, value_name = "ADDRESS", default_value = "127.0.0.1")]
    listen: IpAddr,

    /// Host name under which scheduler, clients and other executors reach it, if not that address
    #[arg(long, value_name = "HOST")]
    external_host: Option<String>,

    /// Port that results are fetched from (default: a free one)
    #[arg(long, value_name = "PORT", requires = "grpc_port")]
    port: Option<u16>,

    /// Port that the scheduler calls (default: a free one)
    #[arg(long, value_name = "PORT", requires = "port")]
    grpc_port: Option<u16>,

    /// Folder for results that others fetch (default: one in the system's temporary folder, removed at the end)
    #[arg(long, value_name = "FOLDER")]
    work: Option<PathBuf>,

    /// Pieces that it works on at once; a model that runs here uses all cores for one
    #[arg(long, value_name = "N", default_value = "1")]
    tasks: NonZeroUsize,

    /// Seconds between signs of life; well below the scheduler's timeout
    #[arg(long, value_name = "SECONDS", default_value_t = 10)]
    heartbeat: u64,

    /// Seconds to wait for the scheduler at the start
    #[arg(long, value_name = "SECONDS", default_value_t = 30)]
    wait: u16,

    /// Address at which Prometheus reads its counters; port 0 takes a free one and says which
    #[arg(long, value_name = "ADDRESS")]
    metrics: Option<SocketAddr>,

    #[command(flatten)]
    store: StoreArgs,

    #[command(flatten)]
    model: ModelArgs,
}

pub fn run(args: &Args) -> Result<Verdict> {
    let (host, port) = args
        .scheduler
        .rsplit_once(':')
        .with_context(|| format!("the scheduler is `{}`, expected HOST:PORT", args.scheduler))?;
    let port = port.parse().with_context(|| format!("`{port}` is no port, expected a number up to 65535"))?;
    let name = args.name.clone().unwrap_or_else(|| format!("{}-{}", host_name(), std::process::id()));
    let scratch =
        tempfile::Builder::new().prefix("saydo-executor-").tempdir().context("cannot make a temporary folder")?;
    let answerer = args.store.answerer(&args.model, &name)?;
    let settings = ExecutorSettings {
        name: name.clone(),
        scheduler: (host.to_owned(), port),
        listen: args.listen,
        external_host: args.external_host.clone(),
        ports: args.port.zip(args.grpc_port),
        work: args.work.clone().unwrap_or_else(|| scratch.path().to_owned()),
        tasks: args.tasks.get(),
        heartbeat_seconds: args.heartbeat,
        connect_seconds: args.wait,
        metrics: args.metrics,
    };
    output::note(&format!("executor {name} works for {} with {}", args.scheduler, answerer.model_name()));
    let scheduler = args.scheduler.clone();
    run_executor(&settings, &answerer, move |told| {
        let note = match told {
            Told::Metrics(address) => format!("executor {name}: counters at http://{address}/metrics"),
            Told::Waiting(reason) => format!("executor {name} waits for the scheduler at {scheduler}: {reason}"),
            Told::Counts(counts) => format!(
                "executor {name}: {} answers computed, {} found from before, {} failed, {} model calls",
                counts.computed, counts.found, counts.failed, counts.model_calls
            ),
        };
        output::note(&note);
    })?;
    Ok(Verdict::Done)
}

/// The machine's name, for names of executors.
fn host_name() -> String {
    let named = std::fs::read_to_string("/proc/sys/kernel/hostname").ok();
    let named = named.or_else(|| std::env::var("HOSTNAME").ok()).unwrap_or_default();
    let named: String = named.trim().chars().filter(|c| c.is_ascii_alphanumeric() || *c == '-').collect();
    if named.is_empty() { "executor".to_owned() } else { named }
}
