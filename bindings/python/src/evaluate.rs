//! A model through a protocol of the papers: planned, asked, recorded, scored.

use crate::error;
use crate::interrupt::interruptible;
use crate::score::mode;
use crate::session::Session;
use pyo3::prelude::*;
use saydo::answering::samples::run;
use saydo::record::Ledger;
use saydo_encode::Tokens;
use saydo_protocol::labelled::read_labelled;
use saydo_protocol::plan::{Examples, Options, Source as Questions};
use saydo_protocol::record::{data_fingerprint, ledger_path, write_json};
use saydo_protocol::{Answerer, Baseline, Contamination, NamedDecoding, Plan, Protocol, Record, Scores, score, table};
use saydo_task::Task;
use saydo_task::dataset::Dataset;
use saydo_task::reading::{Style, drawn_tasks};
use saydo_task::source::Source;
use serde_json::{Value, json};
use std::path::{Path, PathBuf};
use std::sync::atomic::{AtomicBool, AtomicUsize, Ordering};
use std::time::{SystemTime, UNIX_EPOCH};

/// What is evaluated, and how.
pub struct Settings {
    /// The protocol.
    pub protocol: Protocol,
    /// Files of tasks, or of labelled rows.
    pub data: Vec<PathBuf>,
    /// A task of the caller's own.
    pub task: Option<Task>,
    /// Names of layouts; none for the paper's.
    pub layouts: Vec<String>,
    /// Examples of each prompt; none for the layout's own number.
    pub num_fewshot: Option<usize>,
    /// Max instances of each task.
    pub limit: Option<usize>,
    /// Ids of tasks, or how they begin; none for all.
    pub tasks: Vec<String>,
    /// Whether functions answer, under constrained decoding.
    pub constrained: bool,
    /// Whether prompts use the chat template.
    pub chat: bool,
    /// Seed of everything random.
    pub seed: u64,
    /// Whether samples are scored that the model was trained on.
    pub allow_seen: bool,
}

/// Scores, tables and samples as JSON. Without a model, `baseline` names a rule that answers.
#[pyfunction]
#[pyo3(signature = (
    protocol, data, *, session=None, baseline=None, layout=Vec::new(), num_fewshot=None, limit=None, tasks=Vec::new(),
    constrained=false, chat=false, mode="strict", seed=0, allow_seen=false, retry_errors=false, folder=None, progress=None
))]
#[expect(clippy::too_many_arguments, reason = "each is a keyword of the Python function")]
pub fn evaluate(
    py: Python<'_>,
    protocol: &str,
    data: Vec<PathBuf>,
    session: Option<PyRef<'_, Session>>,
    baseline: Option<&str>,
    layout: Vec<String>,
    num_fewshot: Option<usize>,
    limit: Option<usize>,
    tasks: Vec<String>,
    constrained: bool,
    chat: bool,
    mode: &str,
    seed: u64,
    allow_seen: bool,
    retry_errors: bool,
    folder: Option<PathBuf>,
    progress: Option<Py<PyAny>>,
) -> PyResult<String> {
    let mode = self::mode(py, mode)?;
    let (protocol, task) = named(py, protocol)?;
    let constrained = constrained || matches!(protocol, Protocol::Labelled | Protocol::Reading);
    let settings = Settings {
        protocol,
        data,
        task,
        layouts: layout,
        num_fewshot,
        limit,
        tasks,
        constrained,
        chat,
        seed,
        allow_seen,
    };
    let asked = asked(py, session.map(|session| session.inner.clone()), baseline, &settings)?;
    let (stop, done, all) = (AtomicBool::new(false), AtomicUsize::new(0), AtomicUsize::new(0));
    let mut watch = |py: Python<'_>| match &progress {
        Some(progress) => {
            let (done, all) = (done.load(Ordering::Relaxed), all.load(Ordering::Relaxed));
            progress.call1(py, (done, (all > 0).then_some(all))).map(drop)
        }
        None => Ok(()),
    };
    let work = || -> Result<Value, Failure> {
        let plan = settings.plan(&asked)?;
        if let Some(found) = Contamination::of(&plan).filter(|_| !settings.allow_seen) {
            return Err(
                format!("{found}; choose other data, or pass allow_seen=True to score them, marked as seen").into()
            );
        }
        all.store(plan.samples.len(), Ordering::Relaxed);
        let scratch = tempfile::tempdir()?;
        let at = folder.as_deref().unwrap_or(scratch.path());
        settings.record(&plan, &asked).save(at, &plan)?;
        let mut ledger = Ledger::open(&ledger_path(at), &[])?;
        run(&plan, &asked.answerer, &mut ledger, retry_errors, &stop, &mut |progress| {
            done.store(progress.done, Ordering::Relaxed);
        })?;
        let cells: Vec<_> = plan.samples.iter().map(|sample| ledger.read(sample.key)).collect();
        if stop.load(Ordering::Relaxed) {
            // Nobody looks at the result of what was interrupted.
            return Ok(Value::Null);
        }
        let scores = score(&plan, &cells, &saydo_protocol::score::Options { mode, seed, competent_at: None })?;
        if folder.is_some() {
            write_json(&at.join("scores.json"), &scores)?;
        }
        Ok(report(&plan, &scores, folder.as_deref()))
    };
    let report = interruptible(py, &stop, &mut watch, work)?;
    report.map(|report| report.to_string()).map_err(|error| error::of(py, error::Kind::Other, &*error))
}

