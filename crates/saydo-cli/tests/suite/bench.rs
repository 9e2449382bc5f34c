//! `saydo bench`, on a tiny model of our own.

use crate::run::{fixtures, json, saydo, saydo_in};

#[test]
fn a_model_is_measured_without_peers() {
    let arguments =
        ["bench", "generate", "--model", "checkpoints/llama", "--peers", "none", "--repeats", "1", "--json"];
    let measures = ["--measures", "load,prefill,decode,batch"];
    let result = json(&[&arguments[..], &measures].concat());
    let figures = result["engines"][0]["figures"].as_object().expect("an object");
    for measure in ["load", "prefill", "decode", "batch"] {
        assert!(figures[measure]["median"].as_f64().expect("a number") > 0.0, "{measure}");
    }
    assert_eq!(result["engines"].as_array().expect("a list").len(), 1);
}

#[test]
fn a_peer_that_is_not_there_is_said_and_does_not_stop_the_rest() {
    let arguments = ["bench", "generate", "-m", "checkpoints/llama", "--measures", "decode", "--repeats", "1"];
    let outcome = saydo(&[&arguments[..], &["--peers", "transformers", "--python", "no-such-python"]].concat());
    assert_eq!(outcome.code, 0, "{}", outcome.stderr);
    assert!(outcome.stdout.contains("decode, tokens/s"), "{}", outcome.stdout);
    assert!(outcome.stdout.contains("transformers: no-such-python was not found"), "{}", outcome.stdout);
}

#[test]
fn a_workload_longer_than_the_context_is_an_error() {
    let outcome = saydo(&["bench", "generate", "-m", "checkpoints/llama", "--peers", "none", "--repeats", "1"]);
    assert_eq!(outcome.code, 2);
    assert!(outcome.stderr.contains("expected fewer than the model's context of 512"), "{}", outcome.stderr);
}

#[test]
fn a_model_that_is_not_here_says_how_to_get_it() {
    let home = tempfile::tempdir().expect("a scratch folder");
    let outcome = saydo_in(home.path(), &["bench", "generate", "--home", ".", "--peers", "none"]);
    assert_eq!(outcome.code, 2);
    assert!(outcome.stderr.contains("hint: saydo models pull smollm2-135m"), "{}", outcome.stderr);
}

/// Once, scripts for peers imported what lay in the folder the user stood in.
#[test]
fn a_peer_imports_nothing_from_the_folder_one_stands_in() {
    let folder = tempfile::tempdir().expect("a scratch folder");
    for module in ["json", "statistics", "transformers"] {
        let hostile = "open('hijacked', 'w')\nraise SystemExit(3)\n";
        std::fs::write(folder.path().join(format!("{module}.py")), hostile).expect("the folder is writable");
    }
    let model = fixtures().join("checkpoints/llama");
    let model = model.to_str().expect("a plain path");
    let arguments = ["bench", "generate", "-m", model, "--measures", "decode", "--repeats", "1"];
    let outcome = saydo_in(folder.path(), &[&arguments[..], &["--peers", "transformers"]].concat());
    assert_eq!(outcome.code, 0, "{}", outcome.stderr);
    assert!(!folder.path().join("hijacked").exists(), "{}", outcome.stdout);
}
