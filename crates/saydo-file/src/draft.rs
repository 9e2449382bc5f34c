//! A file that gets its name when it is whole.
//!
//! A draft is a hidden sibling of the file it will become, `.NAME.N.part`. Whoever writes one holds its lock, which the
//! system drops when the process ends, however it ends. So a draft that can be locked belongs to nobody, and the next
//! writer of the same file removes it.

use crate::disk::{self, Handle, folder_of};
use std::ffi::{OsStr, OsString};
use std::fs::{self, File, TryLockError};
use std::io::{self, BufWriter, ErrorKind, Write};
use std::path::{Path, PathBuf};

/// Names have at most 255 bytes on most file systems; so many of them may come from the file's own name.
const MAX_NAME_BYTES: usize = 200;

/// A file that is being written. It replaces what had its name on [`Draft::commit`]; dropped before, it leaves nothing.
///
/// A path that is a device or a pipe is written to directly. A path that is a link is followed.
#[derive(Debug)]
pub struct Draft {
    path: PathBuf,
    /// Where it is until it is committed; none if it is written in place.
    temporary: Option<PathBuf>,
    /// Taken out when the draft ends.
    out: Option<BufWriter<Handle>>,
}

/// Writes a whole file. If this fails, what was there before stays.
pub fn write(path: &Path, bytes: &[u8]) -> io::Result<()> {
    let mut draft = Draft::create(path)?;
    draft.write_all(bytes)?;
    draft.commit()
}

impl Draft {
    /// Begins a file. The folder must be there. Drafts of the same file that dead processes left are removed.
    pub fn create(path: &Path) -> io::Result<Self> {
        let found = fs::metadata(path);
        match &found {
            Ok(found) if found.is_dir() => return Err(ErrorKind::IsADirectory.into()),
            Ok(found) if !found.is_file() => {
                let out = BufWriter::new(Handle::open_existing(path)?);
                return Ok(Self { path: path.to_owned(), temporary: None, out: Some(out) });
            }
            _ => {}
        }
        // Through a link, so that the link stays one. One that leads nowhere is replaced.
        let path = match fs::symlink_metadata(path) {
            Ok(link) if link.is_symlink() => fs::canonicalize(path).unwrap_or_else(|_| path.to_owned()),
            _ => path.to_owned(),
        };
        let (temporary, handle) = create_sibling(&path)?;
        if let Ok(found) = found {
            // Nobody may read the new file who could not read the old one.
            let _ = handle.file().set_permissions(found.permissions());
        }
        Ok(Self { path, temporary: Some(temporary), out: Some(BufWriter::new(handle)) })
    }

    /// Puts what was written so far on the disk. Of several files that belong together, all are synced before the first is
    /// committed: then most of what can fail has not.
    pub fn sync(&mut self) -> io::Result<()> {
        let out = self.out.as_mut().expect("it is taken out only at the end");
        out.flush()?;
        out.get_ref().sync()
    }

    /// Puts the file on the disk and gives it its name.
    pub fn commit(mut self) -> io::Result<()> {
        self.sync()?;
        let Some(temporary) = &self.temporary else { return Ok(()) };
        disk::rename(temporary, &self.path)?;
        self.temporary = None;
        disk::sync_folder(folder_of(&self.path))
    }
}

impl Write for Draft {
    fn write(&mut self, bytes: &[u8]) -> io::Result<usize> {
        self.out.as_mut().expect("it is taken out only at the end").write(bytes)
    }

    fn flush(&mut self) -> io::Result<()> {
        self.out.as_mut().expect("it is taken out only at the end").flush()
    }
}

impl Drop for Draft {
    fn drop(&mut self) {
        // What the buffer still holds is not wanted any more.
        let handle = self.out.take().map(|out| out.into_parts().0);
        if let Some(temporary) = &self.temporary {
            // Should this fail, the next writer of the file removes it.
            let _ = disk::remove_file(temporary);
        }
        drop(handle);
    }
}

/// The name of a draft beside a path: `.NAME.N.part`.
fn sibling(path: &Path, number: u32) -> PathBuf {
    let name = path.file_name().unwrap_or(OsStr::new("file"));
    let mut hidden = OsString::from(".");
    match name.len() > MAX_NAME_BYTES {
        true => hidden.push(name.to_string_lossy().chars().take(MAX_NAME_BYTES / 4).collect::<String>()),
        false => hidden.push(name),
    }
    hidden.push(format!(".{number}.part"));
    folder_of(path).join(hidden)
}

/// Makes a draft under the first number that is free or can be freed, and takes its lock.
fn create_sibling(path: &Path) -> io::Result<(PathBuf, Handle)> {
    for number in 0.. {
        let temporary = sibling(path, number);
        remove_abandoned(&temporary);
        let handle = match Handle::create_new(&temporary) {
            Err(error) if error.kind() == ErrorKind::AlreadyExists => continue,
            other => other?,
        };
        // Until the lock is ours, another process may take the draft for abandoned and remove it.
        let is_locked = !matches!(handle.file().try_lock(), Err(TryLockError::WouldBlock));
        if is_locked && is_at(handle.file(), &temporary) {
            (number + 1..).map(|number| sibling(path, number)).take_while(|next| next.exists()).for_each(|next| {
                remove_abandoned(&next);
            });
            return Ok((temporary, handle));
        }
    }
    unreachable!("there is always a number that no other draft has")
}

