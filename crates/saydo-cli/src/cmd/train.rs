//! `saydo train`: a small model learns from seen tasks.

mod data;
mod validation;
mod watch;

use crate::failure::Verdict;
use crate::model::ModelArgs;
use crate::{memory, output, stop};
use anyhow::{Context, Result, bail};
use data::Data;
use saydo_model::PromptEncoder;
use saydo_model::chat::ChatTemplate;
use saydo_model::tokenizer::Tokenizer;
use saydo_model::weights::{Purpose, Weights};
use saydo_train::{Example, Learned, Learner, OptimizerKind, Schedule, Settings, Tokens, train};
use std::path::PathBuf;
use std::sync::Arc;
use validation::Validation;
use watch::Watch;

/// Fine-tune a model on seen tasks with their descriptions; the adapter is PEFT's and works elsewhere, too
///
/// saydo train --data natural-instructions -o runs/ni learns from all tasks but the paper's evaluation tasks, tries itself
/// on some that it holds back, and leaves runs/ni/best for --adapter. Stopped, it goes on where it was when run again.
#[derive(clap::Args)]
pub struct Args {
    /// Tasks to learn from: files or folders. May be given several times
    #[arg(long, required = true, value_name = "PATH")]
    data: Vec<PathBuf>,

    /// Split file of `saydo split`, whose seen side is learned from, or natural-instructions, leave-one-category:NAME,
    /// leave-one-dataset:NAME, leave-one-task:ID
    #[arg(long, value_name = "SPLIT")]
    split: Option<String>,

    /// Layouts of prompts, in turn for each bundle
    #[arg(long, value_name = "NAME", value_delimiter = ',', default_value = "ni-full-no-negative")]
    layout: Vec<String>,

    /// Tasks that must stay unseen: files or folders. They are never learned from, nor is any instance whose input is one
    /// of theirs. May be given several times
    #[arg(long, value_name = "PATH")]
    unseen: Vec<PathBuf>,

    /// Draw the examples anew for each bundle, from the task's examples and instances, so that they do not give the answer
    /// away
    #[arg(long)]
    draw_examples: bool,

    /// Learn also from questions over documents, made of tasks that ask questions over passages: spans, yes and no, and
    /// "Not stated"
    #[arg(long)]
    questions: bool,

    /// Instances of each task at most: one number, or one for each --data, which gives the mixture its rates
    #[arg(long, value_name = "N", value_delimiter = ',', default_value = "100")]
    per_task_cap: Vec<usize>,

    /// Tasks that are held back to validate on
    #[arg(long, value_name = "N", default_value_t = 6)]
    dev_tasks: usize,

    /// Instances of each of them
    #[arg(long, value_name = "N", default_value_t = 16)]
    dev_limit: usize,

    /// Folder for checkpoints, the log and the adapter
    #[arg(long, short = 'o', value_name = "FOLDER")]
    output_path: PathBuf,

    /// Updates
    #[arg(long, default_value_t = 500)]
    steps: usize,

    /// Examples of an update
    #[arg(long, default_value_t = 16)]
    batch: usize,

    /// Examples of a task that stand together behind one copy of its instruction
    #[arg(long, value_name = "N", default_value_t = 8)]
    bundle: usize,

    /// Rows that go through the network together, which bounds memory; longer examples are left out
    #[arg(long, value_name = "N", default_value_t = 1024)]
    max_length: usize,

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

    /// The greatest learning rate
    #[arg(long, default_value_t = 2e-4)]
    lr: f64,

    /// How the learning rate changes
    #[arg(long, value_enum, default_value = "linear")]
    schedule: ScheduleArg,

    /// Updates over which the learning rate rises
    #[arg(long, value_name = "N", default_value_t = 20)]
    warm_up: usize,

    /// The greatest length of the gradients
    #[arg(long, default_value_t = 1.0)]
    clip: f64,

    /// Share of the target that is spread over the vocabulary
    #[arg(long, value_name = "SHARE", default_value_t = 0.0)]
    label_smoothing: f32,

    /// Share of the adapter that is taken off at each update, times the learning rate
    #[arg(long, value_name = "SHARE", default_value_t = 0.0)]
    weight_decay: f64,

    /// The rule by which weights change
    #[arg(long, value_enum, default_value = "adam-w")]
    optimizer: OptimizerArg,

    /// Rank of the adapter
    #[arg(long, default_value_t = 16)]
    rank: usize,

    /// The adapter's addition is multiplied by alpha / rank
    #[arg(long, default_value_t = 32.0)]
    alpha: f64,

    /// Layers that the adapter changes, by the last part of their names (default: all but the head)
    #[arg(long, value_name = "NAME", value_delimiter = ',')]
    targets: Vec<String>,

    /// Updates between validations; 0 for none
    #[arg(long, value_name = "N", default_value_t = 100)]
    validate_every: usize,

    /// Validations without a better score after which training ends; 0 for never
    #[arg(long, value_name = "N", default_value_t = 0)]
    patience: usize,

    /// Updates between checkpoints
    #[arg(long, value_name = "N", default_value_t = 25)]
    checkpoint_every: usize,

