//! Saydo's own figures.

use super::plan::Plan;
use crate::Error;
use crate::job::bench::engine::{Engine, Figure, peak_memory};
use saydo_model::weights::Weights;
use saydo_train::{Learned, Learner, Optimizer, Settings, Tokens, update};
use std::time::Instant;

/// Takes all figures of the plan.
pub(super) fn measure(plan: &Plan) -> Result<Engine, Error> {
    let mut engine = Engine::new("saydo", env!("CARGO_PKG_VERSION"));
    let learned =
        Learned::Adapter { rank: plan.rank, alpha: 2.0 * plan.rank as f64, dropout: 0.0, targets: Vec::new() };
    let settings = Settings { learned, warm_up: 0, precision: plan.precision, ..Settings::default() };
    let weights = Weights::open(&plan.path, settings.purpose())?;
    let learner =
        Learner::new(&weights, &settings.learned, settings.seed, plan.threads)?.with_precision(plan.precision)?;
    drop(weights);
    let mut optimizer = Optimizer::new(settings.optimizer, &learner.parameters);
    let mut step = |examples: &[Tokens], is_packed: bool| -> Result<(f64, f32), Error> {
        let chosen: Vec<&Tokens> = examples.iter().collect();
        let settings = Settings { packed: is_packed, ..settings.clone() };
        let begun = Instant::now();
        let update = update(&learner, &chosen, &settings, 0, &mut optimizer)?;
        Ok((begun.elapsed().as_secs_f64(), update.loss))
    };
    let (_, loss) = step(&plan.unpacked, false)?;
    engine.figures.push(Figure::new("loss", vec![f64::from(loss)]));
    let tokens: usize = plan.unpacked.iter().map(|tokens| tokens.prompt.len() + tokens.output.len()).sum();
    for (measure, examples, is_packed, amount) in
        [("unpacked", &plan.unpacked, false, tokens), ("packed", &plan.packed, true, plan.packed.len())]
    {
        let values = (0..plan.repeats).map(|_| Ok(amount as f64 / step(examples, is_packed)?.0));
        engine.figures.push(Figure::new(measure, values.collect::<Result<_, Error>>()?));
    }
    engine.figures.extend(peak_memory().map(|bytes| Figure::new("memory", vec![bytes])));
    Ok(engine)
}
