//! `saydo models seen`: declares what an adapter or model learned elsewhere, or before records were kept.

use crate::cmd::train::DataArgs;
use crate::failure::Verdict;
use crate::output;
use anyhow::{Result, bail};
use saydo_task::seen::{FILE_NAME, Seen};
use saydo_train::data::Making;
use saydo_train::{Data, DataSettings, Room};
use std::path::PathBuf;

/// Declare which tasks and inputs an adapter or model was trained on
///
/// saydo train records this itself, in saydo_seen.bin beside the weights. For weights trained elsewhere, name the data with
/// the flags of saydo train; saydo eval then refuses to score the model on that data. Earlier records are kept.
#[derive(clap::Args)]
pub struct Args {
    /// Folder of the adapter (PEFT's layout) or model
    #[arg(value_name = "FOLDER")]
    folder: PathBuf,

    #[command(flatten)]
    data: DataArgs,

    /// Random seed the data was drawn with
    #[arg(long, default_value_t = 0)]
    seed: u64,
}

pub fn run(args: Args) -> Result<Verdict> {
    let is_there = |name: &str| args.folder.join(name).is_file();
    if !["adapter_config.json", "config.json"].into_iter().any(is_there) {
        bail!("{} holds neither an adapter nor a model, expected one", args.folder.display());
    }
    let making = Making { bundle: DataSettings::BUNDLE, told: None, room: Room::UNBOUNDED };
    let data = Data::load(&args.data.into(), args.seed, making)?;
    let mut seen = Seen::load(&args.folder)?.unwrap_or_default();
    data.examples.iter().for_each(|example| seen.add(&example.trace));
    seen.save(&args.folder)?;
    let [tasks, inputs] = seen.counts();
    let path = args.folder.join(FILE_NAME);
    output::note(&format!("{tasks} fingerprints of tasks and {inputs} of inputs in {}", path.display()));
    Ok(Verdict::Done)
}
