//! Cargo as a person calls it, in one of the two workspaces.

use anyhow::{Context, Result, bail};
use serde_json::Value;
use std::path::PathBuf;
use std::process::Command;

/// A workspace: a folder with a lock file.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Workspace {
    /// All crates of ours but the engine of tables.
    Main,
    /// `cluster/`, the engine of tables.
    Cluster,
}

impl Workspace {
    /// Both.
    pub const ALL: [Self; 2] = [Self::Main, Self::Cluster];

    /// Its folder.
    pub fn folder(self) -> PathBuf {
        match self {
            Self::Main => root(),
            Self::Cluster => root().join("cluster"),
        }
    }

    /// A cargo command that works on it.
    ///
    /// What cargo tells this program about this package would be told on, and build scripts that look at all of it
    /// (ring's does) would run again, and everything that depends on them would be built again.
    pub fn command(self) -> Command {
        let mut command = Command::new(env!("CARGO"));
        for (name, _) in std::env::vars_os() {
            let is_of_this_package = |name: &str| name.starts_with("CARGO_PKG_") || name.starts_with("CARGO_MANIFEST_");
            if name.to_str().is_some_and(is_of_this_package) {
                command.env_remove(name);
            }
        }
        command.current_dir(self.folder());
        command
    }

    /// Runs cargo, which must succeed.
    pub fn cargo(self, arguments: &[&str]) -> Result<()> {
        succeed(self.command().args(arguments))
    }

    /// What cargo knows of its packages.
    pub fn packages(self) -> Result<Vec<Value>> {
        let output = self.command().args(["metadata", "--format-version", "1", "--no-deps"]).output();
        let output = output.context("running cargo metadata")?;
        if !output.status.success() {
            bail!("cargo metadata failed: {}", String::from_utf8_lossy(&output.stderr));
        }
        let mut metadata: Value = serde_json::from_slice(&output.stdout).context("reading cargo metadata")?;
        match metadata["packages"].take() {
            Value::Array(packages) => Ok(packages),
            _ => bail!("cargo metadata lists no packages"),
        }
    }
}

/// The folder of the repository.
pub fn root() -> PathBuf {
    PathBuf::from(concat!(env!("CARGO_MANIFEST_DIR"), "/../.."))
}

/// Runs a command, which must succeed.
pub fn succeed(command: &mut Command) -> Result<()> {
    let status = command.status().with_context(|| format!("running {command:?}"))?;
    if !status.success() {
        bail!("{command:?} ended with {status}");
    }
    Ok(())
}
