//! From documents to a file of requests.

use super::{Part, custom_id};
use crate::Error;
use crate::record::{Ledger, write_whole};
use rustc_hash::FxHashSet;
use saydo_corpus::{Document, Status, Unreadable};
use saydo_model::Request;
use serde_json::Value;
use std::io::Write as _;
use std::path::Path;

/// What went into a batch file.
#[derive(Debug, Clone, Copy, Default, PartialEq, Eq)]
pub struct Exported {
    /// Requests written.
    pub requests: u64,
    /// Documents read.
    pub documents: u64,
    /// Documents that need no request, because everything about them is recorded.
    pub finished: u64,
    /// Documents that could not be read.
    pub unreadable: u64,
}

/// Writes one request for each window of each document and part that is not recorded, equal texts once. `line` makes a
/// line of a `custom_id` and a request. The file appears when it is whole.
pub fn export(
    parts: &[Part<'_>],
    documents: &mut dyn Iterator<Item = Result<Document, Unreadable>>,
    ledger: &Ledger,
    retry_errors: bool,
    path: &Path,
    line: &dyn Fn(&str, &Request) -> Result<Value, saydo_model::Error>,
) -> Result<Exported, Error> {
    write_whole(path, |file| {
        write_all(parts, documents, ledger, retry_errors, &mut |id, request| {
            let line = line(id, request).map_err(|error| Error::Function(error.into()))?;
            writeln!(file, "{line}").map_err(Error::write(path))
        })
    })
}

fn write_all(
    parts: &[Part<'_>],
    documents: &mut dyn Iterator<Item = Result<Document, Unreadable>>,
    ledger: &Ledger,
    retry_errors: bool,
    write: &mut dyn FnMut(&str, &Request) -> Result<(), Error>,
) -> Result<Exported, Error> {
    let mut exported = Exported::default();
    let mut seen = FxHashSet::default();
    let is_finished = |status| match status {
        None => false,
        Some(Status::Ok | Status::Na) => true,
        Some(Status::Unparsable | Status::Failed) => !retry_errors,
    };
    for document in documents {
        exported.documents += 1;
        let Ok(Document { text, .. }) = document else {
            exported.unreadable += 1;
            continue;
        };
        let mut open = 0;
        for part in parts {
            let key = part.keys.of(&text);
            if is_finished(ledger.status(key)) {
                continue;
            }
            open += 1;
            if seen.insert(key) {
                for (window, request) in (part.ask)(&text).iter().enumerate() {
                    write(&custom_id(key, window), request)?;
                    exported.requests += 1;
                }
            }
        }
        exported.finished += u64::from(open == 0);
    }
    Ok(exported)
}
