//! A look at an evaluation before it is run: what it asks, and about how long that takes, by what was measured of the model
//! on this machine before.

use super::{Prepared, Settings, Watch};
use crate::Error;
use crate::record::Ledger;
use crate::session::Places;
use crate::speed::{Speeds, key};
use saydo_protocol::record::ledger_path;
use saydo_protocol::{Plan, Sample};
use std::time::Duration;

/// Prompts whose tokens are counted: enough for a mean.
const COUNTED: usize = 64;

/// Fewer new samples say too little of the speed.
const FEWEST: usize = 8;

/// What an evaluation would be.
pub struct Probe {
    /// Its tasks.
    pub tasks: usize,
    /// Its samples.
    pub samples: usize,
    /// Tokens of the shortest prompt, of prompts on average, and of the longest, as far as the model reads them.
    pub prompt_tokens: [usize; 3],
    /// The first prompt.
    pub prompt: String,
    /// Whether prompts lose examples or elements of the instruction when they are asked.
    pub is_cut: bool,
    /// About how long all samples that are not answered yet will take; none if the model was not measured here.
    pub time: Option<Duration>,
}

impl Probe {
    /// Plans the evaluation. Neither weights are loaded nor anything asked.
    pub fn new(settings: &Settings, places: &Places, watch: &mut Watch<'_>) -> Result<Self, Error> {
        let prepared = Prepared::look(settings, places, watch)?;
        let plan = &prepared.plan;
        let (tokens, is_cut) = prompt_tokens(&prepared);
        let path = ledger_path(&prepared.folder);
        let done = if path.exists() { Ledger::open(&path, &[])?.len() } else { 0 };
        let open = plan.samples.len().saturating_sub(done);
        let mean = tokens.iter().sum::<usize>() / tokens.len().max(1);
        let bounds = [tokens.iter().min().copied().unwrap_or(0), mean, tokens.iter().max().copied().unwrap_or(0)];
        let time = Speeds::load(&places.home).estimate(&speed_key(settings, plan), (open * mean) as f64);
        let prompt = plan.prompt(&plan.samples[0]);
        Ok(Self { tasks: plan.tasks.len(), samples: plan.samples.len(), prompt_tokens: bounds, prompt, is_cut, time })
    }
}

/// Keeps how long so many new samples of an evaluation took.
pub(super) fn keep_speed(settings: &Settings, places: &Places, prepared: &Prepared, new: usize, taken: Duration) {
    if new < FEWEST || settings.model.name.starts_with("scripted") {
        return;
    }
    let (tokens, _) = prompt_tokens(prepared);
    let mean = tokens.iter().sum::<usize>() as f64 / tokens.len().max(1) as f64;
    Speeds::keep(&places.home, &speed_key(settings, &prepared.plan), mean * new as f64, taken);
}

fn speed_key(settings: &Settings, plan: &Plan) -> String {
    key(&format!("eval {}", plan.protocol), &settings.model)
}

/// Tokens of prompts spread over the plan, and whether some are longer than the model reads.
fn prompt_tokens(prepared: &Prepared) -> (Vec<usize>, bool) {
    let plan = &prepared.plan;
    let count = |sample: &Sample| (prepared.count)(&plan.prompt(sample));
    let tokens: Vec<usize> = spread(plan.samples.len(), COUNTED).map(|place| count(&plan.samples[place])).collect();
    let is_cut = tokens.iter().any(|tokens| *tokens > prepared.context_tokens);
    (tokens.into_iter().map(|tokens| tokens.min(prepared.context_tokens)).collect(), is_cut)
}

/// At most N places, spread over all.
fn spread(all: usize, wanted: usize) -> impl Iterator<Item = usize> {
    let taken = all.min(wanted);
    (0..taken).map(move |i| i * all / taken)
}
