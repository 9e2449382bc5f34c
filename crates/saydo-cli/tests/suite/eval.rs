//! `saydo eval`, `saydo score RUN` and `saydo experiment`, with baselines, stored predictions and the scripted model.

use crate::run::{Outcome, fixtures, outcome_of};
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

    /// Runs `saydo` in the folder of fixtures, with a home of its own.
    fn saydo(&self, arguments: &[&str]) -> Outcome {
        let mut command = Command::new(env!("CARGO_BIN_EXE_saydo"));
        command.args(arguments).current_dir(fixtures()).env("SAYDO_HOME", self.at("home"));
        command.env_remove("SAYDO_MODEL");
        outcome_of(&mut command)
    }

    fn json(&self, arguments: &[&str]) -> Value {
        let outcome = self.saydo(&[arguments, &["--json"]].concat());
        assert_eq!(outcome.code, 0, "{arguments:?}: {}", outcome.stderr);
        serde_json::from_str(&outcome.stdout).expect("--json prints JSON")
    }
}

const ZEST: [&str; 4] = ["eval", "zest", "--data", "zest/dev.jsonl"];

fn text(path: &Path) -> &str {
    path.to_str().expect("scratch folders have plain names")
}

#[test]
fn stored_predictions_score_as_the_scorer_scores_their_file() {
    let scratch = Scratch::new();
    let out = scratch.at("run");
    let model = format!("replay:{}", text(&fixtures().join("zest/predictions.txt")));
    let scores = scratch.json(&[&ZEST[..], &["--model", &model, "-o", text(&out)]].concat());
    let scored = crate::run::json(&[
        "score",
        "zest",
        "--gold",
        "zest/dev.jsonl",
        "--predictions",
        "zest/predictions.txt",
        "--json",
    ]);
    assert_eq!(scores["detail"]["zest-t5, greedy"]["official"], scored["official"]);
}

#[test]
fn a_run_is_not_asked_again_and_is_scored_again_without_its_model() {
    let scratch = Scratch::new();
    let out = scratch.at("run");
    let arguments = [&ZEST[..], &["--constrained", "--model", "scripted", "-o", text(&out), "--limit", "2"]].concat();
    let first = scratch.saydo(&arguments);
    assert_eq!(first.code, 0, "{}", first.stderr);
    assert!(first.stdout.contains("task competence (saydo, constrained)"), "{}", first.stdout);
    let second = scratch.saydo(&arguments);
    assert!(second.stderr.contains("0 samples asked"), "{}", second.stderr);
    assert_eq!(second.stdout, first.stdout);
    let again = scratch.saydo(&["score", text(&out)]);
    assert_eq!(again.stdout, first.stdout, "{}", again.stderr);
    let fixed = scratch.json(&["score", text(&out), "--mode", "fixed"]);
    assert_eq!(fixed["mode"], "fixed");
    let files: Vec<String> = std::fs::read_dir(&out)
        .expect("the run is there")
        .map(|entry| entry.expect("an entry").file_name().to_string_lossy().into_owned())
        .collect();
    assert!(files.iter().any(|name| name.starts_with("results_")), "{files:?}");
    let record = std::fs::read_to_string(out.join("eval.json")).expect("it was written");
    assert!(!record.contains("partial"), "{record}");
}

#[test]
fn a_larger_limit_goes_on_with_the_same_run() {
    let scratch = Scratch::new();
    let out = scratch.at("run");
    let with = |limit: &str| {
        let flags = ["--model", "baseline:always-na", "-o", text(&out), "--limit", limit];
        scratch.saydo(&[&ZEST[..], &flags].concat()).stderr
    };
    with("1");
    let stderr = with("2");
    assert!(stderr.contains("found recorded"), "{stderr}");
}

#[test]
fn a_task_of_ones_own_is_evaluated_on_labelled_rows() {
    let scratch = Scratch::new();
    let rows = scratch.at("rows.jsonl");
    let line = "{\"text\": \"Dogs are welcome.\", \"answer\": \"yes\"}\n{\"text\": \"No dogs.\", \"answer\": \"no\"}\n";
    std::fs::write(&rows, line).expect("the scratch folder is writable");
    let out = scratch.at("run");
    let arguments = ["eval", "Are dogs allowed here?", "--data", text(&rows), "--model", "scripted", "-o", text(&out)];
    let scores = scratch.json(&arguments);
    assert_eq!((scores["protocol"].as_str(), scores["asked"].as_u64()), (Some("labelled"), Some(2)));
}

