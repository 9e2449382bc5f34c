//! All checks in the order of their cost. The first failure ends the run.

use crate::{generate, layers};
use anyhow::{Context, Result, bail};
use std::process::{Command, Stdio};

/// Runs every check.
pub fn run() -> Result<()> {
    step("formatting", || cargo(&["fmt", "--all", "--check"]))?;
    step("layers", layers::check)?;
    step("lints", || cargo(&["clippy", "--workspace", "--all-targets", "--", "-D", "warnings"]))?;
    step("tests", || cargo(&["test", "--workspace", "--lib", "--bins", "--tests", "--examples"]))?;
    step("doc tests", || cargo(&["test", "--workspace", "--doc"]))?;
    step("benchmarks compile", || cargo(&["bench", "--workspace", "--no-run", "--profile", "dev"]))?;
    step("documentation", documentation)?;
    step("no default features", || cargo(&["check", "--workspace", "--no-default-features"]))?;
    step("reference pages", generate::check)?;
    step("dependency policy", dependency_policy)?;
    eprintln!("xtask: all checks passed");
    Ok(())
}

fn step(name: &str, check: impl FnOnce() -> Result<()>) -> Result<()> {
    eprintln!("xtask: {name}");
    check().with_context(|| format!("the check `{name}` failed"))
}

fn cargo(arguments: &[&str]) -> Result<()> {
    succeed(Command::new(env!("CARGO")).args(arguments))
}

fn documentation() -> Result<()> {
    let mut command = Command::new(env!("CARGO"));
    command.args(["doc", "--workspace", "--no-deps"]).env("RUSTDOCFLAGS", "-D warnings");
    succeed(&mut command)
}

/// The advisory database lives on the network, so advisories are left to whoever has one.
fn dependency_policy() -> Result<()> {
    let is_there = Command::new("cargo-deny").arg("--version").stdout(Stdio::null()).status().is_ok();
    if !is_there {
        eprintln!("xtask: skipped, cargo-deny is not installed");
        return Ok(());
    }
    cargo(&["deny", "--offline", "check", "licenses", "bans", "sources"])
}

fn succeed(command: &mut Command) -> Result<()> {
    let status = command.status().with_context(|| format!("running {command:?}"))?;
    if !status.success() {
        bail!("{command:?} ended with {status}");
    }
    Ok(())
}