/// Whether a path still leads to this file.
fn is_at(file: &File, path: &Path) -> bool {
    #[cfg(unix)]
    {
        use std::os::unix::fs::MetadataExt as _;
        file.metadata().is_ok_and(|ours| fs::metadata(path).is_ok_and(|found| found.ino() == ours.ino()))
    }
    #[cfg(not(unix))]
    {
        let _ = file;
        path.exists()
    }
}

/// Removes a draft that no process writes any more. What cannot be locked or removed stays and does no harm; neither does
/// what is no file: opening a pipe would wait for whoever reads it, and a link may lead anywhere.
fn remove_abandoned(draft: &Path) {
    if fs::symlink_metadata(draft).is_ok_and(|found| found.is_file())
        && let Ok(file) = File::options().write(true).open(draft)
        && file.try_lock().is_ok()
    {
        let _ = disk::remove_file(draft);
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn names(folder: &Path) -> Vec<String> {
        let mut names: Vec<String> = fs::read_dir(folder)
            .unwrap()
            .map(|entry| entry.unwrap().file_name().to_string_lossy().into_owned())
            .collect();
        names.sort();
        names
    }

    #[test]
    fn a_file_appears_when_it_is_whole() {
        let folder = tempfile::tempdir().unwrap();
        let path = folder.path().join("a.txt");
        let mut draft = Draft::create(&path).unwrap();
        draft.write_all(b"one").unwrap();
        assert!(!path.exists());
        draft.commit().unwrap();
        assert_eq!(fs::read(&path).unwrap(), b"one");
        write(&path, b"two").unwrap();
        assert_eq!((fs::read(&path).unwrap(), names(folder.path())), (b"two".to_vec(), vec!["a.txt".to_owned()]));
    }

    #[test]
    fn a_draft_that_is_dropped_leaves_what_was_there() {
        let folder = tempfile::tempdir().unwrap();
        let path = folder.path().join("a.txt");
        fs::write(&path, "old").unwrap();
        Draft::create(&path).unwrap().write_all(b"new").unwrap();
        assert_eq!((fs::read(&path).unwrap(), names(folder.path())), (b"old".to_vec(), vec!["a.txt".to_owned()]));
    }

    #[test]
    fn drafts_of_dead_processes_are_removed_and_those_of_living_ones_stay() {
        let folder = tempfile::tempdir().unwrap();
        let path = folder.path().join("a.txt");
        for name in [".a.txt.0.part", ".a.txt.1.part", ".b.txt.0.part", "a.txt.0.part"] {
            fs::write(folder.path().join(name), "abandoned").unwrap();
        }
        let living = Draft::create(&path).unwrap();
        assert_eq!(names(folder.path()), [".a.txt.0.part", ".b.txt.0.part", "a.txt.0.part"]);
        let second = Draft::create(&path).unwrap();
        assert_eq!(names(folder.path()).len(), 4);
        second.commit().unwrap();
        living.commit().unwrap();
        assert_eq!(names(folder.path()), [".b.txt.0.part", "a.txt", "a.txt.0.part"], "others are of other files");
    }

    #[cfg(unix)]
    #[test]
    fn what_is_no_file_under_a_drafts_name_is_left_alone() {
        let folder = tempfile::tempdir().unwrap();
        let path = folder.path().join("a.txt");
        let other = folder.path().join("other");
        fs::write(&other, "of value").unwrap();
        let pipe = folder.path().join(".a.txt.0.part");
        assert!(std::process::Command::new("mkfifo").arg(&pipe).status().unwrap().success());
        std::os::unix::fs::symlink(&other, folder.path().join(".a.txt.1.part")).unwrap();
        // To open the pipe would be to wait for good.
        write(&path, b"new").unwrap();
        assert_eq!((fs::read(&path).unwrap(), fs::read(&other).unwrap()), (b"new".to_vec(), b"of value".to_vec()));
        assert_eq!(names(folder.path()), [".a.txt.0.part", ".a.txt.1.part", "a.txt", "other"]);
    }

    #[test]
    fn a_folder_is_no_file() {
        let folder = tempfile::tempdir().unwrap();
        assert_eq!(write(folder.path(), b"").unwrap_err().kind(), ErrorKind::IsADirectory);
    }

    #[cfg(unix)]
    #[test]
    fn devices_are_written_to_and_links_followed() {
        use std::os::unix::fs::FileTypeExt as _;
        let folder = tempfile::tempdir().unwrap();
        write(Path::new("/dev/null"), b"gone").unwrap();
        assert!(fs::metadata("/dev/null").unwrap().file_type().is_char_device());
        let (path, link) = (folder.path().join("a.txt"), folder.path().join("link"));
        fs::write(&path, "old").unwrap();
        std::os::unix::fs::symlink(&path, &link).unwrap();
        write(&link, b"new").unwrap();
        assert_eq!(fs::read(&path).unwrap(), b"new");
        assert!(fs::symlink_metadata(&link).unwrap().is_symlink());
    }

    #[cfg(unix)]
    #[test]
    fn a_private_file_stays_private() {
        use std::os::unix::fs::PermissionsExt as _;
        let folder = tempfile::tempdir().unwrap();
        let path = folder.path().join("a.txt");
        fs::write(&path, "old").unwrap();
        fs::set_permissions(&path, fs::Permissions::from_mode(0o600)).unwrap();
        write(&path, b"new").unwrap();
        assert_eq!(fs::metadata(&path).unwrap().permissions().mode() & 0o777, 0o600);
    }

    #[test]
    fn long_names_have_drafts_too() {
        let folder = tempfile::tempdir().unwrap();
        let path = folder.path().join("x".repeat(250));
        write(&path, b"new").unwrap();
        assert_eq!(fs::read(&path).unwrap(), b"new");
    }
}
