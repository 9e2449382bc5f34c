//! `saydo check`: the verdict on labelled rows before a description is let loose on the rest.

mod report;

use crate::failure::Verdict;
use crate::model::ModelArgs;
use crate::output;
use crate::progress::Terminal;
use anyhow::{Result, bail};
use report::Printed;
use saydo::job::check::{Check, Settings};
use saydo::job::labelled::Recorder;
use saydo::task::{Named, resolve};
use saydo_protocol::labelled::read_labelled;
use saydo_task::source::Source;
use std::path::PathBuf;

/// Test a description on labelled documents: F1 with interval, confusions, worst rows
///
/// Labelled rows are JSON Lines with the document (`text`) and its answer (`answer`: a label, null for NA, a list of spans
/// or of records; or `answers`, each of which is acceptable). Without a file, the task file's own instances are used. A task
/// file can state its metric and level: `[answer] metric = "accuracy"`, `competent_at = 0.8`. Exit codes: 0 every task
/// reaches its level, 1 one does not.
#[derive(clap::Args)]
pub struct Args {
    /// The task, in plain words or as a task file or folder
    task: String,

    /// Labelled rows (JSON Lines)
    labelled: Option<PathBuf>,

    /// Another wording of the task, to see how often answers flip
    #[arg(long, value_name = "TASK")]
    paraphrase: Vec<String>,

    /// Level that every task must reach in its metric, from 0 to 1 (default: the `competent_at` of its file)
    #[arg(long, value_name = "T")]
    threshold: Option<f64>,

    /// Field that holds the document
    #[arg(long, visible_alias = "field", value_name = "NAME")]
    column: Option<String>,

    /// Max rows per task
    #[arg(long, short = 'L', value_name = "N")]
    limit: Option<usize>,

    /// How many of the worst rows to show
    #[arg(long, value_name = "N", default_value_t = 5, hide_short_help = true)]
    worst: usize,

    /// Also score rows the model was trained on, and mark the result (default: refuse)
    #[arg(long, hide_short_help = true)]
    allow_seen: bool,

    /// Ignore recorded answers and ask again
    #[arg(long, hide_short_help = true)]
    no_resume: bool,

    /// Print JSON
    #[arg(long)]
    json: bool,

    #[command(flatten)]
    model: ModelArgs,
}

pub fn run(args: Args) -> Result<Verdict> {
    if args.threshold.is_some_and(|threshold| !(0.0..=1.0).contains(&threshold)) {
        bail!("--threshold {}, expected a number from 0 to 1", args.threshold.unwrap_or_default());
    }
    let tasks = resolve(&args.task)?;
    let mut wordings: Vec<Named> = Vec::new();
    for text in &args.paraphrase {
        wordings.extend(resolve(text)?);
    }
    let rows = args.labelled.as_ref().map(|path| read_labelled(&Source::load(path)?, args.column.as_deref()));
    // What is wrong with tasks and rows is known before a model is opened.
    let check = Check::new(Settings {
        tasks,
        paraphrases: wordings,
        rows: rows.transpose()?,
        limit: args.limit,
        threshold: args.threshold,
        scorers: Vec::new(),
        allow_seen: args.allow_seen,
        recorder: Recorder { folder: Some(args.model.home().place()?.checks()), is_anew: args.no_resume },
        seed: args.model.seed(),
    })
    .map_err(|error| named(error, &args))?;
    let session = args.model.open()?;
    let mut terminal = Terminal::new(false);
    let report = check.run(&session, &mut |event| terminal.show(event))?;
    drop(terminal);
    if args.json {
        output::print_json(&report.json())?;
    } else {
        output::print(&Printed { report: &report, worst: args.worst }.render())?;
    }
    Ok(if report.is_good_enough() { Verdict::Done } else { Verdict::No })
}

/// The error with what the user named.
fn named(error: saydo::Error, args: &Args) -> anyhow::Error {
    match (error, &args.labelled) {
        (saydo::Error::NoLabelledRows, Some(path)) => anyhow::anyhow!("{} holds no rows", path.display()),
        (saydo::Error::NoInstances { .. }, _) => saydo::Error::NoInstances { task: args.task.clone() }.into(),
        (error, _) => error.into(),
    }
}
