//! How well the learner does on tasks that are held back: free replies, scored as Natural Instructions scores them.

use super::Args;
use super::data::Data;
use anyhow::Result;
use saydo_encode::Tokens;
use saydo_function::Settings;
use saydo_model::EngineSettings;
use saydo_protocol::plan::{Examples, Options as PlanOptions};
use saydo_protocol::score::Options;
use saydo_protocol::{Answerer, Length, NamedDecoding, Plan, Protocol, run, score};
use saydo_run::Ledger;
use saydo_train::{Error, Learner};
use std::sync::Arc;
use std::sync::atomic::AtomicBool;

pub(super) struct Validation {
    plan: Option<Plan>,
    engine: EngineSettings,
}

impl Validation {
    pub fn new(args: &Args, data: &Data) -> Result<Self> {
        let settings = Settings { chat: false, ..Settings::default() };
        let options = PlanOptions {
            layouts: args.data.layout[..1].to_vec(),
            examples: Examples::OfLayout,
            max_prompt: None,
            limit: Some(args.data.dev_limit),
            decodings: vec![NamedDecoding::greedy(Length::Tokens(16)).with_stop(&["\n"])],
            ablation: None,
            seed: args.model.seed(),
            tokens: Tokens::UNCOUNTED,
            settings: &settings,
            fingerprint: "validation",
            seen: None,
        };
        let plan = match data.dev.is_empty() {
            true => None,
            false => Some(Plan::new(Protocol::NaturalInstructions, data.dev.clone(), &options)?),
        };
        let engine = EngineSettings { threads: args.model.thread_count(), ..EngineSettings::default() };
        Ok(Self { plan, engine })
    }

    /// Mean ROUGE-L over the held-back tasks, times 100.
    pub fn score(&mut self, learner: &Learner) -> Result<f64, Error> {
        let Some(plan) = &self.plan else { return Ok(0.0) };
        let model = learner.model(self.engine.clone())?;
        let settings = Settings { chat: false, ..Settings::default() };
        let answerer = Answerer::Model { model: Arc::new(model), settings };
        let mean = || -> Result<f64, Box<dyn std::error::Error + Send + Sync>> {
            let scratch = tempfile::tempdir()?;
            let mut ledger = Ledger::open(&scratch.path().join("ledger.jsonl"), &[])?;
            run(plan, &answerer, &mut ledger, false, &AtomicBool::new(false), &mut |_| {})?;
            let cells: Vec<_> = plan.samples.iter().map(|sample| ledger.read(sample.key)).collect();
            let scores = score(plan, &cells, &Options::default())?;
            Ok(scores.rows.first().map_or(0.0, |row| 100.0 * row.mean))
        };
        mean().map_err(|error| Error::Validation(error.to_string()))
    }
}
