//! Killed anywhere and run again: the same rows, none twice.

use super::{QUESTION, Scratch, parse};
use serde_json::Value;
use std::collections::HashSet;
use std::process::{Child, Command, Stdio};
use std::time::{Duration, Instant};

const ARGUMENTS: [&str; 7] = ["run", QUESTION, "docs.jsonl", "-m", "scripted:2", "-o", "out.jsonl"];

fn sorted(mut rows: Vec<Value>) -> Vec<String> {
    rows.sort_by_key(|row| row["id"].to_string());
    rows.iter().map(Value::to_string).collect()
}

fn start(scratch: &Scratch, arguments: &[&str]) -> Child {
    let mut command = scratch.command(arguments);
    command.stdout(Stdio::null()).stderr(Stdio::piped()).spawn().expect("the binary was built with the tests")
}

/// How many answers are recorded.
fn recorded(scratch: &Scratch) -> usize {
    let is_there = scratch.at("home/runs").read_dir().is_ok_and(|mut runs| runs.next().is_some());
    let ledger = is_there.then(|| std::fs::read(scratch.in_run("ledger.jsonl")).ok()).flatten();
    ledger.map_or(0, |bytes| bytes.iter().filter(|byte| **byte == b'\n').count())
}

/// Waits until so many answers are recorded.
fn wait_for(scratch: &Scratch, answers: usize) {
    let begun = Instant::now();
    while recorded(scratch) < answers {
        assert!(begun.elapsed() < Duration::from_secs(60), "the run makes no progress");
        std::thread::sleep(Duration::from_millis(2));
    }
}

#[test]
fn killed_at_twenty_moments_it_ends_with_the_rows_of_an_undisturbed_run() {
    let undisturbed = sorted(Scratch::new(300).rows(&[]));
    let scratch = Scratch::new(300);
    // A fixed sequence of numbers: the moments differ from each other, but not from run to run.
    let mut state: u64 = 20;
    for _ in 0..20 {
        state = state.wrapping_mul(6_364_136_223_846_793_005).wrapping_add(1_442_695_040_888_963_407);
        let (before, more) = (recorded(&scratch), (state >> 33) as usize % 14);
        let mut child = start(&scratch, &ARGUMENTS);
        wait_for(&scratch, (before + more).min(299));
        child.kill().expect("it is still running, or has just ended");
        child.wait().expect("it was started here");
        assert!(!scratch.at("out.jsonl").exists() || recorded(&scratch) >= 300, "an output appears when it is whole");
    }
    let outcome =
        scratch.saydo(&ARGUMENTS.map(|argument| if argument == "scripted:2" { "scripted" } else { argument }));
    assert_eq!(outcome.code, 0, "{}", outcome.stderr);
    let rows: Vec<Value> = parse(&scratch.read("out.jsonl"));
    assert_eq!(sorted(rows), undisturbed);
    let ledger = std::fs::read_to_string(scratch.in_run("ledger.jsonl")).unwrap();
    let keys: HashSet<&str> = ledger.lines().map(|line| &line[8..40]).collect();
    assert_eq!((keys.len(), ledger.lines().count()), (300, 300), "no answer was computed twice");
}

/// Starts a run, interrupts it after a few rows, and gives what it says.
fn interrupted(scratch: &Scratch) -> String {
    let child = start(scratch, &ARGUMENTS);
    wait_for(scratch, 5);
    let kill = Command::new("kill").args(["-INT", &child.id().to_string()]).status().expect("there is a kill");
    assert!(kill.success());
    let output = child.wait_with_output().expect("it was started here");
    let stderr = String::from_utf8(output.stderr).expect("messages are UTF-8");
    assert_eq!(output.status.code(), Some(2), "{stderr}");
    stderr
}

#[test]
fn interrupted_it_finishes_what_is_in_flight_and_says_how_to_go_on() {
    let scratch = Scratch::new(300);
    let stderr = interrupted(&scratch);
    assert!(stderr.contains("finishing what is in flight; Ctrl-C again leaves at once"), "{stderr}");
    let rows = parse(&scratch.read("out.jsonl"));
    let expected = format!("error: interrupted after {} rows; the same command goes on from there\n", rows.len());
    assert!(stderr.ends_with(&expected), "{stderr}");
    assert_eq!(rows.len(), recorded(&scratch), "everything recorded is written");
    assert!((5..300).contains(&rows.len()), "{}", rows.len());
    let outcome = scratch.saydo(&ARGUMENTS);
    assert_eq!(outcome.code, 0, "{}", outcome.stderr);
    assert!(outcome.stderr.contains(&format!("{} answers not computed anew", rows.len())), "{}", outcome.stderr);
    let whole = Scratch::new(300);
    assert_eq!(whole.saydo(&ARGUMENTS).code, 0);
    assert_eq!(parse(&scratch.read("out.jsonl")), parse(&whole.read("out.jsonl")));
}

