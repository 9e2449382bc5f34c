//! `saydo score text`.

use crate::failure::Verdict;
use crate::output;
use crate::table::{Table, percent};
use anyhow::Result;
use saydo_protocol::text::{Measure, Scores, score};
use std::path::PathBuf;

/// Any predictions against references: ROUGE-L, exact match, token F1
#[derive(clap::Args)]
pub struct Args {
    /// JSON Lines with `prediction` and `references`, and perhaps `group`
    #[arg(long)]
    predictions: PathBuf,

    /// Seed of the bootstrap intervals
    #[arg(long, default_value_t = 0)]
    seed: u64,

    /// Print the result as JSON
    #[arg(long)]
    json: bool,
}

pub fn run(args: Args) -> Result<Verdict> {
    let report = score(&args.predictions, args.seed)?;
    if args.json {
        output::print_json(&report)?;
        return Ok(Verdict::Done);
    }
    let mut table = Table::new(&["", "n", "ROUGE-L", "95%", "exact match", "95%", "token F1", "95%"]);
    table.row(row("all", &report.scores));
    for group in &report.groups {
        table.row(row(&group.group, &group.scores));
    }
    output::print(&table.render())?;
    Ok(Verdict::Done)
}

fn row(name: &str, scores: &Scores) -> Vec<String> {
    let cells = |measure: Measure| [percent(measure.mean), super::range(measure.interval, 100.0)];
    let [rouge, exact, f1] = [scores.rouge_l, scores.exact_match, scores.f1].map(cells);
    [name.to_owned(), scores.n.to_string()].into_iter().chain(rouge).chain(exact).chain(f1).collect()
}
