//! A filesystem that runs full under a real server: what is refused is said, what was acknowledged is there.

use super::client::{Client, Server};
use serde_json::json;
use std::collections::BTreeSet;
use std::path::{Path, PathBuf};
use std::process::Command;

/// A small filesystem in memory, gone with this value.
struct SmallDisk {
    folder: tempfile::TempDir,
}

impl SmallDisk {
    fn mount(size: &str) -> Self {
        let folder = tempfile::tempdir().expect("a scratch folder");
        let options = format!("size={size}");
        let mounted = Command::new("mount").args(["-t", "tmpfs", "-o", &options, "tmpfs"]).arg(folder.path()).output();
        let output = mounted.expect("there is a program `mount`");
        assert!(output.status.success(), "cannot mount: {}", String::from_utf8_lossy(&output.stderr).trim());
        Self { folder }
    }

    fn path(&self) -> &Path {
        self.folder.path()
    }

    /// Fills what is left, save so many bytes, and gives the file that does.
    fn fill(&self, leave: u64) -> PathBuf {
        let path = self.path().join("ballast");
        let mut bytes = vec![0; 1 << 20];
        let mut written = 0;
        let mut file = std::fs::File::create(&path).expect("an empty file fits");
        while !bytes.is_empty() {
            match std::io::Write::write(&mut file, &bytes) {
                Ok(count) => written += count as u64,
                Err(_) => bytes.truncate(bytes.len() / 2),
            }
        }
        file.set_len(written.saturating_sub(leave)).expect("a file can be cut");
        path
    }
}

impl Drop for SmallDisk {
    fn drop(&mut self) {
        let _ = Command::new("umount").arg(self.path()).status();
    }
}

/// Answers items until one is refused, or there is none; gives the status and the words of the refusal.
fn answer_until_refused(person: &Client, kept: &mut BTreeSet<i64>) -> Option<(u16, String)> {
    loop {
        let next = person.post("/v1/work/next", &json!({}));
        if next.status != 200 {
            return Some((next.status, next.text));
        }
        let id = next.json()["item"]["id"].as_i64()?;
        let got = person.post(&format!("/v1/work/{id}"), &json!({"value": {"is": "yes"}}));
        if got.status != 200 {
            return Some((got.status, got.text));
        }
        kept.insert(id);
    }
}

fn is_sound(data: &Path) -> String {
    let flags = rusqlite::OpenFlags::SQLITE_OPEN_READ_ONLY;
    let db = rusqlite::Connection::open_with_flags(data.join("data/saydo.db"), flags).expect("the state opens");
    db.query_row("PRAGMA integrity_check", [], |row| row.get(0)).expect("it can be checked")
}

#[test]
#[ignore = "needs the right to mount a filesystem: cargo test -p saydo-cli --test suite -- --ignored disk::"]
fn a_full_disk_refuses_what_writes_keeps_what_was_acknowledged_and_recovers() {
    let disk = SmallDisk::mount("6m");
    let mut server = Server::start(disk.path());
    let (project, people) = super::project(&server, 200, 2);
    let owner = server.client();
    let mut kept = BTreeSet::new();
    let mut refusals = 0;
    // Fuller and fuller: from a little room for the log to none.
    for leave in [64 << 10, 16 << 10, 4 << 10, 0] {
        let ballast = disk.fill(leave);
        for person in &people {
            let (status, text) = answer_until_refused(person, &mut kept).expect("200 items do not fit");
            assert_eq!(status, 507, "{text}");
            assert!(text.contains("the disk is full; nothing was saved"), "{text}");
            refusals += 1;
        }
        for (path, body) in [
            ("/v1/projects", json!({"name": "Q", "kind": "zest"})),
            ("/v1/tokens", json!({"name": "t"})),
            ("/v1/projects/1/questions", json!({"domain": "d", "text": "Is it so?"})),
        ] {
            // Small things may still fit where there was a little room.
            let got = owner.post(path, &body);
            assert!(got.status == 507 || (got.status == 200 && leave > 0), "{path}: {} {}", got.status, got.text);
        }
        // What only reads goes on.
        for path in ["/healthz", "/metrics", "/", "/projects", "/v1/projects", &project] {
            assert_eq!(owner.get(path).status, 200, "{path} with {leave} bytes left");
        }
        assert_eq!(people[0].get("/work").status, 200);
        assert_eq!(is_sound(disk.path()), "ok");
        std::fs::remove_file(ballast).expect("the ballast can go");
        assert_eq!(owner.post("/v1/tokens", &json!({"name": "room again"})).status, 200);
    }
    // Stopped in the middle of it, and started again while it is full.
    let ballast = disk.fill(0);
    let (status, _) = answer_until_refused(&people[0], &mut kept).expect("there is no room");
    assert_eq!(status, 507);
    server.kill();
    std::fs::remove_file(ballast).expect("the ballast can go");
    let server = Server::start(disk.path());
    assert_eq!(is_sound(disk.path()), "ok");
    for person in &people {
        assert_eq!(answer_until_refused(&person.at(&server), &mut kept), None, "there is room for all of them");
    }
    let stored = server.answered_items();
    assert_eq!(kept.difference(&stored).count(), 0, "acknowledged answers are gone");
    assert_eq!((stored.len(), refusals), (200, 8));
}
