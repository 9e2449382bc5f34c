//! How fast a model runs here, and in other engines: prefill, decoding, and a task with a long instruction.

mod own;
mod peer;
mod plan;

use super::Engine;
use crate::Error;
use crate::job::{Watch, note};
use plan::Plan;
use saydo_model::EngineSettings;
use serde::Deserialize;
use std::path::PathBuf;

/// What is measured, and how.
#[derive(Debug, Clone)]
pub struct Settings {
    /// The weights.
    pub weights: PathBuf,
    /// A task file for the workload. Default: one that is built in.
    pub task: Option<PathBuf>,
    /// How much of the machine is used.
    pub engine: EngineSettings,
    /// What to measure. Default: everything.
    pub measures: Vec<Measure>,
    /// Engines to compare with. Default: none.
    pub peers: Vec<Peer>,
    /// The Python that has them. Default: `python3`.
    pub python: PathBuf,
    /// How often each figure is taken behind a warm-up. Default: 3.
    pub repeats: usize,
}

/// A figure to take.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Deserialize)]
#[serde(rename_all = "kebab-case")]
pub enum Measure {
    /// Seconds from nothing to the first token.
    Load,
    /// Tokens of a long prompt per second.
    Prefill,
    /// Tokens of one reply per second.
    Decode,
    /// Tokens of sixteen replies per second.
    Batch,
    /// Instances of a task with a long instruction per second.
    Workload,
}

impl Measure {
    /// All of them, in the order they are taken.
    pub const ALL: [Self; 5] = [Self::Load, Self::Prefill, Self::Decode, Self::Batch, Self::Workload];

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
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Peer {
    /// llama.cpp through its Python package.
    LlamaCppPython,
    /// Hugging Face transformers, weights as 32-bit floats.
    Transformers,
}

impl Settings {
    /// The defaults, for these weights.
    pub fn new(weights: PathBuf) -> Self {
        let (engine, python) = (EngineSettings::default(), PathBuf::from("python3"));
        Self { weights, task: None, engine, measures: Measure::ALL.to_vec(), peers: Vec::new(), python, repeats: 3 }
    }
}

/// Takes the figures of every engine, our own first.
pub fn measure(settings: &Settings, watch: &mut Watch<'_>) -> Result<Vec<Engine>, Error> {
    let threads = settings.engine.threads;
    if threads == 0 || settings.repeats == 0 {
        return Err(Error::unfit(format!("{threads} threads and {} repeats", settings.repeats), "at least 1 of each"));
    }
    let plan = Plan::new(settings)?;
    note(watch, &format!("{}: {}", settings.weights.display(), plan.describe()));
    note(watch, "measuring saydo");
    let mut engines = vec![own::measure(&plan)?];
    for peer in &settings.peers {
        note(watch, &format!("measuring {}", peer.name()));
        engines.push(peer::measure(*peer, &plan, &settings.python)?);
    }
    Ok(engines)
}
