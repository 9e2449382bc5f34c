//! The files that git tracks.

use anyhow::{Context, Result, bail};
use std::path::Path;
use std::process::Command;

/// Their names, relative to the folder of the repository; none if it is no git repository.
pub fn files(root: &Path) -> Result<Option<Vec<String>>> {
    if !root.join(".git").exists() {
        return Ok(None);
    }
    let output = Command::new("git").args(["ls-files", "-z"]).current_dir(root).output().context("running git")?;
    if !output.status.success() {
        bail!("git ls-files failed: {}", String::from_utf8_lossy(&output.stderr));
    }
    let names = String::from_utf8(output.stdout).context("file names are UTF-8")?;
    Ok(Some(names.split_terminator('\0').map(str::to_owned).collect()))
}
