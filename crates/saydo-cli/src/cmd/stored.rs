//! What `saydo models` and `saydo data` share: pulled things are listed, verified and removed in one way, and pulled under
//! one meter.

mod list;
mod rm;
mod verify;

use crate::failure::Verdict;
use crate::home::Home;
use crate::progress::Meter;
use anyhow::Result;
use saydo_hub::{Catalog, Entry, Kind, Options, Pulled, Store};

#[derive(clap::Subcommand)]
pub enum Action {
    List(list::Args),
    Verify(verify::Args),
    Rm(rm::Args),
}

impl Action {
    pub fn run(self, kind: Kind, home: &Home) -> Result<Verdict> {
        match self {
            Self::List(args) => list::run(args, kind, home),
            Self::Verify(args) => verify::run(args, kind, home),
            Self::Rm(args) => rm::run(args, kind, home),
        }
    }
}

/// The entries of these names; all names are looked up before anything is done.
pub fn entries<'a>(catalog: &'a Catalog, kind: Kind, names: &[String]) -> Result<Vec<Entry<'a>>> {
    Ok(names.iter().map(|name| catalog.entry(kind, name)).collect::<Result<_, _>>()?)
}

/// Pulls with a meter.
pub fn pull(entry: Entry<'_>, store: &Store, options: &Options) -> Result<Pulled> {
    let mut meter = Meter::new(entry.name());
    Ok(saydo_hub::pull(entry, store, options, &mut |progress| meter.show(progress))?)
}
