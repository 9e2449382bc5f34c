//! `saydo train`: a small model learns from seen tasks.

mod data_args;
mod events;
mod grid;
mod job;
mod validation;
mod watch;

use crate::failure::Verdict;
use crate::model::ModelArgs;
use crate::schema::named;
use anyhow::Result;
pub(super) use data_args::DataArgs;
pub(super) use job::{Job, Learned, Product};
use saydo_train::{DataSettings, Ending, Labels, OptimizerName, Precision, Preset, Recipe, Schedule};
use std::path::PathBuf;

/// Fine-tune a model on seen tasks with their descriptions: an adapter, which is PEFT's and works elsewhere, too, or all weights
///
/// saydo train --data natural-instructions -o runs/ni learns from all tasks but the paper's evaluation tasks, tries itself
/// on some that it holds back, and leaves runs/ni/best for --adapter; with --full, for --model. Stopped, it goes on where it
/// was when run again. --lr 3e-5,5e-5 tries one after the other, each in a folder of its own, and names the best.
#[derive(clap::Args)]
pub struct Args {
    #[command(flatten)]
    data: DataArgs,

    /// The settings of a paper; flags given beside it win. natural-instructions is its BART-base (3 epochs at 5e-5), zest-bart
    /// ZEST's BART-large (all weights but embeddings, 15 epochs at 3e-5, updates of 32), zest-t5 its T5 (all weights, 25,000
    /// updates of 32 with Adafactor at 1e-3, the last 10 checkpoints kept)
    #[arg(long, value_parser = named::<Preset>())]
    preset: Option<Preset>,

    /// Folder for checkpoints, the log and the adapter or model
    #[arg(long, short = 'o', value_name = "FOLDER")]
    output_path: PathBuf,

    /// Updates (default: 500; a preset's own)
    #[arg(long, value_name = "N", conflicts_with = "epochs")]
    steps: Option<usize>,

    /// How often to go through all examples, in place of --steps
    #[arg(long, value_name = "N")]
    epochs: Option<usize>,

    /// Examples of an update (default: 16)
    #[arg(long, value_name = "N")]
    batch: Option<usize>,

    /// Examples of a task that stand together behind one copy of its instruction
    #[arg(long, value_name = "N", default_value_t = DataSettings::BUNDLE)]
    bundle: usize,

    /// Rows that go through the network together, which bounds memory; longer examples are left out (default: 1024, or what
    /// --max-source and --max-target need)
    #[arg(long, value_name = "N")]
    max_length: Option<usize>,

    /// Gigabytes that what is kept for the gradients may take, about; the layers of a decoder that do not fit are computed
    /// again instead, which takes up to a third more time and learns the same (default: 4)
    #[arg(long, value_name = "GB")]
    memory: Option<f64>,

    /// Precision of frozen weights and of what they are multiplied by. bf16 is faster on CPUs with AMX or AVX512-BF16 and
    /// takes a third of the memory; on other CPUs it is slow
    #[arg(long, value_parser = named::<Precision>(), default_value = "f32")]
    precision: Precision,

    /// Tokens of the longest prompt; longer ones lose examples, then elements of the instruction, and never the input
    /// (default: what the model reads)
    #[arg(long, value_name = "N")]
    max_source: Option<usize>,

    /// For models with an encoder: tokens that outputs are cut to (default: 64)
    #[arg(long, value_name = "N")]
    max_target: Option<usize>,

    /// Longest prompt to learn from, in tokens; what is longer is left out
    #[arg(long, value_name = "N")]
    max_prompt: Option<usize>,

    /// Longest input to learn from, in tokens: what stands behind the instruction, which is shared. What is longer is left
    /// out
    #[arg(long, value_name = "N")]
    max_input: Option<usize>,

    /// Compute every prompt whole, without sharing instructions
    #[arg(long)]
    no_pack: bool,

    /// What stands behind an output, and is learned with it: the model's end token; the end of the line, as behind the
    /// examples of a plain prompt; or the line's end and then the token, so that replies end by themselves
    #[arg(long, value_parser = named::<Ending>(), default_value = "token")]
    end: Ending,

    /// What tasks with labels teach: their gold labels; those that the model gives before the first update; or nothing: the
    /// model is held to the probabilities that it gives without the adapter, while it learns from other tasks
    #[arg(long, value_parser = named::<Labels>(), default_value = "gold")]
    labels: Labels,

