//! Commands that another program has. They are named here only to say which.

use crate::failure::Hinted;

/// Whatever follows the name of such a command.
#[derive(clap::Args)]
#[command(disable_help_flag = true)]
pub struct Args {
    #[arg(trailing_var_arg = true, allow_hyphen_values = true, num_args = 0..)]
    _ignored: Vec<String>,
}

/// The error that says where a command is and what it is called there.
pub fn in_cluster_program(command: &str, there: &str) -> anyhow::Error {
    let message = format!("`saydo {command}` is not in this program; saydo-cluster has it: {there}");
    let hint = "install it from the repository: cargo install --locked --path cluster; see docs/cluster.md";
    Hinted { message, hint }.into()
}
