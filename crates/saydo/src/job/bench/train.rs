//! How fast a model learns here, and with PyTorch and PEFT: whole prompts, and a mixture of tasks whose instances share their
//! instruction.

mod own;
mod plan;

use super::Engine;
use super::engine::by_script;
use crate::Error;
use crate::job::{Watch, note};
use plan::Plan;
use saydo_train::Precision;
use std::path::PathBuf;

const SCRIPT: &str = include_str!("train_peer.py");

/// What is measured, and how.
#[derive(Debug, Clone)]
pub struct Settings {
    /// The weights.
    pub weights: PathBuf,
    /// Tasks of the mixture: a file or folder. Default: one that is built in.
    pub data: Option<PathBuf>,
    /// Max tasks of the mixture, spread over the data.
    pub tasks: usize,
    /// Instances of each task.
    pub instances: usize,
    /// Rank of the adapter.
    pub rank: usize,
    /// What products with frozen weights are rounded to, with both engines.
    pub precision: Precision,
    /// Threads that compute.
    pub threads: usize,
    /// The Python that has torch, transformers and peft; none to measure only ours.
    pub python: Option<PathBuf>,
    /// How often each figure is taken behind a warm-up.
    pub repeats: usize,
}

/// Takes the figures of both engines, our own first.
pub fn measure(settings: &Settings, watch: &mut Watch<'_>) -> Result<Vec<Engine>, Error> {
    let Settings { threads, repeats, rank, tasks, instances, .. } = settings;
    if [threads, repeats, rank, tasks, instances].contains(&&0) {
        return Err(Error::unfit("0", "--threads, --repeats, --rank, --tasks and --instances of at least 1"));
    }
    let plan = Plan::new(settings)?;
    note(watch, &format!("{}: {}", settings.weights.display(), plan.describe()));
    note(watch, "measuring saydo");
    let mut engines = vec![own::measure(&plan)?];
    if let Some(python) = &settings.python {
        note(watch, "measuring peft");
        engines.push(by_script("peft", SCRIPT, &plan.request(), python)?);
    }
    Ok(engines)
}
