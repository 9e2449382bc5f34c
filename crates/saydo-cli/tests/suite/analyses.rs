//! The papers' analyses on the command line: competence for any protocol, generalization, templates, raw instructions, errors.

use crate::run::{Outcome, fixtures, outcome_of};
use serde_json::{Value, json};
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

    fn shown(&self, arguments: &[&str]) -> String {
        let outcome = self.saydo(arguments);
        assert_eq!(outcome.code, 0, "{arguments:?}: {}", outcome.stderr);
        outcome.stdout
    }

    fn json(&self, arguments: &[&str]) -> Value {
        let shown = self.shown(&[arguments, &["--json"]].concat());
        serde_json::from_str(&shown).expect("--json prints JSON")
    }
}

fn path(name: &str) -> String {
    text(&fixtures().join(name)).to_owned()
}

fn text(path: &Path) -> &str {
    path.to_str().expect("plain names")
}

/// A task whose every instance says `n/a` but one.
fn stated(level: &str) -> String {
    let instance = |gold: &str| format!("[[instance]]\ninput = \"It rained, {gold}.\"\noutput = \"{gold}\"\n");
    let head = "definition = \"Are dogs allowed?\"\n[answer]\nkind = \"yes-no\"\nmetric = \"accuracy\"\n";
    format!("{head}{level}\n{}{}", instance("n/a").repeat(3), instance("yes"))
}

#[test]
fn a_tasks_own_level_decides_whether_the_model_can_do_it() {
    let scratch = Scratch::new();
    scratch.write("easy.toml", &stated("competent_at = 0.7"));
    scratch.write("hard.toml", &stated("competent_at = 0.8"));
    for (file, verdict, level) in [("easy.toml", "yes", "70"), ("hard.toml", "no", "80")] {
        let scores = scratch.json(&["eval", file, "-m", "baseline:always-na", "-o", file.trim_end_matches(".toml")]);
        let way = &scores["competence"]["ways"][0];
        assert_eq!(
            (&way["tasks"][0]["metric"], &way["tasks"][0]["value"]),
            (&json!("accuracy"), &json!(0.75)),
            "{way}"
        );
        assert_eq!(way["curve"].as_array().map(Vec::len), Some(21));
        let table = scratch.shown(&["score", file.trim_end_matches(".toml"), "--competent-at", "0.62"]);
        let row = table.lines().find(|line| line.contains("accuracy") && line.contains("75.0")).expect("a row");
        assert!(row.contains(&format!("  {level}  {verdict}")), "{row}");
        assert!(table.contains("C@62"), "{table}");
    }
    let refused = scratch.saydo(&["score", "easy", "--competent-at", "62"]);
    assert_eq!(refused.code, 2);
    assert!(refused.stderr.contains("expected a number from 0 to 1"), "{}", refused.stderr);
}

#[test]
fn a_threshold_is_for_every_task_and_not_for_their_mean() {
    let scratch = Scratch::new();
    scratch.write("easy.toml", &stated("competent_at = 0.0"));
    // The same document with another answer: one of the two is wrong, whatever the model says.
    let contradiction = "[[instance]]\ninput = \"It rained, yes.\"\noutput = \"no\"\n";
    scratch.write("hard.toml", &(stated("competent_at = 1.0") + contradiction));
    let folder = scratch.at("tasks");
    std::fs::create_dir(&folder).expect("the scratch folder takes folders");
    for name in ["easy.toml", "hard.toml"] {
        std::fs::rename(scratch.at(name), folder.join(name)).expect("files move");
    }
    let outcome = scratch.saydo(&["check", "tasks", "-m", "scripted"]);
    assert_eq!(outcome.code, 1, "{}{}", outcome.stdout, outcome.stderr);
    assert!(outcome.stdout.contains("threshold of each task: reached by 1 of 2 tasks"), "{}", outcome.stdout);
    assert!(outcome.stdout.contains("C@50"), "{}", outcome.stdout);
    let all = scratch.saydo(&["check", "tasks", "-m", "scripted", "--threshold", "0"]);
    assert_eq!(all.code, 0, "{}", all.stdout);
    assert!(all.stdout.contains("threshold 0.0: reached by 2 of 2 tasks"), "{}", all.stdout);
}

