//! `saydo refine` on labelled rows. The scripted model's answers depend on the words of the question, so gold that repeats
//! its answers to one wording makes that wording the best.

use super::{QUESTION, Scratch, parse};
use serde_json::{Value, json};

const OTHER: &str = "May dogs come along here?";

/// The documents with the model's own answers to a question as gold.
fn labelled(scratch: &Scratch, question: &str) -> String {
    let outcome = scratch.saydo(&["run", question, "docs.jsonl", "-m", "scripted", "--json"]);
    assert_eq!(outcome.code, 0, "{}", outcome.stderr);
    let (rows, texts) = (parse(&outcome.stdout), parse(&scratch.read("docs.jsonl")));
    let line = |(row, text): (&Value, &Value)| format!("{}\n", json!({"text": text["text"], "answer": row["answer"]}));
    rows.iter().zip(&texts).map(line).collect()
}

#[test]
fn a_better_wording_is_found_and_written() {
    let scratch = Scratch::new(60);
    scratch.write("gold.jsonl", &labelled(&scratch, OTHER));
    let refine = ["refine", QUESTION, "gold.jsonl", "-m", "scripted", "--wording", OTHER, "-o", "better.toml"];
    let outcome = scratch.saydo(&[&refine[..], &["--json"]].concat());
    assert_eq!(outcome.code, 0, "{}", outcome.stderr);
    let report: Value = serde_json::from_str(&outcome.stdout).expect("JSON");
    assert_eq!(
        (&report["chosen"], &report["is_better"], &report["refined"]["f1"]),
        (&OTHER.into(), &true.into(), &1.0.into())
    );
    assert!(report["lead"]["95%"][0].as_f64().is_some_and(|low| low > 0.0), "{report}");
    assert_eq!(report["rows"], json!({"chosen_on": 30, "reported_on": 30}));
    assert!(report["wordings"].as_array().is_some_and(|all| all.len() > 4), "{report}");
    let written = scratch.read("better.toml");
    assert!(written.contains(OTHER) && written.contains("yes-no"), "{written}");
    let text = scratch.saydo(&[&refine[..], &["--force"]].concat());
    assert!(
        text.stdout.contains("chosen minus original") && text.stdout.contains("better: May dogs"),
        "{}",
        text.stdout
    );
}

#[test]
fn no_wording_is_called_better_that_is_not() {
    let scratch = Scratch::new(40);
    scratch.write("gold.jsonl", &labelled(&scratch, QUESTION));
    let refine = ["refine", QUESTION, "gold.jsonl", "-m", "scripted", "--from-model", "2", "-o", "better.toml"];
    let outcome = scratch.saydo(&refine);
    assert_eq!(outcome.code, 1, "{}", outcome.stderr);
    assert!(outcome.stdout.contains("keep the original"), "{}", outcome.stdout);
    assert!(!scratch.at("better.toml").exists());
    scratch.write("few.jsonl", "{\"text\": \"Dogs may enter.\", \"answer\": \"yes\"}\n");
    let few = scratch.saydo(&["refine", QUESTION, "few.jsonl", "-m", "scripted"]);
    assert_eq!(few.code, 2);
    assert!(few.stderr.contains("holds 1 rows, expected at least 4"), "{}", few.stderr);
}
