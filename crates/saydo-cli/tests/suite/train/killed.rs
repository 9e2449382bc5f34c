//! Killed anywhere and started again, a training ends with the bytes of one that was never killed.

use super::{Scratch, arguments, bytes, ok};
use serde_json::Value;
use std::collections::BTreeMap;
use std::fs;
use std::process::{Child, Command, Stdio};
use std::thread::sleep;
use std::time::Duration;

const ADAPTER: [&str; 4] = ["--rank", "4", "--dropout", "0.2"];

fn start(scratch: &Scratch, model: &str, out: &str, settings: &[&str]) -> Child {
    Command::new(env!("CARGO_BIN_EXE_saydo"))
        .args(arguments(model, out))
        .args(settings)
        .current_dir(scratch.folder.path())
        .stderr(Stdio::null())
        .spawn()
        .expect("the binary was built with the tests")
}

/// How many updates are logged.
fn logged(scratch: &Scratch, out: &str) -> usize {
    fs::read_to_string(scratch.path(out).join("log.jsonl")).map_or(0, |text| text.lines().count())
}

/// Waits until so many updates are logged; whether the training still runs.
fn wait_for(scratch: &Scratch, out: &str, updates: usize, child: &mut Child) -> bool {
    while logged(scratch, out) < updates {
        if child.try_wait().expect("it is ours").is_some() {
            return false;
        }
        sleep(Duration::from_millis(5));
    }
    true
}

fn kill(mut child: Child) {
    child.kill().expect("it runs");
    child.wait().expect("it ends");
}

/// Every update is there, and the later ones of those that are there twice say the same.
fn losses(scratch: &Scratch, out: &str) -> BTreeMap<u64, Value> {
    scratch.log(out).iter().map(|line| (line["step"].as_u64().expect("a step"), line["loss"].clone())).collect()
}

#[test]
fn killed_training_that_goes_on_equals_training_that_was_never_killed() {
    let scratch = Scratch::new();
    for (name, what, result) in [
        ("llama", &ADAPTER[..], "adapter_model.safetensors"),
        ("t5", &["--full", "--optimizer", "adafactor"], "model.safetensors"),
    ] {
        let settings = [&["--steps", "40", "--checkpoint-every", "3", "--lr", "3e-3"][..], what].concat();
        let (whole, parts) = (format!("whole-{name}"), format!("parts-{name}"));
        ok(&scratch.train(name, &whole, &settings));
        let mut child = start(&scratch, name, &parts, &settings);
        assert!(wait_for(&scratch, &parts, 10, &mut child), "it ended before it was killed");
        kill(child);
        assert!(!scratch.path(&parts).join("last").exists(), "it did not get to the end");
        ok(&scratch.train(name, &parts, &settings));
        assert_eq!(
            bytes(&scratch.path(&whole).join("last").join(result)),
            bytes(&scratch.path(&parts).join("last").join(result))
        );
        assert_eq!(losses(&scratch, &whole), losses(&scratch, &parts), "{name}");
    }
}

#[test]
fn killed_five_times_it_ends_with_the_same_bytes() {
    kill_again_and_again(5);
}

#[test]
#[ignore = "a minute: cargo test --workspace --test suite -- --ignored killed_twenty_times"]
fn killed_twenty_times_it_ends_with_the_same_bytes() {
    kill_again_and_again(20);
}

/// Kills a training that writes a checkpoint after every update, so that many of the kills come while one is written, and
/// some while the training reads its data or the last checkpoint.
fn kill_again_and_again(kills: u64) {
    let scratch = Scratch::new();
    let steps = (kills * 16).to_string();
    let settings = [&["--steps", &steps, "--checkpoint-every", "1", "--lr", "3e-3"][..], &ADAPTER].concat();
    ok(&scratch.train("llama", "whole", &settings));
    // A fixed sequence of numbers: the moments differ from each other, but not from run to run.
    let mut state: u64 = 20;
    let mut below = |bound: u64| {
        state = state.wrapping_mul(6_364_136_223_846_793_005).wrapping_add(1_442_695_040_888_963_407);
        (state >> 33) % bound
    };
    for kill_number in 0..kills {
        let before = logged(&scratch, "parts");
        let mut child = start(&scratch, "llama", "parts", &settings);
        let runs = wait_for(&scratch, "parts", before + below(8) as usize, &mut child);
        assert!(runs, "kill {kill_number}: it ended before it was killed");
        sleep(Duration::from_millis(below(30)));
        kill(child);
        assert!(!scratch.path("parts").join("last").exists(), "kill {kill_number}: it did not get to the end");
    }
    println!("{kills} kills, the last after {} logged updates", logged(&scratch, "parts"));
    ok(&scratch.train("llama", "parts", &settings));
    let result = |out: &str| bytes(&scratch.path(out).join("last/adapter_model.safetensors"));
    assert!(result("whole") == result("parts"), "the adapters differ");
    assert_eq!(losses(&scratch, "whole"), losses(&scratch, "parts"));
}
