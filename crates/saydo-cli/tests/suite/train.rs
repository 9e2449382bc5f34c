//! `saydo train` and what becomes of its adapters and models, over a tiny model and tasks of our own.

mod killed;

use crate::run::{Outcome, fixtures, outcome_of};
use serde_json::Value;
use std::fs;
use std::path::{Path, PathBuf};
use std::process::Command;

/// Three tasks in a scratch folder: two to learn from, one between them to hold back.
struct Scratch {
    folder: tempfile::TempDir,
}

impl Scratch {
    fn new() -> Self {
        let scratch = Self { folder: tempfile::tempdir().expect("a scratch folder") };
        fs::create_dir(scratch.path("tasks")).expect("the scratch folder is writable");
        for (name, definition, outputs) in [
            ("a-color", "Name the color.", ["red", "blue", "red", "green"]),
            ("b-size", "Name the size.", ["big", "small", "big", "big"]),
            ("c-taste", "Name the taste.", ["sweet", "sour", "salty", "sweet"]),
        ] {
            let mut text = format!("definition = \"{definition}\"\n");
            for (number, output) in outputs.iter().enumerate() {
                text += &format!("[[instance]]\ninput = \"thing {number}\"\noutput = \"{output}\"\n");
            }
            fs::write(scratch.path("tasks").join(format!("{name}.toml")), text).expect("writable");
        }
        scratch
    }

    fn path(&self, name: &str) -> PathBuf {
        self.folder.path().join(name)
    }

    /// Runs `saydo` with a home of its own, so that runs are left nowhere else.
    fn saydo(&self, arguments: &[&str]) -> Outcome {
        let mut command = Command::new(env!("CARGO_BIN_EXE_saydo"));
        command.args(arguments).current_dir(self.folder.path()).env("SAYDO_HOME", self.path("home"));
        outcome_of(&mut command)
    }

    /// Trains the tiny model of this name without validation, with further arguments.
    fn train(&self, model: &str, out: &str, more: &[&str]) -> Outcome {
        let arguments = arguments(model, out);
        let words: Vec<&str> = arguments.iter().map(String::as_str).chain(more.iter().copied()).collect();
        self.saydo(&words)
    }

    fn log(&self, out: &str) -> Vec<Value> {
        let text = fs::read_to_string(self.path(out).join("log.jsonl")).expect("there is a log");
        text.lines().map(|line| serde_json::from_str(line).expect("a line is JSON")).collect()
    }
}

fn model(name: &str) -> String {
    fixtures().join("checkpoints").join(name).display().to_string()
}

fn arguments(name: &str, out: &str) -> Vec<String> {
    let fixed = "train --data tasks --dev-tasks 0 --layout ni-no-examples --batch 4 --bundle 4 --warm-up 0 --threads 1";
    let mut all: Vec<String> = fixed.split(' ').map(str::to_owned).collect();
    all.extend(["--model".to_owned(), model(name), "-o".to_owned(), out.to_owned()]);
    all
}

fn ok(outcome: &Outcome) {
    assert_eq!(outcome.code, 0, "{}", outcome.stderr);
}

fn bytes(path: &Path) -> Vec<u8> {
    fs::read(path).unwrap_or_else(|error| panic!("{}: {error}", path.display()))
}

#[test]
fn an_adapter_is_trained_and_answers_through_run_and_the_log_and_event_files_are_there() {
    let scratch = Scratch::new();
    ok(&scratch.train("llama", "out", &["--steps", "6", "--rank", "4", "--lr", "1e-2", "--dropout", "0.1"]));
    let config: Value = serde_json::from_slice(&bytes(&scratch.path("out/last/adapter_config.json"))).expect("JSON");
    assert_eq!((&config["r"], &config["lora_dropout"]), (&4.into(), &0.1.into()));
    assert_eq!(scratch.log("out").len(), 6);
    let events: Vec<_> = fs::read_dir(scratch.path("out/tensorboard")).expect("a folder").collect();
    assert_eq!(events.len(), 1);
    fs::write(scratch.path("doc.txt"), "thing 1").expect("writable");
    let run = ["run", "tasks/a-color.toml", "doc.txt", "--model", &model("llama"), "--no-resume", "-o", "rows.jsonl"];
    let outcome = scratch.saydo(&[&run[..], &["--adapter", "out/last"]].concat());
    ok(&outcome);
    let outcome = scratch.saydo(&[&run[..], &["--adapter", "missing"]].concat());
    assert_eq!(outcome.code, 2);
    assert!(outcome.stderr.contains("missing/adapter_config.json"), "{}", outcome.stderr);
}

/// Adds a task with labels and twelve instances.
fn add_labels(scratch: &Scratch) {
    let instance = |number: usize| {
        let output = if number.is_multiple_of(2) { "yes" } else { "no" };
        format!("[[instance]]\ninput = \"question {number}\"\noutput = \"{output}\"\n")
    };
    let text = format!("definition = \"Is it so?\"\n{}", (0..12).map(instance).collect::<String>());
    fs::write(scratch.path("tasks/d-answer.toml"), text).expect("writable");
}

