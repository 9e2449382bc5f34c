//! `saydo train`: a small model learns from seen tasks.

mod data_args;
mod dry_run;
mod grid;

use crate::failure::Verdict;
use crate::flags::named;
use crate::model::ModelArgs;
use crate::progress::Terminal;
use crate::{memory, stop};
use anyhow::Result;
pub(super) use data_args::DataArgs;
use saydo::job::train::{Probe, Settings, train_at};
use saydo::nearest::nearest;
use saydo_train::{Ending, Labels, OptimizerName, Precision, Preset, Recipe, Schedule};
use std::path::PathBuf;

/// Fine-tune a model on tasks and their descriptions: a PEFT adapter, or all weights
///
/// saydo train --data natural-instructions -o runs/ni learns from all tasks but the paper's evaluation tasks, validates on
/// some held-out tasks, and writes runs/ni/best, to pass as --adapter (with --full, as --model). An interrupted training
/// resumes when started again. --lr 3e-5,5e-5 trains once per rate, each in its own folder, and names the best.
#[derive(clap::Args)]
pub struct Args {
    #[command(flatten)]
    data: DataArgs,

    /// A recipe: a paper's settings, or a .toml file of flags; other flags override it. natural-instructions: BART-base, 3
    /// epochs at 5e-5. zest-bart: BART-large, all weights but embeddings, 15 epochs at 3e-5, batches of 32. zest-t5: T5, all
    /// weights, 25,000 updates of 32 with Adafactor at 1e-3, last 10 checkpoints kept
    #[arg(long, value_name = "NAME|FILE", value_parser = preset)]
    preset: Option<Preset>,

    /// Folder for checkpoints, log, and the adapter or model
    #[arg(long, short = 'o', value_name = "FOLDER")]
    output_path: PathBuf,

    /// Number of updates (default: 500, or the preset's)
    #[arg(long, value_name = "N", conflicts_with = "epochs", help_heading = "Optimization")]
    steps: Option<usize>,

    /// Number of passes over all examples, instead of --steps
    #[arg(long, value_name = "N", help_heading = "Optimization")]
    epochs: Option<usize>,

    /// Examples per update (default: 16)
    #[arg(long, value_name = "N", help_heading = "Optimization")]
    batch: Option<usize>,

    /// Examples of a task that share one copy of its instruction (default: 8)
    #[arg(long, value_name = "N", help_heading = "Lengths and memory", hide_short_help = true)]
    bundle: Option<usize>,

    /// Max tokens computed together, which bounds memory; longer examples are skipped (default: 1024, or what --max-source
    /// and --max-target need)
    #[arg(long, value_name = "N", help_heading = "Lengths and memory", hide_short_help = true)]
    max_length: Option<usize>,

    /// Approximate memory for activations, in GB; layers that do not fit are recomputed for the backward pass, which takes
    /// up to a third longer (default: 4)
    #[arg(long, value_name = "GB", help_heading = "Lengths and memory", hide_short_help = true)]
    memory: Option<f64>,

    /// Precision of frozen weights and their inputs. bf16 is faster on CPUs with AMX or AVX512-BF16 and needs a third of the
    /// memory; it is slow on others (default: f32)
    #[arg(long, value_parser = named::<Precision>(), help_heading = "Lengths and memory")]
    precision: Option<Precision>,

    /// Max prompt tokens; longer prompts lose examples, then instruction elements, never the input (default: the model's
    /// limit)
    #[arg(long, value_name = "N", help_heading = "Lengths and memory", hide_short_help = true)]
    max_source: Option<usize>,

    /// Max output tokens for encoder-decoder models; longer outputs are cut (default: 64)
    #[arg(long, value_name = "N", help_heading = "Lengths and memory", hide_short_help = true)]
    max_target: Option<usize>,

    /// Skip prompts longer than N tokens
    #[arg(long, value_name = "N", help_heading = "Lengths and memory", hide_short_help = true)]
    max_prompt: Option<usize>,

    /// Skip inputs (without their shared instruction) longer than N tokens
    #[arg(long, value_name = "N", help_heading = "Lengths and memory", hide_short_help = true)]
    max_input: Option<usize>,

    /// Do not share instructions between prompts
    #[arg(long, help_heading = "Lengths and memory", hide_short_help = true)]
    no_pack: bool,

    /// What ends each output in training: the model's end token, the end of the line, or both (default: token)
    #[arg(long, value_parser = named::<Ending>(), help_heading = "Targets", hide_short_help = true)]
    end: Option<Ending>,

    /// Targets of tasks with labels: their gold labels; the model's own labels before training; or a KL term that keeps its
    /// probabilities as they were (default: gold)
    #[arg(long, value_parser = named::<Labels>(), help_heading = "Targets", hide_short_help = true)]
    labels: Option<Labels>,

    /// Layout in which the untrained model gives the probabilities for --labels held (default: the training layout; see
    /// `saydo encode --help`)
    #[arg(long, value_name = "NAME", help_heading = "Targets", hide_short_help = true)]
    hold_layout: Option<String>,

    /// Weight of the KL term of --labels held (default: 4)
    #[arg(long, value_name = "WEIGHT", help_heading = "Targets", hide_short_help = true)]
    hold: Option<f64>,

