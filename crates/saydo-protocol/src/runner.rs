//! Has an answerer reply to what is not in the ledger yet.

use crate::answerer::Answerer;
use crate::{Error, Plan, Sample};
use saydo_corpus::{Cell, Status};
use saydo_function::{Function, Settings, answer_each};
use saydo_model::{Form, Model, Prompt, Request};
use saydo_run::{Ledger, cell};
use serde_json::Value;
use std::cell::RefCell;
use std::collections::HashMap;
use std::collections::hash_map::Entry;
use std::sync::Arc;
use std::sync::atomic::{AtomicBool, Ordering};
use std::time::Instant;

/// How far a run is.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct Progress {
    /// Samples with a reply.
    pub done: usize,
    /// Those of them that were answered in this run.
    pub new: usize,
    /// All samples.
    pub all: usize,
}

/// How a run went.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct Summary {
    /// Replies that were found in the ledger.
    pub found: usize,
    /// Replies that are new.
    pub new: usize,
    /// Samples that got no reply, now or before.
    pub failed: usize,
    /// Whether it was told to stop before the end.
    pub is_interrupted: bool,
}

/// Replies to every sample that the ledger has no reply to, and records each reply as soon as it is known. Samples that
/// failed before are tried again if `retry_errors` says so. When `stop` is set, what is in flight is finished.
pub fn run(
    plan: &Plan,
    answerer: &Answerer,
    ledger: &mut Ledger,
    retry_errors: bool,
    stop: &AtomicBool,
    watch: &mut dyn FnMut(Progress),
) -> Result<Summary, Error> {
    let is_done = |sample: &Sample| match ledger.status(sample.key) {
        None => false,
        Some(Status::Failed | Status::Unparsable) => !retry_errors,
        Some(Status::Ok | Status::Na) => true,
    };
    let open: Vec<usize> = (0..plan.samples.len()).filter(|number| !is_done(&plan.samples[*number])).collect();
    let found = plan.samples.len() - open.len();
    let mut writer = Writer { plan, ledger, found, new: 0, error: None, watch };
    match answerer {
        Answerer::Model { model, settings } => ask_model(plan, &**model, model, settings, &open, stop, &mut writer)?,
        Answerer::Baseline(baseline) => {
            for number in &open {
                let text = baseline.reply(plan, &plan.samples[*number]);
                writer.record(*number, said(text, None, 0));
            }
        }
        Answerer::Replay(replay) => {
            for number in &open {
                let missing = || cell::without_answer(Status::Failed, "no stored prediction".to_owned(), 0);
                let reply = replay.reply(plan, &plan.samples[*number], *number);
                writer.record(*number, reply.map_or_else(missing, |text| said(text, None, 0)));
            }
        }
    }
    let (new, error) = (writer.new, writer.error);
    ledger.sync()?;
    if let Some(error) = error {
        return Err(error.into());
    }
    let has_failed = |sample: &&Sample| matches!(ledger.status(sample.key), Some(Status::Failed | Status::Unparsable));
    let failed = plan.samples.iter().filter(has_failed).count();
    let is_interrupted = stop.load(Ordering::Relaxed) && new < open.len();
    Ok(Summary { found, new, failed, is_interrupted })
}

/// Records replies; after an error nothing more.
struct Writer<'a> {
    plan: &'a Plan,
    ledger: &'a mut Ledger,
    found: usize,
    new: usize,
    error: Option<saydo_run::Error>,
    watch: &'a mut dyn FnMut(Progress),
}

impl Writer<'_> {
    fn record(&mut self, number: usize, cell: Cell) {
        if self.error.is_some() {
            return;
        }
        self.error = self.ledger.record(self.plan.samples[number].key, &cell).err();
        self.new += 1;
        (self.watch)(Progress { done: self.found + self.new, new: self.new, all: self.plan.samples.len() });
    }
}

