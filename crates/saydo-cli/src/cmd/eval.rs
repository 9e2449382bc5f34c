//! `saydo eval`: a model through a protocol, recorded and scored.

pub mod predict;
pub mod print;

use crate::cmd::score::level;
use crate::failure::Verdict;
use crate::flags::{described, named};
use crate::model::ModelArgs;
use crate::progress::Terminal;
use crate::{output, stop};
use anyhow::Result;
use saydo::job::eval::{Choice, Set, Settings, Side, Stop, evaluate_at};
use saydo_protocol::Mode;
use saydo_protocol::plan::Examples;
use saydo_task::Ablation;
use std::path::PathBuf;

/// What help says of each set, side, decoding and end of replies.
const SETS: [&str; 2] = ["To choose recipes, prompts and thresholds by", "To report on, once, at the end"];
pub(super) const DECODINGS: [&str; 3] =
    ["The most likely token", "Nucleus sampling, p = 0.9", "Beam search with four beams"];
pub(super) const STOPS: [&str; 3] =
    ["A blank line", "The end of a line", "Only the model's end token, or the max length"];
/// What help says of strict and fixed scoring.
pub(super) const MODES: [&str; 2] =
    ["Equal to the reference program, quirks included", "The reference program's quirks repaired"];

/// Evaluate a model with a protocol of the papers, or on a task of your own
///
/// saydo eval zest --data dev.jsonl --constrained evaluates the function that `saydo run` applies; without --constrained,
/// the model generates freely with the paper's layout and decoding. reading takes SQuAD's JSON, JSON Lines with a question
/// in each row, or tasks; everyday ships with Saydo; suite is a fixed set of sources. Recorded answers are not asked again.
/// --model also takes baseline:NAME (always-na, majority, copy-input, copy-example, the, e) and replay:FILE for stored
/// predictions.
#[derive(clap::Args)]
pub struct Args {
    /// zest, natural-instructions, super-natural-instructions, turking, reading, everyday, suite, or a task file of your own
    protocol: String,

    /// Data: tasks; for turking, its resources; for your own task, labelled rows; repeatable
    #[arg(long, value_name = "PATH")]
    data: Vec<PathBuf>,

    /// Fixed set of `suite`: one to choose by, one to report on
    #[arg(long, value_parser = described::<Set>(&SETS), help_heading = "Which samples")]
    set: Option<Set>,

    /// Folder with the files of `suite` (default: the folder of pulled datasets)
    #[arg(long, value_name = "FOLDER", help_heading = "Which samples", hide_short_help = true)]
    data_dir: Option<PathBuf>,

    /// For reading: also ask every paraphrase of a task, as its own task
    #[arg(long, help_heading = "Which samples", hide_short_help = true)]
    paraphrases: bool,

    /// Prompt layouts by name (see `saydo encode --list`); all = every Natural Instructions layout
    #[arg(long, value_name = "NAME", value_delimiter = ',', help_heading = "Prompts and decoding")]
    layout: Vec<String>,

    /// Examples per prompt: a number, or max for as many as fit. For ZEST and your own tasks, the first instances become
    /// examples and are not scored
    #[arg(long, short = 'f', value_name = "N|max", value_parser = str::parse::<Examples>, help_heading = "Prompts and decoding")]
    num_fewshot: Option<Examples>,

    /// Max instances per task (default: the paper's); for reading, random rows per source
    #[arg(long, short = 'L', value_name = "N", help_heading = "Which samples")]
    limit: Option<usize>,

    /// Split to evaluate on: a file of `saydo split`, natural-instructions, leave-one-category:NAME, leave-one-dataset:NAME
    /// or leave-one-task:ID; see --on
    #[arg(long, value_name = "SPLIT", help_heading = "Which samples", hide_short_help = true)]
    split: Option<String>,

    /// Side of the split to evaluate
    #[arg(
        long,
        value_parser = named::<Side>(),
        default_value = "unseen",
        requires = "split",
        help_heading = "Which samples",
        hide_short_help = true
    )]
    on: Side,

    /// Only these tasks: ids or how they begin
    #[arg(long, value_name = "ID", value_delimiter = ',', help_heading = "Which samples")]
    tasks: Vec<String>,

    /// Max tasks per category, the first by id
    #[arg(long, value_name = "N", help_heading = "Which samples", hide_short_help = true)]
    per_category: Option<usize>,

    /// Constrained decoding, as in `saydo run`, instead of free generation
    #[arg(long, alias = "held", help_heading = "Prompts and decoding")]
    constrained: bool,

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
    #[arg(long, value_parser = described::<Choice>(&DECODINGS), value_delimiter = ',', help_heading = "Prompts and decoding", hide_short_help = true)]
    decoding: Vec<Choice>,

    /// Samples per prompt with nucleus sampling (default: 1)
    #[arg(long, value_name = "N", help_heading = "Prompts and decoding", hide_short_help = true)]
    draws: Option<usize>,

    /// What ends a reply (default: the paper's rule)
    #[arg(long, value_parser = described::<Stop>(&STOPS), help_heading = "Prompts and decoding", hide_short_help = true)]
    stop: Option<Stop>,

    /// Score exactly as the reference programs, or with their quirks repaired
    #[arg(long, value_parser = described::<Mode>(&MODES), default_value = "strict", help_heading = "Scoring", hide_short_help = true)]
    mode: Mode,

    /// Level at which a model is competent at tasks that state none (default: 0.75)
    #[arg(long, value_name = "T", value_parser = level, help_heading = "Scoring", hide_short_help = true)]
    competent_at: Option<f64>,

    /// Folder that records the run (default: named after the evaluation, in the home folder)
    #[arg(long, short = 'o', value_name = "FOLDER", help_heading = "Recording")]
    output_path: Option<PathBuf>,

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

    /// Print the scores as JSON
    #[arg(long)]
    json: bool,

    /// Print only errors and tables
    #[arg(long, short)]
    quiet: bool,

    #[command(flatten)]
    model: ModelArgs,
}

pub fn run(args: Args) -> Result<Verdict> {
    let (as_json, is_quiet, places) = (args.json, args.quiet, args.model.home().places()?);
    let mut terminal = Terminal::new(is_quiet);
    let stop = stop::on_interrupt()?;
    let report = evaluate_at(&args.into_settings(), &places, &mut |event| terminal.show(event), &stop)?;
    drop(terminal);
    if as_json {
        output::print_json(&report.scores)?;
    } else {
        output::print(&print::tables(&report.scores))?;
    }
    if !is_quiet {
        output::note(&format!("recorded in {}", report.folder.display()));
    }
    Ok(if report.scores.failed > 0 { Verdict::No } else { Verdict::Done })
}

impl Args {
    /// The library's settings.
    fn into_settings(self) -> Settings {
        Settings {
            protocol: self.protocol,
            data: self.data,
            set: self.set,
            data_dir: self.data_dir,
            paraphrases: self.paraphrases,
            layout: self.layout,
            num_fewshot: self.num_fewshot,
            limit: self.limit,
            split: self.split,
            on: self.on,
            tasks: self.tasks,
            per_category: self.per_category,
            constrained: self.constrained,
            allow_seen: self.allow_seen,
            chat: self.chat,
            ablation: self.ablation,
            decoding: self.decoding,
            draws: self.draws,
            stop: self.stop,
            mode: self.mode,
            competent_at: self.competent_at,
            folder: self.output_path,
            no_resume: self.no_resume,
            retry_errors: self.retry_errors,
            fit_confidence: self.fit_confidence,
            log_samples: self.log_samples,
            unlabelled: false,
            seen_tasks: None,
            model: self.model.settings(),
        }
    }
}
