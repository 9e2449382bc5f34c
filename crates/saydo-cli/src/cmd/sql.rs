//! `saydo sql`: descriptions as functions of SQL.

use crate::cluster::{ClusterArgs, StoreArgs};
use crate::failure::Verdict;
use crate::model::ModelArgs;
use anyhow::Result;

/// Query tables with descriptions as functions
///
/// saydo sql "select id, saydo_yes_no('Are dogs allowed?', body) from 'trails/*.parquet'". Files, folders, patterns and
/// s3:// addresses in quotes are tables: Parquet, JSONL, CSV, TSV. Functions: saydo_yes_no, saydo_label, saydo_spans,
/// saydo_records, saydo_text, saydo (the kind that the words ask for) and saydo_task (a task file's text), each with
/// `_row` behind its name for status, confidence and spans as well.
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

    /// Say nothing but errors
    #[arg(long, short)]
    quiet: bool,

    #[command(flatten)]
    cluster: ClusterArgs,

    #[command(flatten)]
    store: StoreArgs,

    #[command(flatten)]
    model: ModelArgs,
}

#[cfg(not(feature = "cluster"))]
pub fn run(_args: Args) -> Result<Verdict> {
    crate::cluster::missing("`saydo sql`")
}

#[cfg(feature = "cluster")]
pub fn run(args: Args) -> Result<Verdict> {
    use crate::{cluster, output};
    use saydo_cluster::{Place, Query, Target, run_query};
    use std::io::IsTerminal as _;
    use std::sync::Arc;

    let (place, here) = match cluster::place(&args.cluster)? {
        Some(place) => (place, None),
        None => {
            let name = format!("sql-{}", std::process::id());
            let answerer = cluster::answerer(&args.model, &args.store, &name)?;
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

#[cfg(feature = "cluster")]
fn summary(rows: u64, counts: Option<saydo_cluster::Counts>) -> String {
    let Some(counts) = counts else { return format!("{rows} rows") };
    let failed = match counts.failed {
        0 => String::new(),
        failed => format!(", {failed} failed; the `_row` functions say why"),
    };
    format!("{rows} rows; {} answers computed, {} found from before{failed}", counts.computed, counts.found)
}
