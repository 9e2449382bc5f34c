//! `saydo bench train`: how fast a model learns here, and with PyTorch and PEFT if Python has them.

use super::table;
use crate::failure::Verdict;
use crate::flags::named;
use crate::home::Home;
use crate::progress::Terminal;
use crate::{memory, output};
use anyhow::Result;
use saydo::job::bench::train::{Settings, measure};
use saydo_hub::{Source, resolve};
use saydo_model::EngineSettings;
use saydo_train::Precision;
use std::path::PathBuf;

/// Measure training: whole prompts, and a mixture of tasks whose instances share their instruction
///
/// Both engines get the same weights, the same tokens and an adapter of the same rank on every linear layer but the head,
/// one engine after the other. Whole prompts are 4 of 256 tokens. In the mixture, saydo computes each instruction once for
/// all its instances; PEFT takes padded batches of 4, as its users do. The loss of the first update says that both do the
/// same thing.
#[derive(clap::Args)]
pub struct Args {
    /// Model: a name of the catalog, a path to a GGUF file, or hf:owner/repo/file
    #[arg(long, short, default_value = "smollm2-135m", env = "SAYDO_MODEL")]
    model: String,

    /// Tasks of the mixture: a file or folder, instead of the built-in task
    #[arg(long, value_name = "PATH")]
    data: Option<PathBuf>,

    /// Tasks of the mixture at most, spread over the data
    #[arg(long, value_name = "N", default_value_t = 4)]
    tasks: usize,

    /// Instances of each task
    #[arg(long, value_name = "N", default_value_t = 16)]
    instances: usize,

    /// Rank of the adapter
    #[arg(long, default_value_t = 8)]
    rank: usize,

    /// What products with frozen weights are rounded to, with both engines
    #[arg(long, value_parser = named::<Precision>(), default_value = "f32")]
    precision: Precision,

    /// Number of threads (default: one per core)
    #[arg(long)]
    threads: Option<usize>,

    /// Do not compare with PEFT
    #[arg(long)]
    alone: bool,

    /// Python that has torch, transformers and peft
    #[arg(long, default_value = "python3")]
    python: PathBuf,

    /// How often each figure is taken behind a warm-up; the median counts
    #[arg(long, default_value_t = 2)]
    repeats: usize,

    /// Print JSON
    #[arg(long)]
    json: bool,

    #[command(flatten)]
    home: Home,
}

pub fn run(args: Args) -> Result<Verdict> {
    let source = Source::parse(&args.model, &args.home.catalog()?)?;
    let path = resolve(&source, &args.home.store()?, &saydo::environment::hugging_face()?.cache)?;
    let threads = args.threads.unwrap_or_else(|| EngineSettings::default().threads);
    memory::keep_freed();
    let settings = Settings {
        weights: path,
        data: args.data,
        tasks: args.tasks,
        instances: args.instances,
        rank: args.rank,
        precision: args.precision,
        threads,
        python: (!args.alone).then_some(args.python),
        repeats: args.repeats,
    };
    let mut terminal = Terminal::new(false);
    let engines = measure(&settings, &mut |event| terminal.show(event))?;
    drop(terminal);
    if args.json {
        output::print_json(&table::json(&args.model, threads, &engines))?;
    } else {
        output::print(&table::render(&engines))?;
    }
    Ok(Verdict::Done)
}