#[test]
fn labels_can_hold_the_model() {
    let scratch = Scratch::new();
    add_labels(&scratch);
    let passage = "The mill is open in May. Its wheel is made of oak and iron. The lake is closed to boats in winter. \
                   Visitors can buy bread, cakes and beer in the yard behind the old stone bridge.";
    let text = format!("definition = \"Write a title.\"\n[[instance]]\ninput = \"{passage}\"\noutput = \"The mill\"\n");
    fs::write(scratch.path("tasks/e-title.toml"), text).expect("writable");
    let held = |out: &str, more: &[&str]| {
        let outcome =
            scratch.train("llama", out, &[&["--steps", "7", "--labels", "held", "--hold", "2"], more].concat());
        ok(&outcome);
        let said = outcome.stderr.lines().find(|line| line.contains("hold the model where it is"));
        let counts: Vec<usize> = said.unwrap_or_default().split(' ').filter_map(|word| word.parse().ok()).collect();
        (counts[0], counts[1])
    };
    assert_eq!(held("labels", &[]), (12, 25));
    // Two of the twelve are shown as examples there, where their labels would be given away.
    assert_eq!(held("told", &["--hold-layout", "ni-full"]), (10, 23));
    let losses = |out: &str| scratch.log(out).iter().map(|step| step["loss"].as_f64()).collect::<Vec<_>>();
    assert_ne!(losses("labels"), losses("told"), "what it is held to is said behind another prompt");
    let unknown = scratch.train("llama", "unknown", &["--labels", "held", "--hold-layout", "ni-fuller"]);
    assert_eq!(unknown.code, 2);
    assert!(unknown.stderr.contains("ni-fuller"), "{}", unknown.stderr);
}