fn ask_model(
    plan: &Plan,
    model: &dyn Model,
    shared: &Arc<dyn Model>,
    settings: &Settings,
    open: &[usize],
    stop: &AtomicBool,
    writer: &mut Writer<'_>,
) -> Result<(), Error> {
    let is_held = |number: &&usize| plan.decodings[plan.samples[**number].decoding].is_held();
    let (held, free): (Vec<usize>, Vec<usize>) = open.iter().partition(is_held);
    generate(plan, model, settings, &free, stop, writer)?;
    apply(plan, shared, settings, held, stop, writer)
}

/// Free replies of all tasks in one go, so that the batch never runs dry between tasks.
fn generate(
    plan: &Plan,
    model: &dyn Model,
    settings: &Settings,
    open: &[usize],
    stop: &AtomicBool,
    writer: &mut Writer<'_>,
) -> Result<(), Error> {
    let form = if settings.chat { Form::Chat { system: None } } else { Form::Plain };
    let mut begun: Vec<Option<Instant>> = vec![None; open.len()];
    let begun_cell = std::cell::RefCell::new(&mut begun);
    let mut next = 0;
    let mut requests = std::iter::from_fn(|| {
        if next == open.len() || stop.load(Ordering::Relaxed) {
            return None;
        }
        begun_cell.borrow_mut()[next] = Some(Instant::now());
        next += 1;
        Some(request(plan, &plan.samples[open[next - 1]], &form))
    });
    model.generate_each(&mut requests, &mut |index, result| {
        let ms = begun_cell.borrow()[index].map_or(0, |begun| begun.elapsed().as_millis() as u64);
        let cell = match result {
            Ok(reply) => said(reply.text.clone(), reply.confidence(), ms),
            Err(error) => cell::without_answer(Status::Failed, cell::chain(&error), ms),
        };
        writer.record(open[index], cell);
        if writer.error.is_some() {
            stop.store(true, Ordering::Relaxed);
        }
    })?;
    Ok(())
}

/// The answers of the tasks' functions. What is asked of one document is asked side by side, so that the model reads it once.
fn apply(
    plan: &Plan,
    model: &Arc<dyn Model>,
    settings: &Settings,
    mut open: Vec<usize>,
    stop: &AtomicBool,
    writer: &mut Writer<'_>,
) -> Result<(), Error> {
    let mut functions: HashMap<usize, Function> = HashMap::new();
    let mut places: HashMap<&str, usize> = HashMap::new();
    for (place, number) in open.iter().enumerate() {
        let sample = &plan.samples[*number];
        places.entry(&sample.text).or_insert(place);
        if let Entry::Vacant(entry) = functions.entry(sample.task) {
            let task = saydo_task::Task { instances: Vec::new(), ..plan.sources[sample.task].clone() };
            entry.insert(Function::new(task, Arc::clone(model), settings.clone())?);
        }
    }
    open.sort_by_key(|number| places[plan.samples[*number].text.as_str()]);
    let begun: RefCell<Vec<Instant>> = RefCell::default();
    let mut asked = open.iter().map_while(|number| {
        let sample = &plan.samples[*number];
        begun.borrow_mut().push(Instant::now());
        let is_wanted = !stop.load(Ordering::Relaxed);
        is_wanted.then(|| (&functions[&sample.task], Arc::from(sample.text.as_str())))
    });
    answer_each(&mut asked, &mut |index, result| {
        let ms = begun.borrow()[index].elapsed().as_millis() as u64;
        writer.record(open[index], cell::of(result, ms));
        if writer.error.is_some() {
            stop.store(true, Ordering::Relaxed);
        }
    })?;
    Ok(())
}

fn request(plan: &Plan, sample: &Sample, form: &Form) -> Request {
    let input = &plan.tasks[sample.task].instances[sample.instance].input;
    let prefix = Arc::clone(&plan.prefixes[sample.prefix]);
    let prompt = Prompt { prefix, text: sample.text.clone(), form: form.clone() };
    Request::new(prompt, plan.decodings[sample.decoding].of(input, sample.draw))
}

fn said(text: String, confidence: Option<f64>, ms: u64) -> Cell {
    Cell {
        status: Status::Ok,
        answer: Value::String(text),
        spans: Vec::new(),
        confidence: confidence.map(cell::rounded),
        windows: 1,
        ms,
        ungrounded: 0,
        error: None,
    }
}
