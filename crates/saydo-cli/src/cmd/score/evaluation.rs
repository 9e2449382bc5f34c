//! `saydo score RUN`: a run of `saydo eval`, scored again without its model.

use super::ModeArg;
use crate::cmd::eval::{print, write};
use crate::failure::Verdict;
use crate::output;
use anyhow::Result;
use saydo_protocol::record::Opened;
use saydo_protocol::score::{Options, score};
use std::path::PathBuf;

#[derive(clap::Args)]
pub struct RunArgs {
    /// Folder of a run
    folder: PathBuf,

    /// Score exactly as the reference programs, or with their quirks repaired
    #[arg(long, value_enum, default_value = "strict")]
    mode: ModeArg,

    /// Seed of the bootstrap intervals
    #[arg(long, default_value_t = 0)]
    seed: u64,

    /// Level at which a model is competent at tasks that state none (default: 0.75)
    #[arg(long, value_name = "T", value_parser = super::level)]
    competent_at: Option<f64>,

    /// Also write every sample, with its prompt, in lm-evaluation-harness's format
    #[arg(long, short = 's')]
    log_samples: bool,

    /// Print the scores as JSON
    #[arg(long)]
    json: bool,
}

pub fn run(args: RunArgs) -> Result<Verdict> {
    let opened = Opened::load(&args.folder)?;
    let options = Options { mode: args.mode.into(), seed: args.seed, competent_at: args.competent_at };
    let scores = score(&opened.plan, &opened.cells, &options)?;
    write(&opened, &scores, args.log_samples)?;
    match args.json {
        true => output::print_json(&scores)?,
        false => output::print(&print::tables(&scores))?,
    }
    Ok(Verdict::Done)
}
