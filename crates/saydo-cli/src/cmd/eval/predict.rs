//! `saydo predict`: replies to a test set without answers, in the form that its evaluator reads.

use super::plan::Prepared;
use super::{Args as EvalArgs, ask, decoding, plan};
use crate::failure::Verdict;
use crate::model::ModelArgs;
use crate::output;
use anyhow::{Context, Result, bail};
use saydo::record::Ledger;
use saydo_protocol::plan::Examples;
use saydo_protocol::predictions;
use saydo_protocol::record::ledger_path;
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
    #[arg(long, short = 'f', value_name = "N|max", value_parser = plan::examples)]
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
    #[arg(long, value_enum)]
    decoding: Option<decoding::Name>,

    /// What ends a reply (default: the paper's rule)
    #[arg(long, value_enum)]
    stop: Option<decoding::Stop>,

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
    let path = args.output_path.clone();
    let args = args.into_evaluation()?;
    let mut prepared = Prepared::new(&args)?;
    if !args.quiet {
        prepared.describe();
    }
    prepared.record.save(&prepared.folder, &prepared.plan)?;
    let ledger_path = ledger_path(&prepared.folder);
    if args.no_resume {
        Ledger::set_aside(&ledger_path)?;
    }
    let mut ledger = Ledger::open(&ledger_path, &[])?;
    let summary = ask(&args, &prepared, &mut ledger)?;
    if summary.is_interrupted {
        let left = prepared.plan.samples.len() - summary.found - summary.new;
        bail!("interrupted with {left} samples left; the same command goes on from there");
    }
    let replies: Vec<_> = prepared.plan.samples.iter().map(|sample| ledger.read(sample.key)).collect();
    predictions::write(&prepared.plan, &replies, &path).context("cannot write the predictions")?;
    if !args.quiet {
        output::note(&format!("{} predictions in {}", prepared.plan.samples.len(), path.display()));
    }
    if summary.failed > 0 {
        output::note(&format!("{} of them failed and stand as n/a", summary.failed));
    }
    Ok(if summary.failed > 0 { Verdict::No } else { Verdict::Done })
}

impl Args {
    /// The evaluation that asks the same.
    fn into_evaluation(self) -> Result<EvalArgs> {
        let known = ["zest", "natural-instructions", "super-natural-instructions"];
        if !known.contains(&&*self.protocol) {
            bail!("{} has no test set without answers, expected one of {}", self.protocol, known.join(", "));
        }
        Ok(EvalArgs {
            protocol: self.protocol,
            data: self.data,
            output_path: self.run,
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
            quiet: self.quiet,
            model: self.model,
            unlabelled: true,
            ..EvalArgs::default()
        })
    }
}
