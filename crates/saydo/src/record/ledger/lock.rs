//! One process writes a ledger at a time. The system drops the lock when the process ends, however it ends, so the empty
//! file that stays behind never blocks anyone.

use crate::Error;
use std::fs::{File, TryLockError};
use std::path::{Path, PathBuf};

/// Held while a ledger is open.
#[derive(Debug)]
pub(super) struct Lock {
    file: File,
}

impl Lock {
    /// Takes the lock of the ledger at this path.
    pub(super) fn take(ledger: &Path) -> Result<Self, Error> {
        let mut name = ledger.as_os_str().to_owned();
        name.push(".lock");
        let path = PathBuf::from(name);
        let file = File::options().create(true).truncate(false).write(true).open(&path).map_err(Error::write(&path))?;
        match file.try_lock() {
            Ok(()) => Ok(Self { file }),
            Err(TryLockError::WouldBlock) => Err(Error::Busy { ledger: ledger.to_owned() }),
            // A file system without locks, as some network ones are: better to run than to refuse.
            Err(TryLockError::Error(error)) if error.kind() == std::io::ErrorKind::Unsupported => Ok(Self { file }),
            Err(TryLockError::Error(source)) => Err(Error::Write { path, source }),
        }
    }
}

impl Drop for Lock {
    fn drop(&mut self) {
        // Closing alone would leave the lock, for a moment, with a child that is just being started.
        let _ = self.file.unlock();
    }
}