#[test]
fn every_protocol_has_competence_and_zest_its_generalization() {
    let scratch = Scratch::new();
    let zest = path("zest/dev.jsonl");
    let model = format!("replay:{}", path("zest/predictions.txt"));
    let scores = scratch.json(&["eval", "zest", "--data", &zest, "-m", &model, "-o", "zest"]);
    let generalization = &scores["generalization"][0];
    let types: Vec<&str> =
        generalization["types"].as_array().expect("types").iter().filter_map(|row| row["name"].as_str()).collect();
    assert_eq!(types, ["paraphrase", "composition", "semantic flips", "output structure"]);
    let report = scratch.shown(&["report", "zest", "--format", "markdown"]);
    for title in
        ["generalization: derived tasks against their base", "competence over all tasks", "can the model do it"]
    {
        assert!(report.contains(title), "{title}");
    }
    let ni = path("tasks/natural-instructions");
    let scores =
        scratch.json(&["eval", "natural-instructions", "--data", &ni, "-m", "baseline:copy-input", "-o", "ni"]);
    assert!(scores["competence"]["ways"][0]["competent"]["of"].as_u64() > Some(0), "{}", scores["competence"]);
}

#[test]
fn descriptions_have_parts_tokens_overlap_and_stand_side_by_side() {
    let scratch = Scratch::new();
    let zest = path("zest/dev.jsonl");
    let shown = scratch.shown(&["describe", &zest]);
    for part in ["lexical overlap", "mixed %", "train (ZEST)"] {
        assert!(shown.contains(part), "{part}: {shown}");
    }
    let ni = path("tasks/natural-instructions");
    let (words, tokens) = (scratch.json(&["describe", &ni]), scratch.json(&["describe", &ni, "--tokens"]));
    assert_eq!((&words["unit"], &tokens["unit"]), (&json!("words"), &json!("tokens")));
    let definition = |described: &Value| described["overall"]["words"]["definition"].as_f64().expect("a length");
    assert!(definition(&tokens) > definition(&words));
    assert!(words["by_dataset"]["QASC"]["reason_share"].is_number(), "{}", words["by_dataset"]);
    let beside = scratch.shown(&["describe", &ni, "--skill", "answer generation"]);
    assert!(
        beside.contains("(QASC)") && beside.contains("(MCTACO)") && beside.contains("\nthings to avoid\n"),
        "{beside}"
    );
    let unknown = scratch.saydo(&["describe", &ni, "--skill", "dancing"]);
    assert!(unknown.code == 2 && unknown.stderr.contains("expected one of answer generation"), "{}", unknown.stderr);
    let twice = scratch.saydo(&["describe", &ni, &ni]);
    assert!(twice.code == 2 && twice.stderr.contains("again, expected each id once"), "{}", twice.stderr);
}

#[test]
fn an_instruction_of_ones_own_is_asked_and_scored() {
    let scratch = Scratch::new();
    scratch.write("last_word.txt", "Write the last word of the sentence \"{text}\".\n");
    scratch.write(
        "rows.jsonl",
        "{\"text\": \"It rained.\", \"output\": \"rained\"}\n{\"text\": \"We left.\", \"output\": \"left\"}\n",
    );
    let made =
        ["convert", "--from", "template", "--template", "last_word.txt", "rows.jsonl", "--to", "toml", "-o", "out"];
    scratch.shown(&made);
    let task = std::fs::read_to_string(scratch.at("out/last_word.toml")).expect("the task is there");
    assert!(task.contains("Write the last word of the sentence \"It rained.\"."), "{task}");
    let run =
        ["eval", "out/last_word.toml", "--layout", "turking", "--decoding", "greedy", "-m", "scripted", "-o", "run"];
    let scores = scratch.json(&run);
    assert_eq!(scores["asked"], 2, "{scores}");
    let without = scratch.saydo(&["convert", "--from", "template", "rows.jsonl", "--to", "toml", "-o", "x"]);
    assert!(without.code == 2 && without.stderr.contains("--template"), "{}", without.stderr);
}

#[test]
fn promptsources_templates_become_tasks_and_stand_beside_instructions() {
    let scratch = Scratch::new();
    let yaml = "dataset: qasc\ntemplates:\n  a: !Template\n    answer_choices: null\n    jinja: 'Answer: {{question}} ||| {{answer}}'\n    metadata: !TemplateMetadata\n      metrics: [Accuracy]\n      original_task: true\n    name: plain\n";
    scratch.write("templates.yaml", yaml);
    scratch.write("rows.jsonl", "{\"question\": \"What melts?\", \"answer\": \"ice\"}\n");
    scratch.shown(&[
        "convert",
        "--from",
        "promptsource",
        "templates.yaml",
        "--rows",
        "rows.jsonl",
        "--to",
        "toml",
        "-o",
        "out",
    ]);
    let task = std::fs::read_to_string(scratch.at("out/qasc-plain.toml")).expect("the task is there");
    assert!(task.contains("Answer: What melts?") && task.contains("metric = \"accuracy\""), "{task}");
    let shown = scratch.shown(&["describe", &path("tasks/natural-instructions"), "--templates", "templates.yaml"]);
    assert!(shown.contains("template     plain") && shown.contains("subtask041"), "{shown}");
}

