//! Reference pages made by running the binary, so that they cannot say anything else than it does.

use anyhow::{Context, Result, bail};
use std::fmt::Write as _;
use std::path::PathBuf;
use std::process::Command;

/// Writes the pages.
pub fn write() -> Result<()> {
    for (path, text) in pages()? {
        std::fs::create_dir_all(path.parent().context("a page has a folder")?)?;
        std::fs::write(&path, text).with_context(|| format!("writing {}", path.display()))?;
    }
    Ok(())
}

/// Fails if a page on disk is not what the binary would make it.
pub fn check() -> Result<()> {
    for (path, text) in pages()? {
        if std::fs::read_to_string(&path).unwrap_or_default() != text {
            bail!("{} is out of date; run `cargo xtask generate`", path.display());
        }
    }
    Ok(())
}

fn pages() -> Result<Vec<(PathBuf, String)>> {
    let folder = PathBuf::from(concat!(env!("CARGO_MANIFEST_DIR"), "/../../docs/reference"));
    Ok(vec![
        (folder.join("command-line.md"), command_line()?),
        (folder.join("lint-codes.md"), saydo(&["lint", "--explain"])?),
    ])
}

fn command_line() -> Result<String> {
    let mut page = String::from("# Command line\n\nWhat `--help` prints, for every command.\n");
    let mut pending = vec![Vec::<String>::new()];
    while let Some(command) = pending.pop() {
        let mut arguments: Vec<&str> = command.iter().map(String::as_str).collect();
        arguments.push("--help");
        let help = saydo(&arguments)?;
        let title = ["saydo"].into_iter().chain(command.iter().map(String::as_str)).collect::<Vec<_>>().join(" ");
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

fn saydo(arguments: &[&str]) -> Result<String> {
    let output = Command::new(env!("CARGO"))
        .args(["run", "--quiet", "--bin", "saydo", "--"])
        .args(arguments)
        .env("COLUMNS", "100")
        .output()
        .context("running saydo")?;
    if !output.status.success() {
        bail!("saydo {arguments:?} failed: {}", String::from_utf8_lossy(&output.stderr));
    }
    String::from_utf8(output.stdout).context("help is UTF-8")
}
