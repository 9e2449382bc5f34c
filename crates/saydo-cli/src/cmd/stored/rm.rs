//! `saydo models rm` and `saydo data rm`.

use super::entries;
use crate::failure::Verdict;
use crate::home::Home;
use crate::output;
use anyhow::Result;
use indicatif::DecimalBytes;
use saydo_hub::Kind;

/// Remove downloads, complete or interrupted
#[derive(clap::Args)]
pub struct Args {
    /// Catalog names
    #[arg(required = true)]
    names: Vec<String>,
}

pub fn run(args: Args, kind: Kind, home: &Home) -> Result<Verdict> {
    let (catalog, store) = (home.catalog()?, home.store()?);
    for entry in entries(&catalog, kind, &args.names)? {
        let freed = store.remove(entry)?;
        output::note(&format!("{} removed, {} freed", entry.name(), DecimalBytes(freed)));
    }
    Ok(Verdict::Done)
}
