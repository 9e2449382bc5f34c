//! The `saydo` program, as a library: what other programs of Saydo share with it.
//!
//! The public modules are how a program speaks with its user: tasks and models named on the command line, the home folder,
//! notes, and how it ends. Everything else is the program itself, behind [`run`].

mod cmd;
mod config;
mod elsewhere;
pub mod failure;
pub mod flags;
pub mod home;
mod kept;
mod memory;
pub mod model;
mod nearest;
pub mod output;
mod prefix;
mod progress;
mod schema;
mod speed;
mod stop;
mod table;
pub mod task;
mod turking;

use clap::{CommandFactory as _, Parser};
use std::ffi::OsString;
use std::path::PathBuf;
use std::process::ExitCode;

/// Say it, and it is done; then know how often it is done right.
///
/// Saydo turns tasks described in plain words into functions over text, and measures how well they are done with the
/// protocols of ZEST, Natural Instructions and the Turking Test.
#[derive(Parser)]
#[command(name = "saydo", version, arg_required_else_help = true)]
struct Cli {
    /// TOML file with flags for any command; flags given on the command line win
    #[arg(
        long,
        short = 'C',
        value_name = "FILE",
        global = true,
        hide_short_help = true,
        help_heading = "Files and folders"
    )]
    config: Option<PathBuf>,

    #[command(subcommand)]
    command: cmd::Command,
}

/// Runs the command that these arguments name, the program's own name first. Arguments that are none end the process.
pub fn run(arguments: impl Iterator<Item = OsString>) -> ExitCode {
    let done = config::expand(&Cli::command(), flags::with_hyphens(arguments))
        .and_then(|arguments| Cli::parse_from(arguments).command.run());
    match done {
        Ok(verdict) => verdict.exit_code(),
        Err(error) => failure::report(&error),
    }
}
