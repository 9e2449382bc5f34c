//! `saydo predict`: replies to a test set without answers, in the form that its evaluator reads.

use super::{DECODINGS, STOPS};
use crate::failure::Verdict;
use crate::flags::described;
use crate::model::ModelArgs;
use crate::progress::Terminal;
use crate::{output, stop};
use anyhow::Result;
use saydo::job::eval::{Choice, Settings, Stop, predict_at};
use saydo_protocol::plan::Examples;
use std::path::PathBuf;

/// Write predictions for an unanswered test set, in its evaluator's format
///
/// saydo predict zest test_unanswered.jsonl -o predictions.txt writes a line per example, in order. natural-instructions
/// writes a folder with a file per task, {"predictions": [{"index", "output"}]}; super-natural-instructions writes JSON
/// Lines of id and prediction. Recorded answers are not asked again.
#[derive(clap::Args)]
pub struct Args {
    /// zest, natural-instructions or super-natural-instructions
    protocol: String,

    /// The test set: files or folders of tasks
    #[arg(required = true, value_name = "DATA")]
    data: Vec<PathBuf>,

    /// File to write; for natural-instructions, a folder
    #[arg(long, short = 'o', value_name = "PATH")]
    output_path: PathBuf,

    /// Folder that records the run (default: named after the evaluation, in the home folder)
    #[arg(long, value_name = "FOLDER")]
    run: Option<PathBuf>,

    /// Prompt layout by name (see `saydo encode --list`)
    #[arg(long, value_name = "NAME")]
    layout: Option<String>,

    /// Examples per prompt: a number, or max for as many as fit
    #[arg(long, short = 'f', value_name = "N|max", value_parser = str::parse::<Examples>)]
    num_fewshot: Option<Examples>,

    /// Max instances per task (default: all; for super-natural-instructions the first 100, which are scored)
    #[arg(long, short = 'L', value_name = "N")]
    limit: Option<usize>,

    /// Only these tasks: ids or how they begin
    #[arg(long, value_name = "ID", value_delimiter = ',')]
    tasks: Vec<String>,

    /// Constrained decoding, as in `saydo run`, instead of free generation
    #[arg(long, alias = "held")]
    constrained: bool,

    /// Use the model's chat template
    #[arg(long)]
    chat: bool,

    /// Decoding (default: the paper's)
    #[arg(long, value_parser = described::<Choice>(&DECODINGS))]
    decoding: Option<Choice>,

    /// What ends a reply (default: the paper's rule)
    #[arg(long, value_parser = described::<Stop>(&STOPS))]
    stop: Option<Stop>,

    /// Start over; the earlier record is set aside
    #[arg(long)]
    no_resume: bool,

    /// Retry samples that failed
    #[arg(long)]
    retry_errors: bool,

    /// Print errors only
    #[arg(long, short)]
    quiet: bool,

    #[command(flatten)]
    model: ModelArgs,
}

pub fn run(args: Args) -> Result<Verdict> {
    let (is_quiet, path, places) = (args.quiet, args.output_path.clone(), args.model.home().places()?);
    let mut terminal = Terminal::new(is_quiet);
    let stop = stop::on_interrupt()?;
    let written = predict_at(&args.into_settings(), &path, &places, &mut |event| terminal.show(event), &stop);
    let [all, failed] = written?;
    drop(terminal);
    if !is_quiet {
        output::note(&format!("{all} predictions in {}", path.display()));
    }
    if failed > 0 {
        output::note(&format!("{failed} of them failed and stand as n/a"));
    }
    Ok(if failed > 0 { Verdict::No } else { Verdict::Done })
}

impl Args {
    /// The evaluation that asks the same.
    fn into_settings(self) -> Settings {
        Settings {
            protocol: self.protocol,
            data: self.data,
            folder: self.run,
            layout: self.layout.into_iter().collect(),
            num_fewshot: self.num_fewshot,
            limit: self.limit,
            tasks: self.tasks,
            constrained: self.constrained,
            chat: self.chat,
            stop: self.stop,
            decoding: self.decoding.into_iter().collect(),
            no_resume: self.no_resume,
            retry_errors: self.retry_errors,
            model: self.model.settings(),
            ..Settings::default()
        }
    }
}
