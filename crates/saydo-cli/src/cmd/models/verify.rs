//! `saydo models verify`: every byte of the models that are here, against the catalog.

use crate::failure::Verdict;
use crate::home::Home;
use crate::output;
use crate::progress::Meter;
use crate::table::Table;
use anyhow::Result;
use saydo_hub::Entry;
use saydo_hub::store::Verification;
use serde_json::json;

/// Check size and SHA-256 of models
///
/// Exit code 1 if a model is damaged, or absent although it was named.
#[derive(clap::Args)]
pub struct Args {
    /// Names of the catalog; by default all that are here
    models: Vec<String>,

    /// Print the result as JSON
    #[arg(long)]
    json: bool,
}

pub fn run(args: Args, home: &Home) -> Result<Verdict> {
    let (catalog, store) = (home.catalog()?, home.store()?);
    let named: Vec<&Entry> = args.models.iter().map(|name| catalog.entry(name)).collect::<Result<_, _>>()?;
    let entries = if named.is_empty() { catalog.entries.iter().collect() } else { named };
    let mut table = Table::new(&["name", "state", "found", "expected"]).with_words(&[1, 2, 3]);
    let mut rows = Vec::new();
    let mut verdict = Verdict::Done;
    for entry in entries {
        let mut meter = Meter::new(&entry.name);
        let verification = store.verify(entry, &mut |progress| meter.show(progress))?;
        drop(meter);
        if verification == Verification::Absent && args.models.is_empty() {
            continue;
        }
        let (state, found, expected) = match &verification {
            Verification::Good => ("good", String::new(), String::new()),
            Verification::Absent => ("absent", String::new(), String::new()),
            Verification::WrongSize { found } => {
                ("damaged", format!("{found} bytes"), format!("{} bytes", entry.bytes))
            }
            Verification::WrongSum { found } => ("damaged", found.clone(), entry.sha256.clone()),
        };
        if verification != Verification::Good {
            verdict = Verdict::No;
        }
        rows.push(json!({"name": entry.name, "state": state, "found": found, "expected": expected}));
        table.row([entry.name.clone(), state.to_owned(), found, expected]);
    }
    if args.json {
        output::print_json(&rows)?
    } else {
        output::print(&table.render())?
    }
    Ok(verdict)
}
