//! `saydo eval reading`, `everyday` and `suite`, and the data set that ships inside.

use crate::run::{Outcome, outcome_of};
use serde_json::Value;
use std::path::{Path, PathBuf};
use std::process::Command;
use tempfile::TempDir;

struct Scratch(TempDir);

impl Scratch {
    fn new() -> Self {
        Self(tempfile::tempdir().expect("a scratch folder"))
    }

    fn at(&self, name: &str) -> PathBuf {
        self.0.path().join(name)
    }

    fn write(&self, name: &str, text: &str) {
        std::fs::write(self.at(name), text).expect("the scratch folder takes files");
    }

    fn saydo(&self, arguments: &[&str]) -> Outcome {
        let mut command = Command::new(env!("CARGO_BIN_EXE_saydo"));
        command.args(arguments).current_dir(self.0.path()).env("SAYDO_HOME", self.at("home"));
        command.env_remove("SAYDO_MODEL");
        outcome_of(&mut command)
    }

    fn json(&self, arguments: &[&str]) -> Value {
        let outcome = self.saydo(&[arguments, &["--json"]].concat());
        assert_eq!(outcome.code, 0, "{arguments:?}: {}", outcome.stderr);
        serde_json::from_str(&outcome.stdout).expect("--json prints JSON")
    }
}

/// The value of a source's metric.
fn metric(scores: &Value, source: &str, name: &str) -> Option<f64> {
    let sources = scores["detail"].as_array().expect("a list of sources");
    let source = sources.iter().find(|one| one["source"] == source).unwrap_or_else(|| panic!("no {source}: {scores}"));
    let metric = source["metrics"].as_array()?.iter().find(|metric| metric["name"] == name)?;
    metric["value"].as_f64()
}

const SQUAD: &str = r#"{"data": [{"title": "Forts", "paragraphs": [{"context": "The fort was built in 1820 of stone.", "qas": [
    {"id": "q1", "question": "When was it built?", "answers": [{"text": "1820", "answer_start": 22}]},
    {"id": "q2", "question": "Who built it?", "answers": []},
    {"id": "q3", "question": "Who lives there?", "answers": []}]}]}]}"#;
const CLAIMS: &str = "{\"passage\": \"It rained all day.\", \"claim\": \"It rained.\", \"label\": \"True\"}\n\
    {\"passage\": \"It rained all day.\", \"claim\": \"It was dry.\", \"label\": \"False\"}\n\
    {\"passage\": \"It rained all day.\", \"claim\": \"It was cold.\", \"label\": \"Neither\"}\n";
const YES_NO: &str = "{\"question\": \"did it rain\", \"passage\": \"It rained.\", \"answer\": true}\n\
    {\"question\": \"was it dry\", \"passage\": \"It rained.\", \"answer\": false}\n";

#[test]
fn each_source_is_scored_by_its_own_rules() {
    let scratch = Scratch::new();
    scratch.write("squad2.json", SQUAD);
    scratch.write("claims.jsonl", CLAIMS);
    scratch.write("boolq.jsonl", YES_NO);
    let data = ["--data", "squad2.json", "--data", "claims.jsonl", "--data", "boolq.jsonl"];
    let arguments = [&["eval", "reading", "-m", "baseline:always-na"][..], &data].concat();
    let scores = scratch.json(&arguments);
    let near = |source: &str, name: &str, value: f64| {
        let found = metric(&scores, source, name).unwrap_or_else(|| panic!("{source} has no {name}"));
        assert!((found - value).abs() < 1e-9, "{source} {name}: {found}");
    };
    near("squad2", "f1", 2.0 / 3.0);
    near("squad2", "NoAns", 1.0);
    near("squad2", "HasAns f1", 0.0);
    near("claims", "accuracy", 1.0 / 3.0);
    near("claims", "recall n/a", 1.0);
    near("boolq", "accuracy", 0.0);
    let tables = scratch.saydo(&arguments);
    assert!(tables.stdout.contains("BERT-large 83.1"), "{}", tables.stdout);
    assert!(tables.stderr.contains("0 samples asked"), "a run is not asked again: {}", tables.stderr);
}

