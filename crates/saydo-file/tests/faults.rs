//! Every writer of this crate with a failure at every step: afterwards there is the old or the new, and never a mixture.
#![cfg(unix)]
#![expect(clippy::unwrap_used, reason = "a test that cannot read its scratch folder has failed")]

use saydo_file::fault::{Trial, at_every_step};
use saydo_file::{Appender, Draft, StagedFolder, disk, previous};
use std::fs;
use std::io::{self, Write as _};
use std::path::Path;

const OLD: &[u8] = b"the old text";
const NEW: &[u8] = b"the new text, which is longer";

fn old_file(folder: &Path) {
    fs::write(folder.join("a"), OLD).unwrap();
}

/// Old or new; new if the writer said so.
fn is_old_or_new(folder: &Path, trial: &Trial<io::Error>) {
    let found = fs::read(folder.join("a")).unwrap();
    assert!(found == OLD || found == NEW, "{trial}: {:?}", String::from_utf8_lossy(&found));
    if trial.outcome.is_ok() {
        assert_eq!(found, NEW, "{trial}: it said that it had written");
    }
}

/// The same, and a second attempt leaves nothing but the file.
fn holds_old_or_new(folder: &Path, trial: &Trial<io::Error>, again: impl Fn(&Path) -> io::Result<()>) {
    is_old_or_new(folder, trial);
    if !trial.fault.is_end() {
        assert_eq!(fs::read_dir(folder).unwrap().count(), 1, "{trial}: a draft stays");
    }
    again(folder).unwrap();
    assert_eq!(fs::read(folder.join("a")).unwrap(), NEW);
    assert_eq!(fs::read_dir(folder).unwrap().count(), 1, "{trial}: a draft stays after the next write");
}

#[test]
fn a_file_written_at_once() {
    let scratch = tempfile::tempdir().unwrap();
    let write = |folder: &Path| saydo_file::write(&folder.join("a"), NEW);
    let after = |folder: &Path, trial: &Trial<io::Error>| holds_old_or_new(folder, trial, write);
    let points = at_every_step("write", scratch.path(), old_file, write, after);
    assert_eq!(points, 5, "create, write, sync, rename, sync of the folder");
}

#[test]
fn a_file_written_piece_by_piece() {
    let scratch = tempfile::tempdir().unwrap();
    let write = |folder: &Path| {
        let mut draft = Draft::create(&folder.join("a"))?;
        for piece in NEW.chunks(9) {
            draft.write_all(piece)?;
            draft.flush()?;
        }
        draft.commit()
    };
    let after = |folder: &Path, trial: &Trial<io::Error>| holds_old_or_new(folder, trial, write);
    let points = at_every_step("draft", scratch.path(), old_file, write, after);
    assert!(points > 6, "{points}");
}

#[test]
fn a_file_in_new_folders() {
    let scratch = tempfile::tempdir().unwrap();
    let write = |folder: &Path| {
        disk::create_folders(&folder.join("b/c"))?;
        saydo_file::write(&folder.join("b/c/a"), NEW)
    };
    let after = |folder: &Path, trial: &Trial<io::Error>| {
        let found = fs::read(folder.join("b/c/a")).ok();
        assert!(found.is_none() || found.as_deref() == Some(NEW), "{trial}: {found:?}");
        assert!(trial.outcome.is_err() || found.is_some(), "{trial}: it said that it had written");
        write(folder).unwrap();
    };
    assert!(at_every_step("new folders", scratch.path(), |_| (), write, after) > 5);
}

#[test]
fn a_folder_with_the_one_before() {
    let scratch = tempfile::tempdir().unwrap();
    let save = |folder: &Path, text: &[u8]| {
        let staged = StagedFolder::create(&folder.join("a"))?;
        staged.write("one", text)?;
        staged.write("two", text)?;
        staged.commit()
    };
    let before = |folder: &Path| [OLD, OLD].iter().for_each(|text| save(folder, text).unwrap());
    let after = |folder: &Path, trial: &Trial<io::Error>| {
        let newest = [folder.join("a"), previous(&folder.join("a"))].into_iter().find(|folder| folder.is_dir());
        let newest = newest.unwrap_or_else(|| panic!("{trial}: no folder is left"));
        let [one, two] = ["one", "two"].map(|name| fs::read(newest.join(name)).unwrap());
        assert!(one == two && (one == OLD || one == NEW), "{trial}");
        assert!(trial.outcome.is_err() || one == NEW, "{trial}: it said that it had written");
        save(folder, NEW).unwrap();
        assert_eq!(fs::read(folder.join("a/two")).unwrap(), NEW);
        assert!(fs::read_dir(folder).unwrap().count() <= 2, "{trial}: something stays");
    };
    assert!(at_every_step("staged folder", scratch.path(), before, |folder| save(folder, NEW), after) > 8);
}

#[test]
fn lines_added_to_a_file() {
    let scratch = tempfile::tempdir().unwrap();
    let lines: Vec<String> = (0..4).map(|number| format!("line {number}\n")).collect();
    let write = |folder: &Path| {
        let mut log = Appender::open(&folder.join("log"))?;
        for line in &lines {
            log.append(line.as_bytes())?;
            log.sync()?;
        }
        Ok(())
    };
    let whole = lines.concat();
    let after = |folder: &Path, trial: &Trial<io::Error>| {
        let found = fs::read_to_string(folder.join("log")).unwrap_or_default();
        assert!(whole.starts_with(&found), "{trial}: {found:?}");
        if !trial.fault.is_end() {
            assert!(found.is_empty() || found.ends_with('\n'), "{trial}: half a line stays: {found:?}");
        }
        assert!(trial.outcome.is_err() || found == whole, "{trial}: it said that it had written");
    };
    assert!(at_every_step("appender", scratch.path(), |_| (), write, after) > 8);
}

/// The harness itself must find a writer out that forgets a step.
#[test]
fn careless_writers_are_found_out() {
    let scratch = tempfile::tempdir().unwrap();
    let goes_through = |name: &str, write: &dyn Fn(&Path) -> io::Result<()>| {
        let run = || at_every_step(name, scratch.path(), old_file, write, is_old_or_new);
        std::panic::catch_unwind(std::panic::AssertUnwindSafe(run)).is_ok()
    };
    let staged = |folder: &Path, is_synced: bool| {
        let mut handle = disk::Handle::create_new(&folder.join("b"))?;
        handle.write_all(NEW)?;
        if is_synced { handle.sync() } else { Ok(()) }
    };
    let careful = |folder: &Path| {
        staged(folder, true)?;
        disk::publish(&folder.join("b"), &folder.join("a"))
    };
    let no_sync_of_file = |folder: &Path| {
        staged(folder, false)?;
        disk::publish(&folder.join("b"), &folder.join("a"))
    };
    let no_sync_of_folder = |folder: &Path| {
        staged(folder, true)?;
        disk::rename(&folder.join("b"), &folder.join("a"))
    };
    let in_place = |folder: &Path| {
        let mut handle = disk::Handle::open_or_create(&folder.join("a"))?;
        handle.set_len(0)?;
        handle.write_all(NEW)?;
        handle.sync()
    };
    assert!(goes_through("careful", &careful));
    assert!(!goes_through("no sync of the file", &no_sync_of_file));
    assert!(!goes_through("no sync of the folder", &no_sync_of_folder));
    assert!(!goes_through("written in place", &in_place));
}
