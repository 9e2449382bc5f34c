//! A training: the data and the model it names, a run for each learning rate, what came of them.

mod events;
mod log;
mod probe;
mod validation;

pub use probe::Probe;

use super::{Event, Watch, note};
use crate::Error;
use crate::environment::Home;
use crate::session::{ModelSettings, ModelSpec, Places};
use crate::speed::{Speeds, key};
use log::Log;
use saydo_encode::beginning;
use saydo_function::Trained as TrainedFunctions;
use saydo_model::chat::ChatTemplate;
use saydo_model::kernel::has_bf16;
use saydo_model::tokenizer::Tokenizer;
use saydo_model::weights::Weights;
use saydo_model::{EngineSettings, Model, PromptEncoder, PromptLimit};
use saydo_protocol::record::write_json;
use saydo_train::data::{Making, OwnLabels, digest, with_own_labels};
use saydo_train::{
    Data, DataSettings, Labels, Learned as Changed, Learner, Order, Plan, Precision, Recipe, Room,
    Settings as LoopSettings,
};
use serde::Serialize;
use serde_json::json;
use std::path::PathBuf;
use std::sync::atomic::AtomicBool;
use toml::{Table, Value};
use validation::Validation;

/// What is trained on what, and how.
#[derive(Debug, Clone)]
pub struct Settings {
    /// What is learned from.
    pub data: DataSettings,
    /// How.
    pub recipe: Recipe,
    /// The model that learns, and its seed.
    pub model: ModelSettings,
    /// Folder for checkpoints, the log and the adapter or model.
    pub folder: PathBuf,
}

/// How the training of one learning rate ended.
#[derive(Debug, Clone, PartialEq, Serialize)]
pub struct Trained {
    /// The learning rate.
    pub lr: f64,
    /// The folder of checkpoints and log.
    pub folder: PathBuf,
    /// How many tasks it learned from.
    pub tasks: usize,
    /// Updates, those of earlier runs included.
    pub steps: usize,
    /// The step of the best dev score, and the score; none without validation.
    pub best: Option<(usize, f64)>,
    /// The loss of the last update that was made now; none if there was nothing left to do.
    pub loss: Option<f32>,
    /// Where the adapter or model is.
    pub result: PathBuf,
}

/// How the trainings of all learning rates ended; at least one.
#[derive(Debug, Clone, PartialEq)]
pub struct Report {
    /// Each of them, in the order of the rates.
    pub trainings: Vec<Trained>,
}

impl Report {
    /// The highest dev score, the first of equals; none where nothing was validated.
    pub fn best(&self) -> Option<&Trained> {
        let scored = self.trainings.iter().filter_map(|trained| Some((trained, trained.best?.1)));
        scored.reduce(|best, next| if next.1 > best.1 { next } else { best }).map(|(trained, _)| trained)
    }
}

impl Trained {
    /// Whether an adapter was trained rather than a model.
    pub fn is_adapter(&self) -> bool {
        self.result.join("adapter_config.json").exists()
    }
}

/// Trains a model at the places that the environment names, or goes on from where it was.
///
/// ```no_run
/// use saydo::job::train::Settings;
///
/// let mut settings = Settings::new("smollm2-135m", "runs/parks");
/// settings.data.reading = vec!["everyday:learn".into()];
/// settings.recipe.steps = Some(200);
/// let report = saydo::train(settings)?;
/// println!("{}", report.trainings[0].result.display());
/// # Ok::<(), saydo::Error>(())
/// ```
pub fn train(settings: Settings) -> Result<Report, Error> {
    train_at(settings, &Places::of_environment()?, &mut |_| {}, &AtomicBool::new(false))
}

/// The same at these places. When `stop` is set, the training ends after its update, and the error says so; the same settings
/// go on from there.
pub fn train_at(
    settings: Settings,
    places: &Places,
    watch: &mut Watch<'_>,
    stop: &AtomicBool,
) -> Result<Report, Error> {
    let trainings = Job::new(settings, places).train_all(watch, stop)?;
    Ok(Report { trainings })
}

