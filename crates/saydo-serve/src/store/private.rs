//! The state is its owner's alone: a folder that others cannot enter, files that others cannot read. It holds what people
//! wrote, their names, and hashes of what lets them in.

use std::fs::{DirBuilder, OpenOptions};
use std::io::ErrorKind;
use std::path::Path;

/// The file of the state with what SQLite keeps beside it, and the lock of a running server.
const FILES: [&str; 4] = [super::FILE, "saydo.db-wal", "saydo.db-shm", crate::lock::FILE];

/// Makes the folder and the file if they are not there, and takes them from others if they were made by an older version.
pub(super) fn prepare(folder: &Path) -> std::io::Result<()> {
    let mut builder = DirBuilder::new();
    builder.recursive(true);
    #[cfg(unix)]
    std::os::unix::fs::DirBuilderExt::mode(&mut builder, 0o700);
    builder.create(folder)?;
    // SQLite gives its other files the permissions of this one.
    open(&folder.join(super::FILE))?;
    if holds_only_state(folder)? {
        restrict(folder, 0o700)?;
    }
    FILES.iter().try_for_each(|name| restrict(&folder.join(name), 0o600))
}

/// A file that only its owner reads and writes; it is made if it is not there.
pub(crate) fn open(path: &Path) -> std::io::Result<std::fs::File> {
    owners(OpenOptions::new().read(true).write(true).create(true).truncate(false)).open(path)
}

/// The same for a file that must not be there yet, be it as a link to another.
pub(super) fn create_new(path: &Path) -> std::io::Result<std::fs::File> {
    owners(OpenOptions::new().write(true).create_new(true)).open(path)
}

/// Options whose file is its owner's alone, if it is made.
fn owners(options: &mut OpenOptions) -> &mut OpenOptions {
    #[cfg(unix)]
    std::os::unix::fs::OpenOptionsExt::mode(options, 0o600);
    options
}

/// Whether there is nothing else in the folder. A folder that is used for other things keeps its permissions.
fn holds_only_state(folder: &Path) -> std::io::Result<bool> {
    for entry in std::fs::read_dir(folder)? {
        if !FILES.iter().any(|name| entry.as_ref().is_ok_and(|entry| entry.file_name() == *name)) {
            return Ok(false);
        }
    }
    Ok(true)
}

/// Takes what others may do with a file from them, if there is such a file and it is ours.
#[cfg(unix)]
fn restrict(path: &Path, mode: u32) -> std::io::Result<()> {
    use std::os::unix::fs::PermissionsExt as _;
    let found = match std::fs::metadata(path) {
        Ok(metadata) => metadata.permissions().mode(),
        Err(error) if error.kind() == ErrorKind::NotFound => return Ok(()),
        Err(error) => return Err(error),
    };
    if found & 0o077 == 0 {
        return Ok(());
    }
    match std::fs::set_permissions(path, std::fs::Permissions::from_mode(mode)) {
        // Somebody else's file, or a file system without permissions: it is theirs to say.
        Err(error) if error.kind() == ErrorKind::PermissionDenied || error.kind() == ErrorKind::Unsupported => Ok(()),
        done => done,
    }
}

#[cfg(not(unix))]
fn restrict(_: &Path, _: u32) -> std::io::Result<()> {
    Ok(())
}

#[cfg(unix)]
#[cfg(test)]
mod tests {
    use crate::Store;
    use std::os::unix::fs::PermissionsExt as _;
    use std::path::Path;

    fn mode(path: &Path) -> u32 {
        std::fs::metadata(path).unwrap().permissions().mode() & 0o777
    }

    #[test]
    fn others_can_neither_enter_nor_read() {
        let scratch = tempfile::tempdir().unwrap();
        let folder = scratch.path().join("data");
        let check = |_store: &Store| {
            assert_eq!(mode(&folder), 0o700);
            for entry in std::fs::read_dir(&folder).unwrap() {
                let path = entry.unwrap().path();
                assert_eq!(mode(&path), 0o600, "{}", path.display());
            }
        };
        check(&Store::open(&folder).unwrap());
        // As an older version left it.
        std::fs::set_permissions(&folder, std::fs::Permissions::from_mode(0o755)).unwrap();
        std::fs::set_permissions(folder.join("saydo.db"), std::fs::Permissions::from_mode(0o644)).unwrap();
        check(&Store::open(&folder).unwrap());
        // A folder with other things in it stays as open as it is.
        std::fs::set_permissions(&folder, std::fs::Permissions::from_mode(0o755)).unwrap();
        std::fs::write(folder.join("notes.txt"), "x").unwrap();
        drop(Store::open(&folder).unwrap());
        assert_eq!((mode(&folder), mode(&folder.join("saydo.db"))), (0o755, 0o600));
    }
}
