//! From a recipe and its preset to the settings of a training, and to the tokens of its examples.

use super::{Labels, OptimizerName, Recipe};
use crate::data::LabelSets;
use crate::{
    DataSettings, Ending, Error, Example, Learned, Most, OptimizerKind, Precision, Schedule, Settings, Tokens,
};
use saydo_model::{PromptEncoder, PromptLimit};
use std::sync::Arc;

const STEPS: usize = 500;
const RATE: f64 = 2e-4;
const RANK: usize = 16;
const ALPHA: f64 = 32.0;
const HOLD: f64 = 4.0;
const MAX_TARGET: usize = 64;

/// What is done, whatever the learning rate.
#[derive(Debug, Clone)]
pub struct Plan {
    /// All settings; the rate is the first of `rates`, and the steps hold unless there are epochs.
    pub settings: Settings,
    /// The learning rates to try.
    pub rates: Vec<f64>,
    /// How often to go through all examples, in place of steps.
    pub epochs: Option<usize>,
    /// The lengths of prompts and outputs for models with an encoder.
    pub most: Most,
    /// Whether a user bounded the rows of a pass.
    pub is_bounded: bool,
    /// What tasks with labels teach.
    pub labels: Labels,
    max_prompt: Option<usize>,
    max_input: Option<usize>,
}

impl Recipe {
    /// The settings that this comes to, with a seed for everything random; an error if they make no sense together.
    pub fn plan(&self, seed: u64) -> Result<Plan, Error> {
        Plan::new(self, seed)
    }

    /// The layouts of prompts where the data's settings say none.
    pub fn layouts(&self) -> Vec<String> {
        let own = self.preset.as_ref().map(|preset| preset.layout.clone()).filter(|layouts| !layouts.is_empty());
        own.unwrap_or_else(|| vec![DataSettings::LAYOUT.to_owned()])
    }

    /// What stands behind an output.
    pub fn ending(&self) -> Ending {
        let below = self.preset.as_ref().and_then(|preset| preset.recipe.end);
        self.end.or(below).unwrap_or_default()
    }

    pub(super) fn says_adapter(&self) -> bool {
        self.rank.is_some() || self.alpha.is_some() || self.dropout.is_some() || !self.targets.is_empty()
    }
}

impl Plan {
    fn new(recipe: &Recipe, seed: u64) -> Result<Self, Error> {
        let recipe = &match &recipe.preset {
            Some(preset) => recipe.over(&preset.recipe),
            None => recipe.clone(),
        };
        let rates = if recipe.lr.is_empty() { vec![RATE] } else { recipe.lr.clone() };
        let settings = settings(recipe, rates[0], seed);
        check(recipe, &settings, &rates)?;
        let most =
            Most { source: recipe.max_source.unwrap_or(usize::MAX), target: recipe.max_target.unwrap_or(MAX_TARGET) };
        let Recipe { epochs, max_prompt, max_input, .. } = *recipe;
        let labels = recipe.labels.unwrap_or_default();
        let is_bounded = recipe.max_length.is_some();
        Ok(Self { settings, rates, epochs, most, is_bounded, labels, max_prompt, max_input })
    }

    /// Bounds prompts by what the model reads.
    pub fn bound(&mut self, limit: PromptLimit) {
        self.most.source = self.most.source.min(limit.before(self.most.target));
    }

    /// An example as tokens: whole texts on both sides of a network with an encoder, else one text that goes on.
    pub fn tokens_of(&self, example: &Example, encoder: &PromptEncoder<'_>) -> Result<Tokens, Error> {
        if encoder.has_encoder {
            example.pair(encoder.tokenizer, self.most)
        } else {
            example.tokens(encoder, self.settings.ending)
        }
    }

    /// Whether an example holds the model where it is, given the labels of the tasks that ask for one.
    pub fn is_held(&self, example: &Example, labels: &LabelSets) -> bool {
        self.labels == Labels::Held && labels.contains_key(&example.task)
    }

    /// The examples as tokens; those that hold the model, behind the prompt they hold it to.
    pub fn tokenized(
        &self,
        examples: &[Example],
        labels: &LabelSets,
        encoder: &PromptEncoder<'_>,
    ) -> Result<Vec<Tokens>, Error> {
        let tokens = |example: &Example| {
            let tokens = self.tokens_of(example, encoder)?;
            if !self.is_held(example, labels) {
                return Ok(tokens);
            }
            let told = example.told.clone().map(|prompt| Example { prompt, ..example.clone() });
            let told = told.map(|told| self.tokens_of(&told, encoder)).transpose()?;
            Ok(tokens.held(told.map(|told| told.prompt)))
        };
        examples.iter().map(tokens).collect()
    }

