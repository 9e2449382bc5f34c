//! `saydo-cluster scheduler`: the process that plans jobs.

use anyhow::{Context, Result};
use saydo_cli::failure::Verdict;
use saydo_cli::output;
use saydo_cluster::{SchedulerSettings, run_scheduler};
use std::net::{SocketAddr, TcpListener};

/// Plan jobs and hand their pieces to executors
///
/// One for each cluster. Whoever can reach it can give it work, so it belongs on a network that only the cluster uses.
#[derive(clap::Args)]
pub struct Args {
    /// Address to listen on; port 0 takes a free one and says which
    #[arg(long, value_name = "ADDRESS", default_value = "127.0.0.1:50050")]
    listen: SocketAddr,

    /// Seconds without a sign of life after which an executor counts as lost and its pieces are done again
    #[arg(long, value_name = "SECONDS", default_value_t = 60)]
    executor_timeout: u64,
}

pub fn run(args: &Args) -> Result<Verdict> {
    let listener = TcpListener::bind(args.listen)
        .with_context(|| format!("cannot listen on {}; choose another address with --listen", args.listen))?;
    let address = listener.local_addr().context("cannot tell the address that is listened on")?;
    output::note(&format!("scheduler listens on {address}"));
    if !address.ip().is_loopback() {
        output::note("whoever can reach it can run queries on the cluster; keep it on a network of its own");
    }
    run_scheduler(SchedulerSettings { listener, executor_timeout_seconds: args.executor_timeout })?;
    Ok(Verdict::Done)
}
