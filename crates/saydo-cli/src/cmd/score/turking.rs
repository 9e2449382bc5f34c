//! `saydo score turking`.

use crate::failure::Verdict;
use crate::output;
use crate::table::{Table, percent};
use anyhow::{Context, Result};
use saydo_protocol::turking::{Estimate, Gold, Outputs, Report, score};
use saydo_task::Task;
use saydo_task::dataset::Dataset;
use saydo_task::source::Source;
use std::path::PathBuf;

/// Turking Test: n-th element, nouns, form of the crowd's tasks, error patterns
#[derive(clap::Args)]
pub struct Args {
    /// The tasks, as `saydo convert --from turking` makes them
    #[arg(long)]
    gold: PathBuf,

    /// Predictions: JSON Lines with `id`, `prediction` (a string, or a list of samples) and perhaps `decoding`
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
    let dataset = Dataset::load(&args.gold)?;
    let tasks: Vec<Task> = dataset.tasks.into_iter().map(|located| located.task).collect();
    let cannot_score = || format!("cannot score {}", args.predictions.display());
    let gold = Gold::new(&tasks).with_context(|| format!("{} is not a Turking Test", args.gold.display()))?;
    let outputs = Outputs::read(&Source::load(&args.predictions)?, &gold).with_context(cannot_score)?;
    let report = score(&gold, &outputs, args.seed).with_context(cannot_score)?;
    if args.json {
        output::print_json(&report)?;
    } else {
        output::print(&table(&report))?;
    }
    Ok(Verdict::Done)
}

/// Accuracy under both rules where there is gold, form consistency elsewhere; the paper's number beside it.
fn table(report: &Report) -> String {
    let header = ["task", "decoding", "n", "measure", "score", "95%", "baseline", "GPT-2 1.5B", "its baseline"];
    let mut table = Table::new(&header);
    let mut patterns = Table::new(&["error pattern", "decoding", "n", "share", "95%", "GPT-2 1.5B"]);
    for task in &report.tasks {
        let baseline = task.baseline.map_or_else(String::new, |baseline| percent(baseline.accuracy.value));
        for decoding in &task.decodings {
            let (measure, estimate, published) = match (&decoding.accuracy, &decoding.form) {
                (Some(accuracy), _) => ("accuracy", Some(accuracy.lenient), Some(task.published.accuracy)),
                (None, Some(form)) => ("form (automatic)", Some(form.consistent), task.published.form_consistency),
                (None, None) => ("", None, None),
            };
            let [n, score, range] = estimate.map(cells).unwrap_or_default();
            table.row([
                task.name.to_owned(),
                decoding.decoding.clone(),
                n,
                measure.to_owned(),
                score,
                range,
                baseline.clone(),
                number(published),
                number(task.published.baseline),
            ]);
            for pattern in &decoding.patterns {
                let [n, share, range] = cells(pattern.share);
                let name = format!("{}: {}", task.name, pattern.pattern);
                patterns.row([name, decoding.decoding.clone(), n, share, range, number(pattern.published)]);
            }
        }
    }
    format!("{}\n{}", table.render(), patterns.render())
}

fn cells(estimate: Estimate) -> [String; 3] {
    [estimate.count.to_string(), percent(estimate.value), super::range(Some(estimate.interval), 100.0)]
}

fn number(value: Option<f64>) -> String {
    value.map_or_else(String::new, |value| format!("{value:.1}"))
}
