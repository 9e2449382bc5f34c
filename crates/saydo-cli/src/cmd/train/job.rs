//! A training from its settings: the data and the model it names, a run for each learning rate, what came of them.

use super::grid::Trained;
use super::validation::Validation;
use super::watch::Watch;
use crate::model::ModelArgs;
use crate::prefix::beginning;
use crate::speed::{Speeds, key};
use crate::{memory, output, progress, stop};
use anyhow::{Context, Result, bail};
use indicatif::ProgressBar;
use saydo_function::Trained as TrainedFunctions;
use saydo_model::chat::ChatTemplate;
use saydo_model::kernel::has_bf16;
use saydo_model::tokenizer::Tokenizer;
use saydo_model::weights::Weights;
use saydo_model::{EngineSettings, Model, PromptEncoder, PromptLimit};
use saydo_protocol::record::write_json;
use saydo_train::data::{Making, OwnLabels, digest, with_own_labels};
use saydo_train::{
    Data, DataSettings, Error, Labels, Learned as Changed, Learner, Order, Plan, Precision, Recipe, Room, Settings,
    train,
};
use serde_json::json;
use std::path::PathBuf;
use std::sync::atomic::AtomicBool;
use std::time::{Duration, Instant};

/// A training.
#[derive(Clone)]
pub(in crate::cmd) struct Job {
    /// What is learned from.
    pub data: DataSettings,
    /// How.
    pub recipe: Recipe,
    /// The model that learns, and its seed.
    pub model: ModelArgs,
    /// Folder for checkpoints, the log and the adapter or model.
    pub output_path: PathBuf,
}

/// What a training left.
pub(in crate::cmd) struct Learned {
    /// Where it is.
    pub product: Product,
    /// How many tasks it was learned from.
    pub seen_tasks: usize,
}

/// Where what was learned is.
pub(in crate::cmd) enum Product {
    Adapter(PathBuf),
    Model(PathBuf),
}

impl Job {
    /// Trains with the one learning rate that is given, or goes on from where it was.
    pub fn train_one(self) -> Result<Learned> {
        if self.recipe.lr.len() > 1 {
            bail!("{} learning rates, expected one: put them on an axis of the grid", self.recipe.lr.len());
        }
        let all = self.train_all()?;
        let trained = all.into_iter().next().context("a training has a learning rate")?;
        let is_adapter = trained.result.join("adapter_config.json").exists();
        let product = if is_adapter { Product::Adapter(trained.result) } else { Product::Model(trained.result) };
        Ok(Learned { product, seen_tasks: trained.tasks })
    }

    /// Trains with every learning rate.
    pub(super) fn train_all(mut self) -> Result<Vec<Trained>> {
        let mut plan = self.recipe.plan(self.model.seed())?;
        if self.data.layout.is_empty() {
            self.data.layout.push(self.recipe.layout().to_owned());
        }
        memory::keep_freed();
        let path = self.model.spec(None)?.path()?;
        let weights = Weights::open(&path, plan.settings.learned.purpose())?;
        let tokenizer = Tokenizer::of_weights(&weights, &path)?;
        plan.bound(PromptLimit::of_weights(&weights)?);
        let (before, behind) = tokenizer.frame();
        let around = before.len() + behind.len().max(1);
        let count = |text: &str| tokenizer.count(text) + around;
        let truncate = |text: &str, tokens: usize| beginning(text, tokens, &|text| tokenizer.count(text));
        let room = Room {
            max_tokens: Some(plan.most.source),
            tokens: saydo_encode::Tokens { count: &count, truncate: &truncate },
        };
        let (bundle, told) = (plan.settings.per_task, self.recipe.hold_layout.as_deref());
        let data = Data::load(&self.data, self.model.seed(), Making { bundle, told, room })?;
        for (what, count) in &data.lacking {
            let all = data.examples.len();
            output::note(&format!("{count} of {all} prompts lack {what}, to fit {} tokens", plan.most.source));
        }
        if data.leaks.tasks + data.leaks.instances > 0 {
            output::note(&format!(
                "left out: {} tasks that must stay unseen, {} instances with their inputs",
                data.leaks.tasks, data.leaks.instances
            ));
        }
        for rate in &data.rates {
            let (percent, source) = (100.0 * rate.rate, &rate.source);
            output::note(&format!("sampling rate {percent:.1}%: {source}, {} examples", rate.examples));
        }
        let stop = stop::on_interrupt()?;
        let mut all = Vec::new();
        for rate in &plan.rates {
            let folder = match plan.rates.len() {
                1 => self.output_path.clone(),
                _ => self.output_path.join(format!("lr-{rate:e}")),
            };
            if plan.rates.len() > 1 {
                output::note(&format!("learning rate {rate:e}, in {}", folder.display()));
            }
            all.push(self.train_at(&plan, &data, *rate, folder, &stop)?);
        }
        Ok(all)
    }

