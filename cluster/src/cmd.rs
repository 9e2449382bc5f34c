//! The subcommands, one file each: arguments, then a call into the library.

mod executor;
mod run;
mod scheduler;
mod sql;
mod store;

use anyhow::Result;
use saydo_cli::failure::Verdict;

/// What `saydo-cluster` can be told to do.
#[derive(clap::Subcommand)]
pub enum Command {
    Sql(Box<sql::Args>),
    Run(run::Args),
    Scheduler(scheduler::Args),
    Executor(Box<executor::Args>),
}

impl Command {
    /// Runs the command.
    pub fn run(self) -> Result<Verdict> {
        match self {
            Command::Sql(args) => sql::run(&args),
            Command::Run(args) => run::run(&args),
            Command::Scheduler(args) => scheduler::run(&args),
            Command::Executor(args) => executor::run(&args),
        }
    }
}
