//! `saydo data list`: which datasets have a name, their licenses, and which of them are here.

use crate::failure::Verdict;
use crate::home::DataHome;
use crate::output;
use crate::table::Table;
use anyhow::Result;
use indicatif::DecimalBytes;
use saydo_data::store::State;
use serde_json::json;

/// List the datasets that have a name, their licenses, and which of them are here
///
/// The path is what to pass as `--data`.
#[derive(clap::Args)]
pub struct Args {
    /// Print the list as JSON
    #[arg(long)]
    json: bool,
}

pub fn run(args: Args, home: &DataHome) -> Result<Verdict> {
    let (catalog, store) = (home.catalog()?, home.store()?);
    let mut table = Table::new(&["name", "license", "state", "size", "path"]).with_words(&[1, 2, 4]);
    let mut rows = Vec::new();
    for entry in &catalog.entries {
        let (state, path) = (store.state(entry)?, store.data_path(entry).to_string_lossy().into_owned());
        let (word, bytes, problem) = match state {
            State::Absent => ("absent", 0, None),
            State::Partial { bytes } => ("partly pulled", bytes, None),
            State::Present { bytes } => ("present", bytes, None),
            State::Damaged { problem } => ("damaged", 0, Some(problem)),
        };
        rows.push(json!({
            "name": entry.name, "description": entry.description, "license": entry.license, "homepage": entry.homepage,
            "addresses": entry.addresses, "download_bytes": entry.bytes, "sha256": entry.sha256, "state": word,
            "problem": problem, "bytes_here": bytes, "path": path,
        }));
        let size = if bytes == 0 { String::new() } else { DecimalBytes(bytes).to_string() };
        let path = if word == "present" { path } else { String::new() };
        table.row([entry.name.clone(), entry.license.clone(), word.to_owned(), size, path]);
    }
    if args.json {
        output::print_json(&rows)?
    } else {
        output::print(&table.render())?
    }
    Ok(Verdict::Done)
}
