//! A model through a protocol: recorded, scored, and written down for users of other evaluation tools.

mod answerer;
mod confidence;
mod data;
mod decoding;
mod plan;
mod probe;
mod reading;

pub use data::Side;
pub use decoding::{Choice, Stop};
pub use plan::Prepared;
pub use probe::Probe;
pub use reading::Set;

use super::{Event, Watch, note};
use crate::Error;
use crate::answering::samples::{self, Progress, Summary};
use crate::record::Ledger;
use crate::session::{ModelSettings, Places};
use saydo_corpus::Cell;
use saydo_protocol::plan::Examples;
use saydo_protocol::record::{Opened, ledger_path};
use saydo_protocol::score::Options;
use saydo_protocol::{Answerer, Mode, Scores, date, harness, predictions, record, score};
use saydo_task::Ablation;
use serde::Deserialize;
use std::path::{Path, PathBuf};
use std::sync::atomic::AtomicBool;
use std::time::{Instant, SystemTime, UNIX_EPOCH};

/// What is evaluated, and how. Keys in files are the names of the flags of `saydo eval`.
#[derive(Debug, Clone, Default, Deserialize)]
#[serde(default, deny_unknown_fields, rename_all = "kebab-case")]
pub struct Settings {
    /// `zest`, `natural-instructions`, `super-natural-instructions`, `turking`, `reading`, `everyday`, `suite`, or a task file.
    #[serde(skip)]
    pub protocol: String,
    /// Files or folders of tasks; for `turking`, its resources; for a task of one's own, labelled rows.
    pub data: Vec<PathBuf>,
    /// The fixed set of `suite`.
    pub set: Option<Set>,
    /// The folder with the files of `suite`. Default: the folder of pulled datasets.
    pub data_dir: Option<PathBuf>,
    /// For `reading`: whether every paraphrase of a task is asked, too. Default: no.
    pub paraphrases: bool,
    /// Layouts by name; `all` for every layout of Natural Instructions. Default: the paper's.
    pub layout: Vec<String>,
    /// Examples in each prompt. Default: the layout's.
    #[serde(deserialize_with = "plan::examples_of")]
    pub num_fewshot: Option<Examples>,
    /// Max instances of each task. Default: the paper's.
    pub limit: Option<usize>,
    /// The split, as [`saydo_task::split::Split::named`] reads it. Default: none.
    pub split: Option<String>,
    /// The side of the split. Default: unseen.
    pub on: Side,
    /// Only tasks whose ids begin so. Default: all.
    pub tasks: Vec<String>,
    /// Max tasks of each category. Default: all.
    pub per_category: Option<usize>,
    /// Whether functions answer, with constrained decoding, instead of free generation. Default: no.
    #[serde(alias = "held")]
    pub constrained: bool,
    /// Whether samples that the model was trained on are scored, too, and marked. Default: that is an error.
    pub allow_seen: bool,
    /// Whether prompts use the model's chat template. Default: no.
    pub chat: bool,
    /// The part of the input that is removed. Default: none.
    pub ablation: Option<Ablation>,
    /// Decodings. Default: the paper's.
    pub decoding: Vec<Choice>,
    /// Samples of each prompt under nucleus sampling. Default: 1.
    pub draws: Option<usize>,
    /// What ends a reply. Default: the paper's rule.
    pub stop: Option<Stop>,
    /// Whether the reference scorers' quirks are repaired. Default: they are not.
    pub mode: Mode,
    /// The level, from 0 to 1, at which a model is competent at tasks that state none. Default: 0.75.
    pub competent_at: Option<f64>,
    /// The folder that records the run. Default: one in the home folder, named for the evaluation.
    #[serde(skip)]
    pub folder: Option<PathBuf>,
    /// Whether to start anew; what was recorded before is set aside. Default: no.
    pub no_resume: bool,
    /// Whether failed samples are retried. Default: no.
    pub retry_errors: bool,
    /// Whether the confidence calibration is fitted on these rows and saved beside the adapter. Default: no.
    pub fit_confidence: bool,
    /// Whether every sample is written in the format of lm-evaluation-harness. Default: no.
    pub log_samples: bool,
    /// Whether instances without gold are asked, too. Default: no.
    #[serde(skip)]
    pub unlabelled: bool,
    /// How many tasks the model was trained on for this evaluation, for the record. Default: not said.
    #[serde(skip)]
    pub seen_tasks: Option<usize>,
    /// The model.
    #[serde(skip)]
    pub model: ModelSettings,
}

impl Settings {
    /// The defaults, for a protocol or a task file, and a model.
    pub fn new(protocol: &str, model: &str) -> Self {
        Self { protocol: protocol.to_owned(), model: ModelSettings::new(model), ..Self::default() }
    }

    fn scoring(&self) -> Options {
        Options { mode: self.mode, seed: self.model.seed, competent_at: self.competent_at }
    }
}

