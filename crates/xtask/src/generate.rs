//! Reference pages made by running the binary, so that they cannot say anything else than it does.

use crate::cargo::{Workspace, root};
use anyhow::{Context, Result, bail};
use serde_json::Value;
use std::fmt::Write as _;
use std::path::{Path, PathBuf};
use std::process::{Command, Stdio};

/// A program, and the pages that it makes.
pub struct Program {
    name: &'static str,
    workspace: Workspace,
    /// The tests that drive it, and are built with it.
    tests: &'static str,
    /// File names, and the commands whose output they are; none for the help of every command.
    pages: &'static [(&'static str, &'static [&'static str])],
}

/// The main program.
pub const SAYDO: Program = Program {
    name: "saydo",
    workspace: Workspace::Main,
    tests: "suite",
    pages: &[("command-line.md", &[]), ("lint-codes.md", &["lint", "--explain"])],
};

/// The program in the workspace with the engine of tables.
pub const CLUSTER: Program = Program {
    name: "saydo-cluster",
    workspace: Workspace::Cluster,
    tests: "processes",
    pages: &[("cluster-command-line.md", &[])],
};

/// Writes the pages.
pub fn write(program: &Program) -> Result<()> {
    let binary = build(program, &["build", "--bin", program.name])?;
    for (path, text) in pages(program, &binary)? {
        std::fs::create_dir_all(path.parent().context("a page has a folder")?)?;
        std::fs::write(&path, text).with_context(|| format!("writing {}", path.display()))?;
    }
    Ok(())
}

/// Fails if a page on disk is not what the binary would make it: the one that was built for the tests, since any other
/// would be built with other features of its dependencies.
pub fn check(program: &Program) -> Result<()> {
    let binary = build(program, &["test", "--workspace", "--no-run", "--test", program.tests])?;
    for (path, text) in pages(program, &binary)? {
        if std::fs::read_to_string(&path).unwrap_or_default() != text {
            bail!("{} is out of date; run `cargo xtask generate` (`generate cluster`)", path.display());
        }
    }
    Ok(())
}

fn pages(program: &Program, binary: &Path) -> Result<Vec<(PathBuf, String)>> {
    let page = |(file, command): &(&str, &[&str])| {
        let text = if command.is_empty() { command_line(program, binary)? } else { output_of(binary, command)? };
        Ok((root().join("docs/reference").join(file), text))
    };
    program.pages.iter().map(page).collect()
}

fn command_line(program: &Program, binary: &Path) -> Result<String> {
    let mut page = String::from("# Command line\n\nWhat `--help` prints, for every command.\n");
    let mut pending = vec![Vec::<String>::new()];
    while let Some(command) = pending.pop() {
        let mut arguments: Vec<&str> = command.iter().map(String::as_str).collect();
        arguments.push("--help");
        let help = output_of(binary, &arguments)?;
        let title = [program.name].into_iter().chain(command.iter().map(String::as_str)).collect::<Vec<_>>().join(" ");
        write!(page, "\n## {title}\n\n```text\n{}\n```\n", help.trim_end())?;
        pending.extend(subcommands(&help).into_iter().rev().map(|name| {
            let mut path = command.clone();
            path.push(name);
            path
        }));
    }
    Ok(page)
}

/// The names listed under `Commands:` in a help text.
fn subcommands(help: &str) -> Vec<String> {
    help.lines()
        .skip_while(|line| *line != "Commands:")
        .skip(1)
        .take_while(|line| line.starts_with("  "))
        .filter(|line| !line.starts_with("   "))
        .filter_map(|line| line.split_whitespace().next())
        .filter(|name| *name != "help")
        .map(str::to_owned)
        .collect()
}

/// Has cargo build the program and says where it is.
fn build(program: &Program, arguments: &[&str]) -> Result<PathBuf> {
    let mut command = program.workspace.command();
    command.args(arguments).args(["--quiet", "--message-format", "json-render-diagnostics"]);
    let output = command.stderr(Stdio::inherit()).output().context("running cargo build")?;
    if !output.status.success() {
        bail!("cannot build {}", program.name);
    }
    let messages = String::from_utf8(output.stdout).context("cargo's messages are UTF-8")?;
    let executable = |line: &str| {
        let message: Value = serde_json::from_str(line).ok()?;
        let is_it = message["target"]["name"] == program.name && message["target"]["kind"][0] == "bin";
        is_it.then(|| message["executable"].as_str().map(PathBuf::from)).flatten()
    };
    messages.lines().find_map(executable).with_context(|| format!("cargo built no {}", program.name))
}

fn output_of(binary: &Path, arguments: &[&str]) -> Result<String> {
    let output = Command::new(binary).args(arguments).env("COLUMNS", "100").output();
    let output = output.with_context(|| format!("running {}", binary.display()))?;
    if !output.status.success() {
        bail!("{} {arguments:?} failed: {}", binary.display(), String::from_utf8_lossy(&output.stderr));
    }
    String::from_utf8(output.stdout).context("help is UTF-8")
}
