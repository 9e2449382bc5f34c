//! `saydo models`: list, pull, verify and remove models, merge an adapter into one, mix adapters, and declare what they learned.

mod list;
mod merge;
mod mix;
mod pull;
mod rm;
mod seen;
mod verify;

use crate::failure::Verdict;
use crate::home::Home;
use anyhow::Result;

/// List, pull, verify and remove models; merge an adapter into one, mix adapters, declare what they learned
#[derive(clap::Args)]
pub struct Args {
    #[command(subcommand)]
    action: Action,

    #[command(flatten)]
    home: Home,
}

#[derive(clap::Subcommand)]
enum Action {
    List(list::Args),
    Pull(pull::Args),
    Verify(verify::Args),
    Rm(rm::Args),
    Merge(merge::Args),
    Mix(mix::Args),
    Seen(Box<seen::Args>),
}

pub fn run(args: Args) -> Result<Verdict> {
    match args.action {
        Action::List(action) => list::run(action, &args.home),
        Action::Pull(action) => pull::run(action, &args.home),
        Action::Verify(action) => verify::run(action, &args.home),
        Action::Rm(action) => rm::run(action, &args.home),
        Action::Merge(action) => merge::run(&action, &args.home),
        Action::Mix(action) => mix::run(&action),
        Action::Seen(action) => seen::run(*action),
    }
}
