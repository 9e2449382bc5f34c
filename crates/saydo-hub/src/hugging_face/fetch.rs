//! Fetching, through Hugging Face's own client. It does not look at what it got, so we do: every file must have the size
//! the repository lists, and large ones the SHA-256 they are stored under. A transfer that broke off starts again.

use super::Access;
use super::cache::cached;
use super::reference::Reference;
use super::selection::{Selection, select};
use crate::error::Error;
use crate::progress::{Progress, Stage};
use hf_hub::progress::{DownloadEvent, ProgressEvent, ProgressHandler};
use hf_hub::repository::{RepoTreeEntry, RepoTypeModel};
use hf_hub::{HFClient, HFError, HFRepositorySync};
use saydo_file::{digest, disk};
use std::collections::BTreeMap;
use std::fs;
use std::path::{Path, PathBuf};
use std::sync::{Arc, Mutex, PoisonError};
use std::thread;
use std::time::Duration;

/// A file as the repository lists it.
struct Listed {
    path: String,
    bytes: u64,
}

/// Fetches a model into the cache of Hugging Face's tools and returns its file or folder. What is there already is not
/// fetched again.
pub fn fetch(reference: &Reference, access: &Access, progress: &mut dyn FnMut(Progress<'_>)) -> Result<PathBuf, Error> {
    if access.offline {
        return cached(reference, &access.cache).map_err(|_| Error::Offline { reference: reference.to_string() });
    }
    let repository = open(reference, access)?;
    let (selection, listed) = look_up(&repository, reference)?;
    let snapshot = download(&repository, reference, &listed, None, progress)?;
    for file in &listed {
        check(&snapshot.join(&file.path), file, progress)?;
    }
    Ok(match selection {
        Selection::File(file) => snapshot.join(file),
        Selection::Folder(_) => snapshot,
    })
}

/// Fetches one file into a folder below the given one, past the cache.
pub(crate) fn fetch_into(
    reference: &Reference,
    folder: &Path,
    access: &Access,
    progress: &mut dyn FnMut(Progress<'_>),
) -> Result<PathBuf, Error> {
    if access.offline {
        return Err(Error::Offline { reference: reference.to_string() });
    }
    let folder = folder.join("hugging-face");
    disk::remove_folder(&folder).map_err(Error::write(&folder))?;
    let repository = open(reference, access)?;
    let (_, listed) = look_up(&repository, reference)?;
    download(&repository, reference, &listed, Some(&folder), progress)?;
    let [file] = &listed[..] else {
        let problem = format!("{} files make the model, expected one", listed.len());
        return Err(Error::Repository { repository: reference.repository(), problem });
    };
    let path = folder.join(&file.path);
    check(&path, file, progress)?;
    Ok(path)
}

fn open(reference: &Reference, access: &Access) -> Result<HFRepositorySync<RepoTypeModel>, Error> {
    let mut builder = HFClient::builder().cache_dir(&access.cache);
    if let Some(endpoint) = &access.endpoint {
        builder = builder.endpoint(endpoint);
    }
    let client = builder.build_sync().map_err(failed(reference))?;
    Ok(client.model(&reference.owner, &reference.name))
}

fn failed(reference: &Reference) -> impl FnOnce(HFError) -> Error {
    move |source| Error::HuggingFace { what: reference.to_string(), source: Box::new(source) }
}

/// Which files of the repository are wanted, and how large they are.
fn look_up(
    repository: &HFRepositorySync<RepoTypeModel>,
    reference: &Reference,
) -> Result<(Selection, Vec<Listed>), Error> {
    let entries = repository.list_tree().maybe_revision(reference.revision.clone()).recursive(true).send();
    let file = |entry| match entry {
        RepoTreeEntry::File { path, size, .. } => Some(Listed { path, bytes: size }),
        RepoTreeEntry::Directory { .. } => None,
    };
    let mut listed: Vec<Listed> = entries.map_err(failed(reference))?.into_iter().filter_map(file).collect();
    let paths: Vec<String> = listed.iter().map(|file| file.path.clone()).collect();
    let selection = match &reference.file {
        Some(file) if paths.contains(file) => Ok(Selection::File(file.clone())),
        Some(file) => Err(format!("it has no file {file}")),
        None => select(&paths),
    };
    let problem = |problem| Error::Repository { repository: reference.repository(), problem };
    let selection = selection.map_err(problem)?;
    listed.retain(|file| match &selection {
        Selection::File(wanted) => *wanted == file.path,
        Selection::Folder(wanted) => wanted.contains(&file.path),
    });
    Ok((selection, listed))
}

/// Lets the client fetch the files, all of one commit, and reports how far it is. Returns the folder they are in.
fn download(
    repository: &HFRepositorySync<RepoTypeModel>,
    reference: &Reference,
    listed: &[Listed],
    folder: Option<&Path>,
    progress: &mut dyn FnMut(Progress<'_>),
) -> Result<PathBuf, Error> {
    let meter = Arc::new(Meter::default());
    let patterns = listed.iter().map(|file| literal(&file.path)).collect();
    let request = repository
        .snapshot_download()
        .maybe_revision(reference.revision.clone())
        .allow_patterns(patterns)
        .maybe_local_dir(folder)
        .progress(Arc::clone(&meter));
    let what = reference.to_string();
    let stage = Stage::Fetching { what: &what, number: 1, of: 1 };
    let total = listed.iter().map(|file| file.bytes).sum();
    thread::scope(|scope| {
        let transfer = scope.spawn(|| request.send());
        while !transfer.is_finished() {
            progress(Progress { stage, done: meter.bytes().min(total), total });
            thread::sleep(Duration::from_millis(50));
        }
        let outcome = transfer.join().unwrap_or_else(|panic| std::panic::resume_unwind(panic));
        outcome.map_err(failed(reference))
    })
}

/// A pattern that matches only this path.
fn literal(path: &str) -> String {
    path.chars().map(|c| if "*?[]{}!\\".contains(c) { format!("[{c}]") } else { c.to_string() }).collect()
}

/// Removes the file again if it is not what the repository lists. In the cache, large files are stored under their
/// SHA-256, and the snapshot links to them.
fn check(path: &Path, listed: &Listed, progress: &mut dyn FnMut(Progress<'_>)) -> Result<(), Error> {
    let stored = fs::canonicalize(path).map_err(Error::read(path))?;
    let bytes = fs::metadata(&stored).map_err(Error::read(&stored))?.len();
    let name = stored.file_name().and_then(|name| name.to_str()).unwrap_or_default();
    let mut problem = None;
    if bytes != listed.bytes {
        problem = Some(format!("it has {bytes} bytes, expected {}", listed.bytes));
    } else if digest::is_sha256(name) {
        let mut report = |done| progress(Progress { stage: Stage::Checking, done, total: listed.bytes });
        let found = digest::of_file(&stored, &mut report).map_err(Error::read(&stored))?.hex();
        problem = (found != name).then(|| format!("its SHA-256 is {found}, expected {name}"));
    }
    let Some(problem) = problem else { return Ok(()) };
    for path in [path, &stored] {
        disk::remove_file(path).map_err(Error::write(path))?;
    }
    Err(Error::Damaged { what: listed.path.clone(), problem })
}

/// Adds up what the client says of each file, and of all together where it says only that.
#[derive(Default)]
struct Meter {
    seen: Mutex<(BTreeMap<String, u64>, u64)>,
}

impl Meter {
    fn bytes(&self) -> u64 {
        let seen = self.seen.lock().unwrap_or_else(PoisonError::into_inner);
        seen.0.values().sum::<u64>().max(seen.1)
    }
}

impl ProgressHandler for Meter {
    fn on_progress(&self, event: &ProgressEvent) {
        let mut seen = self.seen.lock().unwrap_or_else(PoisonError::into_inner);
        match event {
            ProgressEvent::Download(DownloadEvent::Progress { files }) => {
                seen.0.extend(files.iter().map(|file| (file.filename.clone(), file.bytes_completed)));
            }
            ProgressEvent::Download(DownloadEvent::AggregateProgress { bytes_completed, .. }) => {
                seen.1 = *bytes_completed;
            }
            _ => (),
        }
    }
}

#[cfg(test)]
mod tests;
