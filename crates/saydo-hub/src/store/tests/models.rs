//! What a store says of files that are there, half there, damaged or gone.

use crate::catalog::{Catalog, Kind, Model};
use crate::error::Error;
use crate::store::{Problem, State, Store, Verification};
use std::fs;

fn entry() -> Model {
    let text = "[[model]]\nname = \"abc\"\ndescription = \"\"\nlicense = \"MIT\"\nbytes = 3\n\
        sha256 = \"ba7816bf8f01cfea414140de5dae2223b00361a396177a9cb410ff61f20015ad\"\n\
        parts = [{ package = \"abc\", version = \"1\", member = \"abc\", bytes = 3 }]\n";
    Catalog::parse(text, "test").unwrap().models.remove(0)
}

fn store_with(weights: Option<&str>) -> (tempfile::TempDir, Store) {
    let home = tempfile::tempdir().unwrap();
    let store = Store::new(home.path());
    if let Some(weights) = weights {
        fs::create_dir_all(store.folder(Kind::Model)).unwrap();
        fs::write(store.path(&entry()), weights).unwrap();
    }
    (home, store)
}

fn verify(store: &Store) -> Verification {
    store.verify(&entry(), &mut |_| ()).unwrap()
}

fn problems(store: &Store) -> Vec<Problem> {
    let Verification::Damaged { problems } = verify(store) else { panic!("it is damaged") };
    problems
}

#[test]
fn a_good_file_is_found_and_verified() {
    let (_home, store) = store_with(Some("abc"));
    assert_eq!(store.state(&entry()).unwrap(), State::Present { bytes: 3 });
    assert_eq!(store.find(&entry()).unwrap(), store.path(&entry()));
    assert_eq!(verify(&store), Verification::Good { files: 1 });
}

#[test]
fn damage_is_told_apart_from_absence() {
    let (_home, store) = store_with(Some("abd"));
    assert!(matches!(&problems(&store)[..], [Problem::Sum { .. }]));
    let (_home, store) = store_with(Some("ab"));
    assert!(matches!(problems(&store)[..], [Problem::Size { found: 2, .. }]));
    let error = store.find(&entry()).unwrap_err();
    assert!(
        matches!(&error, Error::Damaged { problem, .. } if matches!(**problem, Problem::Size { found: 2, expected: 3, .. }))
    );
    assert_eq!(error.hint().unwrap(), "saydo models pull --force abc fetches it again");
    let (_home, store) = store_with(None);
    assert_eq!(verify(&store), Verification::Absent);
    assert_eq!(store.find(&entry()).unwrap_err().hint().unwrap(), "saydo models pull abc");
}

#[test]
fn removing_takes_the_partial_pull_along_and_says_how_much_it_freed() {
    let (_home, store) = store_with(Some("abc"));
    fs::create_dir_all(store.partial_folder(&entry())).unwrap();
    fs::write(store.partial_weights(&entry()), "ab").unwrap();
    assert_eq!(store.remove(&entry()).unwrap(), 5);
    assert_eq!(store.state(&entry()).unwrap(), State::Absent);
    assert!(matches!(store.remove(&entry()), Err(Error::Absent { .. })));
}

#[test]
fn a_model_being_pulled_is_not_removed() {
    let (_home, store) = store_with(Some("abc"));
    let lock = store.lock(&entry()).unwrap();
    assert!(matches!(store.remove(&entry()), Err(Error::Busy { .. })));
    drop(lock);
    assert_eq!(store.remove(&entry()).unwrap(), 3);
}
