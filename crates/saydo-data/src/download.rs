//! Brings one file from one address to the disk. The file grows as bytes arrive; when the transfer breaks off, the next
//! attempt, now or in another process, asks for the rest only, on condition that the file is still the same.

mod client;
mod partial;

pub(crate) use client::Client;
pub(crate) use partial::bytes_in;

use crate::catalog::{Entry, url};
use crate::error::Error;
use client::Reply;
use partial::Partial;
use reqwest::Url;
use std::path::{Path, PathBuf};
use std::time::Duration;

/// A file that has arrived whole.
#[derive(Debug)]
pub(crate) struct Download {
    pub(crate) path: PathBuf,
    pub(crate) bytes: u64,
    /// Where it came from, fit to be shown.
    pub(crate) address: String,
    pub(crate) etag: Option<String>,
    pub(crate) last_modified: Option<String>,
}

/// Fetches the file of an entry from an address into a folder. `report` is told how many bytes are there, and how many
/// there will be if that is known. Of `max_retries`, one is used for every attempt that failed in passing.
pub(crate) fn download(
    entry: &Entry,
    address: &str,
    folder: &Path,
    client: &Client,
    (max_retries, first_pause): (u32, Duration),
    report: &mut dyn FnMut(u64, Option<u64>),
) -> Result<Download, Error> {
    let url = url(address)?;
    let mut failures = 0;
    loop {
        let mut partial = Partial::open(folder, &shown(&url))?;
        if partial.is_whole() {
            return partial.finish();
        }
        match attempt(entry, &url, &mut partial, client, report) {
            Ok(()) => return partial.finish(),
            Err(error) if error.is_passing() && failures < max_retries => {
                std::thread::sleep(first_pause * 2_u32.saturating_pow(failures.min(6)));
                failures += 1;
            }
            Err(error) => return Err(error),
        }
    }
}

fn attempt(
    entry: &Entry,
    url: &Url,
    partial: &mut Partial,
    client: &Client,
    report: &mut dyn FnMut(u64, Option<u64>),
) -> Result<(), Error> {
    // A file whose sum is known may be put together without the server's word that it is still the same.
    let resume = partial.resume(entry.sha256.is_some());
    let mut reply = client.ask(url, resume.as_ref())?;
    match reply.start() {
        Start::Rest { from } if from == partial.bytes() => (),
        Start::Rest { from } => {
            let reason = format!("it went on at byte {from}, expected {}", partial.bytes());
            partial.restart()?;
            return Err(Error::Broken { address: shown(url), reason });
        }
        Start::Whole => partial.restart()?,
        Start::Nothing { total } if total == Some(partial.bytes()) && total != Some(0) => return Ok(()),
        Start::Nothing { .. } => {
            partial.restart()?;
            return Err(Error::Broken { address: shown(url), reason: "it has no such rest".to_owned() });
        }
    }
    partial.remember(&reply.etag, &reply.last_modified)?;
    receive(entry, &mut reply, partial, report)
}

fn receive(
    entry: &Entry,
    reply: &mut Reply<'_>,
    partial: &mut Partial,
    report: &mut dyn FnMut(u64, Option<u64>),
) -> Result<(), Error> {
    let too_large = || Error::TooLarge { name: entry.name.clone(), what: entry.file.clone(), limit: entry.max_bytes };
    let total = reply.length().map(|rest| partial.bytes().saturating_add(rest)).or(entry.bytes);
    if reply.length().is_some() && total.is_some_and(|total| total > entry.max_bytes) {
        return Err(too_large());
    }
    report(partial.bytes(), total);
    while let Some(chunk) = reply.chunk()? {
        if partial.bytes() + chunk.len() as u64 > entry.max_bytes {
            partial.restart()?;
            return Err(too_large());
        }
        partial.append(&chunk)?;
        report(partial.bytes(), total);
    }
    Ok(())
}

/// What a transfer begins with.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(crate) enum Start {
    /// The first byte.
    Whole,
    /// A later byte, as asked.
    Rest { from: u64 },
    /// The server has nothing from there on; the file's size, if it says so.
    Nothing { total: Option<u64> },
}

/// What to ask for: the bytes from a place on, if the file is still what it was.
#[derive(Debug, PartialEq, Eq)]
pub(crate) struct Resume {
    pub(crate) from: u64,
    /// The server's own words for the state of the file.
    pub(crate) unless_changed: Option<String>,
}

/// An address without what may be secret: user, password, query.
pub(crate) fn shown(url: &Url) -> String {
    let mut url = url.clone();
    // These fail only for addresses that can have neither, which have nothing to hide.
    let _ = (url.set_username(""), url.set_password(None));
    url.set_query(None);
    url.set_fragment(None);
    url.into()
}