    /// Peak learning rate; several, separated by commas, are tried in turn (default: 2e-4)
    #[arg(long, value_name = "RATE", value_delimiter = ',', help_heading = "Optimization")]
    lr: Vec<f64>,

    /// Learning-rate schedule (default: linear)
    #[arg(long, value_parser = named::<Schedule>(), help_heading = "Optimization", hide_short_help = true)]
    schedule: Option<Schedule>,

    /// Warm-up updates (default: 20)
    #[arg(long, value_name = "N", help_heading = "Optimization", hide_short_help = true)]
    warm_up: Option<usize>,

    /// Max gradient norm; 0 = no clipping (default: 1)
    #[arg(long, value_name = "LENGTH", help_heading = "Optimization", hide_short_help = true)]
    clip: Option<f64>,

    /// Label smoothing (default: 0)
    #[arg(long, value_name = "SHARE", help_heading = "Optimization", hide_short_help = true)]
    label_smoothing: Option<f32>,

    /// Weight decay (default: 0)
    #[arg(long, value_name = "SHARE", help_heading = "Optimization", hide_short_help = true)]
    weight_decay: Option<f64>,

    /// Optimizer (default: adam-w)
    #[arg(long, value_parser = named::<OptimizerName>(), help_heading = "Optimization", hide_short_help = true)]
    optimizer: Option<OptimizerName>,

    /// Train all weights instead of an adapter; the result is a model folder for --model
    #[arg(long, conflicts_with_all = ["rank", "alpha", "dropout", "targets"], help_heading = "Adapter or all weights")]
    full: bool,

    /// With --full: freeze token and position embeddings
    #[arg(long, help_heading = "Adapter or all weights", hide_short_help = true)]
    freeze_embeddings: bool,

    /// LoRA rank (default: 16)
    #[arg(long, value_name = "N", help_heading = "Adapter or all weights")]
    rank: Option<usize>,

    /// LoRA alpha; updates are scaled by alpha / rank (default: 32)
    #[arg(long, help_heading = "Adapter or all weights", hide_short_help = true)]
    alpha: Option<f64>,

    /// LoRA dropout (default: 0)
    #[arg(long, value_name = "SHARE", help_heading = "Adapter or all weights", hide_short_help = true)]
    dropout: Option<f64>,

    /// Train T5 and BART without the dropout that their config.json asks for
    #[arg(long, help_heading = "Optimization", hide_short_help = true)]
    no_model_dropout: bool,

    /// Layers to adapt, by the last part of their names (default: all but the head)
    #[arg(
        long,
        value_name = "NAME",
        value_delimiter = ',',
        help_heading = "Adapter or all weights",
        hide_short_help = true
    )]
    targets: Vec<String>,

    /// Validate every N updates; 0 = never (default: 100)
    #[arg(long, value_name = "N", help_heading = "Validation and checkpoints")]
    validate_every: Option<usize>,

    /// Stop after N validations without improvement; 0 = never (default: 0)
    #[arg(long, value_name = "N", help_heading = "Validation and checkpoints", hide_short_help = true)]
    patience: Option<usize>,

    /// Save a checkpoint every N updates (default: 25)
    #[arg(long, value_name = "N", help_heading = "Validation and checkpoints", hide_short_help = true)]
    checkpoint_every: Option<usize>,

    /// Keep the last N checkpoints as adapters or models in kept/ (default: 0)
    #[arg(long, value_name = "N", help_heading = "Validation and checkpoints", hide_short_help = true)]
    keep: Option<usize>,

    /// Print tasks, examples, token counts, the first prompt and an estimate of the time; trains nothing
    #[arg(long)]
    dry_run: bool,

    /// Print the result as JSON
    #[arg(long)]
    json: bool,

    #[command(flatten)]
    model: ModelArgs,
}

pub fn run(args: Args) -> Result<Verdict> {
    let (as_json, places) = (args.json, args.model.home().places()?);
    let mut terminal = Terminal::new(false);
    if args.dry_run {
        let probe = Probe::new(args.into_settings(), &places, &mut |event| terminal.show(event))?;
        drop(terminal);
        dry_run::print(&probe, as_json)?;
        return Ok(Verdict::Done);
    }
    memory::keep_freed();
    let stop = stop::on_interrupt()?;
    let report = train_at(args.into_settings(), &places, &mut |event| terminal.show(event), &stop)?;
    drop(terminal);
    grid::print(&report, as_json)?;
    Ok(Verdict::Done)
}

impl Args {
    /// What these flags ask for.
    fn into_settings(self) -> Settings {
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
            no_model_dropout: self.no_model_dropout,
            targets: self.targets,
            validate_every: self.validate_every,
            patience: self.patience,
            checkpoint_every: self.checkpoint_every,
            keep: self.keep,
        };
        Settings { data: self.data.into(), recipe, model: self.model.settings(), folder: self.output_path }
    }
}

/// Reads the name of a preset, or a file.
fn preset(name: &str) -> Result<Preset, String> {
    Preset::load(name).map_err(|error| {
        let near = nearest(name, Preset::names()).map_or_else(String::new, |near| format!("; did you mean {near}?"));
        saydo::record::cell::chain(&error) + &near
    })
}
