//! `saydo run`: a description over documents, typed rows out.

mod batch;
mod browser;
mod plan;
mod sink;
mod summary;
mod view;
mod watch;

use crate::failure::Verdict;
use crate::model::ModelArgs;
use crate::task::TaskArgs;
use crate::{elsewhere, output};
use anyhow::{Result, bail};
use saydo::answering::{FailOnError, Finished, Summary};
use saydo::job::run::{Report, Run};
use saydo::record::Ledger;
use saydo_corpus::{Corpus, Limit, Shard};
use sink::Sink;
use std::path::PathBuf;
use std::sync::Arc;
use watch::Watch;

/// Apply a description or task file to documents and get typed rows
///
/// Inputs are folders, files, glob patterns, tables (JSONL, JSON, CSV, TSV, Parquet) and `-` for standard input: saydo run
/// "Are dogs allowed on this trail?" trails/. An interrupted run resumes when started again. Exit codes: 0 done, 1 done but
/// rows failed, 2 could not run or was interrupted.
#[derive(clap::Args)]
pub struct Args {
    #[command(flatten)]
    task: TaskArgs,

    /// Output file: .jsonl, .csv, .tsv, .parquet, .md or .html
    #[arg(long, short = 'o', visible_alias = "output", value_name = "FILE")]
    output_path: Option<PathBuf>,

    /// Column or field that holds the text
    #[arg(long, visible_alias = "field", value_name = "NAME")]
    column: Option<String>,

    /// Column or field that holds each row's own question, in place of a task; all words are then inputs
    #[arg(long, value_name = "NAME", conflicts_with_all = ["task", "calibrate", "export_batch", "import_batch"], hide_short_help = true)]
    question_column: Option<String>,

    /// Format of standard input and of files with an unknown extension
    #[arg(long, value_enum, hide_short_help = true)]
    format: Option<plan::Format>,

    /// How many documents to read: a count, a fraction, or a range such as 100-200
    #[arg(long, short = 'L')]
    limit: Option<Limit>,

    /// Labelled rows (JSON Lines) to set the threshold between an answer and NA; prints the operating points
    #[arg(long, value_name = "FILE", hide_short_help = true)]
    calibrate: Option<PathBuf>,

    /// Add the passage that supports each yes-no or label answer; requires a model trained for functions
    #[arg(long)]
    evidence: bool,

    /// Print rows as JSON lines even to a terminal
    #[arg(long, conflicts_with = "output_path")]
    json: bool,

    /// Open the page of rows in the browser: the .html file of -o, otherwise rows.html in the run's folder
    #[arg(long, conflicts_with_all = ["export_batch", "import_batch"])]
    open: bool,

    /// Folder that records the run (default: named after the task, in the home folder)
    #[arg(long, value_name = "FOLDER", hide_short_help = true, help_heading = "Recording")]
    run: Option<PathBuf>,

    /// Start over; the earlier record is set aside
    #[arg(long, hide_short_help = true, help_heading = "Recording")]
    no_resume: bool,

    /// Retry rows that failed or could not be parsed
    #[arg(long, help_heading = "Recording")]
    retry_errors: bool,

    /// Stop when too many rows fail: a share (0.1, checked from 20 rows on) or a count (10)
    #[arg(long, value_name = "BOUND", hide_short_help = true, help_heading = "Large runs")]
    fail_on_error: Option<FailOnError>,

    /// Process one part of the documents: 2/8 is part 2 of 8
    #[arg(long, value_name = "I/N", hide_short_help = true, help_heading = "Large runs")]
    shard: Option<Shard>,

    /// Write the open requests as an OpenAI batch file instead of calling a model
    #[arg(long, value_name = "FILE", conflicts_with_all = ["import_batch", "output_path"], hide_short_help = true, help_heading = "Large runs")]
    export_batch: Option<PathBuf>,

    /// Record a batch file's results and write the complete rows; calls no model
    #[arg(long, value_name = "FILE", hide_short_help = true, help_heading = "Large runs")]
    import_batch: Option<PathBuf>,

    /// Print errors only
    #[arg(long, short)]
    quiet: bool,

    /// Named here only to say which program has it
    #[arg(long, hide = true)]
    cluster: Option<String>,

    #[command(flatten)]
    model: ModelArgs,
}

pub fn run(args: Args) -> Result<Verdict> {
    if args.cluster.is_some() {
        return Err(elsewhere::in_cluster_program("run --cluster", "saydo-cluster run --scheduler HOST:PORT"));
    }
    // What is wrong with inputs and output is known before a model is loaded.
    let (tasks, inputs) = match args.question_column {
        Some(_) => (Vec::new(), args.task.inputs()),
        None => args.task.tasks_and_inputs()?,
    };
    let corpus = Corpus::open(&inputs, &plan::options(&args))?;
    Sink::check(&args)?;
    let plan = plan::plan(&args, tasks, &inputs)?;
    if !args.quiet {
        plan::describe(&args, &plan, corpus.skipped());
    }
    match (&args.export_batch, &args.import_batch) {
        (Some(path), _) => batch::export(&args, &plan, corpus, path),
        (_, Some(path)) => batch::import(&args, &plan, corpus, path),
        (None, None) => answer(&args, &plan, corpus),
    }
}

/// Has the model answer what is not recorded yet.
fn answer(args: &Args, plan: &Run, corpus: Corpus) -> Result<Verdict> {
    let mut ledger = plan::ledger(args, plan)?;
    let mut sink = Sink::new(args, plan)?;
    let mut watch = Watch::new(args.quiet, corpus.progress());
    let stop = crate::stop::on_interrupt()?;
    let mut documents = corpus.until(Arc::clone(&stop));
    let result = plan.answer(&mut documents, &mut ledger, &stop, &mut |finished: Finished<'_>| {
        watch.row(finished.is_new);
        sink.write(finished.document, finished.row)
    });
    drop(watch);
    finish(args, plan, sink, ledger, result)
}

/// Ends the output and says how it went.
fn finish(
    args: &Args,
    plan: &Run,
    sink: Sink,
    ledger: Ledger,
    result: Result<Report, saydo::Error>,
) -> Result<Verdict> {
    let rows = sink.rows();
    // Rows that are out stay out, whatever stopped the run; but an output that failed cannot be ended well.
    let ended = match &result {
        Err(saydo::Error::Row(_)) => Ok(()),
        Err(_) if rows == 0 => Ok(()),
        Ok(report) if !report.summary.interrupted => sink.finish(),
        _ => sink.finish_early(),
    };
    let report = match result {
        Err(saydo::Error::Row(error)) => return Err(anyhow::Error::from_boxed(error)),
        Err(error) => return Err(error.into()),
        Ok(report) => report,
    };
    ended?;
    report.write(plan)?;
    if !args.quiet {
        summary::print(args, plan, &report, ledger.repair());
    }
    if report.summary.interrupted {
        bail!("interrupted after {rows} rows; the same command goes on from there");
    }
    if args.open {
        browser::show(&Sink::page(args, plan));
    }
    Ok(verdict(&report.summary))
}

fn verdict(summary: &Summary) -> Verdict {
    if summary.rows_failed > 0 { Verdict::No } else { Verdict::Done }
}

/// Prints a note unless there shall be none.
fn note(args: &Args, text: &str) {
    if !args.quiet {
        output::note(text);
    }
}
