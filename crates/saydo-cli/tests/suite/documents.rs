//! The commands in the documentation: each parses, and those that can be run print what the page shows.

use clap::error::{ContextKind, ContextValue, ErrorKind};
use saydo_conformance::document::{Block, Call, Page, Step, calls, matches, pages, root};
use std::collections::BTreeMap;
use std::ffi::OsString;
use std::path::Path;

/// Names the binary that the pages' commands run: an optimized one, with the default model in its home folder.
const BINARY: &str = "SAYDO_DOCUMENTS_BIN";

/// Columns of the terminal that the pages show.
const COLUMNS: &str = "100";

/// What is wrong with a call; nothing if it could be typed.
fn problem(call: &Call) -> Option<String> {
    match call.words.first().map(String::as_str) {
        Some("saydo") => {}
        Some("saydo-cluster") => return problem_of_cluster(call),
        _ => return None,
    }
    let error = saydo_cli::parse(call.words.iter().map(OsString::from)).err()?;
    let may_be_left_out = match error.kind() {
        ErrorKind::DisplayHelp | ErrorKind::DisplayVersion => return None,
        ErrorKind::MissingRequiredArgument
        | ErrorKind::MissingSubcommand
        | ErrorKind::DisplayHelpOnMissingArgumentOrSubcommand => true,
        // No value, or a word for one: ADDRESS.
        ErrorKind::InvalidValue | ErrorKind::ValueValidation => match error.get(ContextKind::InvalidValue) {
            Some(ContextValue::String(value)) => value.chars().all(|c| c.is_ascii_uppercase()),
            _ => true,
        },
        _ => false,
    };
    let is_fine = call.is_part && may_be_left_out;
    (!is_fine).then(|| error.to_string().lines().next().unwrap_or_default().to_owned())
}

/// The cluster's program is built elsewhere; its reference page knows its commands and flags.
fn problem_of_cluster(call: &Call) -> Option<String> {
    let page =
        std::fs::read_to_string(root().join("docs/reference/cluster-command-line.md")).expect("the page is there");
    let command = call.words.get(1)?;
    let title = format!("\n## saydo-cluster {command}\n");
    let Some((_, section)) = page.split_once(&title) else { return Some(format!("no command `{command}`")) };
    let section = section.split("\n## ").next().unwrap_or_default();
    let is_known = |flag: &str| section.split([' ', ',', '\n', '[', ']']).any(|word| word == flag);
    let flags = call.words.iter().map(|word| word.split('=').next().unwrap_or_default());
    flags.filter(|word| word.starts_with('-')).find(|flag| !is_known(flag)).map(|flag| format!("no flag `{flag}`"))
}

fn problems(page: &Page) -> Vec<String> {
    let mut found = Vec::new();
    let mut variables = BTreeMap::new();
    let mut add = |line: usize, typed: &str, call: Call| {
        found.extend(problem(&call).map(|problem| format!("{}:{line}: `{typed}`: {problem}", page.name)));
    };
    for step in page.blocks.iter().flat_map(|block| &block.steps) {
        for call in calls(&step.typed, &mut variables) {
            add(step.line, &step.typed, call);
        }
    }
    let is_command = |code: &str| code.starts_with("saydo ") || code.starts_with("saydo-cluster ");
    for (line, code) in page.quoted.iter().filter(|(_, code)| is_command(code)) {
        for call in calls(code, &mut variables) {
            add(*line, code, Call { is_part: true, ..call });
        }
    }
    found
}

#[test]
fn every_command_in_the_documentation_parses() {
    let pages = pages();
    let commands = pages.iter().flat_map(|page| &page.blocks).map(|block| block.steps.len()).sum::<usize>();
    assert!(commands > 50, "only {commands} commands were found");
    let wrong: Vec<String> = pages.iter().flat_map(problems).collect();
    assert!(wrong.is_empty(), "commands that the program does not take:\n{}", wrong.join("\n"));
}

