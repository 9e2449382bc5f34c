//! `saydo split`.

use crate::run::{fixtures, saydo_in};

#[test]
fn a_split_is_written_verified_and_refused_when_tasks_changed() {
    let folder = tempfile::tempdir().unwrap();
    std::fs::copy(fixtures().join("zest/dev.jsonl"), folder.path().join("dev.jsonl")).unwrap();
    let made = saydo_in(folder.path(), &["split", "dev.jsonl", "--zest", "--allow-shared-texts", "-o", "split.json"]);
    assert_eq!(made.code, 0, "{}", made.stderr);
    let verified = saydo_in(folder.path(), &["split", "dev.jsonl", "--verify", "split.json"]);
    assert_eq!(verified.code, 0, "{}", verified.stderr);

    let changed = std::fs::read_to_string(folder.path().join("dev.jsonl")).unwrap().replacen("yes", "no", 1);
    std::fs::write(folder.path().join("dev.jsonl"), changed).unwrap();
    let refused = saydo_in(folder.path(), &["split", "dev.jsonl", "--verify", "split.json"]);
    assert_eq!(refused.code, 1, "{}", refused.stderr);
}

#[test]
fn a_kind_of_split_must_be_named() {
    let folder = tempfile::tempdir().unwrap();
    assert_eq!(saydo_in(folder.path(), &["split", "x"]).code, 2);
}