    #[command(flatten)]
    model: ModelArgs,
}

#[derive(Clone, Copy, clap::ValueEnum)]
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
    if args.rank == 0 || args.batch == 0 || args.steps == 0 {
        bail!("--rank, --batch and --steps must be at least 1");
    }
    memory::keep_freed();
    let data = Data::load(&args)?;
    let path = args.model.path()?;
    let weights = Weights::open(&path, Purpose::Training(candle_core::Device::Cpu))?;
    let tokenizer = Tokenizer::of_weights(&weights, &path)?;
    let template = ChatTemplate::of_weights(&weights, &path, &tokenizer)?;
    let settings = settings(&args);
    let learner = Learner::new(&weights, &settings.learned, settings.seed, args.model.thread_count())
        .with_context(|| format!("cannot train {}", args.model.name()))?;
    if let Some(adapter) = args.model.named_adapter()? {
        learner.start_from(&adapter)?;
    }
    let encoder = PromptEncoder { tokenizer: &tokenizer, template: template.as_ref(), has_encoder: false };
    let examples = short_enough(&data.examples, &encoder, &args)?;
    if data.leaks.tasks + data.leaks.instances > 0 {
        output::note(&format!(
            "left out: {} tasks that must stay unseen, {} instances with their inputs",
            data.leaks.tasks, data.leaks.instances
        ));
    }
    output::note(&format!(
        "{} tasks, {} examples, {} tasks held back; {} numbers to learn",
        data.seen,
        examples.len(),
        data.dev.len(),
        learner.parameter_count()
    ));
    let mut validation = Validation::new(&args, &path, &data)?;
    let mut watch = Watch::new(&args.output_path, settings.steps)?;
    let stop = stop::on_interrupt()?;
    let mut validate = |learner: &Learner, _: usize| validation.score(learner);
    let wanted =
        (settings.validate_every > 0 && !data.dev.is_empty()).then_some(&mut validate as saydo_train::Validate<'_>);
    let place = (args.output_path.as_path(), data.fingerprint.as_str());
    let outcome = train(&learner, &examples, &settings, place, wanted, &mut |event| watch.show(event), &stop)?;
    watch.finish();
    if outcome.left_out > 0 {
        output::note(&format!(
            "{} times an example was longer than --max-length {} and left out",
            outcome.left_out, args.max_length
        ));
    }
    if outcome.is_interrupted {
        bail!("interrupted after step {} of {}; the same command goes on from there", outcome.step, settings.steps);
    }
    let name = if outcome.best.is_some() { "best" } else { "last" };
    let score = outcome.best.map_or_else(String::new, |(step, score)| format!(" (dev {score:.1} at step {step})"));
    output::note(&format!("adapter in {}{score}", args.output_path.join(name).display()));
    Ok(Verdict::Done)
}

/// The examples as tokens, without those that are longer than asked for.
fn short_enough(examples: &[Example], encoder: &PromptEncoder<'_>, args: &Args) -> Result<Vec<Tokens>> {
    let mut kept = Vec::with_capacity(examples.len());
    let mut prefix = (Arc::<str>::from(""), 0);
    for example in examples {
        if example.prompt.prefix != prefix.0 {
            let tokens = encoder.tokenizer.encode(&example.prompt.prefix, false);
            prefix = (Arc::clone(&example.prompt.prefix), tokens.len());
        }
        let tokens = example.tokens(encoder)?;
        let input = tokens.prompt.len().saturating_sub(prefix.1);
        let fits = |limit: Option<usize>, length: usize| limit.is_none_or(|limit| length <= limit);
        if fits(args.max_prompt, tokens.prompt.len()) && (prefix.1 == 0 || fits(args.max_input, input)) {
            kept.push(tokens);
        }
    }
    let left_out = examples.len() - kept.len();
    if left_out > 0 {
        output::note(&format!("left out: {left_out} of {} examples, longer than asked for", examples.len()));
    }
    Ok(kept)
}

fn settings(args: &Args) -> Settings {
    Settings {
        learned: Learned::Adapter { rank: args.rank, alpha: args.alpha, targets: args.targets.clone() },
        steps: args.steps,
        batch: args.batch,
        per_task: args.bundle,
        max_rows: args.max_length,
        packed: !args.no_pack,
        rate: args.lr,
        schedule: match args.schedule {
            ScheduleArg::Constant => Schedule::Constant,
            ScheduleArg::Linear => Schedule::Linear,
            ScheduleArg::Cosine => Schedule::Cosine,
        },
        warm_up: args.warm_up,
        clip: args.clip,
        smoothing: args.label_smoothing,
        optimizer: match args.optimizer {
            OptimizerArg::AdamW => {
                OptimizerKind::AdamW { beta1: 0.9, beta2: 0.999, epsilon: 1e-8, weight_decay: args.weight_decay }
            }
            OptimizerArg::Adafactor => OptimizerKind::Adafactor { weight_decay: args.weight_decay },
        },
        checkpoint_every: args.checkpoint_every,
        validate_every: args.validate_every,
        patience: args.patience,
        seed: args.model.seed(),
    }
}