#[test]
fn what_the_program_does_not_take_is_found() {
    let text = "`saydo rum` `saydo check` `saydo run --evidense` `saydo-cluster`\n`saydo run --limit` `saydo run --limit N` `saydo run --limit many`\n```sh\nsaydo check\nsaydo-cluster sql --no\n```\n";
    let found = problems(&saydo_conformance::document::page("a.md", text)).join("\n");
    assert!(found.contains("a.md:1: `saydo rum`: error: unrecognized subcommand 'rum'"), "{found}");
    assert!(found.contains("a.md:1: `saydo run --evidense`: error: unexpected argument '--evidense'"), "{found}");
    assert!(found.contains("a.md:4: `saydo check`: error: the following required arguments"), "{found}");
    assert!(found.contains("a.md:5: `saydo-cluster sql --no`: no flag `--no`"), "{found}");
    assert!(found.contains("a.md:2: `saydo run --limit many`: error: invalid value 'many'"), "{found}");
    assert_eq!(found.lines().count(), 5, "a part of a command is fine: {found}");
}

#[test]
#[ignore = "runs the default model for minutes: cargo xtask check full"]
fn commands_that_can_be_run_print_what_the_page_shows() {
    let binary = std::env::var(BINARY).unwrap_or_else(|_| panic!("{BINARY} names the program to run"));
    let mut wrong = Vec::new();
    for page in pages() {
        let blocks: Vec<&Block> = page.blocks.iter().filter(|block| block.can_run).collect();
        if blocks.is_empty() {
            continue;
        }
        // The commands of a page build on each other.
        let scratch = tempfile::tempdir().expect("a scratch folder");
        for name in ["examples", "fixtures", "experiments"] {
            std::os::unix::fs::symlink(root().join(name), scratch.path().join(name)).expect("a link");
        }
        std::os::unix::fs::symlink(&binary, scratch.path().join("saydo")).expect("a link");
        for step in blocks.iter().flat_map(|block| &block.steps) {
            wrong.extend(run(scratch.path(), step).map(|problem| format!("{}:{}: {problem}", page.name, step.line)));
        }
    }
    assert!(wrong.is_empty(), "{}", wrong.join("\n\n"));
}

/// Types a command on a terminal; gives what is wrong with what it printed.
fn run(folder: &Path, step: &Step) -> Option<String> {
    let path = format!("{}:{}", folder.display(), std::env::var("PATH").expect("there is a path"));
    let begun = std::time::Instant::now();
    let mut command = std::process::Command::new("script");
    command.args(["--quiet", "--return", "--command", &step.typed, "/dev/null"]).current_dir(folder);
    command.env("PATH", path).env("COLUMNS", COLUMNS).env("NO_COLOR", "1").env("TERM", "dumb");
    let output = command.stdin(std::process::Stdio::null()).output().expect("script plays a terminal");
    println!("{:>8.1} s  {}", begun.elapsed().as_secs_f64(), step.typed);
    let text = String::from_utf8_lossy(&output.stdout).replace("\r\n", "\n");
    // 1 is an answer too: the verdict is no.
    if !matches!(output.status.code(), Some(0 | 1)) {
        return Some(format!("`{}` ended with {}:\n{text}", step.typed, output.status));
    }
    let shown = step.printed.as_ref()?;
    let printed: Vec<String> = text.lines().map(visible).collect();
    let printed: Vec<&str> = printed.iter().map(String::as_str).collect();
    let is_as_shown = shown.is_empty() || matches(shown, &printed);
    (!is_as_shown).then(|| format!("`{}` printed:\n{text}\nand the page shows:\n{}", step.typed, shown.join("\n")))
}

/// A line as it stands in the end, where a progress bar was drawn over.
fn visible(line: &str) -> String {
    console::strip_ansi_codes(line).rsplit('\r').next().unwrap_or_default().to_owned()
}
