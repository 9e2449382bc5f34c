//! `saydo bench generate`: how fast a model runs here, and in llama-cpp-python and transformers if Python has them.

use super::table;
use crate::failure::Verdict;
use crate::flags::described;
use crate::home::Home;
use crate::output;
use crate::progress::Terminal;
use anyhow::Result;
use saydo::job::bench::generate::{self, Measure, Settings, measure};
use saydo_hub::{Source, resolve};
use saydo_model::{BatchSize, EngineSettings};
use std::path::PathBuf;

/// What help says of each measure.
const MEASURES: [&str; 5] = [
    "Seconds from nothing to the first token",
    "Tokens of a long prompt per second",
    "Tokens of one reply per second",
    "Tokens of sixteen replies per second",
    "Instances of a task with a long instruction per second",
];

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
    #[arg(long, value_parser = described::<Measure>(&MEASURES), value_delimiter = ',', default_value = "load,prefill,decode,batch,workload")]
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
    let peer = |peer: &Peer| match peer {
        Peer::LlamaCppPython => Some(generate::Peer::LlamaCppPython),
        Peer::Transformers => Some(generate::Peer::Transformers),
        Peer::None => None,
    };
    let settings = Settings {
        task: args.task,
        engine: EngineSettings { threads, batch_size: args.batch_size, ..EngineSettings::default() },
        measures: args.measures,
        peers: args.peers.iter().filter_map(peer).collect(),
        python: args.python,
        repeats: args.repeats,
        ..Settings::new(path)
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
