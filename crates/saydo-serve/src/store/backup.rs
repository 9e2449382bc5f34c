//! A copy of the state that is whole, also while a server writes to it.

use super::{FILE, private};
use crate::Error;
use rusqlite::{Connection, OpenFlags};
use saydo_file::disk;
use std::path::{Path, PathBuf};

/// Copies the state in a folder to a file that is not there yet. The copy is one moment of the state: whatever was
/// acknowledged before this was called is in it.
pub(super) fn copy(folder: &Path, to: &Path) -> Result<(), Error> {
    let from = folder.join(FILE);
    if !from.is_file() {
        return Err(Error::NoState { path: folder.to_owned() });
    }
    let failed = |source| Error::Backup { path: to.to_owned(), source };
    if to.exists() {
        return Err(failed(std::io::ErrorKind::AlreadyExists.into()));
    }
    let mut name = to.file_name().unwrap_or_default().to_owned();
    name.push(".part");
    let part = Part(to.with_file_name(name));
    // What an earlier attempt left behind is of no use, and what another user put there, such as a link, is not written to.
    disk::remove_file(&part.0).and_then(|()| private::create_new(&part.0)).map_err(failed)?;
    let flags = OpenFlags::SQLITE_OPEN_READ_ONLY | OpenFlags::SQLITE_OPEN_NO_MUTEX;
    let copied = Connection::open_with_flags(&from, flags).and_then(|db| {
        db.busy_timeout(std::time::Duration::from_secs(5))?;
        db.execute("VACUUM INTO ?1", [part.0.to_string_lossy()])
    });
    copied.map_err(|source| Error::Store { path: from, source })?;
    // SQLite does not wait for the disk here.
    disk::sync_file(&part.0).and_then(|()| disk::publish(&part.0, to)).map_err(failed)
}

/// A file that is removed unless it was renamed.
struct Part(PathBuf);

impl Drop for Part {
    fn drop(&mut self) {
        let _ = disk::remove_file(&self.0);
    }
}

#[cfg(test)]
mod tests {
    use crate::Store;
    use crate::store::FILE;
    use rusqlite::Connection;

    fn count(path: &std::path::Path) -> i64 {
        let db = Connection::open(path).unwrap();
        db.query_row("SELECT count(*) FROM setting", [], |row| row.get(0)).unwrap()
    }

    fn put(store: &Store, number: i64) {
        let insert = "INSERT INTO setting VALUES (?1, hex(zeroblob(2000)))";
        store.write_now(move |db| Ok(db.execute(insert, [number.to_string()])?)).unwrap();
    }

    #[test]
    fn a_copy_made_while_others_write_is_whole() {
        let scratch = tempfile::tempdir().unwrap();
        let folder = scratch.path().join("data");
        let store = Store::open(&folder).unwrap();
        (0..50).for_each(|number| put(&store, number));
        let copy = scratch.path().join("copy.db");
        std::thread::scope(|scope| {
            scope.spawn(|| (50..100).for_each(|number| put(&store, number)));
            Store::backup(&folder, &copy).unwrap();
        });
        let db = Connection::open(&copy).unwrap();
        let sound: String = db.query_row("PRAGMA integrity_check", [], |row| row.get(0)).unwrap();
        assert_eq!(sound, "ok");
        assert!((50..=100).contains(&count(&copy)));
        let error = Store::backup(&folder, &copy).unwrap_err().to_string();
        assert!(error.starts_with("cannot write the backup"), "{error}");
        let names: Vec<_> =
            std::fs::read_dir(scratch.path()).unwrap().map(|entry| entry.unwrap().file_name()).collect();
        assert_eq!(names.len(), 2, "nothing is left behind: {names:?}");
        let error = Store::backup(scratch.path(), &scratch.path().join("other.db")).unwrap_err().to_string();
        assert!(error.starts_with("there is no state in"), "{error}");
    }

    #[cfg(unix)]
    #[test]
    fn a_copy_is_its_owners_alone_and_writes_through_no_link() {
        use std::os::unix::fs::PermissionsExt as _;
        let scratch = tempfile::tempdir().unwrap();
        let folder = scratch.path().join("data");
        put(&Store::open(&folder).unwrap(), 1);
        let (copy, other) = (scratch.path().join("copy.db"), scratch.path().join("other"));
        std::fs::write(&other, "of value").unwrap();
        std::os::unix::fs::symlink(&other, scratch.path().join("copy.db.part")).unwrap();
        Store::backup(&folder, &copy).unwrap();
        assert_eq!(std::fs::read(&other).unwrap(), b"of value");
        assert_eq!(std::fs::metadata(&copy).unwrap().permissions().mode() & 0o777, 0o600);
    }

    #[test]
    fn after_a_checkpoint_the_file_alone_holds_everything() {
        let scratch = tempfile::tempdir().unwrap();
        let store = Store::open(scratch.path()).unwrap();
        (0..20).for_each(|number| put(&store, number));
        let alone = scratch.path().join("alone.db");
        store.checkpoint().unwrap();
        std::fs::copy(scratch.path().join(FILE), &alone).unwrap();
        assert_eq!(count(&alone), 20);
    }
}
