//! JSON Lines, read on all cores.

use crate::Error;
use rayon::prelude::*;
use saydo_corpus::Cell;
use saydo_run::Key;
use serde::de::DeserializeOwned;
use serde::{Deserialize, Serialize};
use std::collections::HashMap;
use std::io::{BufWriter, ErrorKind, Write as _};
use std::path::Path;

/// Writes a value a line; the file appears when it is whole.
pub(crate) fn write_lines<T: Serialize>(path: &Path, values: impl IntoIterator<Item = T>) -> Result<(), Error> {
    saydo_run::whole::write(path, |file| {
        let mut out = BufWriter::new(file);
        for value in values {
            serde_json::to_writer(&mut out, &value)
                .map_err(std::io::Error::from)
                .and_then(|()| out.write_all(b"\n"))
                .map_err(saydo_run::Error::write(path))?;
        }
        out.flush().map_err(saydo_run::Error::write(path))
    })?;
    Ok(())
}

/// Reads a value a line.
pub(super) fn read_lines<T: DeserializeOwned + Send>(path: &Path) -> Result<Vec<T>, Error> {
    let text = std::fs::read_to_string(path).map_err(Error::file("read", path))?;
    let lines: Vec<&str> = text.lines().collect();
    let parse =
        |(number, line): (usize, &&str)| serde_json::from_str(line).map_err(|error| bad(path, number + 1, &error));
    lines.par_iter().enumerate().map(parse).collect()
}

/// A line of a ledger.
#[derive(Deserialize)]
struct Entry {
    key: Key,
    #[serde(flatten)]
    cell: Cell,
}

/// The replies of a ledger, the last one for each key. Lines that are none, as a process that was killed may leave them,
/// count for nothing. A ledger that is not there has no replies.
pub(super) fn read_ledger(path: &Path) -> Result<HashMap<Key, Cell>, Error> {
    let bytes = match std::fs::read(path) {
        Ok(bytes) => bytes,
        Err(error) if error.kind() == ErrorKind::NotFound => return Ok(HashMap::new()),
        Err(source) => return Err(Error::File { verb: "read", path: path.to_owned(), source }),
    };
    let lines: Vec<&[u8]> = bytes.split(|byte| *byte == b'\n').collect();
    let parse = |line: &&[u8]| serde_json::from_slice::<Entry>(line).ok().map(|entry| (entry.key, entry.cell));
    let entries: Vec<(Key, Cell)> = lines.par_iter().filter_map(parse).collect();
    Ok(entries.into_iter().collect())
}

pub(super) fn bad(path: &Path, line: usize, error: &serde_json::Error) -> Error {
    Error::BadRecord { path: path.to_owned(), line, reason: error.to_string() }
}
