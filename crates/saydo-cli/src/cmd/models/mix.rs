//! `saydo models mix`: one adapter between several.

use crate::failure::Verdict;
use crate::output;
use anyhow::{Context, Result, bail};
use saydo_model::adapter::Adapter;
use saydo_task::seen::Seen;
use std::path::PathBuf;

/// Mix adapters of one model: the mean of their numbers
///
/// saydo models mix before after --shares 0.3,0.7 -o between. Of use where training went on from one adapter to the other and
/// gained something and lost something else. They must have the same layers and rank.
#[derive(clap::Args)]
pub struct Args {
    /// Folders of adapters (PEFT's layout)
    #[arg(required = true, value_name = "FOLDER", num_args = 2..)]
    adapters: Vec<PathBuf>,

    /// How much each one counts (default: alike)
    #[arg(long, value_name = "SHARE", value_delimiter = ',')]
    shares: Vec<f64>,

    /// Folder to write, which must not hold an adapter yet
    #[arg(long, short = 'o', value_name = "FOLDER")]
    output_path: PathBuf,
}

pub fn run(args: &Args) -> Result<Verdict> {
    let shares = match args.shares.len() {
        0 => vec![1.0; args.adapters.len()],
        given if given == args.adapters.len() => args.shares.clone(),
        given => bail!("{given} values of --shares for {} adapters", args.adapters.len()),
    };
    if shares.iter().any(|share| !share.is_finite() || *share < 0.0) || shares.iter().sum::<f64>() <= 0.0 {
        bail!("--shares are {shares:?}, expected numbers from 0 on that are not all 0");
    }
    if args.output_path.join("adapter_config.json").exists() {
        bail!("{} holds an adapter already, expected a new folder", args.output_path.display());
    }
    let load = |folder: &PathBuf| Adapter::load(folder).with_context(|| format!("cannot mix {}", folder.display()));
    let adapters = args.adapters.iter().map(load).collect::<Result<Vec<_>>>()?;
    let parts: Vec<(Adapter, f64)> = adapters.into_iter().zip(shares).collect();
    let mut seen = Seen::default();
    for folder in &args.adapters {
        seen.inherit(Seen::load(folder)?.as_ref());
    }
    seen.save(&args.output_path)?;
    Adapter::mean(&parts).context("these adapters cannot be mixed")?.save(&args.output_path)?;
    output::note(&format!("the mean is in {}", args.output_path.display()));
    Ok(Verdict::Done)
}
