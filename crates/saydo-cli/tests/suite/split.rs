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
fn texts_that_a_papers_split_shares_are_listed_or_their_tasks_left_out() {
    let folder = tempfile::tempdir().unwrap();
    let task = |name: &str, input: &str| {
        let text = format!("definition = \"Name the {name}.\"\n[[instance]]\ninput = \"{input}\"\noutput = \"x\"\n");
        std::fs::write(folder.path().join(format!("{name}.toml")), text).unwrap();
    };
    task("color", "a shared text");
    task("shape", "A shared  text");
    task("weight", "a text of its own");
    let split = |more: &[&str]| saydo_in(folder.path(), &[&["split", ".", "--leave-one-task", "shape"], more].concat());
    let listed = split(&[]);
    assert_eq!(listed.code, 0, "{}", listed.stderr);
    assert!(listed.stderr.contains("`shape` shares 1 of its inputs with the seen task `color`"), "{}", listed.stderr);
    let strict = split(&["--strict"]);
    assert_eq!(strict.code, 0, "{}", strict.stderr);
    assert!(strict.stderr.contains("1 seen, 1 unseen tasks; 1 tasks of the data are on no side"), "{}", strict.stderr);
}

#[test]
fn a_kind_of_split_must_be_named() {
    let folder = tempfile::tempdir().unwrap();
    assert_eq!(saydo_in(folder.path(), &["split", "x"]).code, 2);
}
