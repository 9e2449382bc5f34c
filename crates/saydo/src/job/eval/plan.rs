//! Everything that is settled before the first question: who answers what, and where it is recorded.

use super::answerer::{self, Subject};
use super::{Event, Settings, Watch, data, decoding, note, reading};
use crate::Error;
use crate::session::Places;
use crate::task::resolve;
use saydo_encode::{Layout, Tokens, beginning};
use saydo_function::WindowSize;
use saydo_protocol::plan::{Examples, Options};
use saydo_protocol::record::data_fingerprint;
use saydo_protocol::{Answerer, Contamination, Plan, Protocol, Record, harness};
use saydo_task::Ablation;
use serde::de::Error as _;
use serde::{Deserialize as _, Deserializer};
use serde_json::{Value, json};
use std::path::{Path, PathBuf};
use std::sync::Arc;
use std::time::{SystemTime, UNIX_EPOCH};

/// Reads a number of examples out of a file of settings.
pub(super) fn examples_of<'de, D: Deserializer<'de>>(deserializer: D) -> Result<Option<Examples>, D::Error> {
    let value = toml::Value::deserialize(deserializer)?;
    let text = value.as_str().map_or_else(|| value.to_string(), str::to_owned);
    text.parse().map(Some).map_err(D::Error::custom)
}

/// An evaluation that is ready to go.
pub struct Prepared {
    /// What is asked.
    pub plan: Plan,
    /// Who answers.
    pub answerer: Answerer,
    /// What the run is a run of.
    pub record: Record,
    /// Where it is recorded.
    pub folder: PathBuf,
    /// What counts tokens.
    pub count: Arc<dyn Fn(&str) -> usize + Send + Sync>,
    /// How many of them the model reads.
    pub context_tokens: usize,
}

impl Prepared {
    /// Reads the data, opens the model and lays out the questions.
    pub fn new(args: &Settings, places: &Places, watch: &mut Watch<'_>) -> Result<Self, Error> {
        Self::with(args, places, watch, answerer::open)
    }

    /// The same without the model's weights: for a look at what would be asked.
    pub fn look(args: &Settings, places: &Places, watch: &mut Watch<'_>) -> Result<Self, Error> {
        Self::with(args, places, watch, answerer::look)
    }

    fn with(
        args: &Settings,
        places: &Places,
        watch: &mut Watch<'_>,
        open: impl Fn(&Settings, Protocol, &Places) -> Result<Subject, Error>,
    ) -> Result<Self, Error> {
        let protocol = protocol(args)?;
        watch(Event::Waiting("reading the data"));
        let layouts = layouts(args)?;
        // What is wrong with the data is known before a model is loaded.
        let own = (protocol == Protocol::Labelled).then(|| own_task(args)).transpose()?;
        let sources = (protocol == Protocol::Reading).then(|| reading::sources(args, places)).transpose()?;
        let is_tasks = own.is_none() && sources.is_none();
        let tasks = if is_tasks { data::tasks(args, protocol, watch)? } else { Vec::new() };
        watch(Event::Waiting("opening the model"));
        let Subject { mut answerer, fingerprint, settings, seen, max_prompt } = open(args, protocol, places)?;
        let count = settings.window.count.clone();
        let count = move |text: &str| count(text);
        let truncate = |text: &str, tokens: usize| beginning(text, tokens, &count);
        let options = Options {
            layouts: layouts.clone(),
            examples: args.num_fewshot.unwrap_or_default(),
            max_prompt,
            limit: args.limit,
            decodings: decoding::decodings(args, protocol),
            unlabelled: args.unlabelled,
            ablation: args.ablation,
            seed: args.model.seed,
            tokens: Tokens { count: &count, truncate: &truncate },
            settings: &settings,
            fingerprint: &fingerprint,
            seen: Some(&seen),
        };
        if let (Answerer::Replay(replay), [task]) = (&mut answerer, &tasks[..])
            && replay.files().is_some_and(|files| files.len() == 1)
        {
            *replay = replay.clone().for_task(&task.id);
        }
        let stored = match &answerer {
            Answerer::Replay(replay) => replay.files(),
            Answerer::Model { .. } | Answerer::Baseline(_) => None,
        };
        watch(Event::Waiting("laying out the samples"));
        let plan = match (own, sources, stored) {
            (Some((task, Some(rows))), _, _) => Plan::labelled(task, rows, &options)?,
            (Some((task, None)), _, _) => Plan::new(protocol, vec![task], &options)?,
            (None, Some((sources, notes)), _) => {
                let mut plan = Plan::reading(sources, &options)?;
                plan.notes.extend(notes);
                plan
            }
            (None, None, Some(stored)) => Plan::replayed(tasks, stored, &options)?,
            (None, None, None) => Plan::new(protocol, tasks, &options)?,
        };
        refuse_seen(&plan, args.allow_seen)?;
        if !seen.is_complete {
            note(watch, UNRECORDED);
        }
        let record = record(args, &plan, &fingerprint, settings.chat, options.ablation);
        let folder = match &args.folder {
            Some(folder) => folder.clone(),
            None => places.home.runs().join(folder_name(&record)),
        };
        let WindowSize { context_tokens, count } = settings.window;
        Ok(Self { plan, answerer, record, folder, count, context_tokens })
    }

