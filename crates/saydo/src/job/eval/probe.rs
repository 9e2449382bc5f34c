//! A look at an evaluation before it is run: what it asks, and how fast the model answers a few of its questions.

use super::{Prepared, Settings, Watch};
use crate::Error;
use crate::answering::samples;
use crate::record::Ledger;
use crate::session::Places;
use saydo_protocol::record::ledger_path;
use saydo_protocol::{Plan, Sample};
use std::sync::atomic::AtomicBool;
use std::time::Instant;

/// Samples that are asked to see how long they take: enough to fill a batch.
const ASKED: usize = 16;

/// What an evaluation would be.
pub struct Probe {
    /// Its tasks.
    pub tasks: usize,
    /// Its samples.
    pub samples: usize,
    /// Tokens of the shortest prompt, of prompts on average, and of the longest.
    pub prompt_tokens: [usize; 3],
    /// The first prompt.
    pub prompt: String,
    /// About how long all samples that are not answered yet will take.
    pub seconds: f64,
}

impl Probe {
    /// Plans the evaluation and asks a few of its questions, spread over the plan; the replies are thrown away.
    pub fn new(settings: &Settings, places: &Places, watch: &mut Watch<'_>) -> Result<Self, Error> {
        let prepared = Prepared::new(settings, places, watch)?;
        let plan = &prepared.plan;
        let count = |sample: &Sample| (prepared.count)(&plan.prompt(sample));
        let tokens: Vec<usize> = spread(plan.samples.len(), 256).map(|place| count(&plan.samples[place])).collect();
        let path = ledger_path(&prepared.folder);
        let open = if path.exists() {
            let ledger = Ledger::open(&path, &[])?;
            plan.samples.iter().filter(|sample| ledger.status(sample.key).is_none()).count()
        } else {
            plan.samples.len()
        };
        let chosen: Vec<Sample> = spread(plan.samples.len(), ASKED).map(|place| plan.samples[place].clone()).collect();
        let asked = chosen.len();
        let part = Plan { samples: chosen, ..plan.clone() };
        let scratch = tempfile::tempdir().map_err(Error::write(&std::env::temp_dir()))?;
        let mut ledger = Ledger::open(&ledger_path(scratch.path()), &[])?;
        let begun = Instant::now();
        samples::run(&part, &prepared.answerer, &mut ledger, false, &AtomicBool::new(false), &mut |_| {})?;
        let seconds = begun.elapsed().as_secs_f64() * open as f64 / asked as f64;
        let mean = tokens.iter().sum::<usize>() / tokens.len().max(1);
        let bounds = [tokens.iter().min().copied().unwrap_or(0), mean, tokens.iter().max().copied().unwrap_or(0)];
        let prompt = plan.prompt(&plan.samples[0]);
        Ok(Self { tasks: plan.tasks.len(), samples: plan.samples.len(), prompt_tokens: bounds, prompt, seconds })
    }
}

/// At most N places, spread over all.
fn spread(all: usize, wanted: usize) -> impl Iterator<Item = usize> {
    let taken = all.min(wanted);
    (0..taken).map(move |i| i * all / taken)
}