    /// The training of one learning rate.
    fn train_at(&self, plan: &Plan, data: &Data, rate: f64, folder: PathBuf, stop: &AtomicBool) -> Result<Trained> {
        let path = self.model.spec(None)?.path()?;
        let mut settings = Settings { rate, ..plan.settings.clone() };
        let weights = Weights::open(&path, settings.purpose())?;
        let tokenizer = Tokenizer::of_weights(&weights, &path)?;
        let template = ChatTemplate::of_weights(&weights, &path, &tokenizer)?;
        let mut learner = Learner::new(&weights, &settings.learned, settings.seed, self.model.thread_count())
            .and_then(|learner| learner.with_precision(settings.precision))
            .with_context(|| format!("cannot train {}", self.model.name()))?;
        // The learner has its own copy; pages of the mapped file would count as ours.
        drop(weights);
        if settings.precision == Precision::Bf16 && !has_bf16() {
            output::note("this CPU has neither AMX nor AVX512-BF16: --precision f32 is faster here");
        }
        let (adapter, mut seen) = self.model.spec(None)?.starting_point()?;
        if let Some(adapter) = adapter {
            learner.start_from(&adapter)?;
        }
        let has_encoder = learner.decoder_start().is_some();
        let encoder = PromptEncoder { tokenizer: &tokenizer, template: template.as_ref(), has_encoder };
        let mut examples = plan.short_enough(&data.examples, &encoder)?;
        let left_out = data.examples.len() - examples.len();
        if left_out > 0 {
            output::note(&format!("left out: {left_out} of {} examples, longer than asked for", data.examples.len()));
        }
        let mut fingerprint = data.fingerprint.clone();
        if plan.labels == Labels::Own {
            let engine = EngineSettings { threads: self.model.thread_count(), ..EngineSettings::default() };
            let model = || -> Result<Box<dyn Model>, Error> { Ok(Box::new(learner.model(engine)?)) };
            // Whatever the learning rate, the model begins as the same, so all rates share what it says.
            let (folder, mut shown) = (&self.output_path, Asking::default());
            examples = with_own_labels(&examples, &data.labels, model, folder, &mut |labels| shown.show(labels), stop)?;
            fingerprint = digest(&examples);
        }
        examples.iter().for_each(|example| seen.add(&example.trace));
        learner.seen = Some(seen);
        let num_held = examples.iter().filter(|example| plan.is_held(example, &data.labels)).count();
        if num_held > 0 {
            output::note(&format!("{num_held} of {} examples hold the model where it is", examples.len()));
            fingerprint += &format!("+{num_held} held");
        }
        let examples = plan.tokenized(&examples, &data.labels, &encoder)?;
        if has_encoder && !plan.is_bounded {
            settings.max_rows = settings.max_rows.max(plan.most.source + plan.most.target + 1);
        }
        if let Some(epochs) = plan.epochs {
            settings.steps = Order::new(&examples, settings.per_task, settings.batch, settings.seed).steps_in(epochs);
        }
        output::note(&format!(
            "{} tasks, {} examples, {} tasks held back; {} numbers to learn, {} updates",
            data.seen,
            examples.len(),
            data.dev.len(),
            learner.parameter_count(),
            settings.steps
        ));
        let count = |text: &str| tokenizer.count(text);
        let truncate = |text: &str, tokens: usize| beginning(text, tokens, &count);
        let (before, behind) = tokenizer.frame();
        let tokens = saydo_encode::Tokens { count: &count, truncate: &truncate };
        let max_tokens = Some(plan.most.source.saturating_sub(before.len() + behind.len().max(1)));
        let mut validation = Validation::new(self, data, Room { max_tokens, tokens })?;
        if let Some(name) = validation.name().filter(|_| settings.validate_every > 0) {
            output::note(&format!("dev is the {name}"));
        }
        let mut watch = Watch::new(&folder, settings.steps)?;
        write_json(
            &folder.join("prompts.json"),
            &json!({ "examples": data.examples.len(), "lacking": data.lacking, "rates": data.rates }),
        )?;
        let mut validate = |learner: &Learner, _: usize| validation.score(learner);
        let wanted =
            (settings.validate_every > 0 && !data.dev.is_empty()).then_some(&mut validate as saydo_train::Validate<'_>);
        let place = (folder.as_path(), fingerprint.as_str());
        let outcome = train(&learner, &examples, &settings, place, wanted, &mut |event| watch.show(event), stop)?;
        watch.finish();
        Speeds::keep(self.model.home(), &key("train", &self.model), watch.tokens as f64, watch.taken);
        if outcome.left_out > 0 {
            output::note(&format!(
                "{} times an example was longer than --max-length {} and left out",
                outcome.left_out, settings.max_rows
            ));
        }
        if outcome.is_interrupted {
            bail!("interrupted after step {} of {}; the same command goes on from there", outcome.step, settings.steps);
        }
        let result = folder.join(if outcome.best.is_some() { "best" } else { "last" });
        if !self.data.reading.is_empty() && matches!(settings.learned, Changed::Adapter { .. }) {
            let path = result.join(TrainedFunctions::FILE);
            saydo_file::write(&path, &serde_json::to_vec(&TrainedFunctions::now())?)
                .with_context(|| format!("cannot write {}", path.display()))?;
        }
        let score = outcome.best.map_or_else(String::new, |(step, score)| format!(" (dev {score:.1} at step {step})"));
        let what = if matches!(settings.learned, Changed::Full { .. }) { "model" } else { "adapter" };
        output::note(&format!("{what} in {}{score}", result.display()));
        Ok(Trained {
            lr: rate,
            folder,
            tasks: data.seen,
            steps: outcome.step,
            best: outcome.best,
            loss: watch.loss,
            result,
        })
    }
}

/// How often a line is printed where no bar can be drawn.
const PRINT_EVERY: Duration = Duration::from_secs(30);

/// Shows how the model is asked for labels.
#[derive(Default)]
struct Asking {
    bar: Option<ProgressBar>,
    shown: Option<Instant>,
}

impl Asking {
    fn show(&mut self, labels: OwnLabels) {
        match labels {
            OwnLabels::Asked { done: 0, all } => {
                output::note(&format!("asking the model for {all} labels of its own"));
                (self.bar, self.shown) = (Some(progress::rows(all)), Some(Instant::now()));
            }
            OwnLabels::Asked { done, all } => {
                self.bar.iter().for_each(|bar| bar.set_position(done as u64));
                let is_hidden = self.bar.as_ref().is_some_and(ProgressBar::is_hidden);
                if is_hidden && self.shown.is_some_and(|shown| shown.elapsed() >= PRINT_EVERY) {
                    output::note(&format!("{done} of {all} labels"));
                    self.shown = Some(Instant::now());
                }
            }
            OwnLabels::Learned { labels, all } => {
                self.bar.take().iter().for_each(ProgressBar::finish_and_clear);
                output::note(&format!("{labels} of {all} are labels of their tasks and are learned"));
            }
        }
    }
}
