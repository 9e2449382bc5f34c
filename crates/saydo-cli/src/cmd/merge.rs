//! `saydo merge`: what shards made, joined.

use crate::failure::Verdict;
use crate::output;
use anyhow::{Result, bail};
use saydo::record::merge::{merge_outputs, merge_runs};
use std::path::PathBuf;

/// Merge the outputs or runs of shards
///
/// Name outputs in shard order: saydo merge 1.jsonl 2.jsonl -o all.jsonl keeps the order of the documents. Run folders merge
/// into one folder with all answers, from which saydo run writes rows without a model.
#[derive(clap::Args)]
pub struct Args {
    /// Outputs of all shards in order (.jsonl, .csv, .tsv, .parquet), or run folders
    #[arg(required = true, value_name = "PART")]
    parts: Vec<PathBuf>,

    /// File or folder to write (default with a single run folder: that folder)
    #[arg(long, short, visible_alias = "output-path", value_name = "OUT")]
    output: Option<PathBuf>,
}

pub fn run(args: Args) -> Result<Verdict> {
    if let Some(missing) = args.parts.iter().find(|part| !part.exists()) {
        bail!("{} does not exist, expected an output or the folder of a run", missing.display());
    }
    let folders = args.parts.iter().filter(|part| part.is_dir()).count();
    if folders > 0 && folders < args.parts.len() {
        bail!("files and folders together cannot be joined, expected outputs or folders of runs");
    }
    let out = match (&args.output, args.parts.as_slice()) {
        (Some(out), _) => out.clone(),
        (None, [folder]) if folders == 1 => folder.clone(),
        (None, _) => bail!("nothing says where to write, expected -o OUT"),
    };
    if folders > 0 {
        let answers = merge_runs(&args.parts, &out)?;
        output::note(&format!("{answers} answers are in {}; `saydo run` with --run writes their rows", out.display()));
    } else {
        let rows = merge_outputs(&args.parts, &out)?;
        output::note(&format!("{rows} rows are in {}", out.display()));
    }
    Ok(Verdict::Done)
}
