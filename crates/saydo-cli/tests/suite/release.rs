//! `saydo release`.

use crate::run::{fixtures, saydo_in};
use std::path::Path;

/// Base questions with a paraphrase each, as lines of ZEST's format.
fn tasks(bases: usize) -> String {
    let task = |id: String, kind: &str, bases: Vec<String>, question: String| {
        let examples = serde_json::json!([
            {"context": format!("Dogs may walk trail {id}."), "answer": "yes", "all_answers": ["yes", "yes", "no"]},
            {"context": format!("There is a lake at {id}."), "answer": "n/a"},
        ]);
        let kind = serde_json::json!({"generalization_type": kind, "domain": "parks", "derives_from": bases});
        format!("{}\n", serde_json::json!({"id": id, "question": question, "type": kind, "examples": examples}))
    };
    let base = |n: usize| task(format!("b{n:02}"), "normal", vec![], format!("Are dogs allowed on trail {n}?"));
    let paraphrase = |n: usize| {
        task(format!("p{n:02}"), "paraphrase", vec![format!("b{n:02}")], format!("May dogs walk on trail {n}?"))
    };
    (0..bases).map(base).chain((0..bases).map(paraphrase)).collect()
}

fn read(folder: &Path, name: &str) -> String {
    std::fs::read_to_string(folder.join(name)).unwrap_or_else(|error| panic!("{name}: {error}"))
}

#[test]
fn a_release_loads_scores_and_keeps_its_sums() {
    let folder = tempfile::tempdir().unwrap();
    std::fs::write(folder.path().join("all.jsonl"), tasks(10)).unwrap();
    let made = saydo_in(
        folder.path(),
        &[
            "release",
            "all.jsonl",
            "-o",
            "out",
            "--name",
            "Trails",
            "--homepage",
            "https://example.org",
            "--limit",
            "Made up.",
        ],
    );
    assert_eq!(made.code, 0, "{}", made.stderr);
    assert!(made.stderr.contains("8 train, 2 dev and 10 test tasks"), "{}", made.stderr);
    let out = folder.path().join("out");
    let card = read(&out, "README.md");
    for words in ["# Trails", "license: cc-by-4.0", "- Made up.", "<https://example.org>", "Not recorded"] {
        assert!(card.contains(words), "{words} in\n{card}");
    }
    let answers = read(&out, "test-answers/test.jsonl");
    assert!(answers.contains("all_answers") && !read(&out, "test_unanswered.jsonl").contains("answer"));
    for line in read(&out, "checksums.sha256").lines() {
        let (sum, name) = line.split_once("  ").unwrap();
        assert_eq!(saydo_file::digest::of(std::fs::read(out.join(name)).unwrap()).hex(), sum, "{name}");
    }
    let eval =
        ["eval", "zest", "--data", "out/test-answers/test.jsonl", "-m", "baseline:always-na", "-o", "run", "--quiet"];
    let evaluated = saydo_in(folder.path(), &eval);
    assert_eq!(evaluated.code, 0, "{}", evaluated.stderr);
    let again = saydo_in(folder.path(), &["release", "all.jsonl", "-o", "out"]);
    assert_eq!(again.code, 2);
    assert!(again.stderr.contains("exists already"), "{}", again.stderr);
}

#[test]
fn parts_that_are_there_are_kept_and_how_it_was_collected_is_told() {
    let folder = tempfile::tempdir().unwrap();
    let data = folder.path().join("export");
    std::fs::create_dir(&data).unwrap();
    let all = tasks(2);
    let of = |number: usize| {
        all.lines().filter(|line| line.contains(&format!("trail {number}"))).collect::<Vec<_>>().join("\n")
    };
    std::fs::write(data.join("train.jsonl"), of(0) + "\n").unwrap();
    std::fs::write(data.join("test.jsonl"), of(1) + "\n").unwrap();
    std::fs::write(data.join("all.jsonl"), &all).unwrap();
    std::fs::write(data.join("collection.json"), r#"{"workers": 4, "documents": 30, "agreement": {"items": 9}}"#)
        .unwrap();
    let made = saydo_in(folder.path(), &["release", "export", "-o", "out", "--license", "CC0-1.0", "--json"]);
    assert_eq!(made.code, 0, "{}", made.stderr);
    let statistics: serde_json::Value = serde_json::from_str(&made.stdout).unwrap();
    assert_eq!(
        (&statistics["train"]["overall"]["tasks"], &statistics["test"]["overall"]["instances"]),
        (&2.into(), &4.into())
    );
    let card = read(&folder.path().join("out"), "README.md");
    for words in ["# export", "4 people wrote questions", "over 30 documents", "There is no dev part"] {
        assert!(card.contains(words), "{words} in\n{card}");
    }
    // A family in two parts is no test of anything.
    std::fs::write(data.join("test.jsonl"), of(1) + "\n" + &of(0).lines().last().unwrap().replace("p00", "x00") + "\n")
        .unwrap();
    let refused = saydo_in(folder.path(), &["release", "export", "-o", "other"]);
    assert_eq!(refused.code, 2);
    assert!(refused.stderr.contains("x00 in test derives from b00 in train"), "{}", refused.stderr);
    assert!(!folder.path().join("other").exists());
}

#[test]
fn bad_arguments_are_named() {
    let folder = tempfile::tempdir().unwrap();
    let dev = fixtures().join("zest/dev.jsonl");
    let refused = |more: &[&str]| {
        let outcome = saydo_in(folder.path(), &[&["release", dev.to_str().unwrap(), "-o", "out"], more].concat());
        assert_eq!(outcome.code, 2, "{more:?}: {}", outcome.stderr);
        outcome.stderr
    };
    assert!(refused(&["--license", "my own"]).contains("SPDX identifier"));
    assert!(refused(&["--collection", "none.json"]).contains("none.json"));
    assert!(refused(&["--license-file", "none.txt"]).contains("none.txt"));
}

#[test]
fn data_whose_compositions_join_everything_is_said() {
    let folder = tempfile::tempdir().unwrap();
    let join = |n: usize| {
        let kind = serde_json::json!({"generalization_type": "combination", "domain": "parks",
            "derives_from": [format!("b{n:02}"), format!("b{:02}", n + 1)]});
        let line = serde_json::json!({"id": format!("c{n:02}"), "question": format!("Is it {n}?"), "type": kind,
            "examples": [{"context": "x", "answer": "yes"}]});
        format!("{line}\n")
    };
    std::fs::write(folder.path().join("all.jsonl"), tasks(20) + &(0..15).map(join).collect::<String>()).unwrap();
    let split = saydo_in(folder.path(), &["split", "all.jsonl", "--zest", "-o", "split.json"]);
    assert_eq!(split.code, 0, "{}", split.stderr);
    assert!(split.stderr.contains("20 base tasks form 5 families, the largest with 16"), "{}", split.stderr);
}