#[test]
fn interrupted_it_leaves_a_finished_output_alone() {
    let scratch = Scratch::new(300);
    let finished: String = (0..300).map(|row| format!("{{\"row\": {row}}}\n")).collect();
    scratch.write("out.jsonl", &finished);
    let stderr = interrupted(&scratch);
    assert!(stderr.contains("out.jsonl stays as it was; the rows so far are recorded in the run\n"), "{stderr}");
    assert_eq!(scratch.read("out.jsonl"), finished);
}

/// A file that may not grow past a size, as on a full disk, makes the run fail between two answers.
#[cfg(target_os = "linux")]
#[test]
fn a_ledger_that_cannot_grow_leaves_a_finished_output_alone() {
    let scratch = Scratch::new(300);
    let outcome =
        scratch.saydo(&ARGUMENTS.map(|argument| if argument == "scripted:2" { "scripted" } else { argument }));
    assert_eq!(outcome.code, 0, "{}", outcome.stderr);
    let finished = scratch.read("out.jsonl");
    let ledger = scratch.in_run("ledger.jsonl");
    let half: String =
        std::fs::read_to_string(&ledger).unwrap().lines().take(150).map(|line| format!("{line}\n")).collect();
    std::fs::write(&ledger, &half).unwrap();
    let program = env!("CARGO_BIN_EXE_saydo");
    // The limit counts kibibytes; beyond it writing fails, and the signal that would end the process is ignored.
    let limit = half.len() / 1024 + 1;
    let script = format!("trap '' XFSZ; ulimit -f {limit}; exec \"$@\"");
    let arguments = ["run", QUESTION, "docs.jsonl", "-m", "scripted", "-o", "out.jsonl"];
    let mut command = Command::new("bash");
    command.args(["-c", &script, "bash", program]).args(arguments);
    command.current_dir(scratch.at("")).env("SAYDO_HOME", scratch.at("home")).stdin(Stdio::null());
    let output = command.output().expect("there is a bash");
    let stderr = String::from_utf8(output.stderr).expect("messages are UTF-8");
    assert_eq!(output.status.code(), Some(2), "{stderr}");
    assert!(stderr.contains("cannot write") && stderr.contains("ledger.jsonl"), "{stderr}");
    assert_eq!(scratch.read("out.jsonl"), finished);
    let outcome = scratch.saydo(&arguments);
    assert_eq!(outcome.code, 0, "{}", outcome.stderr);
    // Rows that are computed again take another time.
    assert_eq!(parse(&scratch.read("out.jsonl")), parse(&finished));
}

#[test]
fn a_torn_last_line_is_repaired() {
    let scratch = Scratch::new(20);
    let rows = scratch.rows(&[]);
    let path = scratch.in_run("ledger.jsonl");
    let bytes = std::fs::read(&path).unwrap();
    std::fs::write(&path, &bytes[..bytes.len() - 30]).unwrap();
    let outcome = scratch.saydo(&["run", QUESTION, "docs.jsonl", "-m", "scripted"]);
    assert!(outcome.stderr.contains("its last line was not whole"), "{}", outcome.stderr);
    assert!(outcome.stderr.contains("19 answers not computed anew"), "{}", outcome.stderr);
    assert_eq!(parse(&outcome.stdout), rows);
}

#[test]
fn a_run_that_is_being_written_is_left_alone() {
    let scratch = Scratch::new(300);
    let mut child = start(&scratch, &ARGUMENTS);
    wait_for(&scratch, 1);
    let outcome = scratch.saydo(&["run", QUESTION, "docs.jsonl", "-m", "scripted"]);
    child.kill().expect("it is still running, or has just ended");
    child.wait().expect("it was started here");
    assert_eq!(outcome.code, 2, "{}", outcome.stderr);
    assert!(outcome.stderr.contains("error: another process is writing "), "{}", outcome.stderr);
    assert!(outcome.stderr.contains("  hint: wait for it to end, give this run its own folder"), "{}", outcome.stderr);
}
