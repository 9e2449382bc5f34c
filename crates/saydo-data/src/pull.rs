//! Brings a dataset into the store: fetch, check, unpack, record, and only then rename into place. A pull that was killed
//! anywhere goes on where it stopped; under the dataset's name stands nothing that was not checked.

use crate::catalog::Entry;
use crate::content;
use crate::download::{Client, Download, bytes_in, download};
use crate::error::Error;
use crate::record::Record;
use crate::store::{State, Store, remove_folder};
use crate::unpack::unpack;
use saydo_file::{digest, disk, replace_folder};
use saydo_hub::{Lock, Progress, Stage};
use std::path::{Path, PathBuf};
use std::time::Duration;

/// How to pull.
#[derive(Debug, Clone)]
pub struct Options {
    /// Where to fetch from instead of the entry's addresses.
    pub mirror: Option<Mirror>,
    /// Fetch the dataset again even if it is there.
    pub force: bool,
    /// How often a transfer that broke off is gone on with before giving up.
    pub max_retries: u32,
    /// The pause before the first of these; each further one is twice as long.
    pub first_pause: Duration,
    /// How long a server may be silent.
    pub timeout: Duration,
    /// Whether requests go through the proxy that the environment names.
    pub system_proxy: bool,
}

impl Default for Options {
    /// Three retries, the first after half a second; a minute of silence; proxies as the environment says.
    fn default() -> Self {
        Self {
            mirror: None,
            force: false,
            max_retries: 3,
            first_pause: Duration::from_millis(500),
            timeout: Duration::from_secs(60),
            system_proxy: true,
        }
    }
}

/// Another place that has a dataset's file.
#[derive(Debug, Clone, PartialEq, Eq)]
pub enum Mirror {
    /// The address of the file.
    File(String),
    /// The address of a folder, in which the file has the entry's file name.
    Folder(String),
}

impl Mirror {
    fn address(&self, entry: &Entry) -> String {
        match self {
            Self::File(address) => address.clone(),
            Self::Folder(address) => format!("{}/{}", address.trim_end_matches('/'), entry.file),
        }
    }
}

/// How a pull ended; with what to pass as `--data`.
#[derive(Debug, Clone, PartialEq, Eq)]
pub enum Pulled {
    /// The dataset was there already, by the sizes of its files.
    AlreadyThere(PathBuf),
    /// The dataset was fetched and checked.
    Fetched(PathBuf),
}

