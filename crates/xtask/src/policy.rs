//! The dependency policy of `deny.toml`, which cargo-deny checks.
//!
//! Licenses, bans and sources follow from the lock files and the policy alone, so `.ci/deny.checked` records the digests of
//! those that passed; as long as they stand, there is nothing to check again, and nobody has to build cargo-deny.
//! Advisories change by the day: they are checked whenever their database can be reached.

use crate::cargo::{Workspace, root, succeed};
use anyhow::{Context, Result};
use sha2::{Digest as _, Sha256};
use std::fmt::Write as _;
use std::process::{Command, Stdio};
use std::time::{Duration, Instant};

/// What licenses, bans and sources follow from.
const INPUTS: [&str; 4] = ["deny.toml", "Cargo.lock", "cluster/Cargo.lock", "bindings/python/Cargo.lock"];

/// The digests of what passed, as `sha256sum` writes them.
const RECORD: &str = ".ci/deny.checked";

const ADVISORIES: &str = "https://github.com/RustSec/advisory-db";

/// How long the database of advisories may take to answer.
const PATIENCE: Duration = Duration::from_secs(10);

/// Checks what can be checked here, and says what cannot.
pub fn check() -> Result<()> {
    let pending = pending()?;
    if pending.is_empty() {
        return Ok(());
    }
    if !is_installed() {
        eprintln!("xtask: NOT checked: {}; `cargo install --locked cargo-deny` makes it possible", pending.join(", "));
        return Ok(());
    }
    for checks in pending {
        let is_offline = checks != "advisories";
        for workspace in Workspace::ALL {
            deny(workspace, checks, is_offline)?;
        }
        if is_offline {
            std::fs::write(root().join(RECORD), digests()?).with_context(|| format!("writing {RECORD}"))?;
        }
    }
    Ok(())
}

/// Prints what there is for cargo-deny to do; nothing if it need not be there.
pub fn print_pending() -> Result<()> {
    pending()?.iter().for_each(|checks| println!("{checks}"));
    Ok(())
}

fn pending() -> Result<Vec<&'static str>> {
    let mut pending = Vec::new();
    if std::fs::read_to_string(root().join(RECORD)).is_ok_and(|recorded| digests().is_ok_and(|now| now == recorded)) {
        eprintln!("xtask: licenses, bans and sources: lock files and policy are those that passed before");
    } else {
        pending.push("licenses bans sources");
    }
    if is_reachable() {
        pending.push("advisories");
    } else {
        eprintln!("xtask: advisories NOT checked: cannot reach {ADVISORIES}");
    }
    Ok(pending)
}

fn digests() -> Result<String> {
    let mut lines = String::new();
    for name in INPUTS {
        let bytes = std::fs::read(root().join(name)).with_context(|| format!("reading {name}"))?;
        for byte in Sha256::digest(bytes) {
            write!(lines, "{byte:02x}")?;
        }
        writeln!(lines, "  {name}")?;
    }
    Ok(lines)
}

fn is_installed() -> bool {
    Command::new("cargo-deny").arg("--version").stdout(Stdio::null()).status().is_ok_and(|status| status.success())
}

fn deny(workspace: Workspace, checks: &str, is_offline: bool) -> Result<()> {
    // It reads the manifests of every platform's crates; a build has fetched only those of its own.
    workspace.cargo(&["fetch", "--locked", "--quiet"])?;
    let mut command = workspace.command();
    command.arg("deny").args(is_offline.then_some("--offline")).arg("--config").arg(root().join("deny.toml"));
    command.args(["check", "--hide-inclusion-graph"]).args(checks.split(' '));
    succeed(&mut command)
}

/// Whether the database of advisories answers.
fn is_reachable() -> bool {
    let mut command = Command::new("git");
    command.args(["ls-remote", "--quiet", ADVISORIES, "HEAD"]).env("GIT_TERMINAL_PROMPT", "0");
    command.stdin(Stdio::null()).stdout(Stdio::null()).stderr(Stdio::null());
    let Ok(mut child) = command.spawn() else { return false };
    let begun = Instant::now();
    while begun.elapsed() < PATIENCE {
        match child.try_wait() {
            Ok(Some(status)) => return status.success(),
            Ok(None) => std::thread::sleep(Duration::from_millis(50)),
            Err(_) => break,
        }
    }
    // It may have ended meanwhile.
    let _ = child.kill();
    let _ = child.wait();
    false
}
