//! A dataset from the first address that gives its file: fetched, checked, unpacked, recorded.

use super::Mirror;
use crate::catalog::Dataset;
use crate::content;
use crate::download::{Client, Download, Transfer, Wanted, download, file_in};
use crate::error::{Error, Remedy};
use crate::progress::{Progress, Stage, sparsely};
use crate::store::{Record, Store, remove_folder, size};
use crate::unpack::unpack;
use saydo_file::{digest, disk, replace_folder};
use std::path::Path;

/// Puts a dataset in place, in the stead of what is there.
pub(super) fn bring(
    dataset: &Dataset,
    store: &Store,
    mirror: Option<&Mirror>,
    transfer: &Transfer,
    progress: &mut dyn FnMut(Progress<'_>),
) -> Result<(), Error> {
    let folder = store.partial_folder(dataset);
    let fetched = fetch(dataset, &folder, mirror, transfer, progress);
    let placed = fetched.and_then(|(download, sha256)| place(dataset, store, &folder, download, sha256, progress));
    placed.map_err(|source| Error::Pull {
        name: dataset.name.clone(),
        done: size(&file_in(&folder)),
        total: None,
        remedy: Remedy::Elsewhere { homepage: dataset.homepage.clone() },
        source: Box::new(source),
    })
}

/// Unpacks and records what was fetched.
fn place(
    dataset: &Dataset,
    store: &Store,
    folder: &Path,
    download: Download,
    sha256: String,
    progress: &mut dyn FnMut(Progress<'_>),
) -> Result<(), Error> {
    let unpacked = folder.join("unpacked");
    remove_folder(&unpacked)?;
    disk::create_folders(&unpacked).map_err(Error::write(&unpacked))?;
    let stage = Stage::Unpacking { what: &dataset.file };
    let mut report = sparsely(stage, progress);
    report(0, 0);
    let outcome = unpack(dataset, &download.path, &unpacked, &mut report);
    if matches!(outcome, Err(Error::Archive { .. } | Error::Missing { .. } | Error::TooLarge { .. })) {
        // What cannot be unpacked now cannot be unpacked the next time either.
        remove_folder(folder)?;
    }
    let record = Record {
        name: dataset.name.clone(),
        license: dataset.license.clone(),
        address: download.address,
        bytes: download.bytes,
        sha256,
        etag: download.etag,
        last_modified: download.last_modified,
        files: outcome?,
    };
    record.save(&unpacked)?;
    let path = store.path(dataset);
    replace_folder(&unpacked, &path, &store.aside(dataset)).map_err(Error::write(&path))
}

/// Fetches the file from the first address that gives it; with its SHA-256.
fn fetch(
    dataset: &Dataset,
    folder: &Path,
    mirror: Option<&Mirror>,
    transfer: &Transfer,
    progress: &mut dyn FnMut(Progress<'_>),
) -> Result<(Download, String), Error> {
    let client = Client::new(transfer, None)?;
    let addresses = mirror.map_or_else(|| dataset.addresses.clone(), |mirror| vec![mirror.address(dataset)]);
    let mut failures = Vec::new();
    for address in &addresses {
        match fetch_from(address, dataset, folder, &client, progress) {
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
    dataset: &Dataset,
    folder: &Path,
    client: &Client,
    progress: &mut dyn FnMut(Progress<'_>),
) -> Result<(Download, String), Error> {
    let stage = Stage::Fetching { what: &dataset.file, number: 1, of: 1 };
    let download = download(wanted(dataset, address), folder, client, &mut sparsely(stage, progress))?;
    let mut report = |done| progress(Progress { stage: Stage::Checking, done, total: download.bytes });
    let checked = check(dataset, &download, &mut report);
    if checked.is_err() {
        disk::remove_file(&download.path).map_err(Error::write(&download.path))?;
    }
    checked.map(|sha256| (download, sha256))
}

pub(super) fn wanted<'a>(dataset: &'a Dataset, address: &'a str) -> Wanted<'a> {
    let Dataset { name, file, bytes, max_bytes, sha256, .. } = dataset;
    Wanted { address, file, name, bytes: *bytes, max_bytes: *max_bytes, is_sum_known: sha256.is_some() }
}

/// The SHA-256 of a fetched file, if it is the right file.
fn check(dataset: &Dataset, download: &Download, report: &mut dyn FnMut(u64)) -> Result<String, Error> {
    content::check(&download.path, dataset.format, &download.address)?;
    let found = digest::of_file(&download.path, report).map_err(Error::read(&download.path))?.hex();
    match &dataset.sha256 {
        Some(expected) if *expected != found => {
            let what = format!("{} gave a file with", download.address);
            Err(Error::Checksum { what, found, expected: expected.clone() })
        }
        _ => Ok(found),
    }
}