    /// The examples without those whose prompts or inputs are longer than asked for.
    pub fn short_enough(&self, examples: &[Example], encoder: &PromptEncoder<'_>) -> Result<Vec<Example>, Error> {
        let mut kept = Vec::with_capacity(examples.len());
        let mut prefix = (Arc::<str>::from(""), 0);
        for example in examples {
            if example.prompt.prefix != prefix.0 {
                let tokens = encoder.tokenizer.encode(&example.prompt.prefix, false)?;
                prefix = (Arc::clone(&example.prompt.prefix), tokens.len());
            }
            let prompt = self.tokens_of(example, encoder)?.prompt.len();
            let input = prompt.saturating_sub(prefix.1);
            let fits = |limit: Option<usize>, length: usize| limit.is_none_or(|limit| length <= limit);
            if fits(self.max_prompt, prompt) && (prefix.1 == 0 || fits(self.max_input, input)) {
                kept.push(example.clone());
            }
        }
        Ok(kept)
    }
}

fn settings(recipe: &Recipe, rate: f64, seed: u64) -> Settings {
    let weight_decay = recipe.weight_decay.unwrap_or(0.0);
    Settings {
        learned: learned(recipe),
        steps: recipe.steps.unwrap_or(STEPS),
        batch: recipe.batch.unwrap_or(16),
        per_task: recipe.bundle.unwrap_or(DataSettings::BUNDLE),
        max_rows: recipe.max_length.unwrap_or(1024),
        memory: recipe.memory.map_or(Settings::default().memory, |gigabytes| (gigabytes * 1e9) as u64),
        precision: recipe.precision.unwrap_or_default(),
        packed: !recipe.no_pack,
        ending: recipe.end.unwrap_or_default(),
        rate,
        schedule: recipe.schedule.unwrap_or(Schedule::Linear),
        warm_up: recipe.warm_up.unwrap_or(20),
        clip: recipe.clip.unwrap_or(1.0),
        smoothing: recipe.label_smoothing.unwrap_or(0.0),
        hold: recipe.hold.unwrap_or(HOLD),
        optimizer: match recipe.optimizer.unwrap_or(OptimizerName::AdamW) {
            OptimizerName::AdamW => OptimizerKind::AdamW { beta1: 0.9, beta2: 0.999, epsilon: 1e-8, weight_decay },
            OptimizerName::Adafactor => OptimizerKind::Adafactor { weight_decay },
        },
        model_dropout: !recipe.no_model_dropout,
        checkpoint_every: recipe.checkpoint_every.unwrap_or(25),
        keep: recipe.keep.unwrap_or(0),
        validate_every: recipe.validate_every.unwrap_or(100),
        patience: recipe.patience.unwrap_or(0),
        seed,
    }
}

/// An adapter, unless all weights are asked for.
fn learned(recipe: &Recipe) -> Learned {
    if recipe.full {
        return Learned::Full { frozen_embeddings: recipe.freeze_embeddings };
    }
    Learned::Adapter {
        rank: recipe.rank.unwrap_or(RANK),
        alpha: recipe.alpha.unwrap_or(ALPHA),
        dropout: recipe.dropout.unwrap_or(0.0),
        targets: recipe.targets.clone(),
    }
}