/// Pulls a dataset. Several processes may pull the same one: the first works, the others wait for it.
pub fn pull(
    entry: &Entry,
    store: &Store,
    options: &Options,
    progress: &mut dyn FnMut(Progress<'_>),
) -> Result<Pulled, Error> {
    let is_there = || Ok::<_, Error>(matches!(store.state(entry)?, State::Present { .. }));
    if !options.force && is_there()? {
        return Ok(Pulled::AlreadyThere(store.data_path(entry)));
    }
    let (_lock, waited) = lock(entry, store, progress)?;
    if (waited || !options.force) && is_there()? {
        return Ok(Pulled::AlreadyThere(store.data_path(entry)));
    }
    let folder = store.partial_folder(entry);
    disk::create_folders(&folder).map_err(Error::write(&folder))?;
    bring(entry, store, &folder, options, progress).map_err(|source| Error::Pull {
        name: entry.name.clone(),
        kept_bytes: bytes_in(&folder),
        homepage: entry.homepage.clone(),
        source: Box::new(source),
    })?;
    Ok(Pulled::Fetched(store.data_path(entry)))
}

/// The dataset's lock, and whether another process had it first.
fn lock(entry: &Entry, store: &Store, progress: &mut dyn FnMut(Progress<'_>)) -> Result<(Lock, bool), Error> {
    if let Some(lock) = store.try_lock(entry)? {
        return Ok((lock, false));
    }
    progress(Progress { stage: Stage::Waiting, done: 0, total: entry.bytes.unwrap_or_default() });
    Ok((store.lock(entry)?, true))
}

fn bring(
    entry: &Entry,
    store: &Store,
    folder: &Path,
    options: &Options,
    progress: &mut dyn FnMut(Progress<'_>),
) -> Result<(), Error> {
    let (download, sha256) = fetch(entry, folder, options, progress)?;
    let unpacked = folder.join("unpacked");
    remove_folder(&unpacked)?;
    disk::create_folders(&unpacked).map_err(Error::write(&unpacked))?;
    let stage = Stage::Unpacking { what: &entry.file };
    progress(Progress { stage, done: 0, total: 0 });
    let mut steps = Steps::default();
    let mut report = |done| {
        if steps.is_due(done) {
            progress(Progress { stage, done, total: 0 });
        }
    };
    let outcome = unpack(entry, &download.path, &unpacked, &mut report);
    if matches!(outcome, Err(Error::Archive { .. } | Error::Missing { .. } | Error::TooLarge { .. })) {
        // What cannot be unpacked now cannot be unpacked the next time either.
        remove_folder(folder)?;
    }
    let record = Record {
        name: entry.name.clone(),
        license: entry.license.clone(),
        address: download.address,
        bytes: download.bytes,
        sha256,
        etag: download.etag,
        last_modified: download.last_modified,
        files: outcome?,
    };
    record.save(&unpacked)?;
    let path = store.path(entry);
    replace_folder(&unpacked, &path, &store.aside(entry)).map_err(Error::write(&path))?;
    remove_folder(folder)
}

/// Fetches the file from the first address that gives it; with its SHA-256.
fn fetch(
    entry: &Entry,
    folder: &Path,
    options: &Options,
    progress: &mut dyn FnMut(Progress<'_>),
) -> Result<(Download, String), Error> {
    let client = Client::new(options.timeout, options.system_proxy)?;
    let addresses = match &options.mirror {
        Some(mirror) => vec![mirror.address(entry)],
        None => entry.addresses.clone(),
    };
    let mut failures = Vec::new();
    for address in &addresses {
        match fetch_from(address, entry, folder, &client, options, progress) {
            Err(error) if error.is_of_address() => failures.push(error),
            other => return other,
        }
    }
    Err(match failures.len() {
        1 => failures.remove(0),
        _ => Error::Nowhere { failures },
    })
}

fn fetch_from(
    address: &str,
    entry: &Entry,
    folder: &Path,
    client: &Client,
    options: &Options,
    progress: &mut dyn FnMut(Progress<'_>),
) -> Result<(Download, String), Error> {
    let stage = Stage::Fetching { what: &entry.file, number: 1, of: 1 };
    let mut steps = Steps::default();
    let mut report = |done: u64, total: Option<u64>| {
        if steps.is_due(done) {
            progress(Progress { stage, done, total: total.map_or(0, |total| total.max(done)) });
        }
    };
    let patience = (options.max_retries, options.first_pause);
    let download = download(entry, address, folder, client, patience, &mut report)?;
    let mut report = |done| progress(Progress { stage: Stage::Checking, done, total: download.bytes });
    let checked = check(entry, &download, &mut report);
    if checked.is_err() {
        disk::remove_file(&download.path).map_err(Error::write(&download.path))?;
    }
    checked.map(|sha256| (download, sha256))
}

/// The SHA-256 of a fetched file, if it is the right file.
fn check(entry: &Entry, download: &Download, report: &mut dyn FnMut(u64)) -> Result<String, Error> {
    content::check(&download.path, entry.format, &download.address)?;
    let found = digest::of_file(&download.path, report).map_err(Error::read(&download.path))?.hex();
    match &entry.sha256 {
        Some(expected) if *expected != found => {
            Err(Error::Checksum { address: download.address.clone(), found, expected: expected.clone() })
        }
        _ => Ok(found),
    }
}

/// Bytes arrive in small pieces; a report now and then is enough.
#[derive(Default)]
struct Steps {
    next: u64,
}

impl Steps {
    const BYTES: u64 = 1 << 18;

    fn is_due(&mut self, done: u64) -> bool {
        let is_due = done >= self.next || done + Self::BYTES < self.next;
        if is_due {
            self.next = done + Self::BYTES;
        }
        is_due
    }
}

#[cfg(test)]
mod tests;
