//! The state: one SQLite file, one thread that writes, a few connections that read.
//!
//! Whatever waits to be written goes into one transaction, and nobody is told that it is kept before that transaction is on
//! disk (write-ahead log, `synchronous = FULL`). So fifty people who answer at once cost one flush, and what was
//! acknowledged survives the death of the process and of the machine.

mod backup;
mod health;
mod migration;
pub(crate) mod private;
mod writer;

use crate::Error;
use crate::failure::{Answered, Failure};
use health::Health;
use rusqlite::{Connection, OpenFlags};
use std::path::{Path, PathBuf};
use std::sync::{Arc, Mutex, PoisonError};
use writer::Writer;

/// The name of the file in the server's folder.
pub(crate) const FILE: &str = "saydo.db";

/// The state of a server. Clones are the same state.
#[derive(Clone)]
pub struct Store {
    inner: Arc<Inner>,
}

struct Inner {
    path: PathBuf,
    writer: Writer,
    readers: Mutex<Vec<Connection>>,
    health: Health,
}

impl Store {
    /// Opens the state in a folder; both are made if they are not there.
    pub fn open(folder: &Path) -> Result<Self, Error> {
        private::prepare(folder).map_err(|source| Error::Folder { path: folder.to_owned(), source })?;
        let path = folder.join(FILE);
        let failed = |source| Error::Store { path: path.clone(), source };
        let mut connection = Connection::open(&path).map_err(failed)?;
        prepare(&connection).map_err(failed)?;
        migration::run(&mut connection, &path)?;
        let writer = Writer::start(connection).map_err(|source| Error::Folder { path: folder.to_owned(), source })?;
        Ok(Self { inner: Arc::new(Inner { path, writer, readers: Mutex::default(), health: Health::default() }) })
    }

    /// Copies the state in a folder to a file that is not there yet, also while a server runs on it.
    pub fn backup(folder: &Path, to: &Path) -> Result<(), Error> {
        backup::copy(folder, to)
    }

    /// Puts everything into the file itself, so that the file alone is the state until something is written again.
    pub(crate) fn checkpoint(&self) -> Answered<()> {
        let connection = Connection::open(&self.inner.path)?;
        connection.busy_timeout(std::time::Duration::from_secs(5))?;
        let is_busy: bool = connection.query_row("PRAGMA wal_checkpoint(TRUNCATE)", [], |row| row.get(0))?;
        if is_busy { Err(Failure::internal("the state is in use")) } else { Ok(()) }
    }

    /// Runs `work` where it may write. When this returns, what it did is on disk; if it fails, nothing of it is.
    pub(crate) async fn write<T: Send + 'static>(
        &self,
        work: impl FnOnce(&Connection) -> Answered<T> + Send + 'static,
    ) -> Answered<T> {
        let (sender, receiver) = tokio::sync::oneshot::channel();
        self.inner.writer.send(work, move |result| {
            // Whoever asked may have gone; what was written stays.
            let _ = sender.send(result);
        });
        receiver.await.unwrap_or_else(|_| Err(Failure::internal("the writer is gone")))
    }

    /// The same, from a thread that may wait.
    pub(crate) fn write_now<T: Send + 'static>(
        &self,
        work: impl FnOnce(&Connection) -> Answered<T> + Send + 'static,
    ) -> Answered<T> {
        let (sender, receiver) = std::sync::mpsc::sync_channel(1);
        self.inner.writer.send(work, move |result| {
            let _ = sender.send(result);
        });
        receiver.recv().unwrap_or_else(|_| Err(Failure::internal("the writer is gone")))
    }

    /// Runs `work` where it may read; it sees one moment of the state.
    pub(crate) async fn read<T: Send + 'static>(
        &self,
        work: impl FnOnce(&Connection) -> Answered<T> + Send + 'static,
    ) -> Answered<T> {
        let store = self.clone();
        let done = tokio::task::spawn_blocking(move || store.read_now(work)).await;
        done.unwrap_or_else(|error| Err(Failure::internal(error)))
    }

    /// The same, from a thread that may wait.
    pub(crate) fn read_now<T>(&self, work: impl FnOnce(&Connection) -> Answered<T>) -> Answered<T> {
        let free = self.readers().pop();
        let mut connection = match free {
            Some(connection) => connection,
            None => self.reader()?,
        };
        let result = connection.transaction().map_err(Failure::from).and_then(|transaction| work(&transaction));
        self.readers().push(connection);
        result
    }

    fn readers(&self) -> std::sync::MutexGuard<'_, Vec<Connection>> {
        self.inner.readers.lock().unwrap_or_else(PoisonError::into_inner)
    }

    fn reader(&self) -> Answered<Connection> {
        let flags = OpenFlags::SQLITE_OPEN_READ_ONLY | OpenFlags::SQLITE_OPEN_NO_MUTEX;
        let connection = Connection::open_with_flags(&self.inner.path, flags)?;
        connection.busy_timeout(std::time::Duration::from_secs(5))?;
        connection.set_prepared_statement_cache_capacity(128);
        Ok(connection)
    }
}

