//! The samples of a protocol through the loop: whatever the ledger has no reply to is asked.

use super::{Asker, Done, Memory};
use crate::Error;
use crate::record::{Key, Ledger};
use saydo_corpus::{Cell, Status};
use saydo_function::{Function, Outcome, Settings, answer_each};
use saydo_model::{Form, Model, Prompt, Reply, Request};
use saydo_protocol::{Answerer, Plan, Sample};
use saydo_task::Answer;
use std::collections::HashMap;
use std::collections::hash_map::Entry;
use std::sync::Arc;
use std::sync::atomic::{AtomicBool, Ordering};

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
    let (all, asked) = (plan.samples.len(), open.len());
    let progress = Progress { done: all - asked, new: 0, all };
    let memory = match answerer {
        // Equal prompts may have several stored predictions, of which the last counts.
        Answerer::Replay(_) => Memory::new(|_| None, |key, cell| ledger.record(key, cell)),
        Answerer::Model { .. } | Answerer::Baseline(_) => Memory::ledger(ledger, retry_errors),
    };
    let mut run = Run { plan, memory, stop, watch, progress };
    let answered = match answerer {
        Answerer::Model { model, settings } => run.ask_model(model, settings, &open),
        Answerer::Baseline(baseline) => run.reply(open, |number| Ok(baseline.reply(plan, &plan.samples[number]))),
        Answerer::Replay(replay) => run.reply(open, |number| {
            let missing = || saydo_model::Error::Server("no stored prediction".into()).into();
            replay.reply(plan, &plan.samples[number], number).ok_or_else(missing)
        }),
    };
    let new = run.progress.new;
    drop(run);
    ledger.sync()?;
    answered?;
    let has_failed = |sample: &&Sample| matches!(ledger.status(sample.key), Some(Status::Failed | Status::Unparsable));
    let failed = plan.samples.iter().filter(has_failed).count();
    let is_interrupted = stop.load(Ordering::Relaxed) && new < asked;
    Ok(Summary { found: all - asked, new, failed, is_interrupted })
}

/// What all ways of answering samples have in common.
struct Run<'a> {
    plan: &'a Plan,
    memory: Memory<'a>,
    stop: &'a AtomicBool,
    watch: &'a mut dyn FnMut(Progress),
    progress: Progress,
}

impl Run<'_> {
    fn ask_model(&mut self, model: &Arc<dyn Model>, settings: &Settings, open: &[usize]) -> Result<(), Error> {
        let is_constrained =
            |number: &&usize| self.plan.decodings[self.plan.samples[**number].decoding].is_constrained();
        let (constrained, free): (Vec<usize>, Vec<usize>) = open.iter().partition(is_constrained);
        self.generate(&**model, settings, free)?;
        self.apply(model, settings, constrained)
    }

    /// Free replies of all tasks in one go, so that the batch never runs dry between tasks.
    fn generate(&mut self, model: &dyn Model, settings: &Settings, open: Vec<usize>) -> Result<(), Error> {
        let plan = self.plan;
        let form = if settings.chat { Form::Chat { system: None } } else { Form::Plain };
        let request = |number: usize| request(plan, &plan.samples[number], &form);
        self.answer(open, &request, |requests, done| {
            let said = |reply: Reply| said(reply.text.clone(), reply.confidence());
            Ok(model.generate_each(requests, &mut |index, result| done(index, result.map(said).map_err(Into::into)))?)
        })
    }

    /// The answers of the tasks' functions. What is asked of one document is asked side by side, so that the model reads it once.
    fn apply(&mut self, model: &Arc<dyn Model>, settings: &Settings, mut open: Vec<usize>) -> Result<(), Error> {
        let plan = self.plan;
        let mut functions: HashMap<usize, Function> = HashMap::new();
        let mut places: HashMap<&str, usize> = HashMap::new();
        for (place, number) in open.iter().enumerate() {
            let sample = &plan.samples[*number];
            places.entry(&sample.text).or_insert(place);
            if let Entry::Vacant(entry) = functions.entry(sample.task) {
                let task = saydo_task::Task { instances: Vec::new(), ..plan.sources[sample.task].clone() };
                entry.insert(Function::new(task, Arc::clone(model), settings.clone()).map_err(Error::Function)?);
            }
        }
        open.sort_by_key(|number| places[plan.samples[*number].text.as_str()]);
        let question = |number: usize| {
            let sample = &plan.samples[number];
            (&functions[&sample.task], Arc::<str>::from(sample.text.as_str()))
        };
        self.answer(open, &question, |questions, done| answer_each(questions, done))
    }

    /// Texts that are known without a model.
    fn reply(
        &mut self,
        open: Vec<usize>,
        text: impl Fn(usize) -> Result<String, saydo_function::Error>,
    ) -> Result<(), Error> {
        self.answer(open, &|number| number, |numbers, done| {
            numbers.enumerate().for_each(|(index, number)| done(index, text(number).map(|text| said(text, None))));
            Ok(())
        })
    }

    fn answer<Q>(
        &mut self,
        open: Vec<usize>,
        ask: &dyn Fn(usize) -> Q,
        stream: impl FnOnce(&mut dyn Iterator<Item = Q>, Done<'_>) -> Result<(), saydo_function::Error>,
    ) -> Result<(), Error> {
        let Self { plan, memory, stop, watch, progress } = self;
        let mut samples = Samples { plan, open: open.into_iter(), stop, ask, watch: &mut **watch, progress };
        super::answer(&mut samples, memory, stream)?;
        Ok(())
    }
}

/// Samples on their way through the loop.
struct Samples<'a, Q> {
    plan: &'a Plan,
    open: std::vec::IntoIter<usize>,
    stop: &'a AtomicBool,
    ask: &'a dyn Fn(usize) -> Q,
    watch: &'a mut dyn FnMut(Progress),
    progress: &'a mut Progress,
}

impl<Q> Asker for Samples<'_, Q> {
    type Tag = usize;
    type Ask = Q;

    fn next(&mut self) -> Option<(Key, usize)> {
        if self.stop.load(Ordering::Relaxed) {
            return None;
        }
        let number = self.open.next()?;
        Some((self.plan.samples[number].key, number))
    }

    fn ask(&mut self, number: &usize) -> Result<Q, saydo_function::Error> {
        Ok((self.ask)(*number))
    }

    fn done(&mut self, _: usize, _: Cell, _is_new: bool) {
        self.progress.done += 1;
        self.progress.new += 1;
        (self.watch)(*self.progress);
    }
}

fn request(plan: &Plan, sample: &Sample, form: &Form) -> Request {
    let input = &plan.tasks[sample.task].instances[sample.instance].input;
    let prefix = Arc::clone(&plan.prefixes[sample.prefix]);
    let prompt = Prompt { prefix, text: sample.text.clone(), form: form.clone() };
    Request::new(prompt, plan.decodings[sample.decoding].of(input, sample.draw))
}

fn said(text: String, confidence: Option<f64>) -> Outcome {
    Outcome {
        answer: Answer::Text(text),
        confidence,
        windows: 1,
        na_log_odds: None,
        ungrounded: 0,
        evidence: Vec::new(),
    }
}
