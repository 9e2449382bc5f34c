//! The loop.

use crate::parameter::Gradients;
use crate::{Checkpoint, Error, Learner, Optimizer, Order, Pack, Settings, Tokens, checkpoint};
use serde::Serialize;
use std::path::{Path, PathBuf};
use std::sync::atomic::{AtomicBool, Ordering};
use std::time::Instant;

/// What happened, for progress and logs.
#[derive(Debug, Clone, PartialEq, Serialize)]
#[serde(rename_all = "kebab-case", tag = "event")]
pub enum Event {
    /// An update was made.
    Step {
        /// Which, from 1.
        step: usize,
        /// The mean loss of its targets.
        loss: f32,
        /// The learning rate.
        rate: f64,
        /// The length of the gradients before clipping.
        gradient_norm: f64,
        /// Examples.
        examples: usize,
        /// Rows that went through the network.
        rows: usize,
        /// Tokens that the examples would have had apart.
        tokens: usize,
        /// Seconds it took.
        seconds: f64,
    },
    /// The latest checkpoint is damaged, so training goes on from the one before.
    FellBack {
        /// The update of the checkpoint that it goes on from.
        step: usize,
        /// The file of the latest that is damaged.
        path: PathBuf,
        /// What is wrong with it.
        reason: String,
    },
    /// The learner was validated.
    Validated {
        /// After which update.
        step: usize,
        /// The score; higher is better.
        score: f64,
        /// Whether it is the best so far.
        is_best: bool,
    },
}

/// How training ended.
#[derive(Debug, Clone, PartialEq, Serialize)]
pub struct Outcome {
    /// Updates that are done.
    pub step: usize,
    /// The best score and when it was reached; none without validation.
    pub best: Option<(usize, f64)>,
    /// Whether it was told to stop before the end.
    pub is_interrupted: bool,
    /// Whether it ended for want of better scores.
    pub is_early: bool,
    /// Examples that were too long to be learned from, counted each time they came up.
    pub left_out: usize,
}

/// A closure that scores the learner; higher is better.
pub type Validate<'a> = &'a mut dyn FnMut(&Learner, usize) -> Result<f64, Error>;

/// Trains until the last step, and leaves in `folder`: `checkpoint/` to go on from (and `checkpoint.old/`, the
/// one before, should it be damaged), `last/`, with validation `best/`, and
/// in `kept/` the latest checkpoints, as adapters or models. A checkpoint that is there already is gone on from, to the last bit.
pub fn train(
    learner: &Learner,
    examples: &[Tokens],
    settings: &Settings,
    (folder, data): (&Path, &str),
    mut validate: Option<Validate<'_>>,
    watch: &mut dyn FnMut(&Event),
    stop: &AtomicBool,
) -> Result<Outcome, Error> {
    if examples.is_empty() {
        return Err(Error::NoExamples);
    }
    let packer = learner.packer(settings);
    if !examples.iter().any(|example| packer.fits(example)) {
        return Err(Error::TooLong { limit: packer.max_rows.min(packer.context) });
    }
    let at = folder.join("checkpoint");
    let mut optimizer = Optimizer::new(settings.optimizer, &learner.parameters);
    let found = Checkpoint::load(&at, settings, data, learner, &mut optimizer)?;
    let fresh = || Checkpoint { step: 0, settings: settings.clone(), data: data.to_owned(), best: None, since_best: 0 };
    if let Some((found, Some(damage))) = &found {
        let (path, reason) = (damage.path.clone(), damage.reason.clone());
        watch(&Event::FellBack { step: found.step, path, reason });
    }
    let mut state = found.map_or_else(fresh, |(found, _)| found);
    state.settings = settings.clone();
    let (mut left_out, mut saved) = (0, None);
    let order = Order::new(examples, settings.per_task, settings.batch, settings.seed);
    let mut is_early = false;
    if let Some(validate) = validate.as_deref_mut().filter(|_| state.step == 0 && settings.validate_every > 0) {
        // What was there before any training is the first to be beaten.
        state.validate(learner, validate, watch, folder)?;
    }
    for (step, chosen) in order.steps().enumerate().skip(state.step) {
        if step >= settings.steps || stop.load(Ordering::Relaxed) || is_early {
            break;
        }
        let chosen: Vec<&Tokens> = chosen.iter().map(|example| &examples[*example]).collect();
        let update = update(learner, &chosen, settings, step, &mut optimizer)?;
        left_out += update.left_out;
        state.step = step + 1;
        watch(&update.event);
        let done = state.step;
        let is_due = |every: usize| every > 0 && (done.is_multiple_of(every) || done == settings.steps);
        if let Some(validate) = validate.as_deref_mut().filter(|_| is_due(settings.validate_every)) {
            state.validate(learner, validate, watch, folder)?;
            is_early = settings.patience > 0 && state.since_best >= settings.patience;
        }
        if is_due(settings.checkpoint_every) || is_early {
            state.save(&at, learner, &optimizer)?;
            saved = Some(state.step);
            checkpoint::keep_latest(learner, &folder.join("kept"), state.step, settings.keep)?;
        }
    }
    let is_interrupted = stop.load(Ordering::Relaxed) && state.step < settings.steps && !is_early;
    // Twice the same would push the checkpoint before it out.
    if saved != Some(state.step) {
        state.save(&at, learner, &optimizer)?;
    }
    learner.save(&folder.join("last"))?;
    Ok(Outcome { step: state.step, best: state.best, is_interrupted, is_early, left_out })
}

