//! `saydo score natural-instructions`.

use super::Shared;
use crate::failure::Verdict;
use crate::output;
use crate::table::{Table, percent};
use anyhow::Result;
use saydo_protocol::natural_instructions::{Cell, Options, Report, score_among};
use std::collections::BTreeMap;
use std::fmt::Write as _;
use std::path::{Path, PathBuf};

/// Natural Instructions: ROUGE-L per task
#[derive(clap::Args)]
pub struct Args {
    /// Task file or folder; repeatable
    #[arg(long, required = true)]
    tasks: Vec<PathBuf>,

    /// Prediction file, or folder of them: .json or .json.gz
    #[arg(long)]
    predictions: PathBuf,

    #[command(flatten)]
    shared: Shared,
}

pub fn run(args: Args) -> Result<Verdict> {
    let options = Options { mode: args.shared.mode, seed: args.shared.seed.into() };
    let tasks: Vec<&Path> = args.tasks.iter().map(PathBuf::as_path).collect();
    let report = score_among(&tasks, &args.predictions, &options)?;
    if args.shared.json {
        output::print_json(&report)?;
    } else {
        output::print(&table(&report)?)?;
    }
    Ok(Verdict::Done)
}

/// So many files are listed one by one; more are summed up by task.
const MAX_FILES_LISTED: usize = 30;

fn table(report: &Report) -> Result<String> {
    let mut out = if report.files.len() <= MAX_FILES_LISTED { files(report) } else { tasks(report) };
    if !report.by_encoding.is_empty() {
        out.push_str("\nmean over tasks by encoding; published: GPT-3 over 12 tasks, few examples\n\n");
        out.push_str(&encodings(report));
    }
    if let Some(moved) = &report.moved {
        writeln!(out, "\n{} repaired: mean moved by {:+.2} points", moved.quirk, 100.0 * moved.by)?;
    }
    if let Some(first) = report.skipped.first() {
        writeln!(out, "\n{} files skipped (--json lists them), the first: {}", report.skipped.len(), first.reason)?;
    }
    Ok(out)
}

fn files(report: &Report) -> String {
    let mut table = Table::new(&["file", "n", "ROUGE-L", "95%"]);
    for file in &report.files {
        let range = super::range(file.interval, 100.0);
        table.row([file.file.clone(), file.n.to_string(), percent(file.rouge_l), range]);
    }
    table.row(mean(report));
    table.render()
}

fn tasks(report: &Report) -> String {
    let mut by_task = BTreeMap::<&str, Vec<f64>>::new();
    for file in &report.files {
        by_task.entry(&file.task).or_default().push(file.rouge_l);
    }
    let mut table = Table::new(&["task", "files", "ROUGE-L", "95%", "lowest", "highest"]);
    for (task, scores) in by_task {
        let [low, high] = scores.iter().fold([1.0, 0.0], |[low, high]: [f64; 2], x| [low.min(*x), high.max(*x)]);
        let mean = scores.iter().sum::<f64>() / scores.len() as f64;
        let count = scores.len().to_string();
        table.row([task.to_owned(), count, percent(mean), String::new(), percent(low), percent(high)]);
    }
    table.row(mean(report));
    table.render()
}

fn mean(report: &Report) -> [String; 4] {
    let range = super::range(report.interval, 100.0);
    ["mean of all files".to_owned(), report.files.len().to_string(), percent(report.mean), range]
}

fn encodings(report: &Report) -> String {
    let mut table = Table::new(&["encoding", "tasks", "few examples", "tasks", "many examples", "published"]);
    for row in &report.by_encoding {
        let cells = |cell: Cell| [cell.tasks.to_string(), percent(cell.rouge_l)];
        let [few_tasks, few] = cells(row.small);
        let [many_tasks, many] = row.large.map(cells).unwrap_or_default();
        let published = row.published.map_or_else(String::new, |share| format!("{:.0}", 100.0 * share));
        table.row([row.encoding.clone(), few_tasks, few, many_tasks, many, published]);
    }
    table.render()
}