#[test]
fn the_turking_test_is_made_from_its_resources_and_its_baselines_are_models() {
    let scratch = Scratch::new();
    let out = scratch.at("run");
    let arguments = ["eval", "turking", "--data", "turking/sentences.tsv", "--model", "baseline:the", "-o", text(&out)];
    let outcome = scratch.saydo(&arguments);
    assert_eq!(outcome.code, 0, "{}", outcome.stderr);
    assert!(outcome.stdout.contains("nth character"), "{}", outcome.stdout);
    let out = scratch.at("captions");
    let arguments =
        ["eval", "turking", "--data", "turking/captions.jsonl", "--model", "baseline:the", "-o", text(&out)];
    let few = scratch.saydo(&arguments);
    assert!(few.stdout.contains("Fewer resources than in the paper: SNLI "), "{}", few.stdout);
}

#[test]
fn mistakes_are_told_with_what_to_do() {
    let scratch = Scratch::new();
    let cases: [(&[&str], &str); 7] = [
        (&["eval", "zest"], "no data, expected --data PATH"),
        (&["eval", "zets", "--data", "zest/dev.jsonl"], "zets is no protocol and no task file"),
        (&["eval", "zest", "--data", "no-such.jsonl"], "no-such.jsonl"),
        (&["eval", "zest", "--data", "zest/dev.jsonl", "--model", "baseline:luck"], "expected one of always-na"),
        (&["eval", "zest", "--data", "zest/dev.jsonl", "--layout", "zest-t6"], "unknown layout `zest-t6`"),
        (&["eval", "zest", "--data", "zest/dev.jsonl", "--tasks", "none-such"], "is the beginning of no task"),
        (&["score", "no-such-run"], "holds no evaluation, expected an eval.json in it"),
    ];
    for (arguments, expected) in cases {
        let outcome = scratch.saydo(arguments);
        assert_eq!(outcome.code, 2, "{arguments:?}: {}", outcome.stderr);
        assert!(outcome.stderr.contains(expected), "{arguments:?}: {}", outcome.stderr);
    }
}

#[test]
fn an_experiment_runs_its_grid_once_and_writes_one_table() {
    let scratch = Scratch::new();
    let file = scratch.at("grid.toml");
    let text_of_file = format!(
        "title = \"Baselines\"\nprotocol = \"zest\"\ndata = [\"{}\"]\ncolumns = \"domain\"\n\
         [grid]\nmodel = [\"baseline:always-na\", \"baseline:copy-input\"]\n[[published]]\nname = \"T5\"\nscore = 56\n",
        text(&fixtures().join("zest/dev.jsonl"))
    );
    std::fs::write(&file, text_of_file).expect("the scratch folder is writable");
    let out = scratch.at("grid");
    let arguments = ["experiment", text(&file), "-o", text(&out)];
    let first = scratch.saydo(&arguments);
    assert_eq!(first.code, 0, "{}", first.stderr);
    assert!(first.stdout.contains("published: T5"), "{}", first.stdout);
    let second = scratch.saydo(&arguments);
    assert_eq!(second.stdout, first.stdout);
    assert!(second.stderr.contains("0 samples asked"), "{}", second.stderr);
    assert!(out.join("table.md").is_file() && out.join("baseline_always-na/eval.json").is_file());
    let dry = scratch.saydo(&[&arguments[..], &["--dry-run"]].concat());
    assert_eq!(dry.code, 0, "{}", dry.stderr);
    assert!(dry.stdout.contains("zest question: "), "{}", dry.stdout);
}

#[test]
fn zests_experiment_prints_competence_beside_the_papers() {
    let scratch = Scratch::new();
    let file = fixtures().join("../experiments/zest-competence.toml");
    let out = scratch.at("competence");
    let flags = ["--data", "zest/dev.jsonl", "--model", "baseline:always-na", "-o", text(&out)];
    let outcome = scratch.saydo(&[&["experiment", text(&file)], &flags[..]].concat());
    assert_eq!(outcome.code, 0, "{}", outcome.stderr);
    for expected in ["Table 3: overall", "Table 10", "baseline:always-na, C@90", "semantic flips", "What differs"] {
        assert!(outcome.stdout.contains(expected), "{expected}: {}", outcome.stdout);
    }
    let table = std::fs::read_to_string(out.join("table.md")).expect("written");
    let overall =
        table.lines().find(|line| line.contains("T5-11B ZEST + MTL, dev")).expect("Table 3 has the paper's best");
    assert_eq!(overall, "| T5-11B ZEST + MTL, dev | [56] | [35] | [14] |");
    let rows: Value =
        serde_json::from_str(&std::fs::read_to_string(out.join("table.json")).expect("written")).expect("JSON");
    let competence = rows[0]["values"].as_array().expect("values").iter().find(|value| value["metric"] == "C@75");
    assert!(competence.is_some_and(|value| value["score"].is_number()), "{rows}");
}

