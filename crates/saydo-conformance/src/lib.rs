//! Reference vectors for the tests of other crates, the count of rows those tests compared, and the commands in the
//! documentation ([`document`]).
//!
//! A conformance test holds our results to those of an authors' program. Two things must not happen: that it passes
//! because a file was not there, and that it passes because a loop ran over nothing. So a missing file panics here, and
//! [`compare`] panics if it was given no row. This is a crate of its own because seven crates test against vectors.

pub mod document;

use std::fmt;
use std::io::{Read, Write};
use std::path::{Path, PathBuf};

use serde_json::Value;
use sha2::{Digest, Sha256};

/// The environment variable with the file that [`compare`] adds its counts to, a line `PROTOCOL\tROWS` each.
pub const COUNTS_VARIABLE: &str = "SAYDO_CONFORMANCE_COUNTS";

/// The environment variable that names the folder of published texts, where it is not `../shared`.
pub const OUTSIDE_VARIABLE: &str = "SAYDO_OUTSIDE";

const INSIDE: &str = concat!(env!("CARGO_MANIFEST_DIR"), "/../../fixtures/conformance");
const OUTSIDE: &str = concat!(env!("CARGO_MANIFEST_DIR"), "/../../../shared");

/// What a row of vectors belongs to. `cargo xtask conformance` lists the same names.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Protocol {
    /// The ZEST scorer.
    Zest,
    /// ROUGE-L and the Natural Instructions evaluator.
    NaturalInstructions,
    /// The Super-NaturalInstructions evaluator.
    SuperNaturalInstructions,
    /// Prompts and training files of all papers.
    Encodings,
    /// The Turking Test's templates, resources and fixed answers.
    Turking,
}

impl fmt::Display for Protocol {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str(match self {
            Protocol::Zest => "zest",
            Protocol::NaturalInstructions => "natural-instructions",
            Protocol::SuperNaturalInstructions => "super-natural-instructions",
            Protocol::Encodings => "encodings",
            Protocol::Turking => "turking",
        })
    }
}

/// Checks every row and counts it.
///
/// # Panics
///
/// If there was no row, or a check panics.
#[track_caller]
pub fn compare<T>(protocol: Protocol, rows: impl IntoIterator<Item = T>, mut check: impl FnMut(T)) {
    let mut compared = 0_usize;
    for row in rows {
        check(row);
        compared += 1;
    }
    assert!(compared > 0, "no row of {protocol} was compared, expected at least one");
    record(protocol, compared);
}

/// Adds a line to the file of counts in a single write, because tests run side by side in threads and processes.
fn record(protocol: Protocol, rows: usize) {
    let Some(path) = std::env::var_os(COUNTS_VARIABLE) else { return };
    let file = std::fs::OpenOptions::new().create(true).append(true).open(&path);
    file.and_then(|mut file| file.write_all(format!("{protocol}\t{rows}\n").as_bytes()))
        .unwrap_or_else(|error| panic!("cannot add to {}: {error}", Path::new(&path).display()));
}

/// The place of a file or folder under `fixtures/conformance`, as [`find`] finds it.
///
/// # Panics
///
/// If it is not there.
#[track_caller]
pub fn path(name: &str) -> PathBuf {
    find(Path::new(INSIDE), name)
}

/// The place of something in a folder: under its name or, packed, under its name with `.gz` behind it.
///
/// # Panics
///
/// If neither is there.
#[track_caller]
pub fn find(folder: &Path, name: &str) -> PathBuf {
    let candidates = [name.to_owned(), format!("{name}.gz")].map(|name| folder.join(name));
    let found = candidates.into_iter().find(|path| path.exists());
    found.unwrap_or_else(|| panic!("{name} is missing from {}", folder.display()))
}

/// The text of a file under `fixtures/conformance`, unpacked.
///
/// # Panics
///
/// If it is missing or not UTF-8.
#[track_caller]
pub fn text(name: &str) -> String {
    read(&path(name))
}

/// The value of a JSON file under `fixtures/conformance`.
///
/// # Panics
///
/// If it is missing or not JSON.
#[track_caller]
pub fn json(name: &str) -> Value {
    parse(&text(name))
}

/// The values of a file of JSON Lines under `fixtures/conformance`.
///
/// # Panics
///
/// If it is missing or a line is not JSON.
#[track_caller]
pub fn json_lines(name: &str) -> Vec<Value> {
    text(name).lines().map(parse).collect()
}

/// The place of a file or folder of published text, which the repository must not hold: under `../shared`, or the
/// folder that [`OUTSIDE_VARIABLE`] names. Tests that call this are ignored unless asked for by name.
///
/// # Panics
///
/// If it is not there.
#[track_caller]
pub fn outside(name: &str) -> PathBuf {
    let folder = std::env::var_os(OUTSIDE_VARIABLE).map_or_else(|| PathBuf::from(OUTSIDE), PathBuf::from);
    let path = folder.join(name);
    assert!(path.exists(), "{} is not there; {OUTSIDE_VARIABLE} can name another folder", path.display());
    path
}

/// The text of a file anywhere, unpacked if its name ends in `.gz`.
///
/// # Panics
///
/// If it cannot be read.
#[track_caller]
pub fn read(path: &Path) -> String {
    let bytes = std::fs::read(path).unwrap_or_else(|error| panic!("cannot read {}: {error}", path.display()));
    if path.extension().is_none_or(|extension| extension != "gz") {
        return String::from_utf8(bytes).unwrap_or_else(|error| panic!("{}: {error}", path.display()));
    }
    let mut text = String::new();
    let unpacked = flate2::read::MultiGzDecoder::new(&*bytes).read_to_string(&mut text);
    unpacked.unwrap_or_else(|error| panic!("cannot unpack {}: {error}", path.display()));
    text
}

/// The values of a file of JSON Lines anywhere, unpacked if its name ends in `.gz`.
///
/// # Panics
///
/// If it cannot be read or a line is not JSON.
#[track_caller]
pub fn read_json_lines(path: &Path) -> Vec<Value> {
    read(path).lines().map(parse).collect()
}

/// The SHA-256 of a text in hexadecimal: how vectors name a published text that the repository must not hold.
pub fn sha256(text: &str) -> String {
    Sha256::digest(text).iter().map(|byte| format!("{byte:02x}")).collect()
}

#[track_caller]
fn parse(text: &str) -> Value {
    serde_json::from_str(text).unwrap_or_else(|error| panic!("{error} in {text:.80}"))
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    #[should_panic(expected = "no row of zest was compared")]
    fn comparing_nothing_fails() {
        compare(Protocol::Zest, Vec::<Value>::new(), |_| ());
    }

    #[test]
    #[should_panic(expected = "zest/nothing.jsonl is missing from")]
    fn a_missing_file_fails() {
        let _ = json_lines("zest/nothing.jsonl");
    }

    #[test]
    fn packed_and_plain_files_are_read_by_the_same_name() {
        for (name, file) in [("is_na_rows.jsonl", "is_na_rows.jsonl"), ("span_rows.jsonl", "span_rows.jsonl.gz")] {
            assert!(path(&format!("zest/{name}")).ends_with(file));
            assert!(!json_lines(&format!("zest/{name}")).is_empty());
        }
    }
}
