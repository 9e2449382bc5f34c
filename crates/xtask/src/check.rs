//! All checks in the order of their cost. The first failure ends the run.

use crate::{generate, layers};
use anyhow::{Context, Result, bail};
use std::process::{Command, Stdio};

/// What a plain build is made of: all crates but the engine of tables, which has a check of its own.
const PLAIN: [&str; 3] = ["--workspace", "--exclude", "saydo-cluster"];

/// Runs every check of a plain build.
pub fn run() -> Result<()> {
    step("formatting", || cargo(&["fmt", "--all", "--check"]))?;
    step("layers", layers::check)?;
    step("lints", || plain(&["clippy"], &["--all-targets", "--", "-D", "warnings"]))?;
    step("tests", || plain(&["test"], &["--lib", "--bins", "--tests", "--examples"]))?;
    step("doc tests", || plain(&["test"], &["--doc"]))?;
    step("benchmarks compile", || plain(&["bench"], &["--no-run", "--profile", "dev"]))?;
    step("documentation", documentation)?;
    step("no default features", || plain(&["check"], &["--no-default-features"]))?;
    step("reference pages", generate::check)?;
    step("dependency policy", dependency_policy)?;
    eprintln!("xtask: all checks passed");
    Ok(())
}

/// Runs the checks of queries over tables: the crate and, through the program, processes of a cluster.
pub fn run_cluster() -> Result<()> {
    let packages = ["-p", "saydo-cluster", "-p", "saydo-cli", "--features", "saydo-cli/cluster"];
    let with = |first: &[&str], last: &[&str]| cargo(&[first, &packages, last].concat());
    step("cluster: lints", || with(&["clippy"], &["--all-targets", "--", "-D", "warnings"]))?;
    step("cluster: tests of the crate", || with(&["test"], &["--lib"]))?;
    step("cluster: processes", || with(&["test"], &["--test", "suite", "--", "cluster::"]))?;
    eprintln!("xtask: all checks of the cluster passed");
    Ok(())
}

fn step(name: &str, check: impl FnOnce() -> Result<()>) -> Result<()> {
    eprintln!("xtask: {name}");
    check().with_context(|| format!("the check `{name}` failed"))
}

fn cargo(arguments: &[&str]) -> Result<()> {
    succeed(command().args(arguments))
}

/// Cargo as a person calls it. What it tells this program about this package would be told on, and build scripts that look
/// at all of it (ring's does) would run again, and everything that depends on them would be built again.
fn command() -> Command {
    let mut command = Command::new(env!("CARGO"));
    for (name, _) in std::env::vars_os() {
        let is_of_this_package = |name: &str| name.starts_with("CARGO_PKG_") || name.starts_with("CARGO_MANIFEST_");
        if name.to_str().is_some_and(is_of_this_package) {
            command.env_remove(name);
        }
    }
    command
}

fn plain(first: &[&str], last: &[&str]) -> Result<()> {
    cargo(&[first, &PLAIN, last].concat())
}

fn documentation() -> Result<()> {
    let mut command = command();
    command.arg("doc").args(PLAIN).arg("--no-deps").env("RUSTDOCFLAGS", "-D warnings");
    succeed(&mut command)
}

/// The advisory database lives on the network, so advisories are left to whoever has one.
fn dependency_policy() -> Result<()> {
    let is_there = Command::new("cargo-deny").arg("--version").stdout(Stdio::null()).status().is_ok();
    if !is_there {
        eprintln!("xtask: skipped, cargo-deny is not installed");
        return Ok(());
    }
    // It reads the manifests of every platform's crates; a build has fetched only those of its own.
    cargo(&["fetch", "--locked", "--quiet"])?;
    cargo(&["deny", "--offline", "check", "licenses", "bans", "sources"])
}

fn succeed(command: &mut Command) -> Result<()> {
    let status = command.status().with_context(|| format!("running {command:?}"))?;
    if !status.success() {
        bail!("{command:?} ended with {status}");
    }
    Ok(())
}