    /// Hold tasks with labels to what the model says without the adapter in this layout, whatever layout is learned from: a
    /// prompt that tells more teaches those that tell less (see `saydo encode --help`; default: the same layout)
    #[arg(long, value_name = "NAME")]
    hold_layout: Option<String>,

    /// How much tokens that hold the model count against those that are learned (default: 4)
    #[arg(long, value_name = "WEIGHT")]
    hold: Option<f64>,

    /// The greatest learning rate; several, separated by commas, are tried one after the other (default: 2e-4)
    #[arg(long, value_name = "RATE", value_delimiter = ',')]
    lr: Vec<f64>,

    /// How the learning rate changes (default: linear)
    #[arg(long, value_parser = named::<Schedule>())]
    schedule: Option<Schedule>,

    /// Updates over which the learning rate rises (default: 20)
    #[arg(long, value_name = "N")]
    warm_up: Option<usize>,

    /// The greatest length of the gradients; 0 for any (default: 1)
    #[arg(long, value_name = "LENGTH")]
    clip: Option<f64>,

    /// Share of the target that is spread over the vocabulary (default: 0)
    #[arg(long, value_name = "SHARE")]
    label_smoothing: Option<f32>,

    /// Share of matrices that is taken off at each update, times the learning rate (default: 0)
    #[arg(long, value_name = "SHARE")]
    weight_decay: Option<f64>,

    /// The rule by which weights change (default: adam-w)
    #[arg(long, value_parser = named::<OptimizerName>())]
    optimizer: Option<OptimizerName>,

    /// Change all weights instead of adding an adapter; the result is a model folder for --model
    #[arg(long, conflicts_with_all = ["rank", "alpha", "dropout", "targets"])]
    full: bool,

    /// With --full: leave token and position embeddings as they are
    #[arg(long)]
    freeze_embeddings: bool,

    /// Rank of the adapter (default: 16)
    #[arg(long, value_name = "N")]
    rank: Option<usize>,

    /// The adapter's addition is multiplied by alpha / rank (default: 32)
    #[arg(long)]
    alpha: Option<f64>,

    /// Share of a layer's inputs that the adapter does not see in training (default: 0)
    #[arg(long, value_name = "SHARE")]
    dropout: Option<f64>,

    /// Layers that the adapter changes, by the last part of their names (default: all but the head)
    #[arg(long, value_name = "NAME", value_delimiter = ',')]
    targets: Vec<String>,

    /// Updates between validations; 0 for none (default: 100)
    #[arg(long, value_name = "N")]
    validate_every: Option<usize>,

    /// Validations without a better score after which training ends; 0 for never
    #[arg(long, value_name = "N", default_value_t = 0)]
    patience: usize,

    /// Updates between checkpoints (default: 25)
    #[arg(long, value_name = "N")]
    checkpoint_every: Option<usize>,

    /// How many of the latest checkpoints to keep as adapters or models in kept/ (default: 0)
    #[arg(long, value_name = "N")]
    keep: Option<usize>,

    /// Print what came of it as JSON
    #[arg(long)]
    json: bool,

    #[command(flatten)]
    model: ModelArgs,
}

pub fn run(args: Args) -> Result<Verdict> {
    let as_json = args.json;
    grid::print(&args.into_job().train_all()?, as_json)?;
    Ok(Verdict::Done)
}

impl Args {
    /// What these flags ask for.
    fn into_job(self) -> Job {
        let recipe = Recipe {
            preset: self.preset,
            steps: self.steps,
            epochs: self.epochs,
            batch: self.batch,
            bundle: self.bundle,
            max_length: self.max_length,
            memory: self.memory,
            precision: self.precision,
            max_source: self.max_source,
            max_target: self.max_target,
            max_prompt: self.max_prompt,
            max_input: self.max_input,
            no_pack: self.no_pack,
            end: self.end,
            labels: self.labels,
            hold_layout: self.hold_layout,
            hold: self.hold,
            lr: self.lr,
            schedule: self.schedule,
            warm_up: self.warm_up,
            clip: self.clip,
            label_smoothing: self.label_smoothing,
            weight_decay: self.weight_decay,
            optimizer: self.optimizer,
            full: self.full,
            freeze_embeddings: self.freeze_embeddings,
            rank: self.rank,
            alpha: self.alpha,
            dropout: self.dropout,
            targets: self.targets,
            validate_every: self.validate_every,
            patience: self.patience,
            checkpoint_every: self.checkpoint_every,
            keep: self.keep,
        };
        Job { data: self.data.into(), recipe, model: self.model, output_path: self.output_path }
    }
}
