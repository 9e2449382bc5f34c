//! Saydo: say it, and it is done; then know how often it is done right.

use std::process::ExitCode;

fn main() -> ExitCode {
    saydo_cli::run(std::env::args_os())
}
