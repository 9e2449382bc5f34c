//! The thread that asks the model.

use super::Event;
use super::queue::{Job, Queue};
use crate::failure::{Answered, Failure};
use saydo::Session;
use saydo::answering::{Asker, Memory, answer};
use saydo::record::{Key, Keys, cell};
use saydo_corpus::Cell;
use saydo_function::{Function, answer_each_wanted};
use saydo_model::{Reply, Request, Wanted};
use saydo_task::Task;
use std::cell::RefCell;
use std::collections::VecDeque;
use std::panic::{AssertUnwindSafe, catch_unwind};
use std::sync::Arc;
use std::time::Instant;
use tokio::sync::{mpsc, oneshot};

/// Functions that are kept for the next request of their task.
const MOST_FUNCTIONS: usize = 32;

/// Functions by their identity, the one used last at the end.
type Functions = VecDeque<(String, Arc<Function>)>;

/// Answers what waits until the queue is closed. A request that makes the model panic is lost, the next one is not.
pub(super) fn run(session: &Session, queue: &Queue) {
    let mut functions = Functions::new();
    while let Some(jobs) = queue.next() {
        let begun = Instant::now();
        // What the panic leaves behind are the model's caches; it takes them from a lock that says so itself.
        let _ = catch_unwind(AssertUnwindSafe(|| take(session, &mut functions, jobs)));
        queue.took(begun.elapsed().as_secs_f64());
    }
}

fn take(session: &Session, functions: &mut Functions, jobs: Vec<Job>) {
    let mut texts = Vec::new();
    let mut prompts = Vec::new();
    let mut first = None;
    for job in jobs {
        match job {
            Job::Apply { key, task, texts: own, out } => {
                first.get_or_insert((key, task));
                texts.push(Texts { texts: own, next: 0, out });
            }
            Job::Generate { request, out } => prompts.push((request, out)),
        }
    }
    if let Some((key, task)) = first {
        match function(session, functions, key, *task) {
            Ok(function) => apply(&function, &session.fingerprint, texts),
            Err(failure) => fail(&texts, &failure),
        }
    }
    if !prompts.is_empty() {
        generate(session, prompts);
    }
}

/// The function of a task: the one made before, if it is still here.
fn function(session: &Session, functions: &mut Functions, key: String, task: Task) -> Answered<Arc<Function>> {
    let known = functions.iter().position(|(known, _)| *known == key).and_then(|place| functions.remove(place));
    let function = match known {
        Some((_, function)) => function,
        None => {
            let (model, settings) = (Arc::clone(&session.model), session.settings.clone());
            let made = Function::new(task, model, settings);
            Arc::new(made.map_err(|error| match error {
                saydo_function::Error::Model(error) => Failure::internal(cell::chain(&error)),
                error => Failure::bad(error.to_string()),
            })?)
        }
    };
    functions.push_back((key, Arc::clone(&function)));
    if functions.len() > MOST_FUNCTIONS {
        functions.pop_front();
    }
    Ok(function)
}

/// The texts of one request that are still to be taken.
struct Texts {
    texts: Vec<Arc<str>>,
    next: usize,
    out: mpsc::UnboundedSender<Event>,
}

/// Requests for one task, which take turns, so that a short one does not wait for the end of a long one.
struct Requests<'a> {
    function: &'a Function,
    keys: Keys,
    requests: Vec<Texts>,
    turn: usize,
}

impl<'a> Asker for Requests<'a> {
    /// The number of the request and of the text in it.
    type Tag = (usize, usize);
    type Ask = (&'a Function, Arc<str>, Option<Wanted>);

    fn next(&mut self) -> Option<(Key, Self::Tag)> {
        let count = self.requests.len();
        let place = (0..count).map(|step| (self.turn + step) % count).find(|place| {
            let request = &self.requests[*place];
            request.next < request.texts.len() && !request.out.is_closed()
        })?;
        self.turn = place + 1;
        let request = &mut self.requests[place];
        request.next += 1;
        // Equal texts are one only within a request: whoever asked may go away, and the others' answer with them.
        let key = self.keys.of(&format!("{place}\u{1f}{}", request.texts[request.next - 1]));
        Some((key, (place, request.next - 1)))
    }

    fn ask(&mut self, (request, text): &Self::Tag) -> Result<Self::Ask, saydo_function::Error> {
        let Texts { texts, out, .. } = &self.requests[*request];
        let out = out.clone();
        Ok((self.function, Arc::clone(&texts[*text]), Some(Wanted::new(move || !out.is_closed()))))
    }

    fn done(&mut self, (request, text): Self::Tag, cell: Cell, _is_new: bool) {
        let _ = self.requests[request].out.send(Event::Cell(text, cell));
    }
}

fn apply(function: &Function, fingerprint: &str, requests: Vec<Texts>) {
    let keys = Keys::new(&function.identity(), fingerprint);
    let mut requests = Requests { function, keys, requests, turn: 0 };
    let applied = answer(&mut requests, &mut Memory::nothing(), |questions, done| answer_each_wanted(questions, done));
    if let Err(error) = applied {
        fail(&requests.requests, &Failure::internal(cell::chain(&error)));
    }
}

fn fail(requests: &[Texts], failure: &Failure) {
    for request in requests {
        let _ = request.out.send(Event::Failed(failure.clone()));
    }
}

/// A prompt and where its reply goes.
type Prompted = (Box<Request>, oneshot::Sender<Answered<Reply>>);

fn generate(session: &Session, prompts: Vec<Prompted>) {
    let outs: RefCell<Vec<Option<oneshot::Sender<_>>>> = RefCell::default();
    let mut prompts = prompts.into_iter();
    // Whoever went away while the model was busy with others is left out when their turn comes.
    let mut requests = std::iter::from_fn(|| {
        let (request, out) = prompts.find(|(_, out)| !out.is_closed())?;
        outs.borrow_mut().push(Some(out));
        Some(*request)
    });
    let generated = session.model.generate_each(&mut requests, &mut |number, reply| {
        if let Some(out) = outs.borrow_mut()[number].take() {
            let _ = out.send(reply.map_err(|error| Failure::bad(cell::chain(&error))));
        }
    });
    if let Err(error) = generated {
        let failure = Failure::internal(cell::chain(&error));
        let rest = prompts.map(|(_, out)| out);
        outs.into_inner().into_iter().flatten().chain(rest).for_each(|out| {
            let _ = out.send(Err(failure.clone()));
        });
    }
}
