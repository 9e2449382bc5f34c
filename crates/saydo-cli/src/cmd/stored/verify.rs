//! `saydo models verify` and `saydo data verify`: every byte of what is here, against what a pull puts in place.

use super::entries;
use crate::failure::Verdict;
use crate::home::Home;
use crate::output;
use crate::progress::Meter;
use crate::table::Table;
use anyhow::Result;
use saydo_hub::{Kind, Problem, Verification};
use serde_json::json;

/// Verify the size and SHA-256 of every file
///
/// A model's file is compared with the catalog; a dataset's files with those first installed, and its download with the
/// catalog where it has a SHA-256. Exit code 1 if a file is damaged, or if a named one is missing.
#[derive(clap::Args)]
pub struct Args {
    /// Catalog names (default: everything installed)
    names: Vec<String>,

    /// Print the result as JSON
    #[arg(long)]
    json: bool,
}

pub fn run(args: Args, kind: Kind, home: &Home) -> Result<Verdict> {
    let (catalog, store) = (home.catalog()?, home.store()?);
    let entries = if args.names.is_empty() { catalog.entries(kind) } else { entries(&catalog, kind, &args.names)? };
    let mut table = match kind {
        Kind::Model => Table::new(&["name", "state", "found", "expected"]).with_words(&[1, 2, 3]),
        Kind::Dataset => Table::new(&["name", "state", "files", "problem"]).with_words(&[1, 3]),
    };
    let (mut rows, mut verdict) = (Vec::new(), Verdict::Done);
    for entry in entries {
        let mut meter = Meter::new(entry.name());
        let verification = store.verify(entry, &mut |progress| meter.show(progress))?;
        drop(meter);
        let (name, mut files, mut problems) = (entry.name(), None, Vec::new());
        let state = match verification {
            Verification::Absent if args.names.is_empty() => continue,
            Verification::Absent => "absent",
            Verification::Good { files: count } => {
                files = Some(count);
                "good"
            }
            Verification::Damaged { problems: found } => {
                problems = found;
                "damaged"
            }
        };
        if state != "good" {
            verdict = Verdict::No;
        }
        let [third, fourth] = match kind {
            Kind::Model => {
                let [found, expected] = problems.first().map(found_and_expected).unwrap_or_default();
                rows.push(json!({"name": name, "state": state, "found": found, "expected": expected}));
                [found, expected]
            }
            Kind::Dataset => {
                let problems: Vec<String> = problems.iter().map(ToString::to_string).collect();
                rows.push(json!({"name": name, "state": state, "files": files, "problems": problems}));
                [files.map(|files| files.to_string()).unwrap_or_default(), summary(&problems)]
            }
        };
        table.row([name.to_owned(), state.to_owned(), third, fourth]);
    }
    if args.json {
        output::print_json(&rows)?
    } else {
        output::print(&table.render())?
    }
    Ok(verdict)
}

fn found_and_expected(problem: &Problem) -> [String; 2] {
    match problem {
        Problem::Size { found, expected, .. } => [format!("{found} bytes"), format!("{expected} bytes")],
        Problem::Sum { found, expected, .. } | Problem::Source { found, expected, .. } => {
            [found.clone(), expected.clone()]
        }
        Problem::NoRecord | Problem::Missing { .. } => [problem.to_string(), String::new()],
    }
}

/// The first problem, and how many more there are.
fn summary(problems: &[String]) -> String {
    match problems {
        [] => String::new(),
        [one] => one.clone(),
        [first, rest @ ..] => format!("{first} (and {} more)", rest.len()),
    }
}
