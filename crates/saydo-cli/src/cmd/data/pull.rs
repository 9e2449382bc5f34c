//! `saydo data pull`: fetch, check, unpack, put in place.

use crate::cmd::stored::{self, entries};
use crate::failure::Verdict;
use crate::home::{Home, data_mirror};
use crate::output;
use anyhow::{Result, bail};
use saydo_hub::{Kind, Mirror, Options, Origin, Pulled, Transfer};
use std::time::Duration;

/// Download public datasets and verify them
///
/// Prints the path to pass as `--data`. An interrupted download resumes. Uses the proxies in HTTPS_PROXY, HTTP_PROXY,
/// ALL_PROXY and NO_PROXY. SAYDO_DATA_MIRROR is the URL of a folder of your own with the files.
#[derive(clap::Args)]
pub struct Args {
    /// Catalog names (see `saydo data list`)
    #[arg(required = true)]
    datasets: Vec<String>,

    /// Download from this URL instead; one that ends in `/` is a folder
    #[arg(long, value_name = "URL")]
    mirror: Option<String>,

    /// Download again even if present
    #[arg(long)]
    force: bool,

    /// Max times an interrupted download is resumed
    #[arg(long, value_name = "N", default_value_t = 3)]
    max_retries: u32,

    /// Seconds to wait for a silent server
    #[arg(long, value_name = "SECONDS", default_value_t = 60, value_parser = clap::value_parser!(u64).range(1..))]
    timeout: u64,
}

pub fn run(args: Args, home: &Home) -> Result<Verdict> {
    let (catalog, store) = (home.catalog()?, home.store()?);
    let entries = entries(&catalog, Kind::Dataset, &args.datasets)?;
    let transfer =
        Transfer { max_retries: args.max_retries, timeout: Duration::from_secs(args.timeout), ..Transfer::default() };
    let origin = Origin::Addresses { mirror: mirror(&args)?, transfer };
    let options = Options { accept_terms: false, force: args.force, origin };
    for entry in entries {
        let (name, license) = (entry.name(), entry.license());
        let (how, path) = match stored::pull(entry, &store, &options)? {
            Pulled::Fetched(path) => (format!("was fetched and checked, license: {license}"), path),
            Pulled::AlreadyThere(path) => ("is already there".to_owned(), path),
        };
        output::note(&format!("{name} {how}; pass it as --data"));
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
