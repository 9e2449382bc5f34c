//! The cache that Hugging Face's tools share: `models--owner--repo/refs/<branch>` holds a commit, `snapshots/<commit>/` its
//! files as links to `blobs/<etag>`.

use super::reference::Reference;
use super::selection::{Selection, select};
use crate::catalog::Kind;
use crate::error::Error;
use saydo_file::disk;
use std::fs;
use std::io;
use std::path::{Path, PathBuf};

/// The file or folder of a model that was fetched before, by whatever tool. An error if it is not there whole.
pub fn cached(reference: &Reference, cache: &Path) -> Result<PathBuf, Error> {
    let (kind, name) = (Kind::Model, format!("hf:{reference}"));
    let absent = || Error::Absent { kind, name: name.clone(), path: folder(reference, cache) };
    let snapshot = snapshot(reference, cache).ok_or_else(absent)?;
    if let Some(file) = &reference.file {
        let path = snapshot.join(file);
        return if path.is_file() { Ok(path) } else { Err(absent()) };
    }
    match select(&files_below(&snapshot, "")) {
        Ok(Selection::File(file)) => Ok(snapshot.join(file)),
        Ok(Selection::Folder(_)) => Ok(snapshot),
        Err(_) => Err(absent()),
    }
}

/// A repository's folder in the cache.
pub(super) fn folder(reference: &Reference, cache: &Path) -> PathBuf {
    cache.join(folder_name(reference))
}

fn folder_name(reference: &Reference) -> String {
    format!("models--{}--{}", reference.owner, reference.name)
}

/// Where those who fetch a file take turns, in whatever tool.
pub(super) fn lock_path(reference: &Reference, cache: &Path, blob: &str) -> PathBuf {
    cache.join(".locks").join(folder_name(reference)).join(format!("{blob}.lock"))
}

/// Gives a file in `blobs` its path in a snapshot: by a link, as Hugging Face's tools do, or by moving it where links are not
/// for everyone.
pub(super) fn add_to_snapshot(blob: &Path, path: &Path, depth: usize) -> io::Result<()> {
    disk::create_folders(disk::folder_of(path))?;
    disk::remove_file(path)?;
    let target = Path::new(&"../".repeat(depth)).join("blobs").join(blob.file_name().unwrap_or_default());
    match disk::link(&target, path) {
        Err(error) if error.kind() == io::ErrorKind::Unsupported => disk::publish(blob, path),
        outcome => outcome,
    }
}

fn snapshot(reference: &Reference, cache: &Path) -> Option<PathBuf> {
    let folder = folder(reference, cache);
    let revision = reference.revision.as_deref().unwrap_or("main");
    let commit = match fs::read_to_string(folder.join("refs").join(revision)) {
        Ok(commit) => commit.trim().to_owned(),
        Err(_) => revision.to_owned(),
    };
    let snapshot = folder.join("snapshots").join(commit);
    snapshot.is_dir().then_some(snapshot)
}

/// Paths of all files below a folder, relative to it, with `/` between their parts.
fn files_below(folder: &Path, prefix: &str) -> Vec<String> {
    let mut files = Vec::new();
    for entry in fs::read_dir(folder).into_iter().flatten().flatten() {
        let name = format!("{prefix}{}", entry.file_name().to_string_lossy());
        if entry.path().is_dir() {
            files.extend(files_below(&entry.path(), &format!("{name}/")));
        } else if entry.path().is_file() {
            files.push(name);
        }
    }
    files
}

#[cfg(test)]
mod tests {
    use super::*;

    fn write(path: PathBuf) {
        fs::create_dir_all(path.parent().unwrap()).unwrap();
        fs::write(path, "abc123").unwrap();
    }

    fn find(text: &str, cache: &Path) -> Option<PathBuf> {
        cached(&text.parse().unwrap(), cache).ok()
    }

    #[test]
    fn a_file_is_found_by_branch_and_by_commit() {
        let folder = tempfile::tempdir().unwrap();
        let repository = folder.path().join("models--a--b");
        write(repository.join("refs/main"));
        let weights = repository.join("snapshots/abc123/sub/w.gguf");
        write(weights.clone());
        for text in ["a/b", "a/b/sub/w.gguf", "a/b@main", "a/b@abc123/sub/w.gguf"] {
            assert_eq!(find(text, folder.path()).as_ref(), Some(&weights), "{text}");
        }
        for text in ["a/c", "a/b@v2", "a/b/w.gguf"] {
            assert_eq!(find(text, folder.path()), None, "{text}");
        }
    }

    #[test]
    fn a_folder_is_found_only_whole() {
        let folder = tempfile::tempdir().unwrap();
        let snapshot = folder.path().join("models--a--b/snapshots/abc123");
        write(folder.path().join("models--a--b/refs/main"));
        write(snapshot.join("model.safetensors"));
        write(snapshot.join("config.json"));
        assert_eq!(find("a/b", folder.path()), None);
        write(snapshot.join("tokenizer.json"));
        assert_eq!(find("a/b", folder.path()), Some(snapshot));
    }
}
