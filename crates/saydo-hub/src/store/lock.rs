//! One process at a time works on what is pulled. The system drops the lock when the process ends, however it ends, so the
//! empty file that stays behind never blocks anyone.

use crate::error::Error;
use std::fs::{File, TryLockError};
use std::path::Path;

/// Held while something is pulled or removed.
#[derive(Debug)]
pub(crate) struct Lock {
    file: File,
}

impl Lock {
    /// Takes the lock of a file in a folder that exists, unless another process has it.
    pub(crate) fn try_take(path: &Path) -> Result<Option<Self>, Error> {
        let file = open(path)?;
        match file.try_lock() {
            Ok(()) => Ok(Some(Self { file })),
            Err(TryLockError::WouldBlock) => Ok(None),
            Err(TryLockError::Error(source)) => Err(Error::Write { path: path.to_owned(), source }),
        }
    }

    /// Takes the lock of a file in a folder that exists, waiting for it as long as it takes.
    pub(crate) fn take(path: &Path) -> Result<Self, Error> {
        let file = open(path)?;
        file.lock().map_err(Error::write(path))?;
        Ok(Self { file })
    }
}

impl Drop for Lock {
    fn drop(&mut self) {
        // A child that is just being started has this file open, too, until it runs its own program: closing alone would
        // leave the lock with it for that moment.
        let _ = self.file.unlock();
    }
}

fn open(path: &Path) -> Result<File, Error> {
    File::options().create(true).truncate(false).write(true).open(path).map_err(Error::write(path))
}
