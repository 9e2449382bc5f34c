//! `saydo cluster`: the processes that spread work over machines.

use crate::cluster::StoreArgs;
use crate::failure::Verdict;
use crate::model::ModelArgs;
use anyhow::Result;
use std::net::{IpAddr, SocketAddr};
use std::path::PathBuf;

/// Run a scheduler or an executor, for `saydo run --cluster` and `saydo sql --cluster`
#[derive(clap::Args)]
pub struct Args {
    #[command(subcommand)]
    part: Part,
}

#[derive(clap::Subcommand)]
enum Part {
    Scheduler(SchedulerArgs),
    Executor(Box<ExecutorArgs>),
}

/// Plan jobs and hand their pieces to executors
///
/// One for each cluster. Whoever can reach it can give it work, so it belongs on a network that only the cluster uses.
#[derive(clap::Args)]
struct SchedulerArgs {
    /// Address to listen on; port 0 takes a free one and says which
    #[arg(long, value_name = "ADDRESS", default_value = "127.0.0.1:50050")]
    listen: SocketAddr,

    /// Seconds without a sign of life after which an executor counts as lost and its pieces are done again
    #[arg(long, value_name = "SECONDS", default_value_t = 60)]
    executor_timeout: u64,
}

/// Answer pieces of jobs with a model
///
/// The model is loaded once. Every answer is kept in the store as soon as it is known; executors that share the folder
/// never compute an answer twice, whichever of them is lost.
#[derive(clap::Args)]
struct ExecutorArgs {
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
    #[arg(long, value_name = "N", default_value_t = 1)]
    tasks: usize,

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

#[cfg(not(feature = "cluster"))]
pub fn run(_args: Args) -> Result<Verdict> {
    crate::cluster::missing("`saydo cluster`")
}

#[cfg(feature = "cluster")]
pub fn run(args: Args) -> Result<Verdict> {
    match args.part {
        Part::Scheduler(args) => scheduler(&args)?,
        Part::Executor(args) => executor(&args)?,
    }
    Ok(Verdict::Done)
}

#[cfg(feature = "cluster")]
fn scheduler(args: &SchedulerArgs) -> Result<()> {
    use anyhow::Context;
    use saydo_cluster::{SchedulerSettings, run_scheduler};

    let listener = std::net::TcpListener::bind(args.listen)
        .with_context(|| format!("cannot listen on {}; choose another address with --listen", args.listen))?;
    let address = listener.local_addr().context("cannot tell the address that is listened on")?;
    crate::output::note(&format!("scheduler listens on {address}"));
    if !address.ip().is_loopback() {
        crate::output::note("whoever can reach it can run queries on the cluster; keep it on a network of its own");
    }
    Ok(run_scheduler(SchedulerSettings { listener, executor_timeout_seconds: args.executor_timeout })?)
}

#[cfg(feature = "cluster")]
fn executor(args: &ExecutorArgs) -> Result<()> {
    use anyhow::{Context, bail};
    use saydo_cluster::{ExecutorSettings, Told, run_executor};

    let (host, port) = args
        .scheduler
        .rsplit_once(':')
        .with_context(|| format!("the scheduler is `{}`, expected HOST:PORT", args.scheduler))?;
    let port = port.parse().with_context(|| format!("`{port}` is no port, expected a number up to 65535"))?;
    if args.tasks == 0 {
        bail!("0 tasks, expected at least 1");
    }
    let name = args.name.clone().unwrap_or_else(|| format!("{}-{}", host_name(), std::process::id()));
    let scratch =
        tempfile::Builder::new().prefix("saydo-executor-").tempdir().context("cannot make a temporary folder")?;
    let answerer = crate::cluster::answerer(&args.model, &args.store, &name)?;
    let settings = ExecutorSettings {
        name: name.clone(),
        scheduler: (host.to_owned(), port),
        listen: args.listen,
        external_host: args.external_host.clone(),
        ports: args.port.zip(args.grpc_port),
        work: args.work.clone().unwrap_or_else(|| scratch.path().to_owned()),
        tasks: args.tasks,
        heartbeat_seconds: args.heartbeat,
        connect_seconds: args.wait,
        metrics: args.metrics,
    };
    crate::output::note(&format!("executor {name} works for {} with {}", args.scheduler, answerer.model_name()));
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
        crate::output::note(&note);
    })?;
    Ok(())
}

/// The machine's name, for names of executors.
#[cfg(feature = "cluster")]
fn host_name() -> String {
    let named = std::fs::read_to_string("/proc/sys/kernel/hostname").ok();
    let named = named.or_else(|| std::env::var("HOSTNAME").ok()).unwrap_or_default();
    let named: String = named.trim().chars().filter(|c| c.is_ascii_alphanumeric() || *c == '-').collect();
    if named.is_empty() { "executor".to_owned() } else { named }
}
