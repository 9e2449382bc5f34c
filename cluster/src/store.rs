//! Answers that were given before, found again by what they depend on.
//!
//! An engine that runs a failed piece of work again runs it whole. What keeps that cheap is this: every answer is written
//! to a ledger as soon as it is known, one ledger for each process, all in one folder; whoever meets the same text
//! again, here or in another process that sees the folder, reads it back. Processes on machines without a common folder
//! share their ledgers through an object store.

mod shared;

use crate::Error;
use saydo::record::{Key, Ledger};
use saydo_corpus::{Cell, Status};
use shared::Shared;
use std::fs;
use std::path::{Path, PathBuf};
use std::sync::{Mutex, MutexGuard, PoisonError};

/// A folder of ledgers, of which this process writes one.
#[derive(Debug)]
pub struct Store {
    folder: PathBuf,
    own: PathBuf,
    ledger: Mutex<Ledger>,
    shared: Option<Mutex<Shared>>,
}

impl Store {
    /// Opens the folder, or makes it. The ledger that is written bears the name; no other process may use the same. With an
    /// address (`s3://bucket/answers`), answers are shared with whoever names the same.
    pub fn open(folder: &Path, name: &str, address: Option<&str>) -> Result<Self, Error> {
        saydo_file::disk::create_folders(folder).map_err(|source| Error::Folder { path: folder.to_owned(), source })?;
        let own = folder.join(format!("{name}.jsonl"));
        let ledger = Mutex::new(Ledger::open(&own, &[])?);
        // What an earlier process of this name kept and could not share any more is shared now.
        let shared = address.map(|address| Shared::open(address, name).map(Mutex::new)).transpose()?;
        let store = Self { folder: folder.to_owned(), own, ledger, shared };
        store.share(true)?;
        store.refresh()?;
        Ok(store)
    }

    /// Takes in what other processes have written since.
    pub(crate) fn refresh(&self) -> Result<(), Error> {
        if let Some(shared) = &self.shared {
            shared.lock().unwrap_or_else(PoisonError::into_inner).take(&self.folder)?;
        }
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
        self.lock().record(key, cell)?;
        self.share(false)
    }

    /// Lets other machines see what was kept here: all of it, or what has waited long enough.
    pub(crate) fn share(&self, all: bool) -> Result<(), Error> {
        match &self.shared {
            Some(shared) => shared.lock().unwrap_or_else(PoisonError::into_inner).put(&self.own, all),
            None => Ok(()),
        }
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
    use saydo::record::{Keys, cell};
    use serde_json::json;

    #[test]
    fn what_one_process_keeps_another_finds_after_a_refresh() {
        let folder = tempfile::tempdir().unwrap();
        let [first, second] = ["a", "b"].map(|name| Store::open(folder.path(), name, None).unwrap());
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
        let store = Store::open(folder.path(), "a", None).unwrap();
        let key = Keys::new(&json!("task"), "model").of("text");
        store.keep(key, &cell::without_answer(Status::Failed, "busy".into(), 0)).unwrap();
        assert_eq!(store.find(key), None);
    }

    #[test]
    fn one_name_is_for_one_process() {
        let folder = tempfile::tempdir().unwrap();
        let _first = Store::open(folder.path(), "a", None).unwrap();
        assert!(Store::open(folder.path(), "a", None).is_err());
    }

    #[test]
    fn machines_without_a_common_folder_share_through_an_object_store() {
        let place = tempfile::tempdir().unwrap();
        let address = format!("file://{}", place.path().display());
        let folders = [0; 3].map(|_| tempfile::tempdir().unwrap());
        let open = |number: usize, name: &str| Store::open(folders[number].path(), name, Some(&address)).unwrap();
        let keys = Keys::new(&json!("task"), "model");
        let cell = Cell { status: Status::Ok, error: None, ..cell::without_answer(Status::Ok, String::new(), 3) };
        let [first, second] = [open(0, "a"), open(1, "b")];
        first.keep(keys.of("one"), &cell).unwrap();
        first.share(true).unwrap();
        first.keep(keys.of("two"), &cell).unwrap();
        second.refresh().unwrap();
        assert_eq!((second.find(keys.of("one")), second.find(keys.of("two"))), (Some(cell.clone()), None));
        // The first process ends before it could share the second answer, and is started again.
        drop(first);
        let _first = open(0, "a");
        second.refresh().unwrap();
        assert_eq!(second.find(keys.of("two")), Some(cell.clone()));
        assert_eq!(open(2, "c").find(keys.of("one")), Some(cell));
    }

    #[test]
    fn an_address_that_is_none_is_refused() {
        let folder = tempfile::tempdir().unwrap();
        let error = Store::open(folder.path(), "a", Some("ftp://a/b")).unwrap_err().to_string();
        assert!(error.starts_with("cannot share answers at ftp://a/b"), "{error}");
    }
}
