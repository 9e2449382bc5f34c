//! Tests that need the right to mount a filesystem: ignored elsewhere, run by name where that right is given.

use crate::cargo::{Workspace, succeed};
use anyhow::{Context, Result};
use std::process::Command;

/// Runs the tests of a disk that runs full, or says why not.
pub fn check() -> Result<()> {
    if let Some(reason) = refusal()? {
        eprintln!("xtask: not run, nothing may be mounted here: {reason}");
        return Ok(());
    }
    Workspace::Main.cargo(&["test", "--workspace", "--quiet", "--test", "suite", "--", "--ignored", "serve::disk::"])
}

/// Why nothing can be mounted, found out by trying.
fn refusal() -> Result<Option<String>> {
    let folder = std::env::temp_dir().join(format!("saydo-mount-{}", std::process::id()));
    std::fs::create_dir_all(&folder).with_context(|| format!("making {}", folder.display()))?;
    let mounted = Command::new("mount").args(["-t", "tmpfs", "-o", "size=64k", "tmpfs"]).arg(&folder).output();
    let refusal = match mounted {
        Ok(output) if output.status.success() => {
            succeed(Command::new("umount").arg(&folder))?;
            None
        }
        Ok(output) => Some(String::from_utf8_lossy(&output.stderr).trim().to_owned()),
        Err(error) => Some(error.to_string()),
    };
    std::fs::remove_dir(&folder).with_context(|| format!("removing {}", folder.display()))?;
    Ok(refusal)
}
