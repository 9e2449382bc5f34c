//! What a store says of datasets that are there, half there, damaged or gone.

use crate::catalog::{Catalog, Dataset};
use crate::error::Error;
use crate::store::{FileRecord, Record, State, Store, Verification};
use std::fs;

fn snli() -> Dataset {
    Catalog::built_in().datasets.into_iter().find(|dataset| dataset.name == "snli").unwrap()
}

fn entry() -> Dataset {
    Dataset { sha256: None, ..snli() }
}

/// A store with a dataset of two files as a pull leaves it.
fn store() -> (tempfile::TempDir, Store) {
    let home = tempfile::tempdir().unwrap();
    let store = Store::new(home.path());
    let folder = store.path(&entry());
    fs::create_dir_all(folder.join("b")).unwrap();
    fs::write(folder.join("a"), "abc").unwrap();
    fs::write(folder.join("b/c"), "").unwrap();
    let file = |path: &str, bytes, sha256: &str| FileRecord { path: path.to_owned(), bytes, sha256: sha256.to_owned() };
    let record = Record {
        name: "snli".to_owned(),
        license: "CC BY-SA 4.0".to_owned(),
        address: "http://example.org/x".to_owned(),
        bytes: 9,
        sha256: "0".repeat(64),
        etag: None,
        last_modified: None,
        files: vec![
            file("a", 3, "ba7816bf8f01cfea414140de5dae2223b00361a396177a9cb410ff61f20015ad"),
            file("b/c", 0, "e3b0c44298fc1c149afbf4c8996fb92427ae41e4649b934ca495991b7852b855"),
        ],
    };
    record.save(&folder).unwrap();
    (home, store)
}

fn verify(store: &Store, entry: &Dataset) -> Verification {
    store.verify(entry, &mut |_| ()).unwrap()
}

#[test]
fn a_good_dataset_is_found_and_verified() {
    let (_home, store) = store();
    assert_eq!(store.state(&entry()).unwrap(), State::Present { bytes: 3 });
    assert!(store.find(&entry()).unwrap().ends_with("data/snli/snli_1.0_dev.jsonl"));
    assert_eq!(verify(&store, &entry()), Verification::Good { files: 2 });
}

#[test]
fn damage_is_named_file_by_file() {
    let (_home, store) = store();
    fs::write(store.path(&entry()).join("a"), "abd").unwrap();
    assert_eq!(store.state(&entry()).unwrap(), State::Present { bytes: 3 }, "sizes do not tell");
    fs::remove_file(store.path(&entry()).join("b/c")).unwrap();
    let Verification::Damaged { problems } = verify(&store, &entry()) else { panic!("it is damaged") };
    let problems: Vec<String> = problems.iter().map(ToString::to_string).collect();
    insta::assert_snapshot!(problems.join("\n"), @r"
    a has SHA-256 a52d159f262b2c6ddb724a61840befc36eb30c88877a4030b65cbe86298449c9, expected ba7816bf8f01cfea414140de5dae2223b00361a396177a9cb410ff61f20015ad
    b/c is missing
    ");
    let error = store.find(&entry()).unwrap_err();
    assert!(error.to_string().ends_with("is damaged: b/c is missing"), "{error}");
    insta::assert_snapshot!(error.hint().unwrap(), @"saydo data pull --force snli fetches it again");
}

#[test]
fn a_file_that_came_from_something_else_than_the_catalog_says_is_told() {
    let (_home, store) = store();
    let Verification::Damaged { problems } = verify(&store, &snli()) else { panic!("its sum is another") };
    assert!(problems[0].to_string().starts_with("snli_1.0.zip had SHA-256 0000"), "{problems:?}");
}

#[test]
fn a_folder_without_a_record_is_damaged_and_no_folder_is_absent() {
    let (_home, store) = store();
    fs::write(store.path(&entry()).join(".source.json"), "{").unwrap();
    assert!(matches!(verify(&store, &entry()), Verification::Damaged { problems } if problems.len() == 1));
    assert!(store.remove(&entry()).unwrap() > 3);
    assert_eq!(verify(&store, &entry()), Verification::Absent);
    let error = store.find(&entry()).unwrap_err();
    insta::assert_snapshot!(error.hint().unwrap(), @"saydo data pull snli, or pass --data PATH to a copy you have");
    assert!(matches!(store.remove(&entry()), Err(Error::Absent { .. })));
}

#[test]
fn a_dataset_being_pulled_is_not_removed() {
    let (_home, store) = store();
    let lock = store.lock(&entry()).unwrap();
    assert!(matches!(store.remove(&entry()), Err(Error::Busy { .. })));
    drop(lock);
    assert!(store.remove(&entry()).is_ok());
}