fn prepare(connection: &Connection) -> rusqlite::Result<()> {
    connection.busy_timeout(std::time::Duration::from_secs(5))?;
    connection.set_prepared_statement_cache_capacity(128);
    connection.pragma_update(None, "journal_mode", "wal")?;
    connection.pragma_update(None, "synchronous", "full")?;
    connection.pragma_update(None, "foreign_keys", "on")
}

#[cfg(test)]
mod tests {
    use super::*;

    fn count(store: &Store) -> i64 {
        store.read_now(|db| Ok(db.query_row("SELECT count(*) FROM setting", [], |row| row.get(0))?)).unwrap()
    }

    fn put(store: &Store, name: &'static str) -> Answered<()> {
        store.write_now(move |db| {
            db.execute("INSERT INTO setting VALUES (?1, 'x')", [name])?;
            if name == "bad" { Err(Failure::bad("no")) } else { Ok(()) }
        })
    }

    #[test]
    fn what_fails_leaves_nothing_and_what_succeeds_is_there_after_reopening() {
        let folder = tempfile::tempdir().unwrap();
        let store = Store::open(folder.path()).unwrap();
        assert_eq!(put(&store, "a"), Ok(()));
        assert_eq!(put(&store, "bad"), Err(Failure::bad("no")));
        assert!(put(&store, "a").is_err());
        assert_eq!(count(&store), 1);
        drop(store);
        assert_eq!(count(&Store::open(folder.path()).unwrap()), 1);
    }

    #[test]
    fn a_full_disk_is_said_and_the_state_stays_whole() {
        let folder = tempfile::tempdir().unwrap();
        let store = Store::open(folder.path()).unwrap();
        // A limit on the pages of the file is what a full disk looks like to SQLite.
        store
            .write_now(|db| {
                let pages: i64 = db.query_row("PRAGMA page_count", [], |row| row.get(0))?;
                db.query_row(&format!("PRAGMA max_page_count = {}", pages + 2), [], |row| row.get::<_, i64>(0))?;
                Ok(())
            })
            .unwrap();
        let fill = |name: String| {
            store.write_now(move |db| Ok(db.execute("INSERT INTO setting VALUES (?1, hex(zeroblob(3000)))", [name])?))
        };
        let failed = (0..20).find_map(|number| fill(format!("n{number}")).err());
        assert_eq!(failed, Some(Failure::Full));
        let sound: String =
            store.read_now(|db| Ok(db.query_row("PRAGMA integrity_check", [], |row| row.get(0))?)).unwrap();
        assert_eq!(sound, "ok");
        assert!(count(&store) > 0);
    }

    #[test]
    fn many_writers_at_once_lose_nothing() {
        let folder = tempfile::tempdir().unwrap();
        let store = Store::open(folder.path()).unwrap();
        std::thread::scope(|scope| {
            for thread in 0..8 {
                let store = &store;
                scope.spawn(move || {
                    for number in 0..25 {
                        let name = format!("{thread}-{number}");
                        let write =
                            move |db: &Connection| Ok(db.execute("INSERT INTO setting VALUES (?1, '')", [name])?);
                        store.write_now(write).unwrap();
                    }
                });
            }
        });
        assert_eq!(count(&store), 200);
    }
}
