//! `saydo score`: scores existing predictions; no model.

mod evaluation;
mod natural_instructions;
mod super_natural_instructions;
mod text;
mod turking;
mod zest;

use crate::cmd::eval::MODES;
use crate::failure::Verdict;
use crate::flags::described;
use anyhow::{Result, bail};
use saydo_protocol::Mode;

/// Score predictions with a protocol of the papers, or rescore a run of `saydo eval`
#[derive(clap::Args)]
#[command(args_conflicts_with_subcommands = true, subcommand_negates_reqs = true)]
pub struct Args {
    #[command(subcommand)]
    protocol: Option<Protocol>,

    #[command(flatten)]
    run: Option<evaluation::RunArgs>,
}

#[derive(clap::Subcommand)]
enum Protocol {
    Zest(zest::Args),
    NaturalInstructions(natural_instructions::Args),
    SuperNaturalInstructions(super_natural_instructions::Args),
    Turking(turking::Args),
    Text(text::Args),
}

/// What all protocols share.
#[derive(clap::Args)]
struct Shared {
    /// Score exactly as the reference program, or with its quirks repaired
    #[arg(long, value_parser = described::<Mode>(&MODES), default_value = "strict")]
    mode: Mode,

    /// Seed of the bootstrap intervals
    #[arg(long, default_value_t = 0)]
    seed: u32,

    /// Print the result as JSON
    #[arg(long)]
    json: bool,
}

pub fn run(args: Args) -> Result<Verdict> {
    match (args.protocol, args.run) {
        (Some(Protocol::Zest(args)), _) => zest::run(args),
        (Some(Protocol::NaturalInstructions(args)), _) => natural_instructions::run(args),
        (Some(Protocol::SuperNaturalInstructions(args)), _) => super_natural_instructions::run(args),
        (Some(Protocol::Turking(args)), _) => turking::run(args),
        (Some(Protocol::Text(args)), _) => text::run(args),
        (None, Some(args)) => evaluation::run(args),
        (None, None) => bail!("nothing to score, expected a protocol or the folder of a run"),
    }
}

/// A level from 0 to 1.
pub fn level(text: &str) -> Result<f64, String> {
    let level: Option<f64> = text.parse().ok().filter(|level| (0.0..=1.0).contains(level));
    level.ok_or_else(|| "expected a number from 0 to 1".to_owned())
}

/// An interval as `low-high`, its ends multiplied by `scale`; empty if there is none.
fn range(interval: Option<[f64; 2]>, scale: f64) -> String {
    interval.map_or_else(String::new, |[low, high]| format!("{:.1}-{:.1}", scale * low, scale * high))
}
