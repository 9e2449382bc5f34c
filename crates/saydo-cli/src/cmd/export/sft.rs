//! `saydo export sft`: what `saydo train` would learn from, for engines that train on more than one machine.

use crate::cmd::train::DataArgs;
use crate::failure::Verdict;
use crate::output;
use anyhow::{Context, Result};
use saydo_corpus::{SftForm, SftRow, write_sft_jsonl, write_sft_parquet};
use saydo_encode::Layout;
use saydo_train::data::{Making, chosen};
use saydo_train::{Data, DataSettings, Example, Room};
use std::path::PathBuf;

/// Write the prompts and outputs of saydo train, for TRL, Axolotl, t5x and others
///
/// saydo export sft --data natural-instructions -o sft writes sft/train.jsonl and sft/validation.jsonl: the same tasks, layouts
/// and splits as saydo train with the same flags, the tasks it holds back on the validation side. See docs/sft.md.
#[derive(clap::Args)]
pub struct Args {
    #[command(flatten)]
    data: DataArgs,

    /// Form of prompts and outputs
    #[arg(long, value_enum, default_value = "chat")]
    form: FormArg,

    /// File format
    #[arg(long, value_enum, default_value = "jsonl")]
    format: FormatArg,

    /// Random seed, as for saydo train
    #[arg(long, default_value_t = 0)]
    seed: u64,

    /// Folder to write to
    #[arg(long, short = 'o', value_name = "FOLDER")]
    output_path: PathBuf,
}

#[derive(Clone, Copy, clap::ValueEnum)]
enum FormArg {
    /// messages: a turn of the user and one of the assistant
    Chat,
    /// prompt and completion
    PromptCompletion,
}

#[derive(Clone, Copy, clap::ValueEnum)]
enum FormatArg {
    Jsonl,
    Parquet,
}

pub fn run(args: Args) -> Result<Verdict> {
    let settings = DataSettings::from(args.data);
    let making = Making { bundle: DataSettings::BUNDLE, told: None, room: Room::UNBOUNDED };
    let data = Data::load(&settings, args.seed, making)?;
    let layout = Layout::named(settings.first_layout())?;
    let mut validation = Vec::new();
    for (number, task) in data.dev.iter().enumerate() {
        let instances = chosen(task, &layout, settings.dev_limit, false);
        let made = Example::of_task(number, task, &instances, &layout, Room::UNBOUNDED)?;
        validation.extend(made.into_iter().map(|(example, _)| example));
    }
    saydo_file::disk::create_folders(&args.output_path)
        .with_context(|| format!("cannot make the folder {}", args.output_path.display()))?;
    for (name, examples) in [("train", data.examples), ("validation", validation)] {
        if examples.is_empty() {
            continue;
        }
        let form = match args.form {
            FormArg::Chat => SftForm::Chat,
            FormArg::PromptCompletion => SftForm::PromptCompletion,
        };
        let rows = examples.into_iter().map(row);
        let path = |ending: &str| args.output_path.join(format!("{name}.{ending}"));
        let (path, count) = match args.format {
            FormatArg::Jsonl => (path("jsonl"), write_sft_jsonl(&path("jsonl"), form, rows)?),
            FormatArg::Parquet => (path("parquet"), write_sft_parquet(&path("parquet"), form, rows)?),
        };
        output::note(&format!("wrote {count} rows to {}", path.display()));
    }
    Ok(Verdict::Done)
}

fn row(example: Example) -> SftRow {
    SftRow { prompt: example.prompt.whole(), output: example.output.trim().to_owned() }
}