impl Settings {
    /// A training of this model into this folder; its data are still to be named.
    pub fn new(model: &str, folder: impl Into<PathBuf>) -> Self {
        Self {
            data: DataSettings::default(),
            recipe: Recipe::default(),
            model: ModelSettings::new(model),
            folder: folder.into(),
        }
    }
}

/// Settings, and the model they name.
struct Job {
    data: DataSettings,
    recipe: Recipe,
    model: ModelSettings,
    folder: PathBuf,
    spec: ModelSpec,
    home: Home,
}

impl Job {
    fn new(settings: Settings, places: &Places) -> Self {
        let Settings { mut data, recipe, model, folder } = settings;
        if data.layout.is_empty() {
            data.layout = recipe.layouts();
        }
        let spec = model.spec(places, None);
        Self { data, recipe, model, folder, spec, home: places.home.clone() }
    }

    /// The recipe, bounded by what the model reads; and what counts its tokens. No weights are loaded.
    fn plan(&self) -> Result<(Plan, Tokenizer), Error> {
        let mut plan = self.recipe.plan(self.model.seed)?;
        let path = self.spec.path()?;
        let weights = Weights::open(&path, plan.settings.learned.purpose())?;
        let tokenizer = Tokenizer::of_weights(&weights, &path)?;
        plan.bound(PromptLimit::of_weights(&weights)?);
        Ok((plan, tokenizer))
    }

    /// What is learned from.
    fn load(&self, plan: &Plan, room: Room<'_>) -> Result<Data, Error> {
        let (bundle, told) = (plan.settings.per_task, self.recipe.hold_layout.as_deref());
        Ok(Data::load(&self.data, self.model.seed, Making { bundle, told, room })?)
    }

    /// Trains with every learning rate.
    fn train_all(self, watch: &mut Watch<'_>, stop: &AtomicBool) -> Result<Vec<Trained>, Error> {
        watch(Event::Waiting("reading the training data"));
        let (plan, tokenizer) = self.plan()?;
        let (before, behind) = tokenizer.frame();
        let around = before.len() + behind.len().max(1);
        let count = |text: &str| tokenizer.count(text) + around;
        let truncate = |text: &str, tokens: usize| beginning(text, tokens, &|text| tokenizer.count(text));
        let room = Room {
            max_tokens: Some(plan.most.source),
            tokens: saydo_encode::Tokens { count: &count, truncate: &truncate },
        };
        let data = self.load(&plan, room)?;
        for (what, count) in &data.lacking {
            let all = data.examples.len();
            note(watch, &format!("{count} of {all} prompts lack {what}, to fit {} tokens", plan.most.source));
        }
        if data.leaks.tasks + data.leaks.instances > 0 {
            note(
                watch,
                &format!(
                    "left out: {} tasks that must stay unseen, {} instances with their inputs",
                    data.leaks.tasks, data.leaks.instances
                ),
            );
        }
        for rate in &data.rates {
            let (percent, source) = (100.0 * rate.rate, &rate.source);
            note(watch, &format!("sampling rate {percent:.1}%: {source}, {} examples", rate.examples));
        }
        let mut all = Vec::new();
        for rate in &plan.rates {
            let folder = match plan.rates.len() {
                1 => self.folder.clone(),
                _ => self.folder.join(format!("lr-{rate:e}")),
            };
            if plan.rates.len() > 1 {
                note(watch, &format!("learning rate {rate:e}, in {}", folder.display()));
            }
            all.push(self.train_at(&plan, &data, *rate, folder, watch, stop)?);
        }
        Ok(all)
    }

    /// The settings as flags in a file, by which `saydo train --config` does the same again: into another folder.
    fn written(&self, rate: f64) -> String {
        let table = |value: Result<Table, toml::ser::Error>| value.expect("settings are TOML");
        let recipe = Recipe { lr: vec![rate], ..self.recipe.clone() };
        let mut all = table(Table::try_from(&self.data));
        all.extend(table(Table::try_from(&recipe)));
        if self.data.reading.is_empty() {
            // It says nothing without the files it bounds, and the program refuses it.
            all.remove("reading-cap");
        }
        all.insert("model".to_owned(), self.model.name.clone().into());
        all.insert("seed".to_owned(), Value::Integer(i64::try_from(self.model.seed).unwrap_or(i64::MAX)));
        if let Some(adapter) = self.model.adapter_folder() {
            all.insert("adapter".to_owned(), adapter.display().to_string().into());
        }
        all.retain(|_, value| !matches!(value, Value::Boolean(false)) && !value.as_array().is_some_and(Vec::is_empty));
        format!("# saydo train --config FILE -o FOLDER trains like this again; flags win.\n{all}")
    }