/// What can go wrong with an evaluation.
type Failure = Box<dyn std::error::Error + Send + Sync>;

/// Who answers, and what is known about it.
pub struct Asked {
    name: String,
    fingerprint: String,
    answerer: Answerer,
    settings: saydo_function::Settings,
    seen: saydo_task::seen::Seen,
    max_prompt: Option<saydo_model::PromptLimit>,
}

/// The protocol of this name, or a task of the caller's own: its description or file.
pub fn named(py: Python<'_>, name: &str) -> PyResult<(Protocol, Option<Task>)> {
    match Protocol::parse(name) {
        Some(protocol) => Ok((protocol, None)),
        None if name == "everyday" => Ok((Protocol::Reading, None)),
        None if Path::new(name).exists() || name.contains(char::is_whitespace) => {
            let mut tasks = saydo::task::resolve(name).map_err(|error| error::of_library(py, &error))?;
            match (tasks.pop(), tasks.is_empty()) {
                (Some(named), true) => Ok((Protocol::Labelled, Some(named.task))),
                _ => Err(error::of_arguments(py, &format!("{name} holds several tasks, expected one"))),
            }
        }
        None => {
            let known = Protocol::ALL.iter().filter(|protocol| **protocol != Protocol::Labelled);
            let known: Vec<&str> = known.map(|protocol| protocol.name()).chain(["everyday"]).collect();
            let known = known.join(", ");
            Err(error::of_arguments(py, &format!("{name:?} is no protocol and no task, expected {known} or a task")))
        }
    }
}

fn asked(
    py: Python<'_>,
    session: Option<saydo::Session>,
    baseline: Option<&str>,
    settings: &Settings,
) -> PyResult<Asked> {
    match (session, baseline) {
        (Some(session), None) => {
            let mut function = session.settings;
            if !settings.constrained {
                function.chat = settings.chat;
            }
            Ok(Asked {
                name: session.name,
                fingerprint: session.fingerprint,
                answerer: Answerer::Model { model: session.model, settings: function.clone() },
                settings: function,
                seen: session.seen,
                max_prompt: session.max_prompt,
            })
        }
        (None, Some(name)) => {
            let Some(baseline) = Baseline::parse(name) else {
                let known: Vec<&str> = Baseline::ALL.iter().map(|baseline| baseline.name()).collect();
                let known = known.join(", ");
                return Err(error::of_arguments(py, &format!("baseline:{name} is unknown, expected one of {known}")));
            };
            Ok(Asked {
                name: format!("baseline:{name}"),
                fingerprint: format!("baseline:{name}"),
                answerer: Answerer::Baseline(baseline),
                settings: saydo_function::Settings::default(),
                seen: saydo_task::seen::Seen::default(),
                max_prompt: None,
            })
        }
        _ => Err(error::of_arguments(py, "expected a model or a baseline")),
    }
}

impl Asked {
    /// Nobody: for plans that others carry out.
    pub fn nobody() -> Self {
        Self {
            name: "export".to_owned(),
            fingerprint: "export".to_owned(),
            answerer: Answerer::Baseline(Baseline::AlwaysNa),
            settings: saydo_function::Settings { chat: false, ..saydo_function::Settings::default() },
            seen: saydo_task::seen::Seen::default(),
            max_prompt: None,
        }
    }
}

impl Settings {
    /// A protocol over data as its paper runs it; or, with a task, the caller's own.
    pub fn new(protocol: Protocol, data: Vec<PathBuf>, task: Option<Task>) -> Self {
        Self {
            protocol,
            data,
            task,
            layouts: Vec::new(),
            num_fewshot: None,
            limit: None,
            tasks: Vec::new(),
            constrained: false,
            chat: false,
            seed: 0,
            allow_seen: false,
        }
    }

