//! `saydo data verify`: every byte of the datasets that are here, against what was put in place.

use crate::failure::Verdict;
use crate::home::DataHome;
use crate::output;
use crate::progress::Meter;
use crate::table::Table;
use anyhow::Result;
use saydo_data::Entry;
use saydo_data::store::Verification;
use serde_json::json;

/// Check size and SHA-256 of every file of the datasets
///
/// Files are compared with what was put in place when the dataset was pulled, and what was fetched then with the
/// catalog, where it knows a SHA-256. Exit code 1 if a dataset is damaged, or absent although it was named.
#[derive(clap::Args)]
pub struct Args {
    /// Names of the catalog; by default all that are here
    datasets: Vec<String>,

    /// Print the result as JSON
    #[arg(long)]
    json: bool,
}

pub fn run(args: Args, home: &DataHome) -> Result<Verdict> {
    let (catalog, store) = (home.catalog()?, home.store()?);
    let named: Vec<&Entry> = args.datasets.iter().map(|name| catalog.entry(name)).collect::<Result<_, _>>()?;
    let entries = if named.is_empty() { catalog.entries.iter().collect() } else { named };
    let mut table = Table::new(&["name", "state", "files", "problem"]).with_words(&[1, 3]);
    let mut rows = Vec::new();
    let mut verdict = Verdict::Done;
    for entry in entries {
        let mut meter = Meter::new(&entry.name);
        let verification = store.verify(entry, &mut |progress| meter.show(progress))?;
        drop(meter);
        let (state, files, problems) = match verification {
            Verification::Absent if args.datasets.is_empty() => continue,
            Verification::Absent => ("absent", None, Vec::new()),
            Verification::Good { files } => ("good", Some(files), Vec::new()),
            Verification::Damaged { problems } => ("damaged", None, problems),
        };
        if state != "good" {
            verdict = Verdict::No;
        }
        let count = files.map(|files| files.to_string()).unwrap_or_default();
        table.row([entry.name.clone(), state.to_owned(), count, summary(&problems)]);
        rows.push(json!({"name": entry.name, "state": state, "files": files, "problems": problems}));
    }
    if args.json {
        output::print_json(&rows)?
    } else {
        output::print(&table.render())?
    }
    Ok(verdict)
}

/// The first problem, and how many more there are.
fn summary(problems: &[String]) -> String {
    match problems {
        [] => String::new(),
        [one] => one.clone(),
        [first, rest @ ..] => format!("{first} (and {} more)", rest.len()),
    }
}