/// A scored run.
#[derive(Debug)]
pub struct Report {
    /// The folder that records it.
    pub folder: PathBuf,
    /// The scores.
    pub scores: Scores,
}

/// Evaluates a model at the places that the environment names.
///
/// ```
/// use saydo::job::eval::Settings;
///
/// let folder = tempfile::tempdir()?;
/// let settings = Settings {
///     data: vec!["everyday:choose".into()],
///     limit: Some(1),
///     folder: Some(folder.path().join("run")),
///     ..Settings::new("everyday", "scripted")
/// };
/// let report = saydo::evaluate(&settings)?;
/// assert_eq!(report.scores.failed, 0);
/// assert!(report.folder.join("scores.json").exists());
/// # Ok::<(), Box<dyn std::error::Error>>(())
/// ```
pub fn evaluate(settings: &Settings) -> Result<Report, Error> {
    evaluate_at(settings, &Places::of_environment()?, &mut |_| {}, &AtomicBool::new(false))
}

/// The same at these places. When `stop` is set, what is in flight is finished and recorded, and the error says so.
pub fn evaluate_at(
    settings: &Settings,
    places: &Places,
    watch: &mut Watch<'_>,
    stop: &AtomicBool,
) -> Result<Report, Error> {
    let prepared = Prepared::new(settings, places, watch)?;
    drop(answered(settings, &prepared, places, watch, stop)?);
    watch(Event::Waiting("scoring"));
    let opened = Opened::load(&prepared.folder)?;
    let scores = score(&opened.plan, &opened.cells, &settings.scoring())?;
    write(&opened, &scores, settings.log_samples)?;
    if settings.fit_confidence {
        confidence::fit(settings, &opened, watch)?;
    }
    Ok(Report { folder: prepared.folder, scores })
}

/// Replies to a test set without answers, in a file of the form that its evaluator reads; gives how many there are, and how
/// many of them failed and stand as n/a.
pub fn predict_at(
    settings: &Settings,
    path: &Path,
    places: &Places,
    watch: &mut Watch<'_>,
    stop: &AtomicBool,
) -> Result<[usize; 2], Error> {
    let known = ["zest", "natural-instructions", "super-natural-instructions"];
    if !known.contains(&&*settings.protocol) {
        let found = format!("{} has no test set without answers", settings.protocol);
        return Err(Error::unfit(found, format!("one of {}", known.join(", "))));
    }
    let settings = Settings { unlabelled: true, ..settings.clone() };
    let prepared = Prepared::new(&settings, places, watch)?;
    let (mut ledger, summary) = answered(&settings, &prepared, places, watch, stop)?;
    let replies: Vec<Option<Cell>> = prepared.plan.samples.iter().map(|sample| ledger.read(sample.key)).collect();
    predictions::write(&prepared.plan, &replies, path)?;
    Ok([replies.len(), summary.failed])
}

/// Has everything answered that is not, and recorded.
fn answered(
    settings: &Settings,
    prepared: &Prepared,
    places: &Places,
    watch: &mut Watch<'_>,
    stop: &AtomicBool,
) -> Result<(Ledger, Summary), Error> {
    prepared.describe(watch);
    let (plan, folder) = (&prepared.plan, &prepared.folder);
    prepared.record.clone().save(folder, plan)?;
    let path = ledger_path(folder);
    if settings.no_resume {
        Ledger::set_aside(&path)?;
    }
    let mut ledger = Ledger::open(&path, &[])?;
    let begun = Instant::now();
    let mut show = |Progress { done, new, all }: Progress| {
        watch(Event::Progress { unit: "samples", done, new, all });
    };
    let summary = samples::run(plan, &prepared.answerer, &mut ledger, settings.retry_errors, stop, &mut show)?;
    let taken = begun.elapsed();
    if matches!(prepared.answerer, Answerer::Model { .. }) {
        probe::keep_speed(settings, places, prepared, summary.new, taken);
    }
    let mut text = format!("{} samples asked in {:.1} s", summary.new, taken.as_secs_f64());
    if summary.found > 0 {
        text += &format!(", {} found recorded", summary.found);
    }
    if summary.failed > 0 {
        text += &format!(", {} failed (--retry-errors asks them again)", summary.failed);
    }
    note(watch, &text);
    if summary.is_interrupted {
        return Err(Error::Interrupted { left: plan.samples.len() - summary.found - summary.new, unit: "samples" });
    }
    Ok((ledger, summary))
}

/// Writes the scores beside the run: ours, and those that users of lm-evaluation-harness know.
pub fn write(run: &Opened, scores: &Scores, log_samples: bool) -> Result<(), Error> {
    record::write_json(&run.folder.join("scores.json"), scores)?;
    let date = date::stamp(SystemTime::now().duration_since(UNIX_EPOCH).unwrap_or_default().as_secs());
    harness::write_results(run, scores, &date)?;
    if log_samples {
        harness::write_samples(run, scores, &date)?;
    }
    Ok(())
}
