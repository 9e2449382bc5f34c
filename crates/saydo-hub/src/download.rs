//! Brings one file from one address to the disk. The file grows as bytes arrive; when the transfer breaks off, the next
//! attempt, now or in another process, asks for the rest only, on condition that the file is still the same.

mod client;
mod partial;

pub(crate) use client::{Client, url_below};
pub(crate) use partial::file_in;

use crate::catalog::url;
use crate::error::Error;
use client::Reply;
use partial::Partial;
use reqwest::Url;
use std::path::{Path, PathBuf};
use std::time::Duration;

/// How patient transfers are, and through what they go.
#[derive(Debug, Clone)]
pub struct Transfer {
    /// Max times an interrupted download is resumed.
    pub max_retries: u32,
    /// The pause before the first of these; each further one is twice as long.
    pub first_pause: Duration,
    /// How long a server may be silent.
    pub timeout: Duration,
    /// Whether requests go through the proxy that the environment names.
    pub system_proxy: bool,
}

impl Default for Transfer {
    /// Three retries, the first after half a second; a minute of silence; proxies as the environment says.
    fn default() -> Self {
        let (first_pause, timeout) = (Duration::from_millis(500), Duration::from_secs(60));
        Self { max_retries: 3, first_pause, timeout, system_proxy: true }
    }
}

/// What to fetch.
#[derive(Debug, Clone, Copy)]
pub(crate) struct Wanted<'a> {
    /// Where it is.
    pub(crate) address: &'a str,
    /// What it is called, and what it belongs to.
    pub(crate) file: &'a str,
    pub(crate) name: &'a str,
    /// Its size, where that is known.
    pub(crate) bytes: Option<u64>,
    pub(crate) max_bytes: u64,
    /// Its SHA-256 is compared afterwards, so parts may be put together without the server's word that they are of the
    /// same file.
    pub(crate) is_sum_known: bool,
}

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

/// Fetches a file into a folder. `report` is told how many bytes are there, and how many there will be: 0 if that is not
/// known.
pub(crate) fn download(
    wanted: Wanted<'_>,
    folder: &Path,
    client: &Client,
    report: &mut dyn FnMut(u64, u64),
) -> Result<Download, Error> {
    let url = url(wanted.address)?;
    client.patiently(|| {
        let mut partial = Partial::open(folder, &shown(&url))?;
        if !partial.is_whole() {
            attempt(wanted, &url, &mut partial, client, report)?;
        }
        partial.finish()
    })
}

fn attempt(
    wanted: Wanted<'_>,
    url: &Url,
    partial: &mut Partial,
    client: &Client,
    report: &mut dyn FnMut(u64, u64),
) -> Result<(), Error> {
    if partial.bytes() > wanted.max_bytes {
        partial.restart()?;
    }
    let resume = partial.resume(wanted.is_sum_known);
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
    receive(wanted, &mut reply, partial, report)
}

fn receive(
    wanted: Wanted<'_>,
    reply: &mut Reply<'_>,
    partial: &mut Partial,
    report: &mut dyn FnMut(u64, u64),
) -> Result<(), Error> {
    let Wanted { name, file, max_bytes, .. } = wanted;
    let too_large = || Error::TooLarge { name: name.to_owned(), what: file.to_owned(), limit: max_bytes };
    let announced = reply.length().map(|rest| partial.bytes().saturating_add(rest));
    if announced.is_some_and(|total| total > max_bytes) {
        return Err(too_large());
    }
    let total = announced.or(wanted.bytes);
    let mut tell = |done| report(done, total.map_or(0, |total| total.max(done)));
    tell(partial.bytes());
    while let Some(chunk) = reply.chunk()? {
        if partial.bytes() + chunk.len() as u64 > max_bytes {
            partial.restart()?;
            return Err(too_large());
        }
        partial.append(&chunk)?;
        tell(partial.bytes());
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
