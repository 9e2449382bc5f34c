//! `saydo data rm`: remove datasets, and what interrupted pulls have left of them.

use crate::failure::Verdict;
use crate::home::DataHome;
use crate::output;
use anyhow::Result;
use indicatif::DecimalBytes;
use saydo_data::Entry;

/// Remove datasets, and what interrupted pulls have left of them
#[derive(clap::Args)]
pub struct Args {
    /// Names of the catalog
    #[arg(required = true)]
    datasets: Vec<String>,
}

pub fn run(args: Args, home: &DataHome) -> Result<Verdict> {
    let (catalog, store) = (home.catalog()?, home.store()?);
    let entries: Vec<&Entry> = args.datasets.iter().map(|name| catalog.entry(name)).collect::<Result<_, _>>()?;
    for entry in entries {
        let freed = store.remove(entry)?;
        output::note(&format!("{} removed, {} freed", entry.name, DecimalBytes(freed)));
    }
    Ok(Verdict::Done)
}