impl Checkpoint {
    /// Scores the learner, and keeps its adapter if it is the best so far.
    fn validate(
        &mut self,
        learner: &Learner,
        validate: Validate<'_>,
        watch: &mut dyn FnMut(&Event),
        folder: &Path,
    ) -> Result<(), Error> {
        let score = validate(learner, self.step)?;
        let is_best = self.best.is_none_or(|(_, best)| score > best);
        watch(&Event::Validated { step: self.step, score, is_best });
        self.since_best = if is_best { 0 } else { self.since_best + 1 };
        if is_best {
            self.best = Some((self.step, score));
            learner.save(&folder.join("best"))?;
        }
        Ok(())
    }
}

/// What one update did.
#[derive(Debug, Clone, PartialEq)]
pub struct Update {
    /// The mean loss of its targets, before it.
    pub loss: f32,
    /// What happened, for progress and logs.
    pub event: Event,
    /// Examples that were too long.
    pub left_out: usize,
}

/// One update: the mean loss over all targets of the chosen examples, pack by pack.
pub fn update(
    learner: &Learner,
    chosen: &[&Tokens],
    settings: &Settings,
    step: usize,
    optimizer: &mut Optimizer,
) -> Result<Update, Error> {
    // On one of the threads that its operations are spread over: from outside, each of thousands would wait for them to wake.
    rayon::scope(|_| update_here(learner, chosen, settings, step, optimizer))
}

fn update_here(
    learner: &Learner,
    chosen: &[&Tokens],
    settings: &Settings,
    step: usize,
    optimizer: &mut Optimizer,
) -> Result<Update, Error> {
    let begun = Instant::now();
    let (packs, left_out) = learner.packer(settings).pack(chosen)?;
    let targets: usize = packs.iter().map(|pack| pack.targets.len()).sum();
    let mut gradients = Gradients::zeros(&learner.parameters);
    let mut loss = 0.0;
    for (number, pack) in packs.iter().enumerate() {
        let weight = if pack.before.is_some() { settings.hold } else { 1.0 };
        loss += learner.learn(pack, settings, weight / targets as f64, (step, number), &mut gradients)?;
    }
    if !loss.is_finite() {
        return Err(Error::Diverged { step: step + 1, loss });
    }
    let gradient_norm = gradients.clip(settings.clip);
    let rate = settings.rate * settings.schedule.at(step, settings.steps, settings.warm_up);
    if targets > 0 {
        optimizer.step(&learner.parameters, &gradients, rate)?;
    }
    let event = Event::Step {
        step: step + 1,
        loss,
        rate,
        gradient_norm,
        examples: packs.iter().map(|pack| pack.examples).sum(),
        rows: packs.iter().map(Pack::rows).sum(),
        tokens: packs.iter().map(|pack| pack.unpacked_tokens).sum(),
        seconds: begun.elapsed().as_secs_f64(),
    };
    Ok(Update { loss, event, left_out })
}