    /// What is asked.
    pub fn plan(&self, asked: &Asked) -> Result<Plan, Failure> {
        let count = |text: &str| (asked.settings.window.count)(text);
        let truncate = |text: &str, tokens: usize| beginning(text, tokens, &count);
        let options = Options {
            layouts: self.layouts.clone(),
            examples: self.num_fewshot.map_or(Examples::OfLayout, Examples::Count),
            max_prompt: asked.max_prompt,
            limit: self.limit,
            decodings: if self.constrained { vec![NamedDecoding::constrained()] } else { Vec::new() },
            seed: self.seed,
            tokens: Tokens { count: &count, truncate: &truncate },
            seen: Some(&asked.seen),
            ..Options::new(&asked.settings, &asked.fingerprint)
        };
        if let Some(task) = &self.task {
            return Ok(match self.data.is_empty() {
                true => Plan::new(Protocol::Labelled, vec![task.clone()], &options)?,
                false => {
                    let mut rows = Vec::new();
                    for path in &self.data {
                        rows.extend(read_labelled(&Source::load(path)?, None)?);
                    }
                    Plan::labelled(task.clone(), rows, &options)?
                }
            });
        }
        if self.protocol == Protocol::Reading {
            return Ok(Plan::reading(self.questions()?, &options)?);
        }
        let mut tasks = Vec::new();
        for path in &self.data {
            tasks.extend(self.load(path)?);
        }
        Ok(Plan::new(self.protocol, tasks, &options)?)
    }

    /// Sources of questions over texts; without any, the part of everyday to report on.
    fn questions(&self) -> Result<Vec<Questions>, Failure> {
        let own = [PathBuf::from("everyday:report")];
        let data = if self.data.is_empty() { &own[..] } else { &self.data };
        let question = |path: &PathBuf| {
            let (tasks, name) = (self.load(path)?, path.display().to_string());
            // What states its kind of answer has sets; ZEST's files have alternatives.
            let is_set = tasks.iter().any(|task| task.answer.is_some());
            let style = if is_set { Style::Set } else { Style::Alternatives };
            let tasks = drawn_tasks(tasks, self.limit.unwrap_or(usize::MAX), self.seed, &name);
            Ok(Questions::new(&name, style, tasks))
        };
        data.iter().map(question).collect()
    }

    fn load(&self, path: &Path) -> Result<Vec<Task>, Failure> {
        let tasks: Vec<Task> = Dataset::load(path)?.tasks.into_iter().map(|located| located.task).collect();
        let is_asked =
            |task: &Task| self.tasks.is_empty() || self.tasks.iter().any(|wanted| task.id.starts_with(wanted.as_str()));
        Ok(tasks.into_iter().filter(is_asked).collect())
    }

    /// What the folder of the run says of it.
    pub fn record(&self, plan: &Plan, asked: &Asked) -> Record {
        Record {
            version: env!("CARGO_PKG_VERSION").to_owned(),
            protocol: plan.protocol,
            model: asked.name.clone(),
            fingerprint: asked.fingerprint.clone(),
            data: self.data.iter().map(|path| path.display().to_string()).collect(),
            data_fingerprint: data_fingerprint(plan),
            layouts: plan.layouts.clone(),
            decodings: plan.decodings.clone(),
            chat: asked.settings.chat,
            ablation: None,
            seed: self.seed,
            tasks: plan.tasks.len(),
            samples: plan.samples.len(),
            begun: SystemTime::now().duration_since(UNIX_EPOCH).unwrap_or_default().as_secs(),
            settings: json!({ "limit": self.limit, "tasks": self.tasks, "allow_seen": self.allow_seen }),
        }
    }
}

/// Scores, tables and samples as JSON.
pub fn report(plan: &Plan, scores: &Scores, folder: Option<&Path>) -> Value {
    let sample = |(asked, scored): (&saydo_protocol::Sample, &saydo_protocol::score::SampleScore)| {
        let (task, instance) = (plan.task(asked), plan.instance(asked));
        let mut row = json!({
            "task": task.id,
            "id": instance.name(),
            "layout": plan.layouts[asked.layout],
            "decoding": plan.decodings[asked.decoding].name,
            "prompt": plan.prompt(asked),
            "references": instance.gold,
            "reply": scored.reply,
            "status": scored.status,
            "error": scored.error,
        });
        for (name, value) in plan.protocol.metrics().iter().zip(&scored.metrics) {
            row[*name] = json!(value);
        }
        row
    };
    json!({
        "scores": scores,
        "tables": table::tables(scores),
        "samples": plan.samples.iter().zip(&scores.samples).map(sample).collect::<Value>(),
        "folder": folder,
    })
}

/// The longest beginning of a text with at most N tokens.
fn beginning(text: &str, tokens: usize, count: &dyn Fn(&str) -> usize) -> String {
    let ends: Vec<usize> = text.char_indices().map(|(place, c)| place + c.len_utf8()).collect();
    let fits = ends.partition_point(|end| count(&text[..*end]) <= tokens);
    text[..fits.checked_sub(1).map_or(0, |last| ends[last])].to_owned()
}
