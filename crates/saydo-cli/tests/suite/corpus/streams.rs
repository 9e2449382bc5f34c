//! Inputs that can be read only once: what a shell puts for `<(…)`, `/dev/stdin`, named pipes.

use super::{QUESTION, Scratch, parse, texts};
use crate::run::{Outcome, outcome_of};
use std::fs::{File, read_to_string};
use std::io::Write as _;
use std::process::{Child, Command, Stdio};
use std::time::Duration;

/// Runs a line of bash, in which `$saydo` is the binary and `$question` the question.
fn bash(scratch: &Scratch, line: &str) -> Outcome {
    let mut command = scratch.command(&[]);
    let saydo = command.get_program().to_owned();
    let environment: Vec<_> =
        command.get_envs().map(|(name, value)| (name.to_owned(), value.map(Into::into))).collect();
    command = Command::new("bash");
    command.args(["-c", line]).current_dir(scratch.path()).env("saydo", saydo).env("question", QUESTION);
    for (name, value) in environment {
        let value: Option<std::ffi::OsString> = value;
        match value {
            Some(value) => command.env(name, value),
            None => command.env_remove(name),
        };
    }
    outcome_of(&mut command)
}

/// Once, 500 rows through `<(…)` gave none and exit code 0, 3,000 gave 2,003.
#[test]
fn every_row_that_comes_through_a_pipe_has_an_answer() {
    for count in [1, 500, 3000] {
        let scratch = Scratch::new(count);
        let expected = scratch.rows(&[]);
        let ids = |rows: &[serde_json::Value]| rows.iter().map(|row| row["id"].clone()).collect::<Vec<_>>();
        for input in [
            "<(cat docs.jsonl) --format jsonl",
            "<(cat docs.jsonl)",
            "<(gzip -c docs.jsonl)",
            "/dev/stdin < <(cat docs.jsonl)",
            "- < <(cat docs.jsonl)",
        ] {
            let outcome = bash(&scratch, &format!("\"$saydo\" run \"$question\" {input} -m scripted"));
            assert_eq!(outcome.code, 0, "{input}: {}", outcome.stderr);
            assert_eq!(ids(&parse(&outcome.stdout)), ids(&expected), "{input}");
        }
    }
}

/// Once, `-` beside `/dev/stdin` gives one of them nothing.
#[test]
fn one_stream_by_two_names_is_refused() {
    let outcome = bash(&Scratch::new(3), "cat docs.jsonl | \"$saydo\" run \"$question\" - /dev/stdin -m scripted");
    assert_eq!((outcome.code, outcome.stdout.as_str()), (2, ""), "{}", outcome.stderr);
    assert!(outcome.stderr.contains("stdin and /dev/stdin are the same stream"), "{}", outcome.stderr);
}

/// Waits until a process would handle SIGTERM itself.
#[cfg(target_os = "linux")]
fn wait_for_handler(child: &Child) {
    const SIGTERM_BIT: u64 = 1 << 14;
    let caught = || {
        let status = read_to_string(format!("/proc/{}/status", child.id())).ok()?;
        let line = status.lines().find_map(|line| line.strip_prefix("SigCgt:"))?;
        u64::from_str_radix(line.trim(), 16).ok()
    };
    for _ in 0..12_000 {
        if caught().is_some_and(|caught| caught & SIGTERM_BIT != 0) {
            return;
        }
        std::thread::sleep(Duration::from_millis(5));
    }
    panic!("it never listens for signals");
}

/// Once, a run that waited for a named pipe survived SIGTERM.
#[test]
#[cfg(target_os = "linux")]
fn waiting_for_a_pipe_ends_with_sigterm() {
    let scratch = Scratch::new(0);
    assert!(Command::new("mkfifo").arg(scratch.at("pipe.jsonl")).status().expect("there is a mkfifo").success());
    let mut command = scratch.command(&["run", QUESTION, "pipe.jsonl", "-m", "scripted"]);
    let child = command.stdout(Stdio::piped()).stderr(Stdio::piped()).spawn().expect("the binary was built");
    let mut pipe = File::options().write(true).open(scratch.at("pipe.jsonl")).expect("the run opens it");
    pipe.write_all(texts(3).as_bytes()).expect("the run reads it");
    wait_for_handler(&child);
    let kill = Command::new("kill").arg(child.id().to_string()).status().expect("there is a kill");
    assert!(kill.success());
    // The pipe stays open all the while: nothing but the signal can end this.
    let output = child.wait_with_output().expect("it was started here");
    let stderr = String::from_utf8(output.stderr).expect("messages are UTF-8");
    assert_eq!(output.status.code(), Some(2), "{stderr}");
    let rows = parse(&String::from_utf8(output.stdout).expect("rows are UTF-8")).len();
    assert!(stderr.contains(&format!("error: interrupted after {rows} rows")), "{stderr}");
    drop(pipe);
}