#[test]
fn the_function_that_users_call_answers_with_confidence() {
    let scratch = Scratch::new();
    let run = scratch.at("run");
    let arguments = ["eval", "everyday", "--data", "everyday/museums", "-L", "100", "-m", "scripted", "-o"];
    let scores = scratch.json(&[&arguments[..], &[run.to_str().expect("a plain name")]].concat());
    let source = &scores["detail"][0];
    assert_eq!(
        (&source["source"], &source["style"], &source["rows"]),
        (&"everyday/museums".into(), &"set".into(), &96.into())
    );
    assert_eq!(source["competence"].as_array().map(Vec::len), Some(11));
    for name in ["f1", "C@75", "C@90", "f1 yes-no", "f1 records"] {
        assert!(metric(&scores, "everyday/museums", name).is_some(), "no {name}: {source}");
    }
    let worded =
        scratch.json(&["eval", "everyday", "--data", "everyday/museums", "--paraphrases", "-m", "baseline:always-na"]);
    let tasks = worded["detail"][0]["tasks"].as_u64();
    assert!(tasks > Some(40), "{tasks:?} tasks with their other wordings");
    let record = std::fs::read_to_string(run.join("eval.json")).expect("the run is recorded");
    assert!(record.contains("\"reading\""), "{record}");
    let again = scratch.saydo(&["score", run.to_str().expect("a plain name")]);
    assert!(again.stdout.contains("mean task F1"), "{}{}", again.stdout, again.stderr);
}

#[test]
fn sets_are_not_scored_as_alternatives() {
    let scratch = Scratch::new();
    let refused = scratch.saydo(&["eval", "zest", "--data", "everyday/museums", "-m", "baseline:always-na"]);
    assert_eq!(refused.code, 2);
    assert!(refused.stderr.contains("saydo eval everyday"), "{}", refused.stderr);
}

#[test]
fn a_fixed_set_says_what_it_could_not_ask() {
    let scratch = Scratch::new();
    let arguments = ["eval", "suite", "--set", "report", "-m", "baseline:always-na", "-L", "60", "--data-dir", "none"];
    let outcome = scratch.saydo(&arguments);
    assert_eq!(outcome.code, 0, "{}", outcome.stderr);
    assert!(outcome.stderr.contains("squad2 is left out: no none/reading/squad2"), "{}", outcome.stderr);
    for source in ["everyday", "zest-dev", "parks"] {
        assert!(outcome.stdout.contains(source), "{source}: {}", outcome.stdout);
    }
    let without = scratch.saydo(&["eval", "suite", "-m", "baseline:always-na"]);
    assert!(without.stderr.contains("--set choose"), "{}", without.stderr);
}

#[test]
fn a_fixed_set_takes_its_part_of_a_file() {
    let scratch = Scratch::new();
    std::fs::create_dir_all(scratch.at("data/reading")).expect("the scratch folder takes folders");
    let row = |number: usize| format!("{{\"question\": \"q{number}\", \"passage\": \"p\", \"answer\": \"yes\"}}\n");
    let rows: String = (0..11_791).map(row).collect();
    let path = scratch.at("data/reading/boolq.jsonl.gz");
    let mut packed = flate2::write::GzEncoder::new(
        std::fs::File::create(Path::new(&path)).expect("a file"),
        flate2::Compression::fast(),
    );
    std::io::Write::write_all(&mut packed, rows.as_bytes()).expect("it is written");
    packed.finish().expect("it is written");
    let arguments =
        ["eval", "suite", "--set", "choose", "-m", "baseline:always-na", "--data-dir", "data", "--tasks", "boolq"];
    let scores = scratch.json(&arguments);
    assert_eq!((&scores["detail"][0]["source"], &scores["detail"][0]["rows"]), (&"boolq".into(), &200.into()));
    let rows = scores["rows"].as_array().expect("rows of tasks");
    let lines: Vec<usize> = rows
        .iter()
        .filter(|row| row["by"] == "task" && row["metric"] == "f1")
        .filter_map(|row| row["name"].as_str()?.strip_prefix("boolq/line ")?.parse().ok())
        .collect();
    assert_eq!(lines.len(), 200);
    assert!(lines.iter().all(|line| (10_792..=11_791).contains(line)), "{lines:?}");
}