#[test]
fn raw_instructions_are_compared_with_the_schema() {
    let scratch = Scratch::new();
    let tasks = path("../examples/raw-instructions");
    let layouts = "ni-raw,ni-no-examples,ni-full,ni-full-alternating,ni-full-no-negative";
    let run = [
        "eval",
        "natural-instructions",
        "--data",
        &tasks,
        "--layout",
        layouts,
        "-m",
        "baseline:copy-example",
        "-o",
        "run",
    ];
    let scores = scratch.json(&run);
    let lengths = scores["elements"]["lengths"].as_array().expect("lengths");
    let tokens = |layout: &str| {
        lengths.iter().find(|row| row["layout"] == layout).and_then(|row| row["tokens"].as_f64()).expect("a length")
    };
    assert!(tokens("ni-raw") > 2.0 * tokens("ni-no-examples"), "{lengths:?}");
    let gains = scores["elements"]["gains"].as_array().expect("gains");
    for element in ["Negative examples", "Alternation of examples", "Schema instead of raw text"] {
        assert!(gains.iter().any(|gain| gain["element"] == element && gain["category"] == "all"), "{element}");
    }
    // What people say of elements stands beside what they add.
    let rating = json!({"annotator": "a", "task": "written_date", "category": "minimal text modification",
        "ratings": {"Negative examples": "necessary"}});
    scratch.write("ratings.jsonl", &format!("{rating}\n"));
    let report = scratch.shown(&["report", "run", "--survey", "ratings.jsonl", "--format", "markdown"]);
    assert!(report.contains("how necessary people find each element (Table 7)"), "{report}");
    // Tasks without raw text are left out of the comparison.
    let ni = path("tasks/natural-instructions");
    let refused = scratch.saydo(&[
        "eval",
        "natural-instructions",
        "--data",
        &ni,
        "--layout",
        "ni-raw",
        "-m",
        "baseline:copy-input",
    ]);
    assert_eq!(refused.code, 2, "{}", refused.stdout);
}

#[test]
fn errors_are_sorted_by_a_code_book() {
    let scratch = Scratch::new();
    let zest = path("zest/dev.jsonl");
    let model = format!("replay:{}", path("zest/predictions.txt"));
    scratch.shown(&["eval", "zest", "--data", &zest, "-m", &model, "-o", "run", "--quiet"]);
    assert!(scratch.shown(&["errors", "run", "--book"]).contains("recall"));
    let nobody = scratch.saydo(&["errors", "run"]);
    assert!(nobody.code == 2 && nobody.stderr.contains("nobody has coded run yet"), "{}", nobody.stderr);
    scratch.shown(&["errors", "run", "--export", "sheets", "--sample", "4"]);
    let sheet = std::fs::read_to_string(scratch.at("sheets/coder-1.jsonl")).expect("a sheet");
    assert_eq!(sheet.lines().count(), 4);
    assert_eq!(
        sheet.replace("coder-1", "coder-2"),
        std::fs::read_to_string(scratch.at("sheets/coder-2.jsonl")).expect("a sheet")
    );
    let again = scratch.saydo(&["errors", "run", "--export", "sheets", "--sample", "4"]);
    assert_eq!(again.code, 2, "sheets are not written over");
    scratch.write("sheets/coder-1.jsonl", &sheet.replace("\"code\":null", "\"code\":\"recall\""));
    scratch.write(
        "sheets/coder-2.jsonl",
        &sheet.replace("coder-1", "Bea").replacen("\"code\":null", "\"code\":\"recall\"", 2),
    );
    let report = scratch.json(&["errors", "run", "sheets/coder-1.jsonl", "sheets/coder-2.jsonl"]);
    assert_eq!((&report["items"], &report["shared"], &report["agreement"]), (&json!(4), &json!(2), &json!(1.0)));
    // A model's codes stand beside and are not counted.
    let with_model = scratch.json(&["errors", "run", "--by-model", "-m", "scripted", "--sample", "4"]);
    assert_eq!((&with_model["items"], &with_model["models"]), (&json!(4), &json!(["scripted"])));
    assert_eq!(with_model["codes"][0]["count"], report["codes"][0]["count"]);
    let page = scratch.shown(&["report", "run", "--format", "markdown"]);
    assert!(page.contains("errors sorted by people"), "{page}");
    scratch.write("bad.jsonl", &sheet.replace("\"code\":null", "\"code\":\"odd\""));
    let bad = scratch.saydo(&["errors", "run", "bad.jsonl"]);
    assert!(bad.code == 2 && bad.stderr.contains("`odd`, expected one of recall"), "{}", bad.stderr);
}