    /// Says what will be asked.
    pub(super) fn describe(&self, watch: &mut Watch<'_>) {
        let plan = &self.plan;
        let decodings: Vec<&str> = plan.decodings.iter().map(|decoding| decoding.name.as_str()).collect();
        let text = format!(
            "{}: {} tasks, {} samples, layout {}, decoding {}",
            plan.protocol.title(),
            plan.tasks.len(),
            plan.samples.len(),
            plan.layouts.join(", "),
            decodings.join(", "),
        );
        note(watch, &text);
        plan.notes.iter().for_each(|text| note(watch, text));
    }
}

/// What is said of an adapter without a record.
const UNRECORDED: &str = "the adapter, or one it was trained from, has no record of what it learned, so the scores may be on \
                          learned data; `saydo models seen` declares it";

/// Samples that the model was trained on are not scored by accident.
fn refuse_seen(plan: &Plan, is_allowed: bool) -> Result<(), Error> {
    match Contamination::of(plan) {
        Some(found) if !is_allowed => Err(Error::LearnedSamples { found: found.to_string() }),
        _ => Ok(()),
    }
}

/// The protocol, or a task of the user's own.
fn protocol(args: &Settings) -> Result<Protocol, Error> {
    match Protocol::parse(&args.protocol) {
        Some(protocol) => Ok(protocol),
        None if ["everyday", "suite"].contains(&args.protocol.as_str()) => Ok(Protocol::Reading),
        None if Path::new(&args.protocol).exists() || args.protocol.contains(char::is_whitespace) => {
            Ok(Protocol::Labelled)
        }
        None => {
            let known = Protocol::ALL.iter().filter(|protocol| **protocol != Protocol::Labelled);
            let known = known.map(|protocol| protocol.name()).chain(["everyday", "suite"]).collect();
            Err(Error::NoProtocol { name: args.protocol.clone(), known })
        }
    }
}

type Own = (saydo_task::Task, Option<Vec<saydo_protocol::labelled::LabelledRow>>);

fn own_task(args: &Settings) -> Result<Own, Error> {
    let mut named = resolve(&args.protocol)?;
    match (named.pop(), named.is_empty()) {
        (Some(named), true) => Ok((named.task, data::labelled(args)?)),
        _ => {
            let found = format!("{} holds several tasks", args.protocol);
            Err(Error::unfit(found, "one; for a ZEST file say `saydo eval zest --data`"))
        }
    }
}

/// The layouts asked for, `all` written out.
fn layouts(args: &Settings) -> Result<Vec<String>, Error> {
    let mut layouts = Vec::new();
    for name in &args.layout {
        if name == "all" {
            // Raw instructions are kept for few tasks, and would leave out the others.
            let names = Layout::names().iter().filter(|layout| !layout.layout().needs_raw()).map(|layout| layout.name);
            layouts.extend(names.filter(|name| name.starts_with("ni-")).map(str::to_owned));
        } else {
            Layout::named(name)?;
            layouts.push(name.clone());
        }
    }
    Ok(layouts)
}

fn record(args: &Settings, plan: &Plan, fingerprint: &str, chat: bool, ablation: Option<Ablation>) -> Record {
    Record {
        version: env!("CARGO_PKG_VERSION").to_owned(),
        protocol: plan.protocol,
        model: args.model.name.clone(),
        fingerprint: fingerprint.to_owned(),
        data: match plan.protocol {
            Protocol::Reading => reading::names(args),
            _ => data::names(&args.data),
        },
        data_fingerprint: data_fingerprint(plan),
        layouts: plan.layouts.clone(),
        decodings: plan.decodings.clone(),
        chat,
        ablation,
        seed: args.model.seed,
        tasks: plan.tasks.len(),
        samples: plan.samples.len(),
        begun: SystemTime::now().duration_since(UNIX_EPOCH).unwrap_or_default().as_secs(),
        settings: other_settings(args, plan),
    }
}

/// What else was asked for.
fn other_settings(args: &Settings, plan: &Plan) -> Value {
    let mut settings = json!({
        "limit": args.limit,
        "tasks": args.tasks,
        "split": args.split,
        "allow_seen": args.allow_seen,
        "task": (plan.protocol == Protocol::Labelled).then_some(&args.protocol),
    });
    if let Some(seen_tasks) = args.seen_tasks {
        settings["seen_tasks"] = seen_tasks.into();
    }
    settings
}

/// A folder for runs that differ in nothing but how much is asked: with another limit it is the same run that goes on.
fn folder_name(record: &Record) -> String {
    let model = record.model.rsplit(['/', ':']).next().unwrap_or(&record.model);
    let ways = json!([record.fingerprint, record.data, record.layouts, record.decodings, record.chat, record.ablation]);
    let digest = crate::record::Keys::new(&ways, record.protocol.name()).of("").to_string();
    harness::file_name(&format!("eval-{}-{model}-{}", record.protocol, &digest[..8]))
}
