//! `saydo score super-natural-instructions`.

use super::Shared;
use crate::failure::Verdict;
use crate::output;
use crate::table::Table;
use anyhow::Result;
use saydo_protocol::super_natural_instructions::{Details, Options, Spread, score};
use std::path::PathBuf;

/// Super-NaturalInstructions: exact match and ROUGE-L, both tracks
#[derive(clap::Args)]
pub struct Args {
    /// References: JSON Lines with `id`, `references` and perhaps `task_id`, `task_category`, `track`
    #[arg(long)]
    references: PathBuf,

    /// Predictions: JSON Lines with `id` and `prediction`
    #[arg(long)]
    predictions: PathBuf,

    /// Cut predictions at the first full stop, as the paper did for GPT-3
    #[arg(long)]
    cut_at_full_stop: bool,

    #[command(flatten)]
    shared: Shared,
}

pub fn run(args: Args) -> Result<Verdict> {
    let options =
        Options { mode: args.shared.mode, cut_at_full_stop: args.cut_at_full_stop, seed: args.shared.seed.into() };
    let report = score(&args.references, &args.predictions, &options)?;
    if args.shared.json {
        output::print_json(&report)?;
    } else {
        output::print(&table(&report.details))?;
    }
    Ok(Verdict::Done)
}

fn table(details: &Details) -> String {
    let mut table = Table::new(&["", "n", "missing", "exact match", "95%", "ROUGE-L", "95%"]);
    for track in &details.tracks {
        let [exact, exact_range] = cells(&track.exact_match);
        let [rouge, rouge_range] = cells(&track.rouge_l);
        let name = format!("{} track", track.track.name());
        table.row([name, track.n.to_string(), track.missing.to_string(), exact, exact_range, rouge, rouge_range]);
    }
    let mut out = table.render();
    if !details.headline.is_empty() {
        out.push_str("\nby category, each with its headline metric\n\n");
        let mut table = Table::new(&["category", "n", "metric", "score", "95%"]);
        for row in &details.headline {
            let [score, range] = cells(&row.score);
            table.row([row.category.clone(), row.n.to_string(), row.metric.name().to_owned(), score, range]);
        }
        out.push_str(&table.render());
    }
    out
}

fn cells(spread: &Spread) -> [String; 2] {
    [format!("{:.1}", spread.mean), super::range(spread.interval, 1.0)]
}
