//! The thread that asks the model.

use super::queue::{Job, Queue};
use super::{Event, Loaded};
use crate::failure::{Answered, Failure};
use saydo_function::Function;
use saydo_model::{Reply, Request};
use saydo_run::cell;
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
pub(super) fn run(loaded: &Loaded, queue: &Queue) {
    let mut functions = Functions::new();
    while let Some(jobs) = queue.next() {
        let begun = Instant::now();
        // What the panic leaves behind are the model's caches; it takes them from a lock that says so itself.
        let _ = catch_unwind(AssertUnwindSafe(|| answer(loaded, &mut functions, jobs)));
        queue.took(begun.elapsed().as_secs_f64());
    }
}

fn answer(loaded: &Loaded, functions: &mut Functions, jobs: Vec<Job>) {
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
        match function(loaded, functions, key, *task) {
            Ok(function) => apply(&function, texts),
            Err(failure) => fail(&texts, &failure),
        }
    }
    if !prompts.is_empty() {
        generate(loaded, prompts);
    }
}

/// The function of a task: the one made before, if it is still here.
fn function(loaded: &Loaded, functions: &mut Functions, key: String, task: Task) -> Answered<Arc<Function>> {
    let known = functions.iter().position(|(known, _)| *known == key).and_then(|place| functions.remove(place));
    let function = match known {
        Some((_, function)) => function,
        None => {
            let (model, settings) = (Arc::clone(&loaded.model), loaded.settings.clone());
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

fn apply(function: &Function, requests: Vec<Texts>) {
    let begun = Instant::now();
    let requests = RefCell::new(requests);
    // Which text of which request each document is, in the order they were taken.
    let taken: RefCell<Vec<(usize, usize)>> = RefCell::default();
    let mut turn = 0;
    let mut documents = std::iter::from_fn(|| {
        let mut requests = requests.borrow_mut();
        // Requests take turns, so that a short one does not wait for the end of a long one.
        let count = requests.len();
        let place = (0..count).map(|step| (turn + step) % count).find(|place| {
            let request = &requests[*place];
            request.next < request.texts.len() && !request.out.is_closed()
        })?;
        turn = place + 1;
        let request = &mut requests[place];
        taken.borrow_mut().push((place, request.next));
        request.next += 1;
        Some(Arc::clone(&request.texts[request.next - 1]))
    });
    let applied = function.apply_each(&mut documents, &mut |number, result| {
        let (request, text) = taken.borrow()[number];
        let ms = u64::try_from(begun.elapsed().as_millis()).unwrap_or(u64::MAX);
        let _ = requests.borrow()[request].out.send(Event::Cell(text, cell::of(result, ms)));
    });
    if let Err(error) = applied {
        fail(&requests.borrow(), &Failure::internal(cell::chain(&error)));
    }
}

fn fail(requests: &[Texts], failure: &Failure) {
    for request in requests {
        let _ = request.out.send(Event::Failed(failure.clone()));
    }
}

/// A prompt and where its reply goes.
type Prompted = (Box<Request>, oneshot::Sender<Answered<Reply>>);

fn generate(loaded: &Loaded, prompts: Vec<Prompted>) {
    let outs: RefCell<Vec<Option<oneshot::Sender<_>>>> = RefCell::default();
    let mut prompts = prompts.into_iter();
    // Whoever went away while the model was busy with others is left out when their turn comes.
    let mut requests = std::iter::from_fn(|| {
        let (request, out) = prompts.find(|(_, out)| !out.is_closed())?;
        outs.borrow_mut().push(Some(out));
        Some(*request)
    });
    let generated = loaded.model.generate_each(&mut requests, &mut |number, reply| {
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
