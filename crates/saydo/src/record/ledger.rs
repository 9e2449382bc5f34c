//! The ledger: an append-only file with one line for each answer, written as soon as the answer is known.
//!
//! A line is the cell as JSON with its key in front and a checksum at the end,
//! `{"key":"<32 digits>","status":"ok","answer":…,"crc32":"<8 digits>"}`. Key, status and checksum stand at fixed places, so that
//! opening a ledger looks at bytes and parses nothing; what is kept in memory is where each line starts. Ledgers of Saydo 0.1
//! have no checksums and are read all the same. A later line for the same key stands in place of an earlier one.
//!
//! Every line is one write, so a process that is killed loses nothing that was recorded. What a crash of the machine
//! or a full disk leaves behind (a torn last line, damage in the middle) is found at the next opening or reading, and
//! the answer is computed again.

mod index;
mod lock;
mod scan;

use super::Key;
use crate::Error;
use index::{Index, Place};
use lock::Lock;
use saydo_corpus::{Cell, Status, entry};
use saydo_file::{Appender, disk};
use std::fs::File;
use std::io::{BufRead as _, BufReader, ErrorKind, Seek as _, SeekFrom};
use std::path::{Path, PathBuf};
use std::time::{Duration, Instant};

/// How long written lines may wait until the system is told to put them on the disk.
const SYNC_EVERY: Duration = Duration::from_secs(1);

/// How much is read at once when lines are read back.
const READ_BYTES: usize = 64 << 10;

/// The answers of a run, on disk.
#[derive(Debug)]
pub struct Ledger {
    path: PathBuf,
    file: Appender,
    index: Index,
    /// Where lines are read back from: the ledgers beside this one, and this one.
    readers: Vec<Reader>,
    /// Which of the readers is this ledger's own.
    own: usize,
    line: Vec<u8>,
    synced: Instant,
    repair: Repair,
    _lock: Lock,
}

/// What was found wrong with a ledger and set right.
#[derive(Debug, Clone, Copy, Default, PartialEq, Eq)]
pub struct Repair {
    /// Bytes of a last line that was not whole; they were cut off.
    pub torn_bytes: u64,
    /// Lines that are no entries. They stay in the file and count for nothing.
    pub damaged_lines: u64,
}

#[derive(Debug)]
struct Reader {
    path: PathBuf,
    file: BufReader<File>,
    at: u64,
    /// Bytes of whole lines that are in the index.
    scanned: u64,
}

impl Ledger {
    /// Opens a ledger for reading and writing, or makes it. `beside` are ledgers of other shards: their entries count
    /// too, but are only read, and may be written meanwhile. Fails if another process has the ledger open.
    pub fn open(path: &Path, beside: &[PathBuf]) -> Result<Self, Error> {
        let lock = Lock::take(path)?;
        let mut index = Index::default();
        let mut readers = Vec::new();
        for other in beside {
            readers.push(Reader::of_other(other, readers.len(), &mut index)?);
        }
        let mut file = Appender::open(path).map_err(Error::write(path))?;
        let own = readers.len();
        let found = scan::scan(path, 0, own, &mut index)?;
        if found.torn_bytes > 0 {
            file.truncate(found.whole_bytes).map_err(Error::write(path))?;
        }
        readers.push(Reader::open(path)?);
        let repair = Repair { torn_bytes: found.torn_bytes, damaged_lines: found.damaged_lines };
        let (synced, line) = (Instant::now(), Vec::new());
        Ok(Self { path: path.to_owned(), file, index, readers, own, line, synced, repair, _lock: lock })
    }

    /// Takes in what the ledgers of others got since they were last looked at; those not known yet are added. An entry of
    /// another ledger never replaces one that is known and went well.
    pub fn refresh(&mut self, beside: &[PathBuf]) -> Result<(), Error> {
        for other in beside {
            if !self.readers.iter().any(|reader| reader.path == *other) {
                self.readers.push(Reader::open(other)?);
            }
        }
        for (file, reader) in self.readers.iter_mut().enumerate().filter(|(file, _)| *file != self.own) {
            let mut found = Index::default();
            reader.scanned += scan::scan(&reader.path, reader.scanned, file, &mut found)?.whole_bytes;
            for (key, place) in found.in_order() {
                if !self.index.place(key).is_some_and(|known| matches!(known.status, Status::Ok | Status::Na)) {
                    self.index.insert(key, place);
                }
            }
        }
        Ok(())
    }

