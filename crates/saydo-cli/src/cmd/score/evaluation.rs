//! `saydo score RUN`: a run of `saydo eval`, scored again without its model.

use crate::cmd::eval::{MODES, print};
use crate::failure::Verdict;
use crate::flags::described;
use crate::output;
use anyhow::Result;
use saydo::job::eval::write;
use saydo_protocol::Mode;
use saydo_protocol::record::Opened;
use saydo_protocol::score::{Options, score};
use std::path::PathBuf;

#[derive(clap::Args)]
pub struct RunArgs {
    /// Folder of a run
    folder: PathBuf,

    /// Score exactly as the reference programs, or with their quirks repaired
    #[arg(long, value_parser = described::<Mode>(&MODES), default_value = "strict")]
    mode: Mode,

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
    let options = Options { mode: args.mode, seed: args.seed, competent_at: args.competent_at };
    let scores = score(&opened.plan, &opened.cells, &options)?;
    write(&opened, &scores, args.log_samples)?;
    if args.json {
        output::print_json(&scores)?;
    } else {
        output::print(&print::tables(&scores))?;
    }
    Ok(Verdict::Done)
}