    /// The training of one learning rate.
    fn train_at(
        &self,
        plan: &Plan,
        data: &Data,
        rate: f64,
        folder: PathBuf,
        watch: &mut Watch<'_>,
        stop: &AtomicBool,
    ) -> Result<Trained, Error> {
        let path = self.spec.path()?;
        watch(Event::Waiting("opening the model"));
        let mut settings = LoopSettings { rate, ..plan.settings.clone() };
        let weights = Weights::open(&path, settings.purpose())?;
        let tokenizer = Tokenizer::of_weights(&weights, &path)?;
        let template = ChatTemplate::of_weights(&weights, &path, &tokenizer)?;
        let mut learner = Learner::new(&weights, &settings.learned, settings.seed, self.model.thread_count())
            .and_then(|learner| learner.with_precision(settings.precision))
            .map_err(|source| Error::Untrainable { model: self.model.name.clone(), source: Box::new(source) })?;
        // The learner has its own copy; pages of the mapped file would count as ours.
        drop(weights);
        if settings.precision == Precision::Bf16 && !has_bf16() {
            note(watch, "this CPU has neither AMX nor AVX512-BF16: --precision f32 is faster here");
        }
        let (adapter, mut seen) = self.spec.starting_point()?;
        if let Some(adapter) = adapter {
            learner.start_from(&adapter)?;
        }
        let has_encoder = learner.decoder_start().is_some();
        let encoder = PromptEncoder { tokenizer: &tokenizer, template: template.as_ref(), has_encoder };
        let mut examples = plan.short_enough(&data.examples, &encoder)?;
        let left_out = data.examples.len() - examples.len();
        if left_out > 0 {
            note(watch, &format!("left out: {left_out} of {} examples, longer than asked for", data.examples.len()));
        }
        let mut fingerprint = data.fingerprint.clone();
        if plan.labels == Labels::Own {
            let engine = EngineSettings { threads: self.model.thread_count(), ..EngineSettings::default() };
            let model = || -> Result<Box<dyn Model>, saydo_train::Error> { Ok(Box::new(learner.model(engine)?)) };
            // Whatever the learning rate, the model begins as the same, so all rates share what it says.
            let (folder, mut tell) = (&self.folder, |labels| tell(labels, watch));
            examples = with_own_labels(&examples, &data.labels, model, folder, &mut tell, stop)?;
            fingerprint = digest(&examples);
        }
        examples.iter().for_each(|example| seen.add(&example.trace));
        learner.seen = Some(seen);
        let num_held = examples.iter().filter(|example| plan.is_held(example, &data.labels)).count();
        if num_held > 0 {
            note(watch, &format!("{num_held} of {} examples hold the model where it is", examples.len()));
            fingerprint += &format!("+{num_held} held");
        }
        let examples = plan.tokenized(&examples, &data.labels, &encoder)?;
        if has_encoder && !plan.is_bounded {
            settings.max_rows = settings.max_rows.max(plan.most.source + plan.most.target + 1);
        }
        if let Some(epochs) = plan.epochs {
            settings.steps = Order::new(&examples, settings.per_task, settings.batch, settings.seed).steps_in(epochs);
        }
        note(
            watch,
            &format!(
                "{} tasks, {} examples, {} tasks held back; {} numbers to learn, {} updates",
                data.seen,
                examples.len(),
                data.dev.len(),
                learner.parameter_count(),
                settings.steps
            ),
        );
        let count = |text: &str| tokenizer.count(text);
        let truncate = |text: &str, tokens: usize| beginning(text, tokens, &count);
        let (before, behind) = tokenizer.frame();
        let tokens = saydo_encode::Tokens { count: &count, truncate: &truncate };
        let max_tokens = Some(plan.most.source.saturating_sub(before.len() + behind.len().max(1)));
        let mut validation = Validation::new(self, data, Room { max_tokens, tokens })?;
        if let Some(name) = validation.name().filter(|_| settings.validate_every > 0) {
            note(watch, &format!("dev is the {name}"));
        }
        let mut log = Log::create(&folder)?;
        let settings_path = folder.join("train.toml");
        let settings_text = self.written(rate);
        if !settings_path.exists() {
            saydo_file::write(&settings_path, settings_text.as_bytes()).map_err(Error::write(&settings_path))?;
        }
        write_json(
            &folder.join("prompts.json"),
            &json!({ "examples": data.examples.len(), "lacking": data.lacking, "rates": data.rates }),
        )?;
        let mut validate = |learner: &Learner, _: usize| validation.score(learner);
        let wanted =
            (settings.validate_every > 0 && !data.dev.is_empty()).then_some(&mut validate as saydo_train::Validate<'_>);
        let place = (folder.as_path(), fingerprint.as_str());
        let steps = settings.steps;
        let mut show = |event: &saydo_train::Event| {
            log.add(event);
            watch(Event::Training { event, steps });
        };
        let outcome = saydo_train::train(&learner, &examples, &settings, place, wanted, &mut show, stop)?;
        Speeds::keep(&self.home, &key("train", &self.model), log.tokens as f64, log.taken);
        if outcome.left_out > 0 {
            note(
                watch,
                &format!(
                    "{} times an example was longer than --max-length {} and left out",
                    outcome.left_out, settings.max_rows
                ),
            );
        }
        if outcome.is_interrupted {
            return Err(Error::TrainingInterrupted { step: outcome.step, steps });
        }
        saydo_file::write(&settings_path, settings_text.as_bytes()).map_err(Error::write(&settings_path))?;
        let result = folder.join(if outcome.best.is_some() { "best" } else { "last" });
        if !self.data.reading.is_empty() && matches!(settings.learned, Changed::Adapter { .. }) {
            let path = result.join(TrainedFunctions::FILE);
            let text = serde_json::to_vec(&TrainedFunctions::now()).expect("numbers are JSON");
            saydo_file::write(&path, &text).map_err(Error::write(&path))?;
        }
        let score = outcome.best.map_or_else(String::new, |(step, score)| format!(" (dev {score:.1} at step {step})"));
        let what = if matches!(settings.learned, Changed::Full { .. }) { "model" } else { "adapter" };
        note(watch, &format!("{what} in {}{score}", result.display()));
        Ok(Trained {
            lr: rate,
            folder,
            tasks: data.seen,
            steps: outcome.step,
            best: outcome.best,
            loss: log.loss,
            result,
        })
    }
}

/// Tells how the model is asked for labels.
fn tell(labels: OwnLabels, watch: &mut Watch<'_>) {
    match labels {
        OwnLabels::Asked { done, all } => {
            if done == 0 {
                note(watch, &format!("asking the model for {all} labels of its own"));
            }
            watch(Event::Progress { unit: "labels", done, new: done, all });
        }
        OwnLabels::Learned { labels, all } => {
            note(watch, &format!("{labels} of {all} are labels of their tasks and are learned"));
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn trained(lr: f64, best: Option<(usize, f64)>) -> Trained {
        let (folder, result) = (PathBuf::from("run"), PathBuf::from("run/best"));
        Trained { lr, folder, tasks: 3, steps: 10, best, loss: Some(1.0), result }
    }

    #[test]
    fn the_highest_dev_score_is_best_and_nothing_is_without_any() {
        let trainings =
            vec![trained(1e-5, Some((5, 30.0))), trained(2e-5, Some((9, 31.0))), trained(3e-5, Some((2, 31.0)))];
        assert_eq!(Report { trainings }.best().map(|best| best.lr), Some(2e-5));
        assert_eq!(Report { trainings: vec![trained(1e-5, None)] }.best(), None);
    }
}
