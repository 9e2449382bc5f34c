//! `saydo eval`: a model through a protocol, recorded and scored.

mod answerer;
mod confidence;
mod data;
mod decoding;
mod plan;
pub mod predict;
pub mod print;
mod probe;
mod reading;

pub use probe::Probe;

use crate::cmd::score::{ModeArg, level};
use crate::failure::Verdict;
use crate::model::ModelArgs;
use crate::schema::named;
use crate::{output, stop};
use anyhow::{Result, bail};
use indicatif::ProgressBar;
use plan::Prepared;
use saydo::record::Ledger;
use saydo_protocol::record::{Opened, ledger_path};
use saydo_protocol::score::Options;
use saydo_protocol::{Progress, Scores, Summary, date, harness, record, score};
use saydo_task::Ablation;
use serde::Deserialize;
use std::path::PathBuf;
use std::time::{Duration, Instant, SystemTime, UNIX_EPOCH};

/// Evaluate a model with a protocol of the papers, or on a task of your own
///
/// saydo eval zest --data dev.jsonl --constrained evaluates the function that `saydo run` applies; without --constrained,
/// the model generates freely with the paper's layout and decoding. reading takes SQuAD's JSON, JSON Lines with a question
/// in each row, or tasks; everyday ships with Saydo; suite is a fixed set of sources. Recorded answers are not asked again.
/// --model also takes baseline:NAME (always-na, majority, copy-input, copy-example, the, e) and replay:FILE for stored
/// predictions.
#[derive(Clone, Default, clap::Args, Deserialize)]
#[serde(default, deny_unknown_fields, rename_all = "kebab-case")]
pub struct Args {
    /// zest, natural-instructions, super-natural-instructions, turking, reading, everyday, suite, or a task file of your own
    #[serde(skip)]
    pub protocol: String,

    /// Data: tasks; for turking, its resources; for your own task, labelled rows; repeatable
    #[arg(long, value_name = "PATH")]
    pub data: Vec<PathBuf>,

    /// Fixed set of `suite`: one to choose by, one to report on
    #[arg(long, value_enum, help_heading = "Which samples")]
    set: Option<reading::Set>,

    /// Folder with the files of `suite` (default: the folder of pulled datasets)
    #[arg(long, value_name = "FOLDER", help_heading = "Which samples", hide_short_help = true)]
    data_dir: Option<PathBuf>,

    /// For reading: also ask every paraphrase of a task, as its own task
    #[arg(long, help_heading = "Which samples", hide_short_help = true)]
    paraphrases: bool,

    /// Prompt layouts by name (see `saydo encode --list`); all = every Natural Instructions layout
    #[arg(long, value_name = "NAME", value_delimiter = ',', help_heading = "Prompts and decoding")]
    pub layout: Vec<String>,

    /// Examples per prompt: a number, or max for as many as fit. For ZEST and your own tasks, the first instances become
    /// examples and are not scored
    #[arg(long, short = 'f', value_name = "N|max", value_parser = plan::examples, help_heading = "Prompts and decoding")]
    #[serde(deserialize_with = "plan::examples_of")]
    num_fewshot: Option<saydo_protocol::plan::Examples>,

    /// Max instances per task (default: the paper's); for reading, random rows per source
    #[arg(long, short = 'L', value_name = "N", help_heading = "Which samples")]
    pub limit: Option<usize>,

    /// Split to evaluate on: a file of `saydo split`, natural-instructions, leave-one-category:NAME, leave-one-dataset:NAME
    /// or leave-one-task:ID; see --on
    #[arg(long, value_name = "SPLIT", help_heading = "Which samples", hide_short_help = true)]
    split: Option<String>,

    /// Side of the split to evaluate
    #[arg(
        long,
        value_enum,
        default_value = "unseen",
        requires = "split",
        help_heading = "Which samples",
        hide_short_help = true
    )]
    on: data::Side,

    /// Only these tasks: ids or how they begin
    #[arg(long, value_name = "ID", value_delimiter = ',', help_heading = "Which samples")]
    tasks: Vec<String>,

    /// Max tasks per category, the first by id
    #[arg(long, value_name = "N", help_heading = "Which samples", hide_short_help = true)]
    per_category: Option<usize>,

    /// Constrained decoding, as in `saydo run`, instead of free generation
    #[arg(long, alias = "held", help_heading = "Prompts and decoding")]
    #[serde(alias = "held")]
    pub constrained: bool,

    /// Also score samples the model was trained on, and mark every row, table and report (default: refuse)
    #[arg(long, help_heading = "Which samples", hide_short_help = true)]
    allow_seen: bool,

    /// Use the model's chat template
    #[arg(long, help_heading = "Prompts and decoding", hide_short_help = true)]
    chat: bool,

    /// Remove part of the input (ZEST's Table 5)
    #[arg(long, value_parser = named::<Ablation>(), help_heading = "Which samples", hide_short_help = true)]
    ablation: Option<Ablation>,

    /// Decodings (default: the paper's)
    #[arg(long, value_enum, value_delimiter = ',', help_heading = "Prompts and decoding", hide_short_help = true)]
    decoding: Vec<decoding::Name>,

    /// Samples per prompt with nucleus sampling (default: 1)
    #[arg(long, value_name = "N", help_heading = "Prompts and decoding", hide_short_help = true)]
    draws: Option<usize>,

    /// What ends a reply (default: the paper's rule)
    #[arg(long, value_enum, help_heading = "Prompts and decoding", hide_short_help = true)]
    stop: Option<decoding::Stop>,

    /// Score exactly as the reference programs, or with their quirks repaired
    #[arg(long, value_enum, default_value = "strict", help_heading = "Scoring", hide_short_help = true)]
    mode: ModeArg,

    /// Level at which a model is competent at tasks that state none (default: 0.75)
    #[arg(long, value_name = "T", value_parser = level, help_heading = "Scoring", hide_short_help = true)]
    competent_at: Option<f64>,

    /// Folder that records the run (default: named after the evaluation, in the home folder)
    #[arg(long, short = 'o', value_name = "FOLDER", help_heading = "Recording")]
    #[serde(skip)]
    pub output_path: Option<PathBuf>,

    /// Start over; the earlier record is set aside
    #[arg(long, help_heading = "Recording", hide_short_help = true)]
    no_resume: bool,

    /// Retry samples that failed
    #[arg(long, help_heading = "Recording", hide_short_help = true)]
    retry_errors: bool,

    /// Fit the confidence calibration on these rows and save it beside the adapter; for reading and suite, on rows that are
    /// not reported
    #[arg(long, help_heading = "Scoring", hide_short_help = true)]
    fit_confidence: bool,

    /// Also write every sample, with its prompt, in lm-evaluation-harness's format
    #[arg(long, short = 's', help_heading = "Recording", hide_short_help = true)]
    log_samples: bool,

    /// Ask instances without answers, too: what `saydo predict` does
    #[arg(skip)]
    #[serde(skip)]
    unlabelled: bool,

    /// How many tasks the model was trained on for this evaluation, which the record then says
    #[arg(skip)]
    #[serde(skip)]
    pub seen_tasks: Option<usize>,

    /// Print the scores as JSON
    #[arg(long)]
    #[serde(skip)]
    json: bool,

    /// Print only errors and tables
    #[arg(long, short)]
    quiet: bool,

    #[command(flatten)]
    #[serde(skip)]
    pub model: ModelArgs,
}

