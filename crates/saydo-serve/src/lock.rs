//! One server for a folder. Two would each hand out items as if the other did not.

use crate::Error;
use crate::store::private;
use std::fs::{File, TryLockError};
use std::path::Path;

/// The file that a running server holds.
pub(crate) const FILE: &str = "serve.lock";

/// Holds the folder until this is dropped or the process ends, however it does.
pub(crate) fn take(folder: &Path) -> Result<File, Error> {
    let failed = |source| Error::Folder { path: folder.to_owned(), source };
    let file = private::open(&folder.join(FILE)).map_err(failed)?;
    match file.try_lock() {
        Ok(()) => Ok(file),
        Err(TryLockError::WouldBlock) => Err(Error::Taken { path: folder.to_owned() }),
        Err(TryLockError::Error(source)) => Err(failed(source)),
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_folder_has_one_server() {
        let folder = tempfile::tempdir().unwrap();
        let held = take(folder.path()).unwrap();
        let error = take(folder.path()).unwrap_err().to_string();
        assert!(error.starts_with("another server uses") && error.contains("--data"), "{error}");
        drop(held);
        assert!(take(folder.path()).is_ok());
    }
}
