//! Saydo's own figures.

use super::Measure;
use super::plan::{BATCH, DECODED_TOKENS, Plan, REPLY_TOKENS};
use crate::Error;
use crate::job::bench::engine::{Engine, Figure, peak_memory};
use saydo_model::{Decoding, LocalModel, Model, Prompt, Request};
use std::sync::Arc;
use std::time::Instant;

/// Takes all figures of the plan.
pub(super) fn measure(plan: &Plan) -> Result<Engine, Error> {
    let mut engine = Engine::new("saydo", env!("CARGO_PKG_VERSION"));
    if plan.measures.contains(&Measure::Load) {
        let values = repeat(plan, || seconds(|| reply(&load(plan)?, &[&plan.decode], 1)))?;
        engine.figures.push(Figure::new(Measure::Load.name(), values));
    }
    let model = load(plan)?;
    for measure in plan.measures.iter().filter(|measure| **measure != Measure::Load) {
        let values = repeat(plan, || take(*measure, plan, &model))?;
        engine.figures.push(Figure::new(measure.name(), values));
    }
    if let Some(bytes) = peak_memory() {
        engine.figures.push(Figure::new("memory", vec![bytes]));
    }
    Ok(engine)
}

fn load(plan: &Plan) -> Result<LocalModel, Error> {
    Ok(LocalModel::load(&plan.path, plan.settings.clone())?)
}

/// One warm-up, then as many values as the plan asks for.
fn repeat(plan: &Plan, take: impl Fn() -> Result<f64, Error>) -> Result<Vec<f64>, Error> {
    take()?;
    (0..plan.repeats).map(|_| take()).collect()
}

fn take(measure: Measure, plan: &Plan, model: &LocalModel) -> Result<f64, Error> {
    match measure {
        Measure::Load => unreachable!("loading is measured apart"),
        Measure::Prefill => Ok(plan.prefill_tokens.len() as f64 / seconds(|| reply(model, &[&plan.prefill], 1))?),
        Measure::Decode => decoded(model, &[&plan.decode]),
        Measure::Batch => decoded(model, &[&plan.decode; BATCH]),
        Measure::Workload => {
            model.clear_prefixes();
            let prompts: Vec<&Prompt> = plan.workload.iter().collect();
            Ok(prompts.len() as f64 / seconds(|| reply(model, &prompts, REPLY_TOKENS))?)
        }
    }
}

/// Tokens per second behind the first ones: the time of long replies less that of replies of one token.
///
/// Whatever else the machine does only adds to a time, so the shortest of some one-token replies counts, and a difference
/// that the rest of the machine has swallowed is taken again.
fn decoded(model: &LocalModel, prompts: &[&Prompt]) -> Result<f64, Error> {
    const ATTEMPTS: usize = 8;
    let mut first = f64::INFINITY;
    for _ in 0..ATTEMPTS {
        first = first.min(seconds(|| reply(model, prompts, 1))?);
        let all = seconds(|| reply(model, prompts, 1 + DECODED_TOKENS))?;
        if all > first {
            return Ok((prompts.len() * DECODED_TOKENS) as f64 / (all - first));
        }
    }
    Err(Error::TooBusy { tokens: DECODED_TOKENS, attempts: ATTEMPTS })
}

/// Replies of exactly so many tokens.
fn reply(model: &LocalModel, prompts: &[&Prompt], tokens: usize) -> Result<(), Error> {
    let decoding = Arc::new(Decoding { min_tokens: tokens, ..Decoding::greedy(tokens) });
    let requests = prompts.iter().map(|prompt| Request::new((*prompt).clone(), Arc::clone(&decoding)));
    for reply in model.generate(requests.collect())? {
        reply?;
    }
    Ok(())
}

fn seconds(work: impl FnOnce() -> Result<(), Error>) -> Result<f64, Error> {
    let start = Instant::now();
    work()?;
    Ok(start.elapsed().as_secs_f64())
}
