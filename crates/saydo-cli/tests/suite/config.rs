//! `--config FILE`: flags out of a file, which those on the command line override; for run, check, eval and train alike.

use crate::run::{fixtures, saydo_in};
use std::path::Path;

fn write(folder: &Path, name: &str, text: &str) {
    std::fs::write(folder.join(name), text).expect("the scratch folder is writable");
}

/// A folder with labelled rows, a task and a file of flags for every command.
fn scratch() -> tempfile::TempDir {
    let folder = tempfile::tempdir().expect("a scratch folder");
    let row = |number: usize| format!("{{\"text\": \"Thing {number}.\", \"answer\": \"yes\"}}\n");
    write(folder.path(), "rows.jsonl", &(0..6).map(row).collect::<String>());
    let instance = |number: usize| format!("[[instance]]\ninput = \"thing {number}\"\noutput = \"red\"\n");
    let task = format!("definition = \"Name the color.\"\n{}", (0..6).map(instance).collect::<String>());
    write(folder.path(), "task.toml", &task);
    let model = fixtures().join("checkpoints/llama");
    write(
        folder.path(),
        "saydo.toml",
        &format!(
            "threads = 1\n[run]\nmodel = 'scripted'\nlimit = 2\njson = true\n[check]\nmodel = 'scripted'\nlimit = 3\njson = true\n\
             [eval]\nmodel = 'scripted'\nlimit = 4\njson = true\nlayout = 'ni-no-examples'\n\
             [train]\nmodel = '{}'\nsteps = 3\nrank = 2\ndev-tasks = 0\nlayout = ['ni-no-examples']\njson = true\n",
            model.display()
        ),
    );
    folder
}

fn json(folder: &Path, words: &str) -> serde_json::Value {
    let words: Vec<&str> = words.split(' ').collect();
    let outcome = saydo_in(folder, &[&words[..], &["--home", "home", "-C", "saydo.toml"]].concat());
    assert_eq!(outcome.code, 0, "{words:?}: {}", outcome.stderr);
    let lines: Vec<&str> = outcome.stdout.lines().collect();
    serde_json::from_str(&outcome.stdout).unwrap_or_else(|_| lines.len().into())
}

#[test]
fn run_check_eval_and_train_take_flags_from_a_file_and_the_command_line_wins() {
    let folder = scratch();
    let folder = folder.path();
    assert_eq!(json(folder, "run Is_it_red? rows.jsonl"), 2, "rows");
    assert_eq!(json(folder, "run Is_it_red? rows.jsonl -L 5"), 5, "rows");
    let rows = |words: &str| json(folder, words)["tasks"][0]["rows"].as_array().expect("rows").len();
    assert_eq!(rows("check Is_it_red? rows.jsonl"), 3);
    assert_eq!(rows("check Is_it_red? rows.jsonl --limit 5"), 5);
    assert_eq!(json(folder, "eval natural-instructions --data task.toml")["asked"], 4);
    assert_eq!(json(folder, "eval natural-instructions --data task.toml -L 2")["asked"], 2);
    let steps = |words: &str| json(folder, words)["trainings"][0]["steps"].clone();
    assert_eq!(steps("train --data task.toml -o three"), 3);
    assert_eq!(steps("train --data task.toml -o four --steps 4"), 4);
}

#[test]
fn a_training_leaves_a_file_that_trains_the_same_again() {
    let folder = scratch();
    let folder = folder.path();
    json(folder, "train --data task.toml -o first");
    let again = saydo_in(folder, &["train", "--home", "home", "--config", "first/train.toml", "-o", "second"]);
    assert_eq!(again.code, 0, "{}", again.stderr);
    let weights = |run: &str| std::fs::read(folder.join(run).join("last/adapter_model.safetensors")).expect("weights");
    assert!(weights("first") == weights("second"), "the same adapter");
    let longer =
        saydo_in(folder, &["train", "--home", "home", "-C", "first/train.toml", "-o", "third", "--steps", "4"]);
    assert_eq!(longer.code, 0, "{}", longer.stderr);
    assert!(longer.stderr.contains("4 updates"), "{}", longer.stderr);
}

#[test]
fn a_recipe_of_ones_own_is_a_preset_and_flags_override_it() {
    let folder = scratch();
    let folder = folder.path();
    write(folder, "mine.toml", "steps = 5\nrank = 2\nlayout = 'ni-no-examples'\n");
    let model = fixtures().join("checkpoints/llama").display().to_string();
    let base = ["train", "--home", "home", "--data", "task.toml", "--dev-tasks", "0", "--preset", "mine.toml", "-m"];
    let train = |more: &[&str]| saydo_in(folder, &[&base[..], &[&model], more].concat());
    let outcome = train(&["-o", "a"]);
    assert_eq!(outcome.code, 0, "{}", outcome.stderr);
    assert!(outcome.stderr.contains("5 updates"), "{}", outcome.stderr);
    assert!(train(&["-o", "b", "--steps", "2"]).stderr.contains("2 updates"));
    write(folder, "mine.toml", "stepz = 5\n");
    let outcome = train(&["-o", "c"]);
    assert_eq!(outcome.code, 2);
    assert!(outcome.stderr.contains("unknown field `stepz`"), "{}", outcome.stderr);
}
