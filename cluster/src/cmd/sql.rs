//! `saydo-cluster sql`: descriptions as functions of SQL.

use super::store::StoreArgs;
use anyhow::Result;
use saydo_cli::failure::Verdict;
use saydo_cli::model::ModelArgs;
use saydo_cli::output;
use saydo_cluster::{Counts, Place, Query, Target, run_query};
use std::io::IsTerminal as _;
use std::num::NonZeroUsize;
use std::sync::Arc;

/// Query tables with descriptions as functions
///
/// saydo-cluster sql "select id, saydo_yes_no('Are dogs allowed?', body) from 'trails/*.parquet'". Files, folders,
/// patterns and s3:// addresses in quotes are tables: Parquet, JSONL, CSV, TSV. Functions: saydo_yes_no, saydo_label,
/// saydo_spans, saydo_records, saydo_text, saydo (the kind that the words ask for) and saydo_task (a task file's text),
/// each with `_row` behind its name for status, confidence and spans as well.
#[derive(clap::Args)]
pub struct Args {
    /// The query
    #[arg(value_name = "QUERY")]
    query: String,

    /// File for the rows (.parquet, .jsonl, .csv, .tsv), or a folder for Parquet files
    #[arg(long, short = 'o', visible_alias = "output", value_name = "FILE")]
    output_path: Option<String>,

    /// Print rows as JSON lines even to a terminal
    #[arg(long, conflicts_with = "output_path")]
    json: bool,

    /// Print errors only
    #[arg(long, short)]
    quiet: bool,

    /// Scheduler of the cluster that does the work (default: this process does it)
    #[arg(long, value_name = "HOST:PORT")]
    scheduler: Option<String>,

    /// Pieces that the rows are split into on a cluster; several for each executor
    #[arg(long, value_name = "N", default_value = "16")]
    partitions: NonZeroUsize,

    #[command(flatten)]
    store: StoreArgs,

    #[command(flatten)]
    model: ModelArgs,
}

pub fn run(args: &Args) -> Result<Verdict> {
    let (place, here) = match &args.scheduler {
        Some(scheduler) => (Place::Cluster { scheduler: scheduler.clone(), partitions: args.partitions.get() }, None),
        None => {
            let answerer = args.store.answerer(&args.model, &format!("sql-{}", std::process::id()))?;
            (Place::Here(Arc::clone(&answerer)), Some(answerer))
        }
    };
    let mut stdout = std::io::stdout().lock();
    let target = match &args.output_path {
        Some(path) => Target::Files(path.clone()),
        None if args.json || !std::io::stdout().is_terminal() => Target::JsonLines(&mut stdout),
        None => Target::Table(&mut stdout),
    };
    let rows = run_query(Query { sql: &args.query, place, target })?;
    let counts = here.map(|answerer| answerer.counts());
    if !args.quiet {
        output::note(&summary(rows, counts));
    }
    Ok(if counts.is_some_and(|counts| counts.failed > 0) { Verdict::No } else { Verdict::Done })
}

fn summary(rows: u64, counts: Option<Counts>) -> String {
    let Some(counts) = counts else { return format!("{rows} rows") };
    let failed = match counts.failed {
        0 => String::new(),
        failed => format!(", {failed} failed; the `_row` functions say why"),
    };
    format!("{rows} rows; {} answers computed, {} found from before{failed}", counts.computed, counts.found)
}
