//! `saydo-cluster`: descriptions as functions over tables, on this machine or on many.

mod cmd;

use clap::Parser;
use saydo_cli::{failure, flags};
use std::process::ExitCode;

/// Descriptions as functions over tables, on this machine or on many.
///
/// `saydo-cluster sql` needs nothing but a model. `saydo-cluster run` gives the rows of `saydo run` from a cluster: one
/// scheduler, and an executor with a model on each machine.
#[derive(Parser)]
#[command(name = "saydo-cluster", version, arg_required_else_help = true)]
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
