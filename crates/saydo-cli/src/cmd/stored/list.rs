//! `saydo models list` and `saydo data list`: what has a name, and what of it is here.

use crate::failure::Verdict;
use crate::home::Home;
use crate::output;
use crate::table::Table;
use anyhow::Result;
use indicatif::DecimalBytes;
use saydo_hub::{Entry, Kind, Measured, Problem, State};
use serde_json::{Value, json};

/// List the catalog, with licenses and what is installed
///
/// Pass the name or the path to other commands.
#[derive(clap::Args)]
pub struct Args {
    /// Print the list as JSON
    #[arg(long)]
    json: bool,
}

/// What is here of an entry.
struct Here {
    state: &'static str,
    bytes: u64,
    problem: Option<Problem>,
    path: String,
}

pub fn run(args: Args, kind: Kind, home: &Home) -> Result<Verdict> {
    let (catalog, store) = (home.catalog()?, home.store()?);
    let mut table = match kind {
        Kind::Model => Table::new(&["name", "size", "everyday F1", "rows/s", "memory", "license", "state", "path"])
            .with_words(&[5, 6, 7]),
        Kind::Dataset => Table::new(&["name", "license", "state", "size", "path"]).with_words(&[1, 2, 4]),
    };
    let mut rows = Vec::new();
    for entry in catalog.entries(kind) {
        let (state, bytes, problem) = match store.state(entry)? {
            State::Absent => ("absent", 0, None),
            State::Partial { bytes } => ("partly pulled", bytes, None),
            State::Present { bytes } => ("present", bytes, None),
            State::Damaged { bytes, problem } => ("damaged", bytes, Some(problem)),
        };
        let path = store.path_to_pass(entry).to_string_lossy().into_owned();
        let here = Here { state, bytes, problem, path };
        rows.push(row(entry, &here));
        table.row(cells(entry, here));
    }
    if args.json {
        output::print_json(&rows)?
    } else {
        output::print(&table.render())?
    }
    Ok(Verdict::Done)
}

fn row(entry: Entry<'_>, here: &Here) -> Value {
    match entry {
        Entry::Model(model) => json!({
            "name": model.name, "description": model.description, "license": model.license, "terms": model.terms,
            "bytes": model.bytes, "sha256": model.sha256, "state": here.state, "bytes_here": here.bytes, "path": here.path,
            "measured": model.measured.map(|measured| json!({
                "everyday": measured.everyday,
                "rows_per_second": measured.rows_per_second,
                "memory_bytes": measured.memory_bytes,
            })),
        }),
        Entry::Dataset(dataset) => json!({
            "name": dataset.name, "description": dataset.description, "license": dataset.license,
            "homepage": dataset.homepage, "addresses": dataset.addresses, "download_bytes": dataset.bytes,
            "sha256": dataset.sha256, "state": here.state, "problem": here.problem.as_ref().map(ToString::to_string),
            "bytes_here": here.bytes, "path": here.path,
        }),
    }
}

fn cells(entry: Entry<'_>, here: Here) -> Vec<String> {
    let (name, license) = (entry.name().to_owned(), entry.license().to_owned());
    let size = if here.bytes == 0 { String::new() } else { DecimalBytes(here.bytes).to_string() };
    let path = if size.is_empty() { String::new() } else { here.path };
    match entry {
        Entry::Model(model) => {
            let measured = |text: fn(Measured) -> String| model.measured.map_or_else(String::new, text);
            vec![
                name,
                DecimalBytes(model.bytes).to_string(),
                measured(|measured| format!("{:.1}", measured.everyday)),
                measured(|measured| format!("{:.1}", measured.rows_per_second)),
                measured(|measured| DecimalBytes(measured.memory_bytes).to_string()),
                license,
                if here.state == "partly pulled" { format!("{}, {size}", here.state) } else { here.state.to_owned() },
                path,
            ]
        }
        Entry::Dataset(_) => {
            let path = if here.state == "present" { path } else { String::new() };
            vec![name, license, here.state.to_owned(), size, path]
        }
    }
}
