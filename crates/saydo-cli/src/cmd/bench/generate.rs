//! `saydo bench generate`: how fast a model runs here, and in llama-cpp-python and transformers if Python has them.

mod own;
mod peer;
mod plan;

use super::table;
use crate::failure::Verdict;
use crate::home::Home;
use crate::output;
use anyhow::{Result, bail};
use plan::Plan;
use saydo_hub::{Source, resolve};
use saydo_model::{BatchSize, EngineSettings};
use std::path::PathBuf;

/// Measure generation: prefill, decoding, and a task with a long instruction
///
/// All engines get the same tokens and the same number of threads, one engine after the other. The instruction workload
/// is one task with its definition, examples and reasons in front of every instance: it shows what a prefix that is
/// computed once is worth. Replies have full length in every engine.
#[derive(clap::Args)]
pub struct Args {
    /// Model: a name of the catalog, a path to a GGUF file, or hf:owner/repo/file
    #[arg(long, short, default_value = "smollm2-135m", env = "SAYDO_MODEL")]
    model: String,

    /// Task file for the instruction workload, instead of the built-in one
    #[arg(long, value_name = "FILE")]
    task: Option<PathBuf>,

    /// Number of threads (default: one per core)
    #[arg(long)]
    threads: Option<usize>,

    /// Sequences computed together: a number, or auto for as many as fit the cache
    #[arg(long, value_name = "N|auto", default_value = "auto", value_parser = str::parse::<BatchSize>)]
    batch_size: BatchSize,

    /// What to measure
    #[arg(long, value_delimiter = ',', default_value = "load,prefill,decode,batch,workload")]
    measures: Vec<Measure>,

    /// Engines to compare with; `none` for none
    #[arg(long, value_delimiter = ',', default_value = "llama-cpp-python,transformers")]
    peers: Vec<Peer>,

    /// Python that has the peers
    #[arg(long, default_value = "python3")]
    python: PathBuf,

    /// How often each figure is taken behind a warm-up; the median counts
    #[arg(long, default_value_t = 3)]
    repeats: usize,

    /// Print JSON
    #[arg(long)]
    json: bool,

    #[command(flatten)]
    home: Home,
}

/// A figure to take.
#[derive(Debug, Clone, Copy, PartialEq, Eq, clap::ValueEnum)]
pub(super) enum Measure {
    /// Seconds from nothing to the first token
    Load,
    /// Tokens of a long prompt per second
    Prefill,
    /// Tokens of one reply per second
    Decode,
    /// Tokens of sixteen replies per second
    Batch,
    /// Instances of a task with a long instruction per second
    Workload,
}

impl Measure {
    fn name(self) -> &'static str {
        match self {
            Self::Load => "load",
            Self::Prefill => "prefill",
            Self::Decode => "decode",
            Self::Batch => "batch",
            Self::Workload => "workload",
        }
    }
}

/// Another engine.
#[derive(Debug, Clone, Copy, PartialEq, Eq, clap::ValueEnum)]
pub(super) enum Peer {
    /// llama.cpp through its Python package
    LlamaCppPython,
    /// Hugging Face transformers, weights as 32-bit floats
    Transformers,
    /// No other engine
    None,
}

pub fn run(args: Args) -> Result<Verdict> {
    let source = Source::parse(&args.model, &args.home.catalog()?)?;
    let path = resolve(&source, &args.home.store()?, &saydo::environment::hugging_face()?.cache)?;
    let threads = args.threads.unwrap_or_else(|| EngineSettings::default().threads);
    if threads == 0 || args.repeats == 0 {
        bail!("{threads} threads and {} repeats, expected at least 1 of each", args.repeats);
    }
    let settings = EngineSettings { threads, batch_size: args.batch_size, ..EngineSettings::default() };
    let plan = Plan::new(path, settings, args.repeats, &args.measures, args.task.as_deref())?;
    output::note(&format!("{}: {}", args.model, plan.describe()));
    output::note("measuring saydo");
    let mut engines = vec![own::measure(&plan)?];
    for peer in args.peers.iter().filter_map(|peer| peer::name(*peer)) {
        output::note(&format!("measuring {peer}"));
        engines.push(peer::measure(peer, &plan, &args.python)?);
    }
    match args.json {
        true => output::print_json(&table::json(&args.model, threads, &engines))?,
        false => output::print(&table::render(&engines))?,
    }
    Ok(Verdict::Done)
}
