//! All checks, those that cost least first. The first failure ends the run; a table of times ends it when all is well.

use crate::cargo::{Workspace, root, succeed};
use crate::step::Steps;
use crate::{
    changelog, conformance, dependency, document, generate, layers, mount, package, policy, size, source, words,
};
use anyhow::Result;
use std::path::PathBuf;
use std::process::Stdio;

/// Runs every check of the main workspace.
pub fn run() -> Result<()> {
    let main = Workspace::Main;
    let mut steps = Steps::default();
    steps.take("formatting", || {
        main.cargo(&["fmt", "--all", "--check"])?;
        Workspace::Python.cargo(&["fmt", "--check"])
    })?;
    steps.take("lock files", || Workspace::ALL.into_iter().try_for_each(Workspace::check_lock))?;
    steps.take("sizes of files", size::check)?;
    steps.take("words", words::check)?;
    steps.take("change log", changelog::check)?;
    steps.take("documentation: links and size", || document::check().map(drop))?;
    steps.take("documentation: site", document::build)?;
    steps.take("packages", package::check)?;
    steps.take("layers", layers::check)?;
    steps.take("rules about source text", source::check)?;
    steps.take("unused dependencies", dependency::check)?;
    steps.take("lints", || main.cargo(&["clippy", "--workspace", "--all-targets", "--", "-D", "warnings"]))?;
    // One build for tests, examples and benchmarks; the latter only have to compile.
    steps.take("build", || main.cargo(&["test", "--workspace", "--all-targets", "--no-run", "--quiet"]))?;
    steps.take("tests", || test(main, &["--workspace", "--lib", "--bins", "--tests", "--examples"]))?;
    steps.take("doc tests", || main.cargo(&["test", "--workspace", "--doc", "--quiet"]))?;
    steps.take("documentation", documentation)?;
    steps.take("no default features", || main.cargo(&["check", "--workspace", "--no-default-features"]))?;
    steps.take("reference pages", || generate::check(&generate::SAYDO))?;
    steps.take("dependency policy", policy::check)?;
    steps.take("tests that mount a filesystem", mount::check)?;
    let mut compared = String::new();
    steps.take("conformance", || conformance::check().map(|lines| compared = lines))?;
    eprintln!("{}{compared}xtask: all checks passed", steps.table());
    Ok(())
}

/// Runs the checks of queries over tables: the crate and, through the program, processes of a cluster.
pub fn run_cluster() -> Result<()> {
    let cluster = Workspace::Cluster;
    let mut steps = Steps::default();
    steps.take("cluster: formatting", || cluster.cargo(&["fmt", "--check"]))?;
    steps.take("cluster: lints and build", || cluster.cargo(&["test", "--no-run", "--quiet"]))?;
    steps.take("cluster: tests", || test(cluster, &[]))?;
    steps.take("cluster: reference page", || generate::check(&generate::CLUSTER))?;
    eprintln!("{}xtask: all checks of the cluster passed", steps.table());
    Ok(())
}

/// Runs what needs an optimized build and the default model: minutes on top of those of the build.
pub fn run_full() -> Result<()> {
    let main = Workspace::Main;
    let mut steps = Steps::default();
    steps.take("optimized build", || main.cargo(&["build", "--release", "--locked", "--package", "saydo-cli"]))?;
    steps.take("commands of the documentation", documented_commands)?;
    eprintln!("{}xtask: all checks with the default model passed", steps.table());
    Ok(())
}

/// Types the commands of the documentation that can be run, and compares what they print with what the pages show.
fn documented_commands() -> Result<()> {
    let target = std::env::var_os("CARGO_TARGET_DIR").map_or_else(|| root().join("target"), PathBuf::from);
    let mut command = Workspace::Main.command();
    command.args(["test", "--package", "saydo-cli", "--test", "suite", "--"]);
    command.args(["--ignored", "--nocapture", "documents::"]);
    let binary = std::path::absolute(target.join("release/saydo"))?;
    succeed(command.env("SAYDO_DOCUMENTS_BIN", binary))
}

/// Runs tests that are built: with nextest, which runs those of all crates side by side, if it is there.
fn test(workspace: Workspace, targets: &[&str]) -> Result<()> {
    let mut probe = workspace.command();
    probe.args(["nextest", "--version"]).stdout(Stdio::null()).stderr(Stdio::null());
    let has_nextest = probe.status().is_ok_and(|status| status.success());
    let runner: &[&str] = if has_nextest {
        &["nextest", "run", "--no-fail-fast", "--status-level", "slow"]
    } else {
        &["test", "--no-fail-fast"]
    };
    succeed(workspace.command().args(runner).args(targets))
}

fn documentation() -> Result<()> {
    let mut command = Workspace::Main.command();
    succeed(command.args(["doc", "--workspace", "--no-deps"]).env("RUSTDOCFLAGS", "-D warnings"))
}
