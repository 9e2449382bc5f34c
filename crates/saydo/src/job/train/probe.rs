//! A look at a training before it is run: what would be learned from, and about how long that takes, by what was measured of
//! the model on this machine before.

use super::{Job, Settings};
use crate::Error;
use crate::job::{Event, Watch};
use crate::session::Places;
use crate::speed::{Speeds, key};
use saydo_train::data::SamplingRate;
use saydo_train::{Example, Room};
use std::time::Duration;

/// Examples whose tokens are counted: enough for a mean.
const COUNTED: usize = 64;

/// What a training would be.
#[derive(Debug, Clone, PartialEq)]
pub struct Probe {
    /// Tasks that are learned from.
    pub tasks: usize,
    /// Their examples.
    pub examples: usize,
    /// Tasks that it validates on.
    pub validation_tasks: usize,
    /// Tasks left out because they must stay unseen.
    pub unseen_tasks_left_out: usize,
    /// Instances left out because their inputs must stay unseen.
    pub unseen_instances_left_out: usize,
    /// Updates with each learning rate.
    pub updates: usize,
    /// The learning rates that are tried.
    pub learning_rates: Vec<f64>,
    /// Tokens of the shortest example with its output, of examples on average, and of the longest, as far as the model reads
    /// them.
    pub example_tokens: [usize; 3],
    /// How often each source is drawn from.
    pub sampling_rates: Vec<SamplingRate>,
    /// About how long it would take; none if no training of the model was measured here.
    pub time: Option<Duration>,
    /// The first prompt.
    pub prompt: Option<String>,
}

impl Probe {
    /// Reads the data and plans the training. Neither weights are loaded nor anything written.
    pub fn new(settings: Settings, places: &Places, watch: &mut Watch<'_>) -> Result<Self, Error> {
        watch(Event::Waiting("reading the training data"));
        let job = Job::new(settings, places);
        let (plan, tokenizer) = job.plan()?;
        let data = job.load(&plan, Room::UNBOUNDED)?;
        let count = |example: &Example| {
            tokenizer.count(&example.prompt.whole()).min(plan.most.source) + tokenizer.count(&example.output)
        };
        let all = data.examples.len();
        let taken = all.min(COUNTED);
        let tokens: Vec<usize> = (0..taken).map(|i| count(&data.examples[i * all / taken])).collect();
        let mean = tokens.iter().sum::<usize>() as f64 / taken.max(1) as f64;
        let [least, most] = [tokens.iter().min(), tokens.iter().max()].map(|found| found.copied().unwrap_or(0));
        let updates = match plan.epochs {
            Some(epochs) => (all * epochs).div_ceil(plan.settings.batch),
            None => plan.settings.steps,
        };
        let learned = (updates * plan.settings.batch * plan.rates.len()) as f64 * mean;
        Ok(Self {
            tasks: data.seen,
            examples: all,
            validation_tasks: data.dev.len(),
            unseen_tasks_left_out: data.leaks.tasks,
            unseen_instances_left_out: data.leaks.instances,
            updates,
            learning_rates: plan.rates,
            example_tokens: [least, mean.round() as usize, most],
            sampling_rates: data.rates,
            time: Speeds::load(&job.home).estimate(&key("train", &job.model), learned),
            prompt: data.examples.first().map(|example| example.prompt.whole()),
        })
    }
}
