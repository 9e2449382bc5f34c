//! `saydo completions`: what a shell needs to complete commands and flags, and manual pages.

use crate::Cli;
use crate::failure::Verdict;
use anyhow::{Context, Result};
use clap::{Command, CommandFactory as _};
use clap_complete::Shell;
use clap_mangen::Man;
use std::io::Write as _;
use std::path::{Path, PathBuf};

/// Print shell completions, or write manual pages
///
/// For bash: saydo completions bash > ~/.local/share/bash-completion/completions/saydo. For fish: saydo completions fish >
/// ~/.config/fish/completions/saydo.fish. For zsh, write to a file _saydo in a folder of your fpath.
#[derive(clap::Args)]
pub struct Args {
    /// The shell
    #[arg(value_enum, required_unless_present = "man")]
    shell: Option<Shell>,

    /// Write manual pages into this folder instead
    #[arg(long, value_name = "FOLDER", conflicts_with = "shell")]
    man: Option<PathBuf>,
}

pub fn run(args: &Args) -> Result<Verdict> {
    let mut program = Cli::command();
    if let Some(folder) = &args.man {
        saydo_file::disk::create_folders(folder).with_context(|| format!("cannot create {}", folder.display()))?;
        program.build();
        write_pages(&program, folder)?;
        return Ok(Verdict::Done);
    }
    if let Some(shell) = args.shell {
        let mut script = Vec::new();
        clap_complete::generate(shell, &mut program, "saydo", &mut script);
        std::io::stdout().write_all(&script)?;
    }
    Ok(Verdict::Done)
}

/// A page for the command and for each one below it.
fn write_pages(command: &Command, folder: &Path) -> Result<()> {
    let page = Man::new(command.clone());
    let path = folder.join(page.get_filename());
    let mut text = Vec::new();
    page.render(&mut text)?;
    saydo_file::write(&path, &text).with_context(|| format!("cannot write {}", path.display()))?;
    let is_page = |below: &&Command| !below.is_hide_set() && below.get_name() != "help";
    command.get_subcommands().filter(is_page).try_for_each(|below| write_pages(below, folder))
}
