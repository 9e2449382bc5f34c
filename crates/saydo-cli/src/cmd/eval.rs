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

use crate::cmd::score::ModeArg;
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

/// Run a model through a protocol of the papers, or a task of your own, and score it
///
/// saydo eval zest --data dev.jsonl --held asks the function that `saydo run` applies; without --held the model writes
/// freely under the paper's layout and decoding. saydo eval reading --data FILE takes SQuAD's JSON, JSON Lines with a question
/// in each row, and tasks; everyday is the data set that ships inside, suite a fixed set of sources. What was answered before is not asked again. Besides names of models,
/// --model takes baseline:NAME (always-na, majority, copy-input, copy-example, the, e) and replay:FILE for predictions
/// that are stored.
#[derive(Clone, Default, clap::Args, Deserialize)]
#[serde(default, deny_unknown_fields, rename_all = "kebab-case")]
pub struct Args {
    /// zest, natural-instructions, super-natural-instructions, turking, reading, everyday, suite, or a task file of your own
    #[serde(skip)]
    pub protocol: String,

    /// Data: tasks, or for turking its resources; for a task of your own, labelled rows. May be given several times
    #[arg(long, value_name = "PATH")]
    pub data: Vec<PathBuf>,

    /// Which fixed set `suite` asks: the one to choose by, or the one to report on
    #[arg(long, value_enum)]
    set: Option<reading::Set>,

    /// Folder of the files that `suite` names (default: the folder of pulled datasets)
    #[arg(long, value_name = "FOLDER")]
    data_dir: Option<PathBuf>,

    /// For reading: ask every other wording of a task too, as a task of its own
    #[arg(long)]
    paraphrases: bool,

    /// Layouts of prompts, by name (see `saydo encode --help`); `all` for every one of Natural Instructions
    #[arg(long, value_name = "NAME", value_delimiter = ',')]
    pub layout: Vec<String>,

    /// Examples in a prompt: a number, or max for as many as the model reads; ZEST and tasks of your own lend their first
    /// instances, which are then not scored
    #[arg(long, short = 'f', value_name = "N|max", value_parser = plan::examples)]
    #[serde(deserialize_with = "plan::examples_of")]
    num_fewshot: Option<saydo_protocol::plan::Examples>,

    /// Instances of each task (default: the paper's number); for reading, rows of each source, drawn by the seed
    #[arg(long, short = 'L', value_name = "N")]
    pub limit: Option<usize>,

    /// Split file of `saydo split`, or natural-instructions, leave-one-category:NAME, leave-one-dataset:NAME,
    /// leave-one-task:ID; see --on
    #[arg(long, value_name = "SPLIT")]
    split: Option<String>,

    /// Which side of the split is evaluated
    #[arg(long, value_enum, default_value = "unseen", requires = "split")]
    on: data::Side,

    /// Only these tasks, by id or by its beginning
    #[arg(long, value_name = "ID", value_delimiter = ',')]
    tasks: Vec<String>,

    /// Only so many tasks of each category, the first by id
    #[arg(long, value_name = "N")]
    per_category: Option<usize>,

    /// Hold answers to their kind, as `saydo run` does, instead of free generation
    #[arg(long)]
    pub held: bool,

    /// Score samples that the model was trained on, too, and mark every row, table and report of them (default: refuse)
    #[arg(long)]
    allow_seen: bool,

    /// Put prompts as a turn of a conversation, in the model's own template
    #[arg(long)]
    chat: bool,

    /// Leave part of the input out (ZEST's Table 5)
    #[arg(long, value_parser = named::<Ablation>())]
    ablation: Option<Ablation>,

    /// Decodings instead of the paper's
    #[arg(long, value_enum, value_delimiter = ',')]
    decoding: Vec<decoding::Name>,

    /// Replies to each prompt when drawing at random (default: 1)
    #[arg(long, value_name = "N")]
    draws: Option<usize>,

    /// What ends a reply, instead of what the paper says
    #[arg(long, value_enum)]
    stop: Option<decoding::Stop>,

    /// Score as the reference programs do, or with their quirks repaired
    #[arg(long, value_enum, default_value = "strict")]
    mode: ModeArg,

    /// Folder that records the run (default: one named for what is run, under the home folder)
    #[arg(long, short = 'o', value_name = "FOLDER")]
    #[serde(skip)]
    pub output_path: Option<PathBuf>,

    /// Start anew; what was recorded before is put aside
    #[arg(long)]
    no_resume: bool,

    /// Ask again what failed before
    #[arg(long)]
    retry_errors: bool,

    /// Learn on these rows how often answers are right that are so and so sure, and keep it beside the adapter; for reading and
    /// suite, on rows that are not reported
    #[arg(long)]
    fit_confidence: bool,

    /// Also write every sample as lm-evaluation-harness does, whole prompts included
    #[arg(long, short = 's')]
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

    /// Say nothing but errors and the tables
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
        Options { mode: self.mode.into(), seed: self.model.seed() }
    }
}

/// Now, as file names have it.
fn now() -> String {
    date::stamp(SystemTime::now().duration_since(UNIX_EPOCH).unwrap_or_default().as_secs())
}
