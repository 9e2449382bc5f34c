//! `saydo score zest`.

use super::Shared;
use crate::failure::Verdict;
use crate::output;
use crate::table::{Table, percent};
use anyhow::{Context, Result};
use saydo_protocol::Mode;
use saydo_protocol::zest::published::{PublishedRow, PublishedSplit, T5_MTL, rows};
use saydo_protocol::zest::{
    EffectResult, Options, PredictionFormat, QuirkReport, ZestScores, quirk_report, read_predictions, score,
};
use saydo_task::Generalization;
use saydo_task::format::zest::read_records;
use saydo_task::source::Source;
use std::fmt::Write as _;
use std::path::{Path, PathBuf};

/// ZEST: task F1, C@75, C@90 with paired generalization
#[derive(clap::Args)]
pub struct Args {
    /// Labelled tasks: ZEST JSON Lines
    #[arg(long)]
    gold: PathBuf,

    /// One prediction per example in the order of the gold file: text, .jsonl or one-column .csv
    #[arg(long)]
    predictions: PathBuf,

    /// Write the scores of each task here, a JSON object a line
    #[arg(long)]
    tasks_out: Option<PathBuf>,

    /// Also print how much each quirk of the reference program changes the score
    #[arg(long)]
    quirks: bool,

    #[command(flatten)]
    shared: Shared,
}

pub fn run(args: Args) -> Result<Verdict> {
    let mode = args.shared.mode;
    let records = read_records(&Source::load(&args.gold)?)?;
    let predictions = Source::load(&args.predictions)?;
    let format = PredictionFormat::from_path(&args.predictions);
    let options = Options { seed: args.shared.seed, ..Options::from(mode) };
    let scores = read_predictions(&predictions.text, format, options.repairs)
        .and_then(|predictions| score(&records, &predictions, &options))
        .with_context(|| format!("cannot score {} against {}", args.predictions.display(), args.gold.display()))?;
    // Fixed numbers differ from published ones, so they always come with the reason.
    let wants_quirks = args.quirks || mode == Mode::Fixed;
    let quirks = wants_quirks.then(|| quirk_report(&records, &predictions.text, format)).transpose()?;
    if let Some(path) = &args.tasks_out {
        write_tasks(path, &scores)?;
    }
    if args.shared.json {
        let mut value = serde_json::to_value(&scores)?;
        if let Some(quirks) = quirks {
            value["quirks"] = serde_json::to_value(quirks)?;
        }
        output::print_json(&value)?;
    } else {
        output::print(&report(&scores, quirks.as_ref(), mode)?)?;
    }
    Ok(Verdict::Done)
}

fn write_tasks(path: &Path, scores: &ZestScores) -> Result<()> {
    let mut lines = String::new();
    for task in &scores.tasks {
        lines.push_str(&serde_json::to_string(task)?);
        lines.push('\n');
    }
    saydo_file::write(path, lines.as_bytes()).with_context(|| format!("cannot write {}", path.display()))
}

fn report(scores: &ZestScores, quirks: Option<&QuirkReport>, mode: Mode) -> Result<String> {
    let mut out = String::new();
    let mode_name =
        if mode == Mode::Strict { "strict: equal to the reference program" } else { "fixed: quirks repaired" };
    writeln!(out, "ZEST, {} tasks, {} examples ({mode_name})\n", scores.n_tasks, scores.n_predictions_needed)?;
    out.push_str(&official_table(scores));
    writeln!(out, "\noverall (C@90, as the reference prints it): {}", scores.official.overall)?;
    if let Some(means) = &scores.instances {
        writeln!(out, "mean over instances: {}", percent(means.overall))?;
    }
    for warning in &scores.warnings {
        writeln!(out, "warning: {warning}")?;
    }
    if let Some(quirks) = quirks {
        out.push_str(&quirk_table(quirks)?);
    }
    Ok(out)
}

fn official_table(scores: &ZestScores) -> String {
    let mut table = Table::new(&["type", "mean", "95%", "C@75", "95%", "C@90", "95%", "T5-11B dev (mean 75 90)"]);
    let average = ("average".to_owned(), scores.official.average);
    // The reference lists rows as they turn up; people look for the paper's order.
    let mut rows: Vec<_> = scores.official.rows.0.iter().collect();
    let place = |name: &str| Generalization::ALL.iter().position(|known| known.key() == name).unwrap_or(usize::MAX);
    rows.sort_by_key(|(name, _)| place(name));
    for (name, row) in rows.into_iter().chain([&average]) {
        let interval = scores.intervals.as_ref().and_then(|intervals| intervals.get(name));
        let cell = |interval: Option<[f64; 2]>| super::range(interval, 100.0);
        table.row([
            Generalization::from_key(name).name().to_owned(),
            percent(row.mean),
            cell(interval.map(|interval| interval.mean)),
            percent(row.at_75),
            cell(interval.map(|interval| interval.at_75)),
            percent(row.at_90),
            cell(interval.map(|interval| interval.at_90)),
            published(name),
        ]);
    }
    table.render()
}

/// The paper's best model on the development set (Table 7).
fn published(name: &str) -> String {
    let category = if name == "average" { "overall" } else { name };
    let is_row =
        |row: &PublishedRow| row.model == T5_MTL && row.split == PublishedSplit::Dev && row.category == category;
    rows().find(is_row).map_or_else(String::new, |row| format!("{} {} {}", row.mean, row.at_75, row.at_90))
}

fn quirk_table(quirks: &QuirkReport) -> Result<String> {
    let mut out = String::from("\nwhat each quirk of the reference moves, repaired alone (points):\n");
    if let Some(error) = &quirks.strict_error {
        writeln!(out, "the reference aborts ({error}); compared with the aborts repaired")?;
    }
    let mut table = Table::new(&["quirk", "mean", "C@75", "C@90", "instances", "tasks"]);
    for effect in &quirks.effects {
        let name = format!("{:<4} {}", effect.quirk.to_string(), effect.summary);
        match &effect.result {
            EffectResult::Repaired { overall, instances, tasks } => {
                let moved = |after: f64, before: f64| format!("{:+.2}", after - before);
                let base = &quirks.baseline;
                table.row([
                    name,
                    moved(overall.mean, base.mean),
                    moved(overall.at_75, base.at_75),
                    moved(overall.at_90, base.at_90),
                    instances.to_string(),
                    tasks.to_string(),
                ]);
            }
            EffectResult::Refused(reason) => table.row([format!("{name}: {reason}")]),
        }
    }
    out.push_str(&table.render());
    Ok(out)
}
