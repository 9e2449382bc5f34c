//! `saydo merge`: what shards made, joined.

use crate::failure::Verdict;
use crate::output;
use anyhow::{Result, bail};
use saydo::record::merge::{merge_outputs, merge_runs};
use std::path::PathBuf;

/// Join the outputs or the runs of shards
///
/// Outputs are named in the order of their shards: saydo merge 1.jsonl 2.jsonl -o all.jsonl gives the rows in the order
/// of the documents. Folders of runs give one folder that holds all answers; saydo run then writes rows without a model.
#[derive(clap::Args)]
pub struct Args {
    /// Outputs (.jsonl, .csv, .tsv, .parquet) of all shards in their order, or folders of runs
    #[arg(required = true, value_name = "PART")]
    parts: Vec<PathBuf>,

    /// File or folder to write; for one folder of a run, that folder itself if it is left out
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