    /// Puts a ledger that exists aside under a name of its own, for a run that starts anew. Gives that name.
    pub fn set_aside(path: &Path) -> Result<Option<PathBuf>, Error> {
        let _lock = Lock::take(path)?;
        if !path.exists() {
            return Ok(None);
        }
        let numbered = |number: u32| {
            let mut name = path.as_os_str().to_owned();
            name.push(format!(".{number}"));
            PathBuf::from(name)
        };
        let free = (1..).map(numbered).find(|name| !name.exists()).expect("there is always a greater number");
        disk::publish(path, &free).map_err(Error::write(path))?;
        Ok(Some(free))
    }

    /// What was set right when it was opened, and what turned out damaged since.
    pub fn repair(&self) -> Repair {
        self.repair
    }

    /// How many keys have an entry.
    pub fn len(&self) -> usize {
        self.index.len()
    }

    /// Whether nothing is recorded.
    pub fn is_empty(&self) -> bool {
        self.len() == 0
    }

    /// How it went with a key, without reading the entry.
    pub fn status(&self, key: Key) -> Option<Status> {
        self.index.place(key).map(|place| place.status)
    }

    /// The entry of a key. One that cannot be read counts as damaged, and as never made.
    pub fn read(&mut self, key: Key) -> Option<Cell> {
        let place = self.index.place(key)?;
        let cell = self.readers.get_mut(place.file).and_then(|reader| reader.read(place, key, &mut self.line));
        if cell.is_none() {
            self.reject(key);
        }
        cell
    }

    /// Counts the entry of a key as damaged, and as never made: for entries that cannot be what was recorded.
    pub fn reject(&mut self, key: Key) {
        self.index.forget(key);
        self.repair.damaged_lines += 1;
    }

    /// Adds the entry of a key. If that fails, for want of space or any other reason, the ledger is as it was before.
    pub fn record(&mut self, key: Key, cell: &Cell) -> Result<(), Error> {
        entry::write(key, cell, &mut self.line);
        let offset = self.file.bytes();
        // Should part of the line stay, the next opening cuts it off.
        self.file.append(&self.line).map_err(Error::write(&self.path))?;
        self.index.insert(key, Place { file: self.own, offset, status: cell.status });
        if self.synced.elapsed() >= SYNC_EVERY {
            self.sync()?;
        }
        Ok(())
    }

    /// Adds all entries of another ledger that this one has none for, or only a failed one.
    pub fn absorb(&mut self, other: &Path) -> Result<(), Error> {
        let file = self.readers.len();
        let mut index = Index::default();
        scan::scan(other, 0, file, &mut index)?;
        let mut reader = Reader::open(other)?;
        let mut line = Vec::new();
        for (key, place) in index.in_order() {
            if matches!(self.status(key), Some(Status::Ok | Status::Na)) {
                continue;
            }
            if let Some(cell) = reader.read(place, key, &mut line) {
                self.record(key, &cell)?;
            }
        }
        Ok(())
    }

    /// Has the system put everything on the disk.
    pub fn sync(&mut self) -> Result<(), Error> {
        self.synced = Instant::now();
        self.file.sync().map_err(Error::write(&self.path))
    }
}

impl Reader {
    /// A reader of another's ledger, all of whose entries are put into the index.
    fn of_other(path: &Path, file: usize, index: &mut Index) -> Result<Self, Error> {
        let scanned = scan::scan(path, 0, file, index)?.whole_bytes;
        Ok(Self { scanned, ..Self::open(path)? })
    }

    fn open(path: &Path) -> Result<Self, Error> {
        let file = File::open(path).map_err(Error::read(path))?;
        Ok(Self { path: path.to_owned(), file: BufReader::with_capacity(READ_BYTES, file), at: 0, scanned: 0 })
    }

    /// The cell of the line at a place; none if the line is not what the index says. Lines are mostly asked for in the
    /// order they were written, and then found in the buffer.
    fn read(&mut self, place: Place, key: Key, line: &mut Vec<u8>) -> Option<Cell> {
        line.clear();
        let read = i64::try_from(i128::from(place.offset) - i128::from(self.at))
            .map_err(|_| ErrorKind::InvalidInput.into())
            .and_then(|step| self.file.seek_relative(step))
            .and_then(|()| self.file.read_until(b'\n', line));
        match read {
            Ok(bytes) => {
                self.at = place.offset + bytes as u64;
                entry::read(line, key)
            }
            Err(_) => {
                self.reopen();
                None
            }
        }
    }

    /// Where the reader stands is unknown after an error, so it starts again.
    fn reopen(&mut self) {
        self.at = 0;
        if let Ok(file) = File::open(&self.path) {
            self.file = BufReader::with_capacity(READ_BYTES, file);
        } else {
            let _ = self.file.seek(SeekFrom::Start(0));
        }
    }
}

#[cfg(test)]
mod tests;