fn check(recipe: &Recipe, settings: &Settings, rates: &[f64]) -> Result<(), Error> {
    if recipe.rank == Some(0) || settings.batch == 0 || settings.steps == 0 || recipe.epochs == Some(0) {
        return Err(Error::Contradiction("--rank, --batch, --steps and --epochs must be at least 1"));
    }
    let setting = |name, given: f64, expected| Err(Error::Setting { name, given, expected });
    if let Some(rate) = rates.iter().find(|rate| !(rate.is_finite() && **rate > 0.0)) {
        return setting("--lr", *rate, "a number above 0");
    }
    if let Some(gigabytes) = recipe.memory.filter(|gigabytes| !(gigabytes.is_finite() && *gigabytes >= 0.0)) {
        return setting("--memory", gigabytes, "a number of gigabytes from 0 on");
    }
    if let Some(dropout) = recipe.dropout.filter(|dropout| !(0.0..1.0).contains(dropout)) {
        return setting("--dropout", dropout, "a share from 0 to below 1");
    }
    if !(0.0..1.0).contains(&settings.smoothing) {
        return setting("--label-smoothing", f64::from(settings.smoothing), "a share from 0 to below 1");
    }
    if !(settings.hold.is_finite() && settings.hold >= 0.0) {
        return setting("--hold", settings.hold, "a weight of at least 0");
    }
    let is_held = recipe.labels == Some(Labels::Held);
    let is_full = matches!(settings.learned, Learned::Full { .. });
    let contradictions = [
        (recipe.steps.is_some() && recipe.epochs.is_some(), "--steps and --epochs, expected one of them"),
        (recipe.hold.is_some() && !is_held, "--hold without --labels held, expected both"),
        (recipe.hold_layout.is_some() && !is_held, "--hold-layout without --labels held, expected both"),
        (is_held && is_full, "--labels held requires an adapter; remove --full"),
        (
            settings.precision == Precision::Bf16 && is_full,
            "--precision bf16 while all weights learn, expected an adapter: only weights that stay are rounded",
        ),
        (
            recipe.freeze_embeddings && !is_full,
            "--freeze-embeddings without --full, expected both: an adapter leaves embeddings as they are",
        ),
        (recipe.full && recipe.says_adapter(), "--full with settings of an adapter, expected one of them"),
    ];
    match contradictions.into_iter().find(|(is_there, _)| *is_there) {
        Some((_, message)) => Err(Error::Contradiction(message)),
        None => Ok(()),
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::Preset;

    fn json(text: &str) -> Recipe {
        serde_json::from_str(text).unwrap()
    }

    fn preset(name: &str) -> Plan {
        Recipe { preset: Some(Preset::load(name).unwrap()), ..Recipe::default() }.plan(0).unwrap()
    }

    #[test]
    fn presets_hold_the_papers_settings() {
        let bart = preset("zest-bart");
        let decay = OptimizerKind::AdamW { beta1: 0.9, beta2: 0.999, epsilon: 1e-8, weight_decay: 0.01 };
        assert_eq!(bart.settings.learned, Learned::Full { frozen_embeddings: true });
        assert_eq!((bart.epochs, bart.settings.batch, bart.settings.rate), (Some(15), 32, 3e-5));
        assert_eq!((bart.settings.warm_up, bart.settings.clip, bart.settings.smoothing), (100, 0.1, 0.1));
        assert_eq!((bart.settings.optimizer, bart.most), (decay, Most { source: 512, target: 64 }));
        let t5 = preset("zest-t5");
        assert_eq!((t5.epochs, t5.settings.steps, t5.settings.keep), (None, 25_000, 10));
        assert_eq!((t5.settings.checkpoint_every, t5.settings.validate_every), (2_500, 2_500));
        assert_eq!(t5.settings.optimizer, OptimizerKind::Adafactor { weight_decay: 0.0 });
        let ni = preset("natural-instructions");
        assert_eq!((ni.epochs, ni.settings.rate), (Some(3), 5e-5));
        assert!(matches!(ni.settings.learned, Learned::Adapter { rank: 16, .. }));
    }

    #[test]
    fn flags_win_over_a_preset() {
        let given = Recipe {
            preset: Some(Preset::load("zest-bart").unwrap()),
            steps: Some(7),
            lr: vec![1e-4, 2e-4],
            clip: Some(2.0),
            dropout: Some(0.1),
            ..Recipe::default()
        };
        let plan = given.plan(0).unwrap();
        assert_eq!((plan.epochs, plan.settings.steps, &plan.rates[..]), (None, 7, &[1e-4, 2e-4][..]));
        assert_eq!((plan.settings.clip, plan.settings.batch), (2.0, 32));
        assert!(matches!(plan.settings.learned, Learned::Adapter { dropout: 0.1, .. }));
    }

    #[test]
    fn outputs_end_with_the_end_token_unless_lines_are_asked_for() {
        let ending = |text: &str| json(text).plan(0).unwrap().settings.ending;
        assert_eq!((ending("{}"), ending(r#"{"end": "line"}"#)), (Ending::Token, Ending::Line));
        assert_eq!(ending(r#"{"end": "line-and-token"}"#), Ending::LineAndToken);
    }

    #[test]
    fn settings_that_make_no_sense_are_refused() {
        let message = |text: &str| json(text).plan(0).expect_err("an error").to_string();
        assert!(message(r#"{"rank": 0}"#).contains("at least 1"));
        assert!(message(r#"{"lr": [0]}"#).contains("--lr is 0, expected a number above 0"));
        assert!(message(r#"{"dropout": 1}"#).contains("--dropout is 1"));
        assert!(message(r#"{"label-smoothing": 1.5}"#).contains("--label-smoothing is 1.5"));
        assert!(message(r#"{"freeze-embeddings": true}"#).contains("without --full"));
        assert!(message(r#"{"hold": 2}"#).contains("--hold without --labels held"));
        assert_eq!(message(r#"{"hold-layout": "ni-full"}"#), "--hold-layout without --labels held, expected both");
        assert!(message(r#"{"precision": "bf16", "full": true}"#).contains("only weights that stay are rounded"));
        assert!(message(r#"{"hold": -1, "labels": "held"}"#).contains("at least 0"));
        assert!(message(r#"{"labels": "held", "full": true}"#).contains("requires an adapter"));
        assert!(message(r#"{"steps": 1, "epochs": 1}"#).contains("expected one of them"));
        assert!(message(r#"{"rank": 1, "full": true}"#).contains("settings of an adapter"));
    }

    #[test]
    fn a_setting_that_is_unknown_is_refused() {
        let unknown = serde_json::from_str::<Recipe>(r#"{"stepz": 3}"#).unwrap_err().to_string();
        assert!(unknown.contains("unknown field `stepz`"), "{unknown}");
    }
}
