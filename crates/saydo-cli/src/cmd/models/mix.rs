//! `saydo models mix`: one adapter between several.

use crate::failure::Verdict;
use crate::output;
use anyhow::{Context, Result, bail};
use saydo_function::Trained;
use saydo_model::adapter::{Adapter, Precision};
use saydo_task::seen::Seen;
use std::fs;
use std::path::PathBuf;

/// Average adapters of one model, or store one in another precision
///
/// saydo models mix before after --shares 0.3,0.7 -o between helps where further training gained on one thing and lost on
/// another. Adapters must have the same layers and rank. saydo models mix runs/reading/last --precision int8 -o small halves
/// an adapter's size.
#[derive(clap::Args)]
pub struct Args {
    /// Folders of adapters (PEFT's layout)
    #[arg(required = true, value_name = "FOLDER", num_args = 1..)]
    adapters: Vec<PathBuf>,

    /// Weight of each adapter (default: equal)
    #[arg(long, value_name = "SHARE", value_delimiter = ',')]
    shares: Vec<f64>,

    /// Precision of the stored numbers: f16 is PEFT's layout; int8 is half the size, and only Saydo reads it
    #[arg(long, value_enum, default_value = "f16")]
    precision: PrecisionArg,

    /// Folder to write, which must not hold an adapter yet
    #[arg(long, short = 'o', value_name = "FOLDER")]
    output_path: PathBuf,
}

#[derive(Clone, Copy, clap::ValueEnum)]
enum PrecisionArg {
    F16,
    Int8,
}

impl From<PrecisionArg> for Precision {
    fn from(precision: PrecisionArg) -> Self {
        match precision {
            PrecisionArg::F16 => Self::F16,
            PrecisionArg::Int8 => Self::Int8,
        }
    }
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
    let trained = trained(&args.adapters)?;
    let mean = Adapter::mean(&parts).context("these adapters cannot be mixed")?;
    seen.save(&args.output_path)?;
    mean.save_as(&args.output_path, args.precision.into())?;
    if let Some(trained) = trained {
        let path = args.output_path.join(Trained::FILE);
        saydo_file::write(&path, &trained).with_context(|| format!("cannot write {}", path.display()))?;
    }
    output::note(&format!("the adapter is in {}", args.output_path.display()));
    Ok(Verdict::Done)
}

/// What the adapters learned of functions, if all of them learned the same.
fn trained(folders: &[PathBuf]) -> Result<Option<Vec<u8>>> {
    let all: Vec<Option<Vec<u8>>> = folders.iter().map(|folder| fs::read(folder.join(Trained::FILE)).ok()).collect();
    if all.iter().any(|one| *one != all[0]) {
        bail!("the adapters did not all learn to answer functions in the same wording");
    }
    Ok(all.into_iter().next().flatten())
}
