//! What a person sees: the table on a terminal, which `script` plays, and the page that `--open` shows.

use super::{QUESTION, Scratch};
use crate::run::outcome_of;
use std::os::unix::fs::PermissionsExt;
use std::process::{Command, Stdio};
use std::time::Duration;

/// What the command shows on a terminal of this many columns, notes and all.
fn on_terminal(scratch: &Scratch, columns: usize, arguments: &str, is_colored: bool) -> String {
    let words = format!("'{}' {arguments}", env!("CARGO_BIN_EXE_saydo"));
    let mut command = Command::new("script");
    command.args(["--quiet", "--return", "--command", &words, "/dev/null"]).current_dir(scratch.path());
    command.env("SAYDO_HOME", scratch.at("home")).env("COLUMNS", columns.to_string()).env("TERM", "xterm-256color");
    command.env_remove("NO_COLOR").env_remove("CLICOLOR").env_remove("CLICOLOR_FORCE").stdin(Stdio::null());
    if !is_colored {
        command.env("NO_COLOR", "1");
    }
    let outcome = outcome_of(&mut command);
    assert_eq!(outcome.code, 0, "{}", outcome.stdout);
    outcome.stdout.replace("\r\n", "\n")
}

/// The lines of the table in what a terminal showed.
fn table(shown: &str) -> Vec<&str> {
    let begin = shown.lines().position(|line| line.starts_with("source ")).unwrap_or_else(|| panic!("{shown}"));
    shown.lines().skip(begin).take_while(|line| !line.contains(" rows: ")).collect()
}

#[test]
fn a_terminal_gets_a_table_that_fits_and_a_pipe_gets_json() {
    let scratch = Scratch::new(6);
    let command = format!("run '{QUESTION}' docs.jsonl -m scripted --quiet");
    let shown = on_terminal(&scratch, 60, &command, false);
    let table = table(&shown);
    assert_eq!(table.len(), 8, "a header, a rule and six rows: {shown}");
    assert!(table.iter().all(|line| line.chars().count() <= 60), "{shown}");
    assert!(table[2].starts_with("docs.jsonl:1 ") && table[2].ends_with('%'), "{shown}");
    assert!(!shown.contains('\u{1b}'), "NO_COLOR: {shown:?}");
    assert_eq!(scratch.rows(&["--quiet"]).len(), 6);
}

#[test]
fn a_terminal_gets_colors_unless_told_otherwise() {
    let scratch = Scratch::new(6);
    let shown = on_terminal(&scratch, 80, &format!("run '{QUESTION}' docs.jsonl -m scripted --quiet"), true);
    assert!(shown.contains("\u{1b}[32myes"), "{shown:?}");
}

#[test]
fn records_of_a_narrow_terminal_are_wrapped_and_whole() {
    let scratch = Scratch::new(3);
    let command = "run 'How long is the trail, and are dogs allowed?' docs.jsonl -m scripted --quiet";
    let shown = on_terminal(&scratch, 50, command, false);
    assert!(!shown.contains('…'), "{shown}");
    assert!(table(&shown).iter().all(|line| line.chars().count() <= 50), "{shown}");
}

#[test]
fn open_writes_a_page_and_shows_it() {
    let scratch = Scratch::new(4);
    // Stands for the desktop's own, and writes down what it was given.
    scratch.write("xdg-open", "#!/bin/sh\nprintf %s \"$1\" > opened.part && mv opened.part opened\n");
    std::fs::set_permissions(scratch.at("xdg-open"), PermissionsExt::from_mode(0o755)).unwrap();
    let path = format!("{}:{}", scratch.path().display(), std::env::var("PATH").unwrap());
    for (arguments, page) in [(&["--open"][..], "rows.html"), (&["--open", "-o", "page.html"], "page.html")] {
        let _ = std::fs::remove_file(scratch.at("opened"));
        let mut command = scratch.command(&["run", QUESTION, "docs.jsonl", "-m", "scripted"]);
        let outcome = outcome_of(command.args(arguments).env("PATH", &path));
        assert_eq!(outcome.code, 0, "{}", outcome.stderr);
        assert!(outcome.stderr.contains("opened in the browser: /"), "{}", outcome.stderr);
        let is_opened = || scratch.at("opened").exists();
        (0..1000).take_while(|_| !is_opened()).for_each(|_| std::thread::sleep(Duration::from_millis(10)));
        let opened = scratch.read("opened");
        assert!(opened.ends_with(page), "{opened}");
        assert!(std::fs::read_to_string(&opened).unwrap().contains("<!doctype html>"), "{opened}");
    }
}

#[test]
fn open_requires_a_page() {
    let scratch = Scratch::new(1);
    let outcome = scratch.saydo(&["run", QUESTION, "docs.jsonl", "-m", "scripted", "--open", "-o", "rows.csv"]);
    assert_eq!(outcome.code, 2);
    assert!(outcome.stderr.contains("--open requires an HTML output, found rows.csv"), "{}", outcome.stderr);
}
