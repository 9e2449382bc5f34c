//! `saydo data pull`: fetch, check, unpack, put in place.

use crate::failure::Verdict;
use crate::home::{DataHome, data_mirror};
use crate::output;
use crate::progress::Meter;
use anyhow::{Result, bail};
use saydo_data::{Entry, Mirror, Options, Pulled, pull};
use std::time::Duration;

/// Fetch datasets from their public homes, check them and put them in place
///
/// Prints the path to pass as `--data`. Interrupted, it goes on where it stopped when run again. Proxies are taken from
/// HTTPS_PROXY, HTTP_PROXY, ALL_PROXY and NO_PROXY. SAYDO_DATA_MIRROR names a folder on a server of your own that has the
/// files.
#[derive(clap::Args)]
pub struct Args {
    /// Names of the catalog (see `saydo data list`)
    #[arg(required = true)]
    datasets: Vec<String>,

    /// Fetch the file from this address instead; if it ends in `/`, from that folder
    #[arg(long, value_name = "URL")]
    mirror: Option<String>,

    /// Fetch a dataset again even if it is there
    #[arg(long)]
    force: bool,

    /// How often a transfer that broke off is gone on with before giving up
    #[arg(long, value_name = "N", default_value_t = 3)]
    max_retries: u32,

    /// How long a server may be silent, in seconds
    #[arg(long, value_name = "SECONDS", default_value_t = 60, value_parser = clap::value_parser!(u64).range(1..))]
    timeout: u64,
}

pub fn run(args: Args, home: &DataHome) -> Result<Verdict> {
    let (catalog, store) = (home.catalog()?, home.store()?);
    let entries: Vec<&Entry> = args.datasets.iter().map(|name| catalog.entry(name)).collect::<Result<_, _>>()?;
    let options = Options {
        mirror: mirror(&args)?,
        force: args.force,
        max_retries: args.max_retries,
        timeout: Duration::from_secs(args.timeout),
        ..Options::default()
    };
    for entry in entries {
        let mut meter = Meter::new(&entry.name);
        let pulled = pull(entry, &store, &options, &mut |progress| meter.show(progress))?;
        drop(meter);
        let path = match pulled {
            Pulled::Fetched(path) => {
                let (name, license) = (&entry.name, &entry.license);
                output::note(&format!("{name} was fetched and checked, license: {license}; pass it as --data"));
                path
            }
            Pulled::AlreadyThere(path) => {
                output::note(&format!("{} is already there; pass it as --data", entry.name));
                path
            }
        };
        output::print(&format!("{}\n", path.display()))?;
    }
    Ok(Verdict::Done)
}

/// The flag wins over the environment.
fn mirror(args: &Args) -> Result<Option<Mirror>> {
    Ok(match (&args.mirror, data_mirror()) {
        (Some(address), _) if address.ends_with('/') => Some(Mirror::Folder(address.clone())),
        (Some(address), _) if args.datasets.len() > 1 => bail!(
            "--mirror {address} is the address of one file, expected one that ends in `/` for {} datasets",
            args.datasets.len()
        ),
        (Some(address), _) => Some(Mirror::File(address.clone())),
        (None, address) => address.map(Mirror::Folder),
    })
}
