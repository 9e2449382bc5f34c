//! `saydo data`: list, pull, verify and remove datasets.

mod list;
mod pull;
mod rm;
mod verify;

use crate::failure::Verdict;
use crate::home::DataHome;
use anyhow::Result;

/// List, pull, verify and remove datasets
#[derive(clap::Args)]
pub struct Args {
    #[command(subcommand)]
    action: Action,

    #[command(flatten)]
    home: DataHome,
}

#[derive(clap::Subcommand)]
enum Action {
    List(list::Args),
    Pull(pull::Args),
    Verify(verify::Args),
    Rm(rm::Args),
}

pub fn run(args: Args) -> Result<Verdict> {
    match args.action {
        Action::List(action) => list::run(action, &args.home),
        Action::Pull(action) => pull::run(action, &args.home),
        Action::Verify(action) => verify::run(action, &args.home),
        Action::Rm(action) => rm::run(action, &args.home),
    }
}
