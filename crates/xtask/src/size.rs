//! The size of the repository: every version of a large file stays in every clone for good.

use crate::cargo::root;
use crate::tracked;
use anyhow::{Result, bail};
use std::path::Path;

/// The largest file that may be tracked.
const MAX_BYTES: u64 = 2_000_000;

/// Folders whose files may be larger: weights and data that ship with the program.
const LARGE: [&str; 2] = ["adapters/", "data/"];

/// Fails if a tracked file is larger than it may be.
pub fn check() -> Result<()> {
    let root = root();
    let Some(names) = tracked::files(&root)? else {
        eprintln!("xtask: skipped, this is no git repository");
        return Ok(());
    };
    let large = too_large(&root, names.iter().map(String::as_str));
    if !large.is_empty() {
        let places = LARGE.join(" and ");
        bail!("tracked files above {MAX_BYTES} bytes outside {places}:\n  {}", large.join("\n  "));
    }
    Ok(())
}

fn too_large<'a>(root: &Path, names: impl Iterator<Item = &'a str>) -> Vec<String> {
    names
        .filter(|name| !LARGE.iter().any(|folder| name.starts_with(folder)))
        // A file that was deleted but is still tracked has no size.
        .filter_map(|name| Some((name, std::fs::symlink_metadata(root.join(name)).ok()?.len())))
        .filter(|(_, bytes)| *bytes > MAX_BYTES)
        .map(|(name, bytes)| format!("{name}: {bytes} bytes"))
        .collect()
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn only_large_files_in_the_wrong_place_are_named() {
        let folder = tempfile::tempdir().unwrap();
        std::fs::create_dir(folder.path().join("adapters")).unwrap();
        let too_many = vec![0; usize::try_from(MAX_BYTES).unwrap() + 1];
        for name in ["adapters/weights", "weights"] {
            std::fs::write(folder.path().join(name), &too_many).unwrap();
        }
        std::fs::write(folder.path().join("text"), &too_many[1..]).unwrap();
        let names = ["adapters/weights", "weights", "text", "deleted"];
        assert_eq!(too_large(folder.path(), names.into_iter()), ["weights: 2000001 bytes"]);
    }
}