pub fn run(args: Args) -> Result<Verdict> {
    let (folder, scores) = evaluate(&args)?;
    if args.json {
        output::print_json(&scores)?;
    } else {
        output::print(&print::tables(&scores))?;
    }
    if !args.quiet {
        output::note(&format!("recorded in {}", folder.display()));
    }
    Ok(if scores.failed > 0 { Verdict::No } else { Verdict::Done })
}

/// Runs and scores; gives the folder of the run and its scores.
pub fn evaluate(args: &Args) -> Result<(PathBuf, Scores)> {
    let mut prepared = Prepared::new(args)?;
    if !args.quiet {
        prepared.describe();
    }
    let folder = prepared.folder.clone();
    prepared.record.save(&folder, &prepared.plan)?;
    let ledger_path = ledger_path(&folder);
    if args.no_resume {
        Ledger::set_aside(&ledger_path)?;
    }
    let mut ledger = Ledger::open(&ledger_path, &[])?;
    let summary = ask(args, &prepared, &mut ledger)?;
    drop(ledger);
    if summary.is_interrupted {
        let left = prepared.plan.samples.len() - summary.found - summary.new;
        bail!("interrupted with {left} samples left; the same command goes on from there");
    }
    let opened = Opened::load(&folder)?;
    let scores = score(&opened.plan, &opened.cells, &args.scoring())?;
    write(&opened, &scores, args.log_samples)?;
    if args.fit_confidence {
        confidence::fit(args, &opened)?;
    }
    Ok((folder, scores))
}

/// Has everything answered that is not, and shows how it goes.
fn ask(args: &Args, prepared: &Prepared, ledger: &mut Ledger) -> Result<Summary> {
    let bar = if args.quiet { ProgressBar::hidden() } else { crate::progress::rows(prepared.plan.samples.len()) };
    let begun = Instant::now();
    let mut shown = Instant::now();
    let mut watch = |progress: Progress| {
        bar.set_position(progress.done as u64);
        if bar.is_hidden() && !args.quiet && shown.elapsed() >= Duration::from_secs(30) {
            shown = Instant::now();
            let rate = progress.new as f64 / begun.elapsed().as_secs_f64();
            output::note(&format!("{} of {} samples, {rate:.1} a second", progress.done, progress.all));
        }
    };
    let stop = stop::on_interrupt()?;
    let retry = args.retry_errors;
    let summary = saydo_protocol::run(&prepared.plan, &prepared.answerer, ledger, retry, &stop, &mut watch)?;
    bar.finish_and_clear();
    if !args.quiet {
        let seconds = begun.elapsed().as_secs_f64();
        let mut text = format!("{} samples asked in {seconds:.1} s", summary.new);
        if summary.found > 0 {
            text += &format!(", {} found recorded", summary.found);
        }
        if summary.failed > 0 {
            text += &format!(", {} failed (--retry-errors asks them again)", summary.failed);
        }
        output::note(&text);
    }
    Ok(summary)
}

/// Writes the scores beside the run: ours, and those that users of lm-evaluation-harness know.
pub fn write(run: &Opened, scores: &Scores, log_samples: bool) -> Result<()> {
    record::write_json(&run.folder.join("scores.json"), scores)?;
    let date = now();
    harness::write_results(run, scores, &date)?;
    if log_samples {
        harness::write_samples(run, scores, &date)?;
    }
    Ok(())
}

impl Args {
    fn scoring(&self) -> Options {
        Options { mode: self.mode.into(), seed: self.model.seed(), competent_at: self.competent_at }
    }
}

/// Now, as file names have it.
fn now() -> String {
    date::stamp(SystemTime::now().duration_since(UNIX_EPOCH).unwrap_or_default().as_secs())
}
