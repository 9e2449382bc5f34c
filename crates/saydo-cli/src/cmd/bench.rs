//! `saydo bench`: speed on this machine, as ratios against what else is installed.

mod generate;
mod table;
mod train;

use crate::failure::Verdict;
use anyhow::Result;

/// Measure speed on this machine, beside other installed engines
#[derive(clap::Args)]
pub struct Args {
    #[command(subcommand)]
    what: What,
}

#[derive(clap::Subcommand)]
enum What {
    Generate(generate::Args),
    Train(train::Args),
}

pub fn run(args: Args) -> Result<Verdict> {
    match args.what {
        What::Generate(args) => generate::run(args),
        What::Train(args) => train::run(args),
    }
}
