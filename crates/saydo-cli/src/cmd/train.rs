//! `saydo train`: a small model learns from seen tasks.

pub(super) mod data;
pub(super) mod data_args;
mod events;
mod grid;
mod own_labels;
mod plan;
mod preset;
mod validation;
mod watch;

use crate::failure::Verdict;
use crate::model::ModelArgs;
use crate::prefix::beginning;
use crate::{memory, output, stop};
use anyhow::{Context, Result, bail};
use data::{Data, Making, digest};
pub(super) use data_args::DataArgs;
use grid::Trained;
use own_labels::with_own_labels;
use plan::Plan;
use preset::Preset;
use saydo_function::Trained as TrainedFunctions;
use saydo_model::chat::ChatTemplate;
use saydo_model::kernel::has_bf16;
use saydo_model::tokenizer::Tokenizer;
use saydo_model::weights::Weights;
use saydo_model::{EngineSettings, Model, PromptEncoder, PromptLimit};
use saydo_protocol::record::write_json;
use saydo_train::{Example, Learned, Learner, Order, Precision, Room, Settings, Tokens, train};
use serde_json::json;
use std::path::PathBuf;
use std::sync::Arc;
use std::sync::atomic::AtomicBool;
use validation::Validation;
use watch::Watch;

/// Fine-tune a model on seen tasks with their descriptions: an adapter, which is PEFT's and works elsewhere, too, or all weights
///
/// saydo train --data natural-instructions -o runs/ni learns from all tasks but the paper's evaluation tasks, tries itself
/// on some that it holds back, and leaves runs/ni/best for --adapter; with --full, for --model. Stopped, it goes on where it
/// was when run again. --lr 3e-5,5e-5 tries one after the other, each in a folder of its own, and names the best.
#[derive(clap::Args)]
pub struct Args {
    #[command(flatten)]
    data: DataArgs,

    /// The settings of a paper; flags given beside it win
    #[arg(long, value_enum)]
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
    #[arg(long, value_name = "N", default_value_t = data_args::BUNDLE)]
    bundle: usize,

    /// Rows that go through the network together, which bounds memory; longer examples are left out (default: 1024, or what
    /// --max-source and --max-target need)
    #[arg(long, value_name = "N")]
    max_length: Option<usize>,

    /// Gigabytes that what is kept for the gradients may take, about; the layers of a decoder that do not fit are computed
    /// again instead, which takes up to a third more time and learns the same (default: 4)
    #[arg(long, value_name = "GB", value_parser = gigabytes)]
    memory: Option<u64>,

    /// Precision of frozen weights and of what they are multiplied by. bf16 is faster on CPUs with AMX or AVX512-BF16 and
    /// takes a third of the memory; on other CPUs it is slow
    #[arg(long, value_enum, default_value_t = PrecisionArg::F32)]
    precision: PrecisionArg,

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
    #[arg(long, value_enum, default_value_t = EndArg::Token)]
    end: EndArg,

