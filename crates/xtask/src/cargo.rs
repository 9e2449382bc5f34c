//! Cargo as a person calls it, in one of the workspaces.

use anyhow::{Context, Result, bail};
use serde_json::Value;
use std::path::PathBuf;
use std::process::Command;

/// `-D warnings`, as `cargo clippy` hands it to the compiler.
const DENY_WARNINGS: &str = "-D__CLIPPY_HACKERY__warnings__CLIPPY_HACKERY__";

/// A workspace: a folder with a lock file.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Workspace {
    /// All crates of ours but the engine of tables.
    Main,
    /// `cluster/`, the engine of tables.
    Cluster,
    /// `bindings/python/`, the extension module.
    Python,
}

impl Workspace {
    /// All of them.
    pub const ALL: [Self; 3] = [Self::Main, Self::Cluster, Self::Python];

    /// Its folder.
    pub fn folder(self) -> PathBuf {
        match self {
            Self::Main => root(),
            Self::Cluster => root().join("cluster"),
            Self::Python => root().join("bindings/python"),
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
        if self == Self::Cluster {
            // Lints come out of the build for tests, as `cargo clippy` would have them: it checks what it lints apart from
            // what is built, which for the engine of tables means four hundred crates twice.
            command.env("RUSTC_WORKSPACE_WRAPPER", "clippy-driver").env("CLIPPY_ARGS", DENY_WARNINGS);
        }
        command
    }

    /// Runs cargo, which must succeed.
    pub fn cargo(self, arguments: &[&str]) -> Result<()> {
        succeed(self.command().args(arguments))
    }

    /// Fails if its lock file does not say what its manifests ask for. Cargo mends that of the workspace it works on unasked,
    /// but a change of a crate here leaves the lock file of the other workspace behind.
    pub fn check_lock(self) -> Result<()> {
        let arguments = ["tree", "--locked", "--quiet", "--depth", "0"];
        let output = self.command().args(arguments).output().context("running cargo tree")?;
        if !output.status.success() {
            let folder = self.folder();
            let said = String::from_utf8_lossy(&output.stderr);
            bail!("the lock file in {} is out of date; `cargo tree` there mends it: {said}", folder.display());
        }
        Ok(())
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
