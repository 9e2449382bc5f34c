//! `saydo check` and `saydo run --calibrate` on labelled rows. The scripted model's answers are arbitrary but always the
//! same, so gold that repeats them is right and gold that contradicts them is wrong.

use super::{QUESTION, Scratch, parse};
use serde_json::{Value, json};

/// The documents with gold made of the model's own answers, changed where `wrong` says so.
fn labelled(scratch: &Scratch, wrong: impl Fn(usize) -> bool) -> String {
    let rows = scratch.rows(&["--json"]);
    let texts = parse(&scratch.read("docs.jsonl"));
    let line = |(number, (row, text)): (usize, (&Value, &Value))| {
        let answer = if wrong(number) { json!("maybe") } else { row["answer"].clone() };
        format!("{}\n", json!({"id": row["id"], "text": text["text"], "answer": answer}))
    };
    rows.iter().zip(&texts).enumerate().map(line).collect()
}

#[test]
fn gold_that_agrees_scores_everything() {
    let scratch = Scratch::new(12);
    scratch.write("gold.jsonl", &labelled(&scratch, |_| false));
    let outcome = scratch.saydo(&["check", QUESTION, "gold.jsonl", "-m", "scripted", "--threshold", "0.9"]);
    assert_eq!(outcome.code, 0, "{}", outcome.stderr);
    assert!(outcome.stdout.contains("F1        100.0"), "{}", outcome.stdout);
    assert!(outcome.stdout.contains("competent at 90: yes"), "{}", outcome.stdout);
    assert!(outcome.stdout.contains("threshold 90.0: reached"), "{}", outcome.stdout);
}

#[test]
fn below_the_threshold_the_exit_code_is_1_and_the_worst_rows_are_shown() {
    let scratch = Scratch::new(12);
    scratch.write("gold.jsonl", &labelled(&scratch, |number| number % 2 == 0));
    let arguments = ["check", QUESTION, "gold.jsonl", "-m", "scripted", "--threshold", "0.9"];
    let outcome = scratch.saydo(&arguments);
    assert_eq!(outcome.code, 1, "{}", outcome.stderr);
    assert!(outcome.stdout.contains("worst rows") && outcome.stdout.contains("maybe"), "{}", outcome.stdout);
    let json = scratch.saydo(&[&arguments[..], &["--json", "--paraphrase", "May dogs come along?"]].concat());
    let report: Value = serde_json::from_str(&json.stdout).expect("the report is JSON");
    assert_eq!(report["tasks"][0]["rows"].as_array().map(Vec::len), Some(12));
    assert!(report["tasks"][0]["flip_rate"].is_number() && report["is_good_enough"] == false, "{report}");
}

#[test]
fn tasks_with_instances_check_themselves() {
    let scratch = Scratch::new(1);
    let task = "title = \"Dogs\"\ndefinition = \"Are dogs allowed?\"\n[[instance]]\ninput = \"Dogs may enter.\"\noutput = \"yes\"\n";
    scratch.write("dogs.toml", task);
    let outcome = scratch.saydo(&["check", "dogs.toml", "-m", "scripted"]);
    assert_eq!(outcome.code, 0, "{}", outcome.stderr);
    assert!(outcome.stdout.starts_with("Dogs (yes-no, 1 rows, scripted)"), "{}", outcome.stdout);
    let nothing = scratch.saydo(&["check", QUESTION, "-m", "scripted"]);
    assert_eq!(nothing.code, 2);
    assert!(nothing.stderr.contains("holds no labelled instances"), "{}", nothing.stderr);
}

#[test]
fn calibrating_draws_the_line_where_the_rows_say() {
    let scratch = Scratch::new(12);
    let gold: String = parse(&scratch.read("docs.jsonl"))
        .iter()
        .map(|row| format!("{}\n", json!({"text": row["text"], "answer": null})))
        .collect();
    scratch.write("gold.jsonl", &gold);
    let outcome =
        scratch.saydo(&["run", QUESTION, "docs.jsonl", "-m", "scripted", "--json", "--calibrate", "gold.jsonl"]);
    assert_eq!(outcome.code, 0, "{}", outcome.stderr);
    assert!(
        outcome.stderr.contains("calibrated on 12 rows") && outcome.stderr.contains("chosen"),
        "{}",
        outcome.stderr
    );
    assert!(parse(&outcome.stdout).iter().all(|row| row["status"] == "na"), "{}", outcome.stdout);
}