    /// What tasks with labels teach: their gold labels; those that the model gives before the first update; or nothing: the
    /// model is held to the probabilities that it gives without the adapter, while it learns from other tasks
    #[arg(long, value_enum, default_value_t = LabelsArg::Gold)]
    labels: LabelsArg,

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
    #[arg(long, value_enum)]
    schedule: Option<ScheduleArg>,

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
    #[arg(long, value_enum)]
    optimizer: Option<OptimizerArg>,

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

#[derive(Clone, Copy, clap::ValueEnum)]
enum EndArg {
    Token,
    Line,
    LineAndToken,
}

/// What products with frozen weights are rounded to.
#[derive(Clone, Copy, clap::ValueEnum)]
pub(super) enum PrecisionArg {
    F32,
    Bf16,
}

impl PrecisionArg {
    pub fn precision(self) -> Precision {
        match self {
            Self::F32 => Precision::F32,
            Self::Bf16 => Precision::Bf16,
        }
    }
}

#[derive(Clone, Copy, clap::ValueEnum)]
enum LabelsArg {
    Gold,
    Own,
    Held,
}

#[derive(Clone, Copy, Debug, clap::ValueEnum)]
enum ScheduleArg {
    Constant,
    Linear,
    Cosine,
}

#[derive(Clone, Copy, clap::ValueEnum)]
enum OptimizerArg {
    AdamW,
    Adafactor,
}

pub fn run(args: Args) -> Result<Verdict> {
    let as_json = args.json;
    grid::print(&train_all(args)?, as_json)?;
    Ok(Verdict::Done)
}

/// Trains with the one learning rate that is given, or goes on from where it was, and gives the flag under which others
/// take what was learned: `--adapter=…` or `--model=…`.
pub(super) fn learned_flag(args: Args) -> Result<String> {
    if args.lr.len() > 1 {
        bail!("{} learning rates, expected one: put them on an axis of the grid", args.lr.len());
    }
    let all = train_all(args)?;
    let trained = all.first().context("a training has a learning rate")?;
    let flag = if trained.result.join("adapter_config.json").exists() { "adapter" } else { "model" };
    Ok(format!("--{flag}={}", trained.result.display()))
}

fn gigabytes(text: &str) -> Result<u64, String> {
    let number: f64 = text.parse().map_err(|_| "expected a number of gigabytes, such as 1.5".to_owned())?;
    match number.is_finite() && number >= 0.0 {
        true => Ok((number * 1e9) as u64),
        false => Err("expected a number of gigabytes from 0 on".to_owned()),
    }
}

/// Trains with every learning rate.
fn train_all(mut args: Args) -> Result<Vec<Trained>> {
    let mut plan = Plan::new(&mut args)?;
    memory::keep_freed();
    let path = args.model.path()?;
    let weights = Weights::open(&path, plan.settings.learned.purpose())?;
    let tokenizer = Tokenizer::of_weights(&weights, &path)?;
    plan.bound(PromptLimit::of_weights(&weights)?);
    let (before, behind) = tokenizer.frame();
    let around = before.len() + behind.len().max(1);
    let count = |text: &str| tokenizer.count(text) + around;
    let truncate = |text: &str, tokens: usize| beginning(text, tokens, &|text| tokenizer.count(text));
    let room = Room {
        max_tokens: Some(plan.most.source),
        tokens: saydo_encode::Tokens { count: &count, truncate: &truncate },
    };
    let (bundle, told) = (plan.settings.per_task, args.hold_layout.as_deref());
    let data = Data::load(&args.data, args.model.seed(), Making { bundle, told, room })?;
    for (what, count) in &data.lacking {
        let all = data.examples.len();
        output::note(&format!("{count} of {all} prompts lack {what}, to fit {} tokens", plan.most.source));
    }
    if data.leaks.tasks + data.leaks.instances > 0 {
        output::note(&format!(
            "left out: {} tasks that must stay unseen, {} instances with their inputs",
            data.leaks.tasks, data.leaks.instances
        ));
    }
    let stop = stop::on_interrupt()?;
    let mut all = Vec::new();
    for rate in &plan.rates {
        let folder = match plan.rates.len() {
            1 => args.output_path.clone(),
            _ => args.output_path.join(format!("lr-{rate:e}")),
        };
        if plan.rates.len() > 1 {
            output::note(&format!("learning rate {rate:e}, in {}", folder.display()));
        }
        all.push(one(&args, &plan, &data, *rate, folder, &stop)?);
    }
    Ok(all)
}

/// The training of one learning rate.
fn one(args: &Args, plan: &Plan, data: &Data, rate: f64, folder: PathBuf, stop: &AtomicBool) -> Result<Trained> {
    let path = args.model.path()?;
    let mut settings = Settings { rate, ..plan.settings.clone() };
    let weights = Weights::open(&path, settings.purpose())?;
    let tokenizer = Tokenizer::of_weights(&weights, &path)?;
    let template = ChatTemplate::of_weights(&weights, &path, &tokenizer)?;
    let mut learner = Learner::new(&weights, &settings.learned, settings.seed, args.model.thread_count())
        .and_then(|learner| learner.with_precision(settings.precision))
        .with_context(|| format!("cannot train {}", args.model.name()))?;
    // The learner has its own copy; pages of the mapped file would count as ours.
    drop(weights);
    if settings.precision == Precision::Bf16 && !has_bf16() {
        output::note("this CPU has neither AMX nor AVX512-BF16: --precision f32 is faster here");
    }
    let (adapter, mut seen) = args.model.starting_point()?;
    if let Some(adapter) = adapter {
        learner.start_from(&adapter)?;
    }
    let has_encoder = learner.decoder_start().is_some();
    let encoder = PromptEncoder { tokenizer: &tokenizer, template: template.as_ref(), has_encoder };
    let mut examples = short_enough(&data.examples, &encoder, args, plan)?;
    let mut fingerprint = data.fingerprint.clone();
    if matches!(args.labels, LabelsArg::Own) {
        let engine = EngineSettings { threads: args.model.thread_count(), ..EngineSettings::default() };
        let model = || -> Result<Box<dyn Model>> { Ok(Box::new(learner.model(engine)?)) };
        // Whatever the learning rate, the model begins as the same, so all rates share what it says.
        examples = with_own_labels(&examples, &data.labels, model, &args.output_path, stop)?;
        fingerprint = digest(&examples);
    }
    examples.iter().for_each(|example| seen.add(&example.trace));
    learner.seen = Some(seen);
    let is_held = |example: &Example| matches!(args.labels, LabelsArg::Held) && data.labels.contains_key(&example.task);
    let num_held = examples.iter().filter(|example| is_held(example)).count();
    if num_held > 0 {
        output::note(&format!("{num_held} of {} examples hold the model where it is", examples.len()));
        fingerprint += &format!("+{num_held} held");
    }
    let tokens = |example| {
        let tokens = tokens_of(example, &encoder, plan)?;
        if !is_held(example) {
            return Ok(tokens);
        }
        let told = example.told.clone().map(|prompt| Example { prompt, ..example.clone() });
        let told = told.map(|told| tokens_of(&told, &encoder, plan)).transpose()?;
        Ok(tokens.held(told.map(|told| told.prompt)))
    };
    let examples = examples.iter().map(tokens).collect::<Result<Vec<_>>>()?;
    if has_encoder && !plan.is_bounded {
        settings.max_rows = settings.max_rows.max(plan.most.source + plan.most.target + 1);
    }
    if let Some(epochs) = plan.epochs {
        settings.steps = Order::new(&examples, settings.per_task, settings.batch, settings.seed).steps_in(epochs);
    }
    output::note(&format!(
        "{} tasks, {} examples, {} tasks held back; {} numbers to learn, {} updates",
        data.seen,
        examples.len(),
        data.dev.len(),
        learner.parameter_count(),
        settings.steps
    ));
    let count = |text: &str| tokenizer.count(text);
    let truncate = |text: &str, tokens: usize| beginning(text, tokens, &count);
    let (before, behind) = tokenizer.frame();
    let tokens = saydo_encode::Tokens { count: &count, truncate: &truncate };
    let max_tokens = Some(plan.most.source.saturating_sub(before.len() + behind.len().max(1)));
    let mut validation = Validation::new(args, data, Room { max_tokens, tokens })?;
    if let Some(name) = validation.name().filter(|_| settings.validate_every > 0) {
        output::note(&format!("dev is the {name}"));
    }
    let mut watch = Watch::new(&folder, settings.steps)?;
    write_json(&folder.join("prompts.json"), &json!({ "examples": data.examples.len(), "lacking": data.lacking }))?;
    let mut validate = |learner: &Learner, _: usize| validation.score(learner);
    let wanted =
        (settings.validate_every > 0 && !data.dev.is_empty()).then_some(&mut validate as saydo_train::Validate<'_>);
    let place = (folder.as_path(), fingerprint.as_str());
    let outcome = train(&learner, &examples, &settings, place, wanted, &mut |event| watch.show(event), stop)?;
    watch.finish();
    if outcome.left_out > 0 {
        output::note(&format!(
            "{} times an example was longer than --max-length {} and left out",
            outcome.left_out, settings.max_rows
        ));
    }
    if outcome.is_interrupted {
        bail!("interrupted after step {} of {}; the same command goes on from there", outcome.step, settings.steps);
    }
    let result = folder.join(if outcome.best.is_some() { "best" } else { "last" });
    if !args.data.reading.is_empty() && matches!(settings.learned, Learned::Adapter { .. }) {
        let path = result.join(TrainedFunctions::FILE);
        std::fs::write(&path, serde_json::to_vec(&TrainedFunctions::now())?)
            .with_context(|| format!("cannot write {}", path.display()))?;
    }
    let score = outcome.best.map_or_else(String::new, |(step, score)| format!(" (dev {score:.1} at step {step})"));
    let what = if matches!(settings.learned, Learned::Full { .. }) { "model" } else { "adapter" };
    output::note(&format!("{what} in {}{score}", result.display()));
    Ok(Trained { lr: rate, folder, steps: outcome.step, best: outcome.best, loss: watch.loss, result })
}

fn tokens_of(example: &Example, encoder: &PromptEncoder<'_>, plan: &Plan) -> Result<Tokens> {
    Ok(match encoder.has_encoder {
        true => example.pair(encoder.tokenizer, plan.most)?,
        false => example.tokens(encoder, plan.settings.ending)?,
    })
}

/// The examples without those whose prompts are longer than asked for.
fn short_enough(examples: &[Example], encoder: &PromptEncoder<'_>, args: &Args, plan: &Plan) -> Result<Vec<Example>> {
    let mut kept = Vec::with_capacity(examples.len());
    let mut prefix = (Arc::<str>::from(""), 0);
    for example in examples {
        if example.prompt.prefix != prefix.0 {
            let tokens = encoder.tokenizer.encode(&example.prompt.prefix, false)?;
            prefix = (Arc::clone(&example.prompt.prefix), tokens.len());
        }
        let prompt = tokens_of(example, encoder, plan)?.prompt.len();
        let input = prompt.saturating_sub(prefix.1);
        let fits = |limit: Option<usize>, length: usize| limit.is_none_or(|limit| length <= limit);
        if fits(args.max_prompt, prompt) && (prefix.1 == 0 || fits(args.max_input, input)) {
            kept.push(example.clone());
        }
    }
    let left_out = examples.len() - kept.len();
    if left_out > 0 {
        output::note(&format!("left out: {left_out} of {} examples, longer than asked for", examples.len()));
    }
    Ok(kept)
}