#[test]
fn what_ships_inside_is_described() {
    let scratch = Scratch::new();
    let described = scratch.json(&["describe", "everyday"]);
    assert_eq!((&described["overall"]["tasks"], &described["overall"]["instances"]), (&907.into(), &21_768.into()));
    let counts: u64 = described["inferred"]
        .as_object()
        .expect("kinds")
        .values()
        .map(|kind| kind["tasks"].as_u64().unwrap_or(0))
        .sum();
    assert_eq!(counts, 907);
    let table = scratch.saydo(&["describe", "everyday/hotels"]);
    assert!(table.stdout.contains("kinds of answers, inferred from the words alone"), "{}", table.stdout);
    let checked = scratch.json(&["check", "everyday/museums", "-L", "4", "-m", "scripted"]);
    assert!(checked.to_string().contains("records"), "{checked}");
}

#[test]
fn types_of_generalization_are_scored_alike_by_both_protocols_and_unknown_tasks_are_refused() {
    let scratch = Scratch::new();
    let dev = concat!(env!("CARGO_MANIFEST_DIR"), "/../../examples/zest/dev.jsonl");
    let flags = ["--data", dev, "--model", "scripted"];
    let reading = scratch.json(&[&["eval", "reading"], &flags[..]].concat());
    let zest = scratch.json(&[&["eval", "zest", "--constrained"], &flags[..]].concat());
    let official = zest["detail"].as_object().and_then(|ways| ways.values().next()).expect("a way")["official"].clone();
    let types = reading["detail"][0]["types"].as_array().expect("types").clone();
    let names = [
        ("base", "normal"),
        ("paraphrase", "paraphrase"),
        ("composition", "combination"),
        ("semantic flips", "target_semantics"),
        ("output structure", "structure"),
    ];
    for (name, key) in names {
        let row = types.iter().find(|row| row["name"] == name).expect("a row");
        for (number, cell) in ["mean", "75", "90"].iter().enumerate() {
            let (ours, theirs) = (row["scores"][number].as_f64(), official[key][cell].as_f64());
            assert!((ours.expect("a number") - theirs.expect("a number")).abs() < 1e-9, "{name} {cell}");
        }
    }
    let text =
        scratch.saydo(&["eval", "everyday", "--data", "everyday/trails", "--paraphrases", "--model", "scripted"]);
    assert!(text.stdout.contains("task competence by type of generalization"), "{}", text.stdout);
    let ablated = scratch.saydo(&[
        "eval",
        "everyday",
        "--data",
        "everyday/trails",
        "--ablation",
        "context-only",
        "--model",
        "scripted",
    ]);
    assert_eq!(ablated.code, 0, "{}", ablated.stderr);
    let unknown = scratch.saydo(&["eval", "everyday", "--tasks", "travel,nonsense", "--model", "scripted"]);
    assert!(unknown.stderr.contains("--tasks nonsense is the beginning of no task"), "{}", unknown.stderr);
    let drawn = ["eval", "everyday", "--data", "everyday", "--split", "domains", "--limit", "1", "--model", "scripted"];
    let drawn = scratch.saydo(&drawn);
    assert_eq!(drawn.code, 0, "rows are drawn from a side of the split: {}", drawn.stderr);
}
