use super::*;
use crate::record::Keys;
use proptest::prelude::*;
use serde_json::{Value, json};
use std::fs;
use tempfile::TempDir;

pub(super) fn key(number: usize) -> Key {
    Keys::new(&json!("task"), "model").of(&number.to_string())
}

pub(super) fn cell(status: Status, answer: &str) -> Cell {
    let answer = Value::from(answer);
    Cell {
        status,
        answer,
        spans: Vec::new(),
        confidence: Some(0.1),
        windows: 1,
        ms: 0,
        ungrounded: 0,
        na_log_odds: None,
        error: None,
    }
}

fn scratch() -> (TempDir, PathBuf) {
    let folder = tempfile::tempdir().expect("a scratch folder");
    let path = folder.path().join("ledger.jsonl");
    (folder, path)
}

/// A ledger with entries 0 to `count`, closed.
fn written(path: &Path, count: usize) {
    let mut ledger = Ledger::open(path, &[]).expect("it opens");
    for number in 0..count {
        ledger.record(key(number), &cell(Status::Ok, &format!("answer {number}"))).expect("it takes entries");
    }
}

#[test]
fn what_was_recorded_is_there_after_reopening() {
    let (_folder, path) = scratch();
    written(&path, 100);
    let mut ledger = Ledger::open(&path, &[]).unwrap();
    assert_eq!((ledger.len(), ledger.repair()), (100, Repair::default()));
    for number in (0..100).rev().chain(0..100) {
        assert_eq!(ledger.read(key(number)), Some(cell(Status::Ok, &format!("answer {number}"))));
    }
    assert_eq!(ledger.read(key(100)), None);
}

#[test]
fn entries_can_be_read_as_soon_as_they_are_made() {
    let (_folder, path) = scratch();
    let mut ledger = Ledger::open(&path, &[]).unwrap();
    for number in 0..300 {
        ledger.record(key(number), &cell(Status::Ok, &"x".repeat(number * 7))).unwrap();
        assert_eq!(ledger.read(key(number / 2)), Some(cell(Status::Ok, &"x".repeat(number / 2 * 7))));
    }
}

#[test]
fn a_later_entry_stands_in_place_of_an_earlier_one() {
    let (_folder, path) = scratch();
    let mut ledger = Ledger::open(&path, &[]).unwrap();
    ledger.record(key(1), &cell(Status::Failed, "")).unwrap();
    ledger.record(key(1), &cell(Status::Ok, "yes")).unwrap();
    assert_eq!(ledger.status(key(1)), Some(Status::Ok));
    drop(ledger);
    let mut ledger = Ledger::open(&path, &[]).unwrap();
    assert_eq!((ledger.len(), ledger.read(key(1))), (1, Some(cell(Status::Ok, "yes"))));
}

#[test]
fn damage_in_the_middle_costs_only_the_lines_it_hit() {
    let (_folder, path) = scratch();
    written(&path, 10);
    let text = fs::read_to_string(&path).unwrap();
    let torn = text.replacen("\"status\":\"ok\",\"answer\":\"answer 3\"", "", 1).replacen("answer 6\",", "answer 6", 1);
    fs::write(&path, torn).unwrap();
    let mut ledger = Ledger::open(&path, &[]).unwrap();
    assert_eq!(ledger.repair().damaged_lines, 2, "one has no head, one a wrong checksum");
    let lost: Vec<usize> = (0..10).filter(|number| ledger.read(key(*number)).is_none()).collect();
    assert_eq!(lost, [3, 6]);
    assert_eq!((ledger.repair().damaged_lines, ledger.status(key(6))), (2, None));
}

#[test]
fn one_process_at_a_time_writes_a_ledger() {
    let (_folder, path) = scratch();
    let ledger = Ledger::open(&path, &[]).unwrap();
    assert!(matches!(Ledger::open(&path, &[]), Err(Error::Busy { .. })));
    assert!(matches!(Ledger::set_aside(&path), Err(Error::Busy { .. })));
    drop(ledger);
    Ledger::open(&path, &[]).unwrap();
}

#[test]
fn ledgers_beside_it_count_and_its_own_entries_win() {
    let (folder, path) = scratch();
    let other = folder.path().join("ledger-1-of-2.jsonl");
    written(&other, 3);
    let _writing = Ledger::open(&other, &[]).unwrap();
    let mut ledger = Ledger::open(&path, &[other]).unwrap();
    assert_eq!(ledger.read(key(2)), Some(cell(Status::Ok, "answer 2")));
    ledger.record(key(2), &cell(Status::Na, "")).unwrap();
    assert_eq!(ledger.read(key(2)), Some(cell(Status::Na, "")));
    assert_eq!(ledger.read(key(1)), Some(cell(Status::Ok, "answer 1")));
}

#[test]
fn a_ledger_set_aside_is_kept() {
    let (_folder, path) = scratch();
    assert_eq!(Ledger::set_aside(&path).unwrap(), None);
    for number in ["1", "2"] {
        written(&path, 1);
        let kept = Ledger::set_aside(&path).unwrap().unwrap();
        assert!(kept.to_string_lossy().ends_with(&format!("ledger.jsonl.{number}")), "{}", kept.display());
        assert!(kept.exists() && !path.exists());
    }
}

#[cfg(target_os = "linux")]
#[test]
fn a_full_disk_is_an_error_that_names_the_ledger() {
    let (folder, path) = scratch();
    std::os::unix::fs::symlink("/dev/full", &path).unwrap();
    let mut ledger = Ledger {
        file: Appender::open(&path).unwrap(),
        ..Ledger::open(&folder.path().join("other.jsonl"), &[]).unwrap()
    };
    let error = ledger.record(key(1), &cell(Status::Ok, "")).unwrap_err();
    assert!(error.to_string().contains("cannot write"), "{error}");
    assert!(error.hint().is_some_and(|hint| hint.contains("space")));
    assert_eq!(ledger.status(key(1)), None);
}

