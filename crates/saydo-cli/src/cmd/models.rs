//! `saydo models`: list, pull, verify and remove models, merge an adapter into one, mix adapters, and declare what they learned.

mod merge;
mod mix;
mod pull;
mod seen;

use super::stored;
use crate::failure::Verdict;
use crate::home::Home;
use anyhow::Result;
use saydo_hub::Kind;

/// List, pull, verify and remove models; merge and mix adapters
#[derive(clap::Args)]
pub struct Args {
    #[command(subcommand)]
    action: Action,

    #[command(flatten)]
    home: Home,
}

#[derive(clap::Subcommand)]
enum Action {
    Pull(pull::Args),
    #[command(flatten)]
    Stored(stored::Action),
    Merge(merge::Args),
    Mix(mix::Args),
    Seen(Box<seen::Args>),
}

pub fn run(args: Args) -> Result<Verdict> {
    match args.action {
        Action::Pull(action) => pull::run(action, &args.home),
        Action::Stored(action) => action.run(Kind::Model, &args.home),
        Action::Merge(action) => merge::run(&action, &args.home),
        Action::Mix(action) => mix::run(&action),
        Action::Seen(action) => seen::run(*action),
    }
}
