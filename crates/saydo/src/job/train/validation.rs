//! How well the learner does on tasks that are held back, by the protocol that its layout belongs to: the paper's decoding, and
//! the measure by which the paper chose checkpoints.

use super::Job;
use crate::answering::samples;
use crate::record::Ledger;
use saydo_encode::{Layout, Tokens};
use saydo_function::Settings;
use saydo_model::{EngineSettings, PromptLimit};
use saydo_protocol::plan::{Examples, Options as PlanOptions, own_decodings};
use saydo_protocol::score::Options;
use saydo_protocol::{Answerer, NamedDecoding, Plan, Protocol, Scores, score};
use saydo_train::{Data, Ending, Error, Learner, Room};
use std::sync::Arc;
use std::sync::atomic::AtomicBool;

pub(super) struct Validation {
    plan: Option<Plan>,
    engine: EngineSettings,
}

impl Validation {
    pub fn new(job: &Job, data: &Data, room: Room<'_>) -> Result<Self, crate::Error> {
        let settings = Settings { chat: false, ..Settings::default() };
        let name = job.data.first_layout();
        let protocol = protocol_of(&Layout::named(name)?);
        let options = PlanOptions {
            layouts: vec![name.to_owned()],
            examples: Examples::OfLayout,
            max_prompt: room.max_tokens.map(PromptLimit::Prompt),
            limit: Some(job.data.dev_limit),
            decodings: decodings(protocol, name, job.recipe.ending())?,
            unlabelled: false,
            ablation: None,
            seed: job.model.seed,
            tokens: Tokens { ..room.tokens },
            settings: &settings,
            fingerprint: "validation",
            seen: None,
        };
        let is_wanted = !data.dev.is_empty();
        let plan = is_wanted.then(|| Plan::new(protocol, data.dev.clone(), &options)).transpose()?;
        let engine = EngineSettings { threads: job.model.thread_count(), ..EngineSettings::default() };
        Ok(Self { plan, engine })
    }

    /// What the score is called, with how it is decoded; none if nothing is validated.
    pub fn name(&self) -> Option<String> {
        let plan = self.plan.as_ref()?;
        let decoding = &plan.decodings[0];
        Some(format!("{} of {}, {} decoding", measure(plan.protocol), plan.protocol.title(), decoding.name))
    }

    /// The measure over the held-back tasks, times 100.
    pub fn score(&mut self, learner: &Learner) -> Result<f64, Error> {
        let Some(plan) = &self.plan else { return Ok(0.0) };
        let model = learner.model(self.engine.clone())?;
        let settings = Settings { chat: false, ..Settings::default() };
        let answerer = Answerer::Model { model: Arc::new(model), settings };
        let mean = || -> Result<f64, Box<dyn std::error::Error + Send + Sync>> {
            let scratch = tempfile::tempdir()?;
            let mut ledger = Ledger::open(&scratch.path().join("ledger.jsonl"), &[])?;
            samples::run(plan, &answerer, &mut ledger, false, &AtomicBool::new(false), &mut |_| {})?;
            let cells: Vec<_> = plan.samples.iter().map(|sample| ledger.read(sample.key)).collect();
            Ok(100.0 * measured(&score(plan, &cells, &Options::default())?))
        };
        mean().map_err(|error| Error::Validation(error.to_string()))
    }
}

/// The protocol of the paper that a layout comes from.
fn protocol_of(layout: &Layout) -> Protocol {
    match layout {
        Layout::ZestT5 { .. } | Layout::ZestBart { .. } => Protocol::Zest,
        Layout::TkInstruct(_) => Protocol::SuperNaturalInstructions,
        Layout::NaturalInstructions(_) | Layout::Bare | Layout::Turking => Protocol::NaturalInstructions,
    }
}

/// The protocol's own decoding. A model that learns to end with the line is not asked for a second one.
fn decodings(protocol: Protocol, layout: &str, end: Ending) -> Result<Vec<NamedDecoding>, crate::Error> {
    let mut decodings = own_decodings(protocol, layout)?;
    if !matches!(end, Ending::Token) {
        decodings.iter_mut().for_each(|decoding| decoding.stop = vec!["\n".to_owned()]);
    }
    Ok(decodings)
}

fn measure(protocol: Protocol) -> &'static str {
    if protocol == Protocol::Zest { "accuracy" } else { "ROUGE-L" }
}

/// ZEST's paper chose checkpoints by the share of instances that are exactly right; the others have a mean over tasks.
fn measured(scores: &Scores) -> f64 {
    if scores.protocol != Protocol::Zest {
        return scores.rows.first().map_or(0.0, |row| row.mean);
    }
    let exact: Vec<f64> = scores.samples.iter().filter_map(|sample| *sample.metrics.get(1)?).collect();
    exact.iter().sum::<f64>() / exact.len().max(1) as f64
}

#[cfg(test)]
mod tests {
    use super::*;
    use saydo_model::Strategy;
    use saydo_protocol::Length;

    fn of(layout: &str, end: Ending) -> (Protocol, NamedDecoding) {
        let protocol = protocol_of(&Layout::named(layout).unwrap());
        (protocol, decodings(protocol, layout, end).unwrap().remove(0))
    }

    #[test]
    fn a_layout_is_validated_as_its_paper_evaluates() {
        let (protocol, t5) = of("zest-t5", Ending::Token);
        assert_eq!((protocol, t5.strategy, t5.length), (Protocol::Zest, Strategy::Greedy, Length::Tokens(512)));
        let (protocol, bart) = of("zest-bart", Ending::Token);
        assert_eq!((protocol, bart.name.as_str(), bart.length), (Protocol::Zest, "beam", Length::Tokens(64)));
        let (protocol, ni) = of("ni-full", Ending::Token);
        assert_eq!((protocol, ni.length), (Protocol::NaturalInstructions, Length::Tokens(16)));
        assert_eq!(ni.stop, ["\n\n"]);
        assert_eq!(of("ni-full", Ending::LineAndToken).1.stop, ["\n"]);
        assert_eq!(of("tk-def-pos", Ending::Token).0, Protocol::SuperNaturalInstructions);
    }
}