#[test]
fn every_shipped_experiment_plans() {
    let scratch = Scratch::new();
    let folder = fixtures().join("../experiments");
    let mut count = 0;
    for entry in std::fs::read_dir(folder).expect("experiments are shipped") {
        let path = entry.expect("an entry").path();
        if path.extension().is_some_and(|extension| extension == "toml") {
            count += 1;
            let data = match path.file_name().and_then(|name| name.to_str()).expect("a plain name") {
                // These have a split by domains.
                name if ["zest-trained", "zest-table-5-t", "zest-mtl", "zest-curve"]
                    .iter()
                    .any(|start| name.starts_with(start)) =>
                {
                    "everyday"
                }
                name if name.starts_with("zest") => "zest/dev.jsonl",
                name if name.starts_with("turking-table-1") => "turking/captions.jsonl",
                name if name.starts_with("turking") => "turking/sentences.tsv",
                name if name.starts_with("super") => "tasks/super-natural-instructions",
                _ => "tasks/natural-instructions",
            };
            let out = scratch.at("out");
            let flags = ["--data", data, "--model", "scripted", "--limit", "1", "--dry-run", "-o", text(&out)];
            let outcome = scratch.saydo(&[&["experiment", text(&path)], &flags[..]].concat());
            // The published split and the tasks of Table 4 and of the upper bound are not in the fixtures.
            let lacks = ["table-4.toml", "table-4-trained.toml", "upper-bound.toml"];
            let is_expected = outcome.code == 0 || lacks.iter().any(|end| path.to_string_lossy().ends_with(end));
            assert!(is_expected, "{}: {}", path.display(), outcome.stderr);
        }
    }
    assert!(count >= 18, "{count}");
}

#[test]
fn predictions_for_a_test_set_without_answers_are_what_its_evaluator_reads() {
    let scratch = Scratch::new();
    let dev = std::fs::read_to_string(fixtures().join("zest/dev.jsonl")).expect("a fixture");
    let mut examples = 0;
    let mut unanswered = String::new();
    for line in dev.lines() {
        let mut record: Value = serde_json::from_str(line).expect("a line is JSON");
        for example in record["examples"].as_array_mut().expect("a list") {
            example.as_object_mut().expect("an object").remove("answer");
            examples += 1;
        }
        unanswered += &format!("{record}\n");
    }
    let (test, out) = (scratch.at("test_unanswered.jsonl"), scratch.at("predictions.txt"));
    std::fs::write(&test, unanswered).expect("writable");
    for way in [&["--constrained"][..], &[]] {
        let arguments = ["predict", "zest", text(&test), "-o", text(&out), "--model", "scripted"];
        let outcome = scratch.saydo(&[&arguments[..], way].concat());
        assert_eq!(outcome.code, 0, "{}", outcome.stderr);
        assert_eq!(std::fs::read_to_string(&out).expect("written").lines().count(), examples);
        let scored = scratch.saydo(&["score", "zest", "--gold", "zest/dev.jsonl", "--predictions", text(&out)]);
        assert_eq!(scored.code, 0, "{}", scored.stderr);
    }
    let refused = scratch.saydo(&["predict", "turking", text(&test), "-o", "x", "--model", "scripted"]);
    assert!(refused.stderr.contains("turking has no test set without answers"), "{}", refused.stderr);
}

#[test]
fn predictions_for_natural_instructions_have_a_file_for_each_task() {
    let scratch = Scratch::new();
    let (ni, sni) = (scratch.at("ni"), scratch.at("sni.jsonl"));
    let predict = |protocol: &str, data: &str, out: &Path| {
        let arguments = ["predict", protocol, data, "-o", text(out), "--model", "scripted", "--layout", "ni-prompt"];
        let outcome = scratch.saydo(&arguments);
        assert_eq!(outcome.code, 0, "{}", outcome.stderr);
    };
    predict("natural-instructions", "natural-instructions/tasks", &ni);
    let rain: Value = serde_json::from_slice(&std::fs::read(ni.join("rain.json")).expect("written")).expect("JSON");
    let indices: Vec<u64> =
        rain["predictions"].as_array().expect("a list").iter().filter_map(|row| row["index"].as_u64()).collect();
    assert_eq!(indices, [0, 1, 2, 3]);
    let replayed = format!("replay:{}", text(&ni));
    let again = ["eval", "natural-instructions", "--data", "natural-instructions/tasks", "--model", &replayed];
    let outcome = scratch.saydo(&again);
    assert_eq!(outcome.code, 0, "{}", outcome.stderr);
    predict("super-natural-instructions", "tasks/super-natural-instructions", &sni);
    for line in std::fs::read_to_string(&sni).expect("written").lines() {
        let row: Value = serde_json::from_str(line).expect("a line is JSON");
        assert!(row["id"].is_string() && row["prediction"].is_string(), "{row}");
    }
}
