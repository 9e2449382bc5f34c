//! `saydo-cluster run`: the rows of `saydo run` from a cluster. They come back in any order, and are told apart by a column.

use anyhow::Result;
use saydo_cli::failure::Verdict;
use saydo_cli::output;
use saydo_cli::task::{Named, TaskArgs};
use saydo_cluster::{Job, JobTask, Place, Target, run_job};
use std::num::NonZeroUsize;
use std::path::PathBuf;
use std::time::Instant;

/// Apply a description or task file to tables on a cluster; typed rows out
///
/// saydo-cluster run "Are dogs allowed on this trail?" 's3://corpus/*.parquet' reads what `saydo run` would, if it is a
/// table: files, folders, patterns and s3:// addresses of Parquet, JSONL, CSV and TSV.
#[derive(clap::Args)]
pub struct Args {
    #[command(flatten)]
    task: TaskArgs,

    /// Scheduler of the cluster
    #[arg(long, value_name = "HOST:PORT", default_value = "127.0.0.1:50050")]
    scheduler: String,

    /// Pieces that the rows are split into; several for each executor
    #[arg(long, value_name = "N", default_value = "16")]
    partitions: NonZeroUsize,

    /// File for the rows (.parquet, .jsonl, .csv, .tsv), or a folder for Parquet files
    #[arg(long, short = 'o', visible_alias = "output", value_name = "FILE")]
    output_path: Option<PathBuf>,

    /// Column that holds the text
    #[arg(long, visible_alias = "field", value_name = "NAME")]
    column: Option<String>,

    /// Column that tells rows apart
    #[arg(long, value_name = "NAME", default_value = "id")]
    id: String,

    /// Print errors only
    #[arg(long, short)]
    quiet: bool,
}

pub fn run(args: &Args) -> Result<Verdict> {
    let (tasks, inputs) = args.task.tasks_and_inputs()?;
    let mut stdout = std::io::stdout().lock();
    let target = match &args.output_path {
        Some(path) => Target::Files(path.to_string_lossy().into_owned()),
        None => Target::JsonLines(&mut stdout),
    };
    let job = Job {
        tasks: tasks.into_iter().map(|Named { name, task }| JobTask { name, task }).collect(),
        inputs,
        text: args.column.clone(),
        id: args.id.clone(),
        place: Place::Cluster { scheduler: args.scheduler.clone(), partitions: args.partitions.get() },
        target,
    };
    let begun = Instant::now();
    let rows = run_job(job)?;
    if !args.quiet {
        output::note(&format!("{rows} rows in {:.1} s", begun.elapsed().as_secs_f64()));
    }
    Ok(Verdict::Done)
}
