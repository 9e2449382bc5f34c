//! `saydo judge`: the Turking Test's outputs before people, or before a model.

mod export;
mod import;
mod model;

use crate::failure::Verdict;
use crate::model::ModelArgs;
use anyhow::{Result, bail};
use saydo_protocol::Protocol;
use saydo_protocol::record::Opened;
use saydo_protocol::score::{Options, score};
use saydo_protocol::turking::judgement::Entries;
use saydo_protocol::turking::{Gold, Outputs, judged};
use std::path::{Path, PathBuf};

/// Judge the Turking Test's outputs: sheets for people, agreement, or a model as judge
///
/// saydo judge RUN --export sheets/ writes a sheet for each judge; saydo judge RUN sheets/*.csv reads the completed sheets
/// and saves the judgements in the run's folder for saydo report. --by-model adds a model's judgement, shown beside
/// people's; it never replaces them.
#[derive(clap::Args)]
pub struct Args {
    /// Folder of a run of `saydo eval turking`
    run: PathBuf,

    /// Completed sheets (.csv or .jsonl)
    sheets: Vec<PathBuf>,

    /// Write sheets for judges into this folder
    #[arg(long, value_name = "FOLDER", conflicts_with_all = ["sheets", "by_model"])]
    export: Option<PathBuf>,

    /// Outputs per judge
    #[arg(long, value_name = "N", default_value_t = 50)]
    per_judge: usize,

    /// Share of outputs that two judges see independently
    #[arg(long, value_name = "SHARE", default_value_t = 0.1)]
    overlap: f64,

    /// Sheets as JSON Lines instead of CSV
    #[arg(long)]
    json_lines: bool,

    /// Also have the model judge
    #[arg(long)]
    by_model: bool,

    /// Also judge tasks with known answers
    #[arg(long)]
    all: bool,

    /// Print the result as JSON
    #[arg(long)]
    json: bool,

    #[command(flatten)]
    model: ModelArgs,
}

pub fn run(args: Args) -> Result<Verdict> {
    let (gold, outputs) = load(&args.run)?;
    let entries = Entries::new(&gold, &outputs, |kind| args.all || !kind.has_gold())?;
    if let Some(folder) = &args.export {
        return export::run(&args, &entries, folder);
    }
    if args.sheets.is_empty() && !args.by_model {
        bail!("nothing to do, expected filled-in sheets, --export FOLDER or --by-model");
    }
    import::run(&args, (&gold, &outputs), &entries)
}

/// The outputs of a run's first layout.
fn load(folder: &Path) -> Result<(Gold, Outputs)> {
    let opened = Opened::load(folder)?;
    if opened.record.protocol != Protocol::Turking {
        bail!("{} is a run of {}, expected one of turking", folder.display(), opened.record.protocol);
    }
    let scores = score(&opened.plan, &opened.cells, &Options::default())?;
    Ok(judged::outputs(&opened, &scores)?)
}
