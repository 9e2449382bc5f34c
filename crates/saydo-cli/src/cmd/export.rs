//! `saydo export`: training files for other engines, as the papers' authors wrote them or as `saydo train` would learn.

mod sft;

use crate::failure::Verdict;
use crate::output;
use anyhow::{Context, Result, bail};
use saydo_encode::training_file::{BartLines, bart_lines, bart_test_lines, t5_csv};
use saydo_metrics::python::Random;
use saydo_task::format::zest::{Record, read_records};
use saydo_task::source::Source;
use std::path::{Path, PathBuf};

/// The seed of the released script that drew one answer of several.
const BART_SEED: u32 = 5;

/// Write training files for other engines: ZEST for T5 or BART, or the data of saydo train
///
/// saydo export sft writes the prompts and outputs that saydo train would learn from, for TRL, Axolotl, t5x and others.
/// saydo export --for t5 or bart writes the files of ZEST's authors.
#[derive(clap::Args)]
#[command(args_conflicts_with_subcommands = true, subcommand_negates_reqs = true)]
pub struct Args {
    #[command(subcommand)]
    action: Option<Action>,

    #[command(flatten)]
    zest: Option<Zest>,
}

#[derive(clap::Subcommand)]
enum Action {
    Sft(sft::Args),
}

#[derive(clap::Args)]
struct Zest {
    /// Which model's files
    #[arg(long = "for", value_enum)]
    model: Model,

    /// Labelled tasks to train on: ZEST JSON Lines
    #[arg(long)]
    train: Option<PathBuf>,

    /// Labelled tasks to validate on
    #[arg(long)]
    dev: Option<PathBuf>,

    /// Tasks to test on; their answers are not written
    #[arg(long)]
    test: Option<PathBuf>,

    /// Folder to write to
    #[arg(long, short)]
    output_path: PathBuf,
}

#[derive(Clone, Copy, clap::ValueEnum)]
enum Model {
    /// `train.zest.csv`, `validation.zest.csv`, `test.zest.csv`
    T5,
    /// `train.source`, `train.target`, `val.source`, …
    Bart,
}

pub fn run(args: Args) -> Result<Verdict> {
    match (args.action, args.zest) {
        (Some(Action::Sft(args)), _) => sft::run(args),
        (None, Some(args)) => zest(&args),
        (None, None) => bail!("nothing to export, expected sft or --for"),
    }
}

fn zest(args: &Zest) -> Result<Verdict> {
    let parts = [&args.train, &args.dev, &args.test].map(|path| path.as_deref().map(load).transpose());
    let [train, dev, test] = parts;
    let (train, dev, test) = (train?, dev?, test?);
    if train.is_none() && dev.is_none() && test.is_none() {
        bail!("nothing to export, expected --train, --dev or --test");
    }
    saydo_file::disk::create_folders(&args.output_path)
        .with_context(|| format!("cannot make the folder {}", args.output_path.display()))?;
    let write = |name: &str, text: &str| {
        let path = args.output_path.join(name);
        saydo_file::write(&path, text.as_bytes()).with_context(|| format!("cannot write {}", path.display()))?;
        output::note(&format!("wrote {}", path.display()));
        Ok(())
    };
    match args.model {
        Model::T5 => export_t5([("train", train), ("validation", dev), ("test", test)], &write),
        Model::Bart => export_bart([("train", train), ("val", dev)], test, &write),
    }?;
    Ok(Verdict::Done)
}

fn load(path: &Path) -> Result<Vec<Record>> {
    Ok(read_records(&Source::load(path)?)?)
}

fn export_t5(parts: [(&str, Option<Vec<Record>>); 3], write: &dyn Fn(&str, &str) -> Result<()>) -> Result<()> {
    for (name, records) in parts {
        if let Some(records) = records {
            write(&format!("{name}.zest.csv"), &t5_csv(&records))?;
        }
    }
    Ok(())
}

/// The draws go on from one part to the next, as in the released script.
fn export_bart(
    labelled: [(&str, Option<Vec<Record>>); 2],
    test: Option<Vec<Record>>,
    write: &dyn Fn(&str, &str) -> Result<()>,
) -> Result<()> {
    let mut random = Random::seeded(BART_SEED);
    let write_lines = |name: &str, lines: &BartLines| {
        write(&format!("{name}.source"), &lines.source)?;
        write(&format!("{name}.target"), &lines.target)
    };
    for (name, records) in labelled {
        if let Some(records) = records {
            let lines = bart_lines(&records, &mut |count| random.choice_index(count));
            write_lines(name, &lines.with_context(|| format!("cannot export {name}"))?)?;
        }
    }
    if let Some(records) = test {
        write_lines("test", &bart_test_lines(&records))?;
    }
    Ok(())
}
