//! `saydo models rm`: remove models, and what interrupted pulls have left of them.

use crate::failure::Verdict;
use crate::home::Home;
use crate::output;
use anyhow::Result;
use indicatif::DecimalBytes;
use saydo_hub::Entry;

/// Remove models, and what interrupted pulls have left of them
#[derive(clap::Args)]
pub struct Args {
    /// Names of the catalog
    #[arg(required = true)]
    models: Vec<String>,
}

pub fn run(args: Args, home: &Home) -> Result<Verdict> {
    let (catalog, store) = (home.catalog()?, home.store()?);
    let entries: Vec<&Entry> = args.models.iter().map(|name| catalog.entry(name)).collect::<Result<_, _>>()?;
    for entry in entries {
        let freed = store.remove(entry)?;
        output::note(&format!("{} removed, {} freed", entry.name, DecimalBytes(freed)));
    }
    Ok(Verdict::Done)
}
