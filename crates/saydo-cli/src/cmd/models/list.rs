//! `saydo models list`: which models have a name, and which of them are here.

use crate::failure::Verdict;
use crate::home::Home;
use crate::output;
use crate::table::Table;
use anyhow::Result;
use indicatif::DecimalBytes;
use saydo_hub::Measured;
use saydo_hub::store::State;
use serde_json::json;

/// List the models that have a name, and which of them are here
#[derive(clap::Args)]
pub struct Args {
    /// Print the list as JSON
    #[arg(long)]
    json: bool,
}

pub fn run(args: Args, home: &Home) -> Result<Verdict> {
    let (catalog, store) = (home.catalog()?, home.store()?);
    let mut table = Table::new(&["name", "size", "everyday F1", "rows/s", "memory", "license", "state", "path"])
        .with_words(&[5, 6, 7]);
    let mut rows = Vec::new();
    for entry in &catalog.entries {
        let (state, path) = (store.state(entry)?, store.path(entry).to_string_lossy().into_owned());
        let (word, bytes) = match state {
            State::Absent => ("absent", 0),
            State::Partial { bytes } => ("partly pulled", bytes),
            State::Present => ("present", entry.bytes),
            State::WrongSize { bytes } => ("damaged", bytes),
        };
        rows.push(json!({
            "name": entry.name, "description": entry.description, "license": entry.license, "terms": entry.terms,
            "bytes": entry.bytes, "sha256": entry.sha256, "state": word, "bytes_here": bytes, "path": path,
            "measured": entry.measured.map(|measured| json!({
                "everyday": measured.everyday,
                "rows_per_second": measured.rows_per_second,
                "memory_bytes": measured.memory_bytes,
            })),
        }));
        let state = match state {
            State::Partial { .. } => format!("{word}, {}", DecimalBytes(bytes)),
            _ => word.to_owned(),
        };
        let path = if bytes == 0 { String::new() } else { path };
        let measured = |text: fn(Measured) -> String| entry.measured.map_or_else(String::new, text);
        table.row([
            entry.name.clone(),
            DecimalBytes(entry.bytes).to_string(),
            measured(|measured| format!("{:.1}", measured.everyday)),
            measured(|measured| format!("{:.1}", measured.rows_per_second)),
            measured(|measured| DecimalBytes(measured.memory_bytes).to_string()),
            entry.license.clone(),
            state,
            path,
        ]);
    }
    if args.json {
        output::print_json(&rows)?
    } else {
        output::print(&table.render())?
    }
    Ok(Verdict::Done)
}
