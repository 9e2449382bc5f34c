//! `saydo data`: list, pull, verify and remove datasets.

mod pull;

use super::stored;
use crate::failure::Verdict;
use crate::home::Home;
use anyhow::Result;
use saydo_hub::Kind;

/// List, pull, verify and remove datasets
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
}

pub fn run(args: Args) -> Result<Verdict> {
    match args.action {
        Action::Pull(action) => pull::run(action, &args.home),
        Action::Stored(action) => action.run(Kind::Dataset, &args.home),
    }
}
