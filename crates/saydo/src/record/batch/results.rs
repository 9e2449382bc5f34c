//! A file of results: where the result of each request stands.

use super::parse_id;
use crate::Error;
use crate::record::Key;
use rustc_hash::FxHashMap;
use serde::Deserialize;
use serde_json::Value;
use std::borrow::Cow;
use std::fs::File;
use std::io::{BufRead as _, BufReader, Seek as _, SeekFrom};
use std::path::{Path, PathBuf};

/// The results of a batch. Only their places are in memory.
#[derive(Debug)]
pub struct Results {
    path: PathBuf,
    file: BufReader<File>,
    /// Each window of a key, and the byte its line starts at.
    places: FxHashMap<Key, Vec<(u32, u64)>>,
    /// Lines that are no results of ours.
    pub(super) foreign: u64,
}

#[derive(Deserialize)]
struct Head<'a> {
    #[serde(borrow)]
    custom_id: Cow<'a, str>,
}

impl Results {
    /// Finds the results in a file. Lines without an id that we gave are counted and passed over; a file with nothing
    /// else is refused.
    pub fn open(path: &Path) -> Result<Self, Error> {
        let file = File::open(path).map_err(Error::read(path))?;
        let mut results =
            Self { path: path.to_owned(), file: BufReader::new(file), places: FxHashMap::default(), foreign: 0 };
        let (mut line, mut at) = (Vec::new(), 0);
        loop {
            line.clear();
            let read = results.file.read_until(b'\n', &mut line).map_err(Error::read(path))?;
            if read == 0 {
                break;
            }
            if !line.trim_ascii().is_empty() {
                results.add(&line, at);
            }
            at += read as u64;
        }
        if results.places.is_empty() {
            return Err(Error::NoResults { path: path.to_owned(), lines: results.foreign });
        }
        Ok(results)
    }

    fn add(&mut self, line: &[u8], at: u64) {
        let head: Option<Head<'_>> = serde_json::from_slice(line).ok();
        let Some((key, window)) = head.and_then(|head| parse_id(&head.custom_id)) else {
            self.foreign += 1;
            return;
        };
        let windows = self.places.entry(key).or_default();
        // A request that was run twice has its later result.
        windows.retain(|(other, _)| *other != window);
        windows.push((window, at));
    }

    /// Takes the results of a key out, in the order of the windows; none unless there are exactly `windows` of them.
    pub(super) fn take(&mut self, key: Key, windows: usize) -> Result<Option<Vec<Value>>, Error> {
        let Some(mut places) = self.places.remove(&key) else { return Ok(None) };
        places.sort_unstable();
        if !places.iter().map(|(window, _)| *window as usize).eq(0..windows) {
            return Ok(None);
        }
        let values: Result<Vec<Value>, Error> = places.into_iter().map(|(_, at)| self.value(at)).collect();
        values.map(Some)
    }

    /// Passes over the results of a key that is recorded already.
    pub(super) fn forget(&mut self, key: Key) {
        self.places.remove(&key);
    }

    /// How many keys were not taken out.
    pub(super) fn left(&self) -> u64 {
        self.places.len() as u64
    }

    fn value(&mut self, at: u64) -> Result<Value, Error> {
        let mut line = Vec::new();
        let read = self.file.seek(SeekFrom::Start(at)).and_then(|_| self.file.read_until(b'\n', &mut line));
        read.map_err(Error::read(&self.path))?;
        serde_json::from_slice(&line)
            .map_err(|error| Error::Read { path: self.path.clone(), source: std::io::Error::other(error) })
    }
}
