//! Answers that were given before, found again by what they depend on.
//!
//! An engine that runs a failed piece of work again runs it whole. What keeps that cheap is this: every answer is written
//! to a ledger as soon as it is known, one ledger for each process, all in one folder; whoever meets the same text
//! again, here or in another process that sees the folder, reads it back.

use crate::Error;
use saydo_corpus::{Cell, Status};
use saydo_run::{Key, Ledger};
use std::fs;
use std::path::{Path, PathBuf};
use std::sync::{Mutex, MutexGuard, PoisonError};

/// A folder of ledgers, of which this process writes one.
#[derive(Debug)]
pub struct Store {
    folder: PathBuf,
    own: PathBuf,
    ledger: Mutex<Ledger>,
}

impl Store {
    /// Opens the folder, or makes it. The ledger that is written bears the name; no other process may use the same.
    pub fn open(folder: &Path, name: &str) -> Result<Self, Error> {
        fs::create_dir_all(folder).map_err(|source| Error::Folder { path: folder.to_owned(), source })?;
        let own = folder.join(format!("{name}.jsonl"));
        let ledger = Mutex::new(Ledger::open(&own, &[])?);
        let store = Self { folder: folder.to_owned(), own, ledger };
        store.refresh()?;
        Ok(store)
    }

    /// Takes in what other processes have written since.
    pub(crate) fn refresh(&self) -> Result<(), Error> {
        Ok(self.lock().refresh(&self.others()?)?)
    }

    /// The answer to what has this key, unless there is none or it went wrong.
    pub(crate) fn find(&self, key: Key) -> Option<Cell> {
        let mut ledger = self.lock();
        match ledger.status(key)? {
            Status::Ok | Status::Na => ledger.read(key),
            Status::Unparsable | Status::Failed => None,
        }
    }

    /// Keeps an answer.
    pub(crate) fn keep(&self, key: Key, cell: &Cell) -> Result<(), Error> {
        Ok(self.lock().record(key, cell)?)
    }

    fn others(&self) -> Result<Vec<PathBuf>, Error> {
        let cannot = |source| Error::Folder { path: self.folder.clone(), source };
        let mut others = Vec::new();
        for entry in fs::read_dir(&self.folder).map_err(cannot)? {
            let path = entry.map_err(cannot)?.path();
            if path.extension().is_some_and(|extension| extension == "jsonl") && path != self.own {
                others.push(path);
            }
        }
        others.sort();
        Ok(others)
    }

    /// A thread that panicked left the ledger whole: a line is written by one call.
    fn lock(&self) -> MutexGuard<'_, Ledger> {
        self.ledger.lock().unwrap_or_else(PoisonError::into_inner)
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use saydo_run::{Keys, cell};
    use serde_json::json;

    #[test]
    fn what_one_process_keeps_another_finds_after_a_refresh() {
        let folder = tempfile::tempdir().unwrap();
        let [first, second] = ["a", "b"].map(|name| Store::open(folder.path(), name).unwrap());
        let key = Keys::new(&json!("task"), "model").of("text");
        let cell = Cell { status: Status::Ok, error: None, ..cell::without_answer(Status::Ok, String::new(), 3) };
        first.keep(key, &cell).unwrap();
        assert_eq!(second.find(key), None);
        second.refresh().unwrap();
        assert_eq!(second.find(key), Some(cell));
    }

    #[test]
    fn what_failed_is_not_found() {
        let folder = tempfile::tempdir().unwrap();
        let store = Store::open(folder.path(), "a").unwrap();
        let key = Keys::new(&json!("task"), "model").of("text");
        store.keep(key, &cell::without_answer(Status::Failed, "busy".into(), 0)).unwrap();
        assert_eq!(store.find(key), None);
    }

    #[test]
    fn one_name_is_for_one_process() {
        let folder = tempfile::tempdir().unwrap();
        let _first = Store::open(folder.path(), "a").unwrap();
        assert!(Store::open(folder.path(), "a").is_err());
    }
}