#[test]
fn questions_over_documents_are_learned_as_functions_ask_them() {
    let scratch = Scratch::new();
    let row = |number: usize| {
        let answer = ["yes", "no"][number % 2];
        format!(r#"{{"question": "is mill {number} open", "passage": "Mill {number} is old.", "answer": "{answer}"}}"#)
    };
    let rows: Vec<String> = (0..12).map(row).collect();
    fs::write(scratch.path("rows.jsonl"), rows.join("\n")).expect("writable");
    let outcome = scratch.saydo(&[
        "train",
        "--reading",
        "rows.jsonl",
        "-m",
        &model("llama"),
        "-o",
        "out",
        "--steps",
        "2",
        "--reading-cap",
        "8",
    ]);
    ok(&outcome);
    let learned = fs::read_to_string(scratch.path("out/last/function.json")).expect("it says what was learned");
    assert!(learned.contains("wording"), "{learned}");
}

#[test]
fn the_sources_of_a_mixture_can_be_learned_from_equally_often() {
    let scratch = Scratch::new();
    let rows: Vec<String> = (0..3)
        .map(|number| format!(r#"{{"question": "is it open", "passage": "Mill {number} is old.", "answer": "yes"}}"#))
        .collect();
    fs::write(scratch.path("rows.jsonl"), rows.join("\n")).expect("writable");
    let more = ["--steps", "1", "--reading", "rows.jsonl", "--mixture"];
    let said = |out: &str, mixture: &str| {
        let outcome = scratch.train("llama", out, &[&more[..], &[mixture]].concat());
        ok(&outcome);
        let rates: Value = serde_json::from_slice(&bytes(&scratch.path(out).join("prompts.json"))).expect("JSON");
        (outcome.stderr, rates["rates"].clone())
    };
    let (text, rates) = said("equal", "equal");
    assert!(text.contains("sampling rate 50.0%: rows.jsonl"), "{text}");
    assert_eq!((&rates[0]["sampled"], &rates[0]["source"]), (&rates[1]["sampled"], &"tasks".into()), "{rates}");
    let (_, rates) = said("as-is", "as-is");
    assert_eq!(rates[0]["sampled"], 12, "{rates}");
    assert!(rates[1]["sampled"].as_u64() < Some(12), "{rates}");
}

#[test]
fn a_model_is_asked_once_for_labels_of_its_own() {
    let scratch = Scratch::new();
    add_labels(&scratch);
    let train = |steps: &str| scratch.train("llama", "out", &["--steps", steps, "--labels", "own", "--end", "line"]);
    let first = train("1");
    ok(&first);
    assert!(first.stderr.contains("asking the model for 12 labels of its own"), "{}", first.stderr);
    let second = train("2");
    ok(&second);
    assert!(!second.stderr.contains("asking"), "{}", second.stderr);
    assert_eq!(scratch.log("out").len(), 2, "training went on");
    let grid = scratch.train("llama", "grid", &["--steps", "1", "--labels", "own", "--lr", "1e-3,2e-3"]);
    ok(&grid);
    assert_eq!(grid.stderr.matches("asking the model").count(), 1, "{}", grid.stderr);
}

#[test]
fn tasks_of_the_evaluation_and_their_inputs_elsewhere_are_not_learned_from() {
    let scratch = Scratch::new();
    let evaluated = "definition = \"Find it.\"\n[[instance]]\ninput = \"Thing  2\"\noutput = \"a word\"\n";
    fs::write(scratch.path("tasks/subtask039_words.toml"), evaluated).expect("writable");
    let outcome = scratch.train("llama", "out", &["--steps", "1"]);
    ok(&outcome);
    let said = "left out: 1 tasks that must stay unseen, 3 instances with their inputs";
    assert!(outcome.stderr.contains(said), "{}", outcome.stderr);
}

#[test]
fn all_weights_are_trained_into_a_folder_that_is_a_model() {
    let scratch = Scratch::new();
    for name in ["llama-tied", "t5"] {
        let out = format!("full-{name}");
        ok(&scratch.train(
            name,
            &out,
            &[
                "--full",
                "--freeze-embeddings",
                "--epochs",
                "2",
                "--lr",
                "1e-3",
                "--keep",
                "1",
                "--checkpoint-every",
                "2",
            ],
        ));
        assert!(scratch.path(&out).join("last/tokenizer.json").is_file());
        assert_eq!(fs::read_dir(scratch.path(&out).join("kept")).expect("a folder").count(), 1);
        fs::write(scratch.path("doc.txt"), "thing 1").expect("writable");
        let trained = scratch.path(&out).join("last").display().to_string();
        ok(&scratch.saydo(&[
            "run",
            "tasks/a-color.toml",
            "doc.txt",
            "--model",
            &trained,
            "--no-resume",
            "-o",
            "rows.jsonl",
        ]));
    }
}

#[test]
fn a_grid_of_learning_rates_has_a_folder_for_each_and_names_the_best() {
    let scratch = Scratch::new();
    let grid = ["--lr", "1e-4,1e-2", "--steps", "4", "--rank", "2", "--validate-every", "2", "--dev-tasks", "1"];
    let all = arguments("llama", "grid");
    let held_back = all.iter().position(|word| word == "--dev-tasks").expect("it is among them");
    let words = all.iter().enumerate().filter(|(place, _)| ![held_back, held_back + 1].contains(place));
    let words: Vec<&str> = words.map(|(_, word)| word.as_str()).chain(grid).collect();
    let outcome = scratch.saydo(&words);
    ok(&outcome);
    assert!(outcome.stdout.contains("0.0001") && outcome.stdout.contains("grid/lr-1e-2"), "{}", outcome.stdout);
    assert!(outcome.stderr.contains("best: --lr"), "{}", outcome.stderr);
    assert!(scratch.path("grid/lr-1e-4/best/adapter_model.safetensors").is_file());
    let again = scratch.saydo(&[&words[..], &["--json"]].concat());
    ok(&again);
    let value: Value = serde_json::from_str(&again.stdout).expect("--json prints JSON");
    assert_eq!(value["trainings"].as_array().map(Vec::len), Some(2));
    assert!(value["best"].as_str().is_some_and(|path| path.ends_with("best")), "{value}");
}

#[test]
fn a_merged_model_needs_no_adapter_and_is_not_written_over_another() {
    let scratch = Scratch::new();
    ok(&scratch.train("qwen2", "out", &["--steps", "2", "--rank", "2"]));
    let merge = ["models", "merge", "--model", &model("qwen2"), "--adapter", "out/last", "-o", "merged"];
    ok(&scratch.saydo(&merge));
    fs::write(scratch.path("doc.txt"), "thing 1").expect("writable");
    ok(&scratch.saydo(&[
        "run",
        "tasks/a-color.toml",
        "doc.txt",
        "--model",
        "./merged",
        "--no-resume",
        "-o",
        "rows.jsonl",
    ]));
    let outcome = scratch.saydo(&merge);
    assert_eq!(outcome.code, 2);
    assert!(outcome.stderr.contains("merged holds a model already"), "{}", outcome.stderr);
    let other = scratch.saydo(&["models", "merge", "--model", &model("t5"), "--adapter", "out/last", "-o", "other"]);
    assert_eq!(other.code, 2);
    assert!(other.stderr.contains("learned for another model"), "{}", other.stderr);
}

#[test]
fn adapters_are_mixed_and_not_written_over_another() {
    let scratch = Scratch::new();
    for (out, seed, rank) in [("one", "1", "2"), ("two", "2", "2"), ("wide", "1", "4")] {
        ok(&scratch.train("llama", out, &["--steps", "2", "--seed", seed, "--rank", rank]));
    }
    let mix = |adapters: [&str; 2], shares: &str| {
        scratch.saydo(&["models", "mix", adapters[0], adapters[1], "--shares", shares, "-o", "mixed"])
    };
    let weights = |folder: &str| fs::read(scratch.path(folder).join("adapter_model.safetensors")).expect("written");
    let message = |adapters: [&str; 2], shares: &str| {
        let outcome = mix(adapters, shares);
        assert_eq!(outcome.code, 2);
        outcome.stderr
    };
    let both = ["one/last", "two/last"];
    insta::assert_snapshot!(message(both, "1"), @"error: 1 values of --shares for 2 adapters");
    insta::assert_snapshot!(message(both, "0,0"), @"error: --shares are [0.0, 0.0], expected numbers from 0 on that are not all 0");
    assert!(message(["one/last", "wide/last"], "1,1").contains("expected those of the first one"));
    assert!(message(["one/last", "none"], "1,1").contains("cannot mix none"));
    ok(&mix(both, "2,0"));
    assert_eq!(weights("mixed"), weights("one/last"), "the other one counts nothing");
    assert!(message(both, "1,1").contains("mixed holds an adapter already"));
    fs::remove_dir_all(scratch.path("mixed")).expect("written");
    ok(&mix(both, "1,1"));
    assert!(weights("mixed") != weights("one/last") && weights("mixed") != weights("two/last"));
}

#[test]
fn a_training_is_reported_with_its_curves() {
    let scratch = Scratch::new();
    ok(&scratch.train("llama", "out", &["--steps", "5", "--rank", "2"]));
    ok(&scratch.saydo(&["report", "out"]));
    let page = fs::read_to_string(scratch.path("out/report.html")).expect("a page");
    assert!(page.contains("Loss over updates") && page.contains("<svg"));
    let outcome = scratch.saydo(&["report", "out", "--format", "json"]);
    ok(&outcome);
    let value: Value = serde_json::from_str(&outcome.stdout).expect("JSON");
    assert_eq!(
        (&value["trainings"][0]["updates"], &value["trainings"][0]["settings"]["steps"]),
        (&5.into(), &5.into())
    );
    let mixed = scratch.saydo(&["report", "out", "tasks"]);
    assert_eq!(mixed.code, 2);
    assert!(mixed.stderr.contains("1 of 2 folders are trainings"), "{}", mixed.stderr);
}

#[test]
fn what_is_learned_from_can_be_written_for_other_engines() {
    let scratch = Scratch::new();
    let export = ["export", "sft", "--data", "tasks", "--dev-tasks", "1", "--layout", "ni-no-examples", "-o", "sft"];
    ok(&scratch.saydo(&export));
    let lines = |name: &str| -> Vec<Value> {
        let text = fs::read_to_string(scratch.path("sft").join(name)).expect("a file");
        text.lines().map(|line| serde_json::from_str(line).expect("JSON")).collect()
    };
    assert_eq!((lines("train.jsonl").len(), lines("validation.jsonl").len()), (8, 4));
    let first = &lines("train.jsonl")[0]["messages"];
    assert_eq!((&first[1]["role"], &first[1]["content"]), (&"assistant".into(), &"red".into()));
    assert!(first[0]["content"].as_str().is_some_and(|text| text.contains("Name the color.")), "{first}");
    assert!(lines("validation.jsonl")[0]["messages"][0]["content"].as_str().is_some_and(|text| text.contains("size")));
    ok(&scratch.saydo(&[&export[..], &["--form", "prompt-completion", "--format", "parquet"]].concat()));
    assert!(bytes(&scratch.path("sft/train.parquet")).starts_with(b"PAR1"));
}

#[test]
fn exercises_ask_for_something_else_over_the_same_inputs() {
    let scratch = Scratch::new();
    let mut task = "definition = \"Answer the question.\"\n".to_owned();
    for town in ["Ulm", "Bath", "Cork", "Lund", "Graz", "Pisa", "Bonn", "Metz"] {
        let input = format!("Question: Who sells the bread of {town} to the guests?");
        task += &format!("[[instance]]\ninput = \"{input}\"\noutput = \"the bakers of {town}\"\n");
    }
    fs::write(scratch.path("tasks/d-bread.toml"), task).expect("writable");
    let export = ["export", "sft", "--data", "tasks", "--dev-tasks", "0", "--layout", "ni-no-examples", "-o", "sft"];
    let outputs = |more: &[&str]| -> Vec<(String, String)> {
        ok(&scratch.saydo(&[&export[..], more].concat()));
        let text = fs::read_to_string(scratch.path("sft/train.jsonl")).expect("a file");
        let line = |line| {
            let line: Value = serde_json::from_str(line).expect("JSON");
            let content = |turn: usize| line["messages"][turn]["content"].as_str().unwrap_or_default().to_owned();
            (content(0), content(1))
        };
        text.lines().map(line).filter(|(prompt, _)| prompt.contains("bread of")).collect()
    };
    let (plain, with) = (outputs(&[]), outputs(&["--exercises", "3"]));
    assert_eq!((plain.len(), with.len()), (8, 11));
    for (prompt, output) in &with[8..] {
        assert!(prompt.contains("of the question") || prompt.contains("the question again"), "{prompt}");
        assert!(!output.contains("bakers") && !output.is_empty(), "{output}");
    }
}

#[test]
fn rounded_weights_learn_by_nearly_the_same_steps() {
    let scratch = Scratch::new();
    let losses = |out: &str, more: &[&str]| -> Vec<f64> {
        ok(&scratch.train("llama", out, &[&["--steps", "3"], more].concat()));
        scratch.log(out).iter().filter_map(|step| step["loss"].as_f64()).collect()
    };
    let (exact, rounded) = (losses("exact", &[]), losses("rounded", &["--precision", "bf16"]));
    assert_ne!(exact, rounded);
    assert!(exact.iter().zip(&rounded).all(|(x, y)| (x - y).abs() < 0.05), "{exact:?}, {rounded:?}");
}

#[test]
fn what_cannot_be_done_is_said_before_any_work() {
    let scratch = Scratch::new();
    fs::create_dir(scratch.path("empty")).expect("writable");
    fs::create_dir(scratch.path("bare")).expect("writable");
    fs::write(scratch.path("bare/a.toml"), "definition = \"Do it.\"\n[[instance]]\ninput = \"x\"\n").expect("writable");
    let base: Vec<String> = arguments("llama", "out");
    let with = |data: &str, more: &[&str]| {
        let words: Vec<&str> = base
            .iter()
            .map(|word| if word == "tasks" { data } else { word.as_str() })
            .chain(more.iter().copied())
            .collect();
        let outcome = scratch.saydo(&words);
        assert_eq!(outcome.code, 2, "{more:?}: {}", outcome.stderr);
        outcome.stderr
    };
    for (data, more, said) in [
        ("tasks", &["--targets", "q_proj,nose"][..], "nose"),
        ("tasks", &["--steps", "0"], "--steps and --epochs must be at least 1"),
        ("tasks", &["--steps", "3", "--epochs", "2"], "cannot be used with"),
        ("tasks", &["--full", "--rank", "4"], "cannot be used with"),
        ("tasks", &["--lr", "0"], "expected a number above 0"),
        ("tasks", &["--preset", "gpt4"], "natural-instructions"),
        ("tasks", &["--freeze-embeddings"], "without --full"),
        ("tasks", &["--max-length", "5"], "every example is longer than 5 tokens"),
        ("bare", &[], "0 tasks to learn from"),
        ("empty", &[], "empty"),
        ("missing", &[], "missing"),
        ("tasks", &["--split", "missing.json"], "missing.json"),
    ] {
        let stderr = with(data, more);
        assert!(stderr.contains(said), "{data} {more:?}: {stderr}");
    }
    let served = scratch.saydo(&["train", "--data", "tasks", "--dev-tasks", "0", "--model", "openai:gpt", "-o", "out"]);
    assert_eq!(served.code, 2);
    assert!(served.stderr.contains("expected a model that runs here"), "{}", served.stderr);
}

#[test]
fn a_folder_of_another_training_is_refused_and_more_steps_lengthen_it() {
    let scratch = Scratch::new();
    ok(&scratch.train("llama", "out", &["--steps", "2", "--rank", "2"]));
    let outcome = scratch.train("llama", "out", &["--steps", "2", "--rank", "2", "--lr", "0.5"]);
    assert_eq!(outcome.code, 2);
    assert!(outcome.stderr.contains("its settings differ"), "{}", outcome.stderr);
    fs::remove_file(scratch.path("tasks/c-taste.toml")).expect("it is there");
    let outcome = scratch.train("llama", "out", &["--steps", "2", "--rank", "2"]);
    assert!(outcome.stderr.contains("its data differ"), "{}", outcome.stderr);
    let scratch = Scratch::new();
    ok(&scratch.train("llama", "out", &["--steps", "2", "--rank", "2", "--schedule", "constant"]));
    ok(&scratch.train("llama", "out", &["--steps", "3", "--rank", "2", "--schedule", "constant"]));
    assert_eq!(scratch.log("out").len(), 3);
}

#[test]
fn an_experiment_trains_each_cell_once_and_evaluates_what_it_learned() {
    let scratch = Scratch::new();
    let file = scratch.path("grid.toml");
    let text = format!(
        "title = \"Seen tasks\"\nprotocol = \"natural-instructions\"\ndata = [\"tasks\"]\n\
         [grid.train]\nseen-tasks = [1, \"all\"]\n\
         [settings]\nmodel = \"{}\"\nlayout = \"ni-no-examples\"\nthreads = 1\nlimit = 2\nallow-seen = true\n\
         [train]\nsteps = 2\nbatch = 4\ndev-tasks = 0\nthreads = 1\n",
        model("llama").replace('\\', "/")
    );
    fs::write(&file, text).expect("writable");
    let experiment = ["experiment", "grid.toml", "-o", "out", "--json"];
    let first = scratch.saydo(&experiment);
    ok(&first);
    let rows: Value = serde_json::from_str(&first.stdout).expect("JSON");
    let names: Vec<&Value> = rows.as_array().expect("rows").iter().map(|row| &row["cell"][0][1]).collect();
    assert_eq!(names, ["1", "all"]);
    assert!(
        first.stderr.contains("1 tasks, 4 examples") && first.stderr.contains("3 tasks, 12 examples"),
        "{}",
        first.stderr
    );
    for (cell, tasks) in [("out/1", 1), ("out/all", 3)] {
        let record: Value = serde_json::from_slice(&bytes(&scratch.path(cell).join("eval.json"))).expect("JSON");
        assert_eq!(record["settings"]["seen_tasks"], tasks, "the report draws a curve over it");
    }
    let adapter = scratch.path("out/all/training/last/adapter_model.safetensors");
    let learned = bytes(&adapter);
    for cell in ["out/1", "out/all"] {
        let record = fs::read_to_string(scratch.path(cell).join("eval.json")).expect("a record");
        assert!(record.contains("+adapter:"), "what was learned is what is evaluated: {record}");
    }
    let again = scratch.saydo(&experiment);
    ok(&again);
    assert_eq!(again.stdout, first.stdout);
    assert_eq!(bytes(&adapter), learned);
    assert!(again.stderr.contains("0 samples asked"), "{}", again.stderr);
    let typo = fs::read_to_string(&file).expect("readable").replace("steps = 2", "stepz = 2");
    fs::write(&file, &typo).expect("writable");
    let outcome = scratch.saydo(&experiment);
    assert_eq!(outcome.code, 2);
    assert!(outcome.stderr.contains("`stepz` is no setting; did you mean `steps`?"), "{}", outcome.stderr);
    let refused = typo.replace("[train]", "[trains]");
    fs::write(&file, refused).expect("writable");
    assert_eq!(scratch.saydo(&experiment).code, 2);
}

/// Evaluates a task in a folder of its own with further arguments.
fn evaluate(scratch: &Scratch, folder: &str, more: &[&str]) -> Outcome {
    let model = model("llama");
    let fixed = ["eval", "natural-instructions", "--data", folder, "--layout", "ni-no-examples", "--threads", "1"];
    let model: &[&str] = if more.contains(&"--model") { &[] } else { &["--model", &model] };
    scratch.saydo(&[&fixed[..], model, more].concat())
}

fn write_task(scratch: &Scratch, path: &str, definition: &str, input: &str) {
    let path = scratch.path(path);
    fs::create_dir_all(path.parent().expect("a folder")).expect("writable");
    let text = format!("definition = \"{definition}\"\n[[instance]]\ninput = \"{input}\"\noutput = \"red\"\n");
    fs::write(path, text).expect("writable");
}

#[test]
fn what_an_adapter_or_its_ancestors_learned_is_refused_and_marked_if_allowed() {
    let scratch = Scratch::new();
    write_task(&scratch, "renamed/x-hue.toml", "name the  COLOR", "another thing");
    write_task(&scratch, "inputs/x-weight.toml", "Name the weight.", "Thing  2");
    write_task(&scratch, "unseen/x-weight.toml", "Name the weight.", "another thing");
    write_task(&scratch, "later/x-age.toml", "Name the age.", "old thing");
    ok(&scratch.train("llama", "out", &["--steps", "1"]));
    for folder in ["out/last", "out/checkpoint"] {
        assert!(scratch.path(folder).join("saydo_seen.bin").exists(), "{folder} carries its record");
    }
    // A child that learned nothing of it, a mean and a merged model have it all the same.
    let child = ["--data", "later", "--steps", "1", "--adapter", "out/last"];
    let words = "train --dev-tasks 0 --layout ni-no-examples --batch 4 --warm-up 0 --threads 1 -o child --model";
    let model = model("llama");
    ok(&scratch.saydo(&[&words.split(' ').collect::<Vec<_>>()[..], &[&model], &child].concat()));
    ok(&scratch.saydo(&["models", "mix", "child/last", "child/last", "-o", "mixed"]));
    ok(&scratch.saydo(&["models", "merge", "--model", &model, "--adapter", "mixed", "-o", "merged"]));
    for learned in [["--adapter", "out/last"], ["--adapter", "mixed"], ["--model", "merged"]] {
        let refused = evaluate(&scratch, "renamed", &learned);
        assert_eq!(refused.code, 2, "{learned:?}");
        assert!(refused.stderr.contains("1 of 1 tasks: x-hue"), "{}", refused.stderr);
        assert!(refused.stderr.contains("--allow-seen"), "{}", refused.stderr);
        let refused = evaluate(&scratch, "inputs", &learned);
        assert!(refused.stderr.contains("inputs of other tasks: x-weight (1)"), "{}", refused.stderr);
        ok(&evaluate(&scratch, "unseen", &learned));
    }
    let marked = evaluate(&scratch, "renamed", &["--adapter", "mixed", "--allow-seen", "-o", "marked"]);
    ok(&marked);
    let marks = ["1 of 1 samples were learned in training", "x-hue (seen in training)", "not scores on unseen data"];
    for text in marks {
        assert!(marked.stdout.contains(text), "{text}: {}", marked.stdout);
    }
    let report = scratch.saydo(&["report", "marked", "--format", "markdown", "-o", "report.md"]);
    ok(&report);
    let report = fs::read_to_string(scratch.path("report.md")).expect("written");
    assert!(report.contains("x-hue (seen in training)") && report.contains("not scores on unseen data"), "{report}");
    ok(&evaluate(&scratch, "renamed", &["--adapter", "none"]));
}

#[test]
fn what_was_learned_elsewhere_can_be_declared() {
    let scratch = Scratch::new();
    write_task(&scratch, "renamed/x-hue.toml", "Name the color.", "another thing");
    ok(&scratch.train("llama", "out", &["--steps", "1"]));
    fs::remove_file(scratch.path("out/last/saydo_seen.bin")).expect("it is there");
    let unknown = evaluate(&scratch, "renamed", &["--adapter", "out/last"]);
    ok(&unknown);
    assert!(unknown.stderr.contains("has no record of what it learned"), "{}", unknown.stderr);
    ok(&scratch.saydo(&["models", "seen", "out/last", "--data", "tasks", "--dev-tasks", "0"]));
    assert_eq!(evaluate(&scratch, "renamed", &["--adapter", "out/last"]).code, 2);
    let nothing = scratch.saydo(&["models", "seen", "tasks", "--data", "tasks"]);
    assert!(nothing.stderr.contains("holds neither an adapter nor a model"), "{}", nothing.stderr);
}

#[test]
fn rows_that_the_model_was_trained_on_are_not_checked_by_accident() {
    let scratch = Scratch::new();
    ok(&scratch.train("llama", "out", &["--steps", "1"]));
    fs::write(scratch.path("rows.jsonl"), "{\"text\": \"thing 1\", \"answer\": \"blue\"}\n").expect("writable");
    let model = model("llama");
    let check =
        ["check", "Name the color.", "rows.jsonl", "--model", &model, "--adapter", "out/last", "--threads", "1"];
    let refused = scratch.saydo(&check);
    assert_eq!(refused.code, 2);
    assert!(refused.stderr.contains("trained on 1 of 1 rows"), "{}", refused.stderr);
    let allowed = scratch.saydo(&[&check[..], &["--allow-seen"]].concat());
    assert!(allowed.stdout.contains("(seen in training)"), "{}\n{}", allowed.stdout, allowed.stderr);
}

#[test]
fn validation_follows_the_layouts_paper_on_the_splits_dev_side() {
    let scratch = Scratch::new();
    for name in ["kind", "owner", "price", "shape"] {
        write_task(&scratch, &format!("four/{name}.toml"), &format!("Name the {name}."), &format!("the {name} thing"));
    }
    let split = ["split", "four", "--leave-one-task", "shape", "-o", "split.json"];
    ok(&scratch.saydo(&split));
    let mut made: Value = serde_json::from_slice(&bytes(&scratch.path("split.json"))).expect("JSON");
    let dev = made["seen"].as_array_mut().expect("a list").remove(0);
    assert_eq!(dev["id"], "kind");
    made["dev"] = vec![dev].into();
    fs::write(scratch.path("split.json"), made.to_string()).expect("writable");
    let train = |out: &str, model: &str, layout: &str| {
        let words = "train --data four --split split.json --batch 4 --warm-up 0 --threads 1 --steps 1 --validate-every 1 --layout";
        let words: Vec<&str> = words.split(' ').chain([layout, "--model", model, "-o", out]).collect();
        let outcome = scratch.saydo(&words);
        ok(&outcome);
        assert!(outcome.stderr.contains("2 tasks, 2 examples, 1 tasks held back"), "{}", outcome.stderr);
        outcome.stderr
    };
    let said = train("t5", &model("t5"), "zest-t5");
    assert!(said.contains("dev is the accuracy of ZEST, greedy decoding"), "{said}");
    let said = train("llama", &model("llama"), "ni-no-examples");
    assert!(said.contains("dev is the ROUGE-L of Natural Instructions, greedy decoding"), "{said}");
    // What the split holds out was not learned, so it is scored.
    let scored = ["eval", "natural-instructions", "--data", "four", "--split", "split.json", "--threads", "1"];
    let llama = model("llama");
    let more = ["--layout", "ni-no-examples", "--model", &llama, "--adapter", "llama/last"];
    ok(&scratch.saydo(&[&scored[..], &more].concat()));
    let seen = scratch.saydo(&[&scored[..], &more, &["--on", "seen"]].concat());
    assert!(seen.stderr.contains("2 of 2 tasks: owner, price"), "{}", seen.stderr);
}

#[test]
fn long_instructions_for_an_encoder_leave_the_input_whole_and_are_counted() {
    let scratch = Scratch::new();
    let long = "Name the color of the thing that is told of, in one word. ".repeat(20);
    write_task(&scratch, "long/color.toml", &long, "a red thing");
    let words = "train --data long --dev-tasks 0 --layout ni-no-examples --batch 4 --warm-up 0 --threads 1 --steps 1 -o out \
                 --max-source 60 --model";
    let model = model("t5");
    let outcome = scratch.saydo(&words.split_whitespace().chain([model.as_str()]).collect::<Vec<_>>());
    ok(&outcome);
    assert!(outcome.stderr.contains("1 of 1 prompts lack Definition, to fit 60 tokens"), "{}", outcome.stderr);
    let counted: Value = serde_json::from_slice(&bytes(&scratch.path("out/prompts.json"))).expect("JSON");
    assert_eq!(counted["lacking"]["Definition"], 1);
}

#[test]
fn the_upper_bound_learns_other_instances_of_the_task_it_is_measured_on() {
    let scratch = Scratch::new();
    let instance = |number: usize| format!("[[instance]]\ninput = \"item {number}\"\noutput = \"word {number}\"\n");
    let text = format!("definition = \"Name the word.\"\n{}", (0..200).map(instance).collect::<String>());
    fs::create_dir(scratch.path("one")).expect("writable");
    // One of the paper's evaluation tasks, which is never learned from otherwise.
    fs::write(scratch.path("one/subtask040_words.toml"), text).expect("writable");
    let model = model("llama");
    let words = "train --data one --layout ni-no-examples --batch 4 --warm-up 0 --threads 1 --steps 1 --validate-every 0 -o out \
                 --upper-bound subtask040 --model";
    let outcome = scratch.saydo(&words.split_whitespace().chain([model.as_str()]).collect::<Vec<_>>());
    ok(&outcome);
    assert!(outcome.stderr.contains("1 tasks, 95 examples, 1 tasks held back"), "{}", outcome.stderr);
    let marked = evaluate(&scratch, "one", &["--adapter", "out/last", "--limit", "100"]);
    assert!(marked.stderr.contains("1 of 1 tasks: subtask040_words"), "{}", marked.stderr);
    let allowed =
        evaluate(&scratch, "one", &["--adapter", "out/last", "--limit", "100", "--allow-seen", "--tasks", "sub"]);
    ok(&allowed);
    let unknown = evaluate(&scratch, "one", &["--tasks", "sub,nonsense"]);
    assert!(unknown.stderr.contains("--tasks nonsense is the beginning of no task"), "{}", unknown.stderr);
}

#[test]
fn a_part_of_the_input_can_be_left_out_of_training() {
    let scratch = Scratch::new();
    let written = |ablation: &str| {
        let words = "export sft --data tasks --dev-tasks 0 --layout zest-t5 --form prompt-completion -o";
        let out = format!("sft-{ablation}");
        let words: Vec<&str> = words.split(' ').chain([&*out, "--ablation", ablation]).collect();
        ok(&scratch.saydo(&words));
        fs::read_to_string(scratch.path(&out).join("train.jsonl")).expect("written")
    };
    let question = written("question-only");
    assert!(question.contains("Name the color.") && !question.contains("thing 1"), "{question}");
    let context = written("context-only");
    assert!(!context.contains("Name the color.") && context.contains("thing 1"), "{context}");
}

#[test]
fn a_dry_run_says_what_would_be_learned_and_estimates_with_what_was_measured() {
    let scratch = Scratch::new();
    let dry = || {
        let outcome = scratch.train("llama", "dry", &["--steps", "3", "--dry-run", "--json"]);
        ok(&outcome);
        serde_json::from_str::<Value>(&outcome.stdout).expect("--json prints JSON")
    };
    let before = dry();
    assert_eq!((&before["tasks"], &before["examples"], &before["updates"]), (&3.into(), &12.into(), &3.into()));
    assert!(before["prompt"].as_str().is_some_and(|prompt| prompt.contains("Name the color.")), "{before}");
    assert!(before["time"].as_str().is_some_and(|time| time.starts_with("unknown")), "{before}");
    assert!(!scratch.path("dry").exists(), "nothing is trained");
    ok(&scratch.train("llama", "out", &["--steps", "3"]));
    assert!(dry()["time"].as_str().is_some_and(|time| time.starts_with("about")), "a training was measured");
    let text = scratch.train("llama", "dry", &["--dry-run"]);
    assert!(text.stdout.contains("--- the first prompt ---"), "{}", text.stdout);
}

#[test]
fn an_experiment_over_questions_trains_on_the_seen_tasks_and_prints_the_papers_table() {
    let scratch = Scratch::new();
    let line = |number: usize| {
        let kind = r#"{"generalization_type": "normal", "derives_from": [], "domain": "things"}"#;
        let example =
            |text: &str, answer: &str| format!(r#"{{"context": "Thing {number} {text}.", "answer": "{answer}"}}"#);
        let examples = [example("is red", "yes"), example("is big", "n/a")].join(", ");
        format!(r#"{{"id": "{number}", "type": {kind}, "question": "Is it red {number}?", "examples": [{examples}]}}"#)
    };
    fs::write(scratch.path("zest.jsonl"), (0..8).map(|number| line(number) + "\n").collect::<String>())
        .expect("writable");
    let text = format!(
        "title = \"Curve\"\nprotocol = \"reading\"\ndata = [\"zest.jsonl\"]\nmetric = \"mean\"\nmetrics = [\"C@75\"]\n[grid]\n\
         model = [{:?}]\n[grid.train]\nseen-tasks = [1, 2]\n[settings]\nsplit = \"zest\"\nthreads = 1\n[train]\nsteps = 1\n\
         batch = 2\nbundle = 2\nthreads = 1\nvalidate-every = 0\n[[table]]\nrows = [\"seen-tasks\"]\ncolumns = [\"metric\"]\n\
         groups = [\"overall\"]\n",
        model("llama")
    );
    fs::write(scratch.path("curve.toml"), text).expect("writable");
    let outcome = scratch.saydo(&["experiment", "curve.toml", "-o", "out"]);
    assert!(outcome.code < 2, "{}", outcome.stderr);
    assert!(
        outcome.stderr.contains("1 tasks, 2 examples") && outcome.stderr.contains("2 tasks, 4 examples"),
        "{}",
        outcome.stderr
    );
    let table = fs::read_to_string(scratch.path("out/table.md")).expect("written");
    assert!(table.contains("| seen-tasks | mean | C@75 |"), "{table}");
    let refused = scratch.saydo(&["experiment", "curve.toml", "-o", "out", "--split", "zest:x"]);
    assert!(refused.stderr.contains("`x` is no seed"), "{}", refused.stderr);
}
