//! JSON Lines, read on all cores.

use crate::Error;
use rayon::prelude::*;
use saydo_corpus::{Cell, Key, entry};
use saydo_file::Draft;
use saydo_file::digest::{self, Sum};
use serde::Serialize;
use serde::de::DeserializeOwned;
use std::collections::HashMap;
use std::io::{self, ErrorKind, Write as _};
use std::path::Path;

/// Writes a value a line; the file appears when it is whole.
pub(crate) fn write_lines<T: Serialize>(path: &Path, values: impl IntoIterator<Item = T>) -> Result<(), Error> {
    draft_lines(path, values).and_then(|(draft, _)| draft.commit()).map_err(Error::file("write", path))
}

/// Writes a value a line into a draft; gives it with its SHA-256.
pub(super) fn draft_lines<T: Serialize>(
    path: &Path,
    values: impl IntoIterator<Item = T>,
) -> io::Result<(Draft, String)> {
    let (mut draft, mut sum, mut line) = (Draft::create(path)?, Sum::default(), Vec::new());
    for value in values {
        line.clear();
        serde_json::to_writer(&mut line, &value)?;
        line.push(b'\n');
        sum.update(&line);
        draft.write_all(&line)?;
    }
    Ok((draft, sum.hex()))
}

/// Reads a value a line. The file must have the SHA-256, where one is known.
pub(super) fn read_lines<T: DeserializeOwned + Send>(path: &Path, sha256: Option<&str>) -> Result<Vec<T>, Error> {
    let text = std::fs::read_to_string(path).map_err(Error::file("read", path))?;
    let lines: Vec<&str> = text.lines().collect();
    let parse =
        |(number, line): (usize, &&str)| serde_json::from_str(line).map_err(|error| bad(path, number + 1, &error));
    let values = lines.par_iter().enumerate().map(parse).collect::<Result<Vec<T>, Error>>()?;
    match sha256.is_some_and(|sha256| digest::of(&text).hex() != sha256) {
        true => Err(Error::TornRecord { path: path.to_owned() }),
        false => Ok(values),
    }
}

/// The replies of a ledger, the last one for each key. Lines that are none, as a process that was killed may leave them, or
/// whose checksum is wrong, count for nothing. A ledger that is not there has no replies.
pub(super) fn read_ledger(path: &Path) -> Result<HashMap<Key, Cell>, Error> {
    let bytes = match std::fs::read(path) {
        Ok(bytes) => bytes,
        Err(error) if error.kind() == ErrorKind::NotFound => return Ok(HashMap::new()),
        Err(source) => return Err(Error::File { verb: "read", path: path.to_owned(), source }),
    };
    let lines: Vec<&[u8]> = bytes.split(|byte| *byte == b'\n').collect();
    let entries: Vec<(Key, Cell)> = lines.par_iter().filter_map(|line| entry::parse(line)).collect();
    Ok(entries.into_iter().collect())
}

pub(super) fn bad(path: &Path, line: usize, error: &serde_json::Error) -> Error {
    Error::BadRecord { path: path.to_owned(), line, reason: error.to_string() }
}
