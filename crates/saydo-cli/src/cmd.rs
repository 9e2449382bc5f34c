//! The subcommands, one file each: arguments, then a plan, then a call into a library.

mod bench;
mod check;
mod completions;
mod convert;
mod data;
mod describe;
mod encode;
mod errors;
mod eval;
mod experiment;
mod export;
mod judge;
mod lint;
mod merge;
mod models;
mod new;
mod refine;
mod release;
mod report;
mod run;
mod score;
mod serve;
mod split;
mod stored;
mod train;

use crate::elsewhere;
use crate::failure::Verdict;
use anyhow::Result;

/// What `saydo` can be told to do.
#[derive(clap::Subcommand)]
pub enum Command {
    New(new::Args),
    Run(run::Args),
    Check(check::Args),
    Refine(Box<refine::Args>),
    Merge(merge::Args),
    Judge(judge::Args),
    Lint(lint::Args),
    Convert(convert::Args),
    Describe(describe::Args),
    Split(split::Args),
    Release(release::Args),
    Train(Box<train::Args>),
    Encode(encode::Args),
    Errors(errors::Args),
    Eval(eval::Args),
    Predict(Box<eval::predict::Args>),
    Experiment(experiment::Args),
    Export(export::Args),
    Score(score::Args),
    Report(report::Args),
    Serve(serve::Args),
    Models(models::Args),
    Data(data::Args),
    Bench(bench::Args),
    Completions(completions::Args),
    #[command(hide = true)]
    Sql(elsewhere::Args),
    #[command(hide = true)]
    Cluster(elsewhere::Args),
}

impl Command {
    /// Runs the command.
    pub fn run(self) -> Result<Verdict> {
        match self {
            Command::New(args) => new::run(args),
            Command::Run(args) => run::run(args),
            Command::Check(args) => check::run(args),
            Command::Refine(args) => refine::run(*args),
            Command::Merge(args) => merge::run(args),
            Command::Judge(args) => judge::run(args),
            Command::Lint(args) => lint::run(args),
            Command::Convert(args) => convert::run(args),
            Command::Describe(args) => describe::run(args),
            Command::Split(args) => split::run(args),
            Command::Release(args) => release::run(args),
            Command::Train(args) => train::run(*args),
            Command::Encode(args) => encode::run(args),
            Command::Errors(args) => errors::run(args),
            Command::Eval(args) => eval::run(args),
            Command::Predict(args) => eval::predict::run(*args),
            Command::Experiment(args) => experiment::run(args),
            Command::Export(args) => export::run(args),
            Command::Score(args) => score::run(args),
            Command::Report(args) => report::run(args),
            Command::Serve(args) => serve::run(args),
            Command::Models(args) => models::run(args),
            Command::Data(args) => data::run(args),
            Command::Bench(args) => bench::run(args),
            Command::Completions(args) => completions::run(&args),
            Command::Sql(_) => Err(elsewhere::in_cluster_program("sql", "saydo-cluster sql QUERY")),
            Command::Cluster(_) => {
                Err(elsewhere::in_cluster_program("cluster", "saydo-cluster scheduler, saydo-cluster executor"))
            }
        }
    }
}