#[test]
fn lines_longer_than_a_block_are_found() {
    let (_folder, path) = scratch();
    let mut ledger = Ledger::open(&path, &[]).unwrap();
    let long = "x".repeat(3 << 20);
    for number in 0..3 {
        ledger.record(key(number), &cell(Status::Ok, &long)).unwrap();
    }
    drop(ledger);
    let mut ledger = Ledger::open(&path, &[]).unwrap();
    assert!((0..3).all(|number| ledger.read(key(number)) == Some(cell(Status::Ok, &long))));
}

proptest! {
    #![proptest_config(ProptestConfig::with_cases(64))]

    #[test]
    fn a_ledger_cut_anywhere_loses_only_the_torn_line(count in 0_usize..12, cut in any::<prop::sample::Index>()) {
        let (_folder, path) = scratch();
        written(&path, count);
        let whole = fs::read(&path).unwrap();
        let cut = cut.index(whole.len() + 1);
        fs::write(&path, &whole[..cut]).unwrap();
        let expected = whole[..cut].iter().filter(|byte| **byte == b'\n').count();
        let mut ledger = Ledger::open(&path, &[]).unwrap();
        prop_assert_eq!(ledger.len(), expected);
        for number in 0..count {
            prop_assert_eq!(ledger.read(key(number)).is_some(), number < expected);
        }
        for number in expected..count {
            ledger.record(key(number), &cell(Status::Ok, &format!("answer {number}"))).unwrap();
        }
        drop(ledger);
        prop_assert_eq!(fs::read(&path).unwrap(), whole);
    }

    #[test]
    fn any_bytes_open(bytes in prop::collection::vec(any::<u8>(), 0..300)) {
        let (_folder, path) = scratch();
        fs::write(&path, &bytes).unwrap();
        let mut ledger = Ledger::open(&path, &[]).unwrap();
        ledger.record(key(1), &cell(Status::Ok, "yes")).unwrap();
        drop(ledger);
        prop_assert_eq!(Ledger::open(&path, &[]).unwrap().read(key(1)), Some(cell(Status::Ok, "yes")));
    }
}

#[test]
fn a_refresh_brings_what_others_wrote_meanwhile_and_never_worse_than_what_is_known() {
    let folder = tempfile::tempdir().unwrap();
    let paths = ["a", "b", "c"].map(|name| folder.path().join(name));
    let mut own = Ledger::open(&paths[0], &[]).unwrap();
    own.record(key(0), &cell(Status::Ok, "own")).unwrap();
    own.record(key(1), &cell(Status::Failed, "own")).unwrap();
    let mut other = Ledger::open(&paths[1], &[]).unwrap();
    other.record(key(0), &cell(Status::Ok, "other")).unwrap();
    other.record(key(1), &cell(Status::Ok, "other")).unwrap();
    own.refresh(&paths[1..2]).unwrap();
    other.record(key(2), &cell(Status::Na, "later")).unwrap();
    assert_eq!(own.read(key(2)), None);
    written(&paths[2], 4);
    own.refresh(&paths[1..]).unwrap();
    own.record(key(4), &cell(Status::Ok, "own")).unwrap();
    let answers: Vec<Option<Value>> = (0..6).map(|number| own.read(key(number)).map(|cell| cell.answer)).collect();
    let expected = ["own", "other", "later", "answer 3", "own"].map(|answer| Some(Value::from(answer)));
    assert_eq!(answers[..5], expected);
    assert_eq!(answers[5], None);
    assert_eq!(Ledger::open(&folder.path().join("d"), &[]).unwrap().len(), 0);
}

#[cfg(unix)]
#[test]
fn a_fault_at_any_step_leaves_whole_entries_from_the_first_on() {
    use saydo_file::fault::{Trial, at_every_step};
    let scratch = tempfile::tempdir().unwrap();
    let answer = |number: usize| cell(Status::Ok, &format!("answer {number}"));
    let path = |folder: &Path| folder.join("ledger.jsonl");
    let add = |folder: &Path, numbers: std::ops::Range<usize>| {
        let mut ledger = Ledger::open(&path(folder), &[])?;
        for number in numbers {
            ledger.record(key(number), &answer(number))?;
            ledger.sync()?;
        }
        Ok(())
    };
    let after = |folder: &Path, trial: &Trial<Error>| {
        if let Err(error) = &trial.outcome {
            let said = (error.to_string(), error.hint().unwrap_or_default());
            assert!(said.0.starts_with("cannot write ") && said.0.contains("ledger.jsonl"), "{trial}: {said:?}");
            let is_full = matches!(trial.fault, saydo_file::fault::Fault::Full | saydo_file::fault::Fault::Torn);
            assert!(!is_full || said.1.contains("make space and run the same command again"), "{trial}: {said:?}");
        }
        let mut ledger = Ledger::open(&path(folder), &[]).unwrap();
        let found = ledger.len();
        assert!((2..=5).contains(&found), "{trial}: {found} entries; two were synced before");
        assert!(trial.outcome.is_err() || found == 5, "{trial}: it said that it had recorded");
        assert!((0..found).all(|number| ledger.read(key(number)) == Some(answer(number))), "{trial}");
        drop(ledger);
        add(folder, found..6).unwrap();
        assert_eq!(Ledger::open(&path(folder), &[]).unwrap().len(), 6, "{trial}");
    };
    let before = |folder: &Path| add(folder, 0..2).unwrap();
    assert!(at_every_step("ledger", scratch.path(), before, |folder| add(folder, 2..5), after) >= 7);
}
