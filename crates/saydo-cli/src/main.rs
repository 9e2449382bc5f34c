//! Saydo: say it, and it is done; then know how often it is done right.

mod cluster;
mod cmd;
mod failure;
mod flags;
mod home;
mod memory;
mod model;
mod na;
mod output;
mod progress;
mod stop;
mod table;
mod task;
mod task_split;
mod turking;

use clap::Parser;
use std::process::ExitCode;

/// Say it, and it is done; then know how often it is done right.
///
/// Saydo turns tasks described in plain words into functions over text, and measures how well they are done with the
/// protocols of ZEST, Natural Instructions and the Turking Test.
#[derive(Parser)]
#[command(name = "saydo", version, arg_required_else_help = true)]
struct Cli {
    #[command(subcommand)]
    command: cmd::Command,
}

fn main() -> ExitCode {
    let cli = Cli::parse_from(flags::with_hyphens(std::env::args_os()));
    match cli.command.run() {
        Ok(verdict) => verdict.exit_code(),
        Err(error) => failure::report(&error),
    }
}
