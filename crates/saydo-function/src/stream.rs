//! Documents on their way through the model: labels scored, other answers generated, windows put together again.
//!
//! A document is taken when the model has room for it, and its outcome is told when its last window is read. What still has
//! to be asked about documents at hand goes before the next document, so that what shares a text is computed side by side.

use crate::function::Function;
use crate::labels::Labels;
use crate::merge::{WindowAnswer, merge};
use crate::window::Window;
use crate::{Error, Outcome};
use saydo_model::{AnyReply, AnyRequest, Request, Score, ScoreRequest, Wanted};
use saydo_task::{Answer, AnswerKind};
use std::borrow::Borrow;
use std::cell::RefCell;
use std::collections::{HashMap, VecDeque};
use std::sync::Arc;

/// Windows of a document that are read together. If one of them holds an answer, the others are not read.
const MAX_WINDOWS_AT_ONCE: usize = 5;

/// Answers each document by the function beside it, and calls `done` once for each with its number in order of being taken, in
/// any order. All functions must be of one model.
///
/// Documents are taken as there is room for them: `asked` is called again even after it gave `None`, as long as anything is in
/// flight. Documents that stand side by side and are asked several things are computed once. Otherwise as
/// [`Function::apply_each`].
pub fn answer_each<F: Borrow<Function>>(
    asked: &mut dyn Iterator<Item = (F, Arc<str>)>,
    done: &mut dyn FnMut(usize, Result<Outcome, Error>),
) -> Result<(), Error> {
    answer_each_wanted(&mut asked.map(|(function, document)| (function, document, None)), done)
}

/// The same for documents whose answers somebody may wait for. One that nobody waits for any more is answered with
/// [`saydo_model::Error::Unwanted`] as soon as that is noticed, be it in the middle of its answer.
pub fn answer_each_wanted<F: Borrow<Function>>(
    asked: &mut dyn Iterator<Item = (F, Arc<str>, Option<Wanted>)>,
    done: &mut dyn FnMut(usize, Result<Outcome, Error>),
) -> Result<(), Error> {
    let Some((function, document, wanted)) = asked.next() else { return Ok(()) };
    let model = Arc::clone(function.borrow().model());
    let (open, steps, flights) = (HashMap::new(), VecDeque::new(), HashMap::new());
    let mut stream = Stream { asked, done, taken: 0, open, steps, requested: 0, flights, failed: Vec::new() };
    stream.take(function, &document, wanted);
    let stream = RefCell::new(stream);
    let mut requests = std::iter::from_fn(|| stream.borrow_mut().next());
    model.answer_each(&mut requests, &mut |request, result| stream.borrow_mut().answered(request, result))?;
    stream.into_inner().tell_failed();
    Ok(())
}

struct Stream<'a, F> {
    asked: &'a mut dyn Iterator<Item = (F, Arc<str>, Option<Wanted>)>,
    done: &'a mut dyn FnMut(usize, Result<Outcome, Error>),
    /// How many documents were taken.
    taken: usize,
    /// Documents without an outcome.
    open: HashMap<usize, Document<F>>,
    /// What is to be asked before another document is taken.
    steps: VecDeque<Step>,
    /// How many requests the model was given, and what those that it is at work on are for.
    requested: usize,
    flights: HashMap<usize, Step>,
    /// Documents that the model failed. They are told when it has answered something else, because if it fails as a whole it
    /// was not their fault.
    failed: Vec<(usize, Error)>,
}

struct Document<F> {
    function: F,
    /// Whether anybody still waits for its answer.
    wanted: Option<Wanted>,
    windows: Vec<Window>,
    /// The windows in the order in which they are read, and how many of them have been given out.
    order: Vec<usize>,
    given: usize,
    answers: Vec<Option<WindowAnswer>>,
    error: Option<Error>,
    /// Windows that were given out and have no answer yet.
    left: usize,
}

/// Something to ask about a window of a document.
struct Step {
    document: usize,
    window: usize,
    purpose: Purpose,
}

enum Purpose {
    /// Which label it is, by the labels' scores.
    Label,
    /// The answer in the model's own words.
    Answer,
    /// The passage that shows the label of this answer.
    Evidence(WindowAnswer),
}

impl<F: Borrow<Function>> Stream<'_, F> {
    /// The next request; none if there is none now.
    fn next(&mut self) -> Option<AnyRequest> {
        while self.steps.is_empty() {
            let (function, document, wanted) = self.asked.next()?;
            self.take(function, &document, wanted);
        }
        let step = self.steps.pop_front()?;
        let request = self.open.get(&step.document)?.request(&step);
        self.flights.insert(self.requested, step);
        self.requested += 1;
        Some(request)
    }

    /// Takes a document in.
    fn take(&mut self, function: F, document: &Arc<str>, wanted: Option<Wanted>) {
        let number = self.taken;
        self.taken += 1;
        self.open.insert(number, Document::new(function, document, wanted));
        self.read_on(number);
    }

    /// Has further windows of a document read. Those without any text need no model.
    fn read_on(&mut self, number: usize) {
        let Some(document) = self.open.get_mut(&number) else { return };
        let function = document.function.borrow();
        let purpose = || if function.labels().is_some() { Purpose::Label } else { Purpose::Answer };
        let mut empty = Vec::new();
        let first = document.given;
        let count = if document.reads_all() { document.order.len() } else { MAX_WINDOWS_AT_ONCE };
        let mut windows: Vec<usize> = document.order.iter().skip(first).take(count).copied().collect();
        windows.sort_unstable();
        let read = windows.len();
        for window in windows {
            match function.spec().allows_na() && document.windows[window].text.trim().is_empty() {
                true => empty.push(window),
                false => self.steps.push_back(Step { document: number, window, purpose: purpose() }),
            }
        }
        (document.given, document.left) = (first + read, read);
        for window in empty {
            let nothing = WindowAnswer { confidence: Some(1.0), ..WindowAnswer::of(Answer::Na) };
            self.settle(number, window, Ok(nothing));
        }
    }

    /// Takes what the model gave for a request.
    fn answered(&mut self, request: usize, result: Result<AnyReply, saydo_model::Error>) {
        let Step { document, window, purpose } =
            self.flights.remove(&request).expect("a model answers each request once");
        if result.is_ok() {
            self.tell_failed();
        }
        let asked = self.open.get(&document).expect("a document stays until all about it is answered");
        let (function, text) = (asked.function.borrow(), &asked.windows[window]);
        let next = match (purpose, result) {
            (Purpose::Label, Ok(AnyReply::Scores(scores))) => read_scores(function, &scores),
            (Purpose::Label, Err(saydo_model::Error::Unsupported { .. })) if function.is_served() => {
                Next::Ask(Purpose::Answer)
            }
            (Purpose::Answer, Ok(AnyReply::Reply(reply))) => Next::Settled(function.read_reply(text, &reply)),
            (Purpose::Evidence(answer), Ok(AnyReply::Reply(reply))) => {
                let evidence = function.read_evidence(text, &reply).into_iter().collect();
                Next::Settled(Ok(WindowAnswer { evidence, ..answer }))
            }
            (_, Err(error)) => Next::Settled(Err(error.into())),
            (_, Ok(_)) => unreachable!("a model answers each request in its own kind"),
        };
        match next {
            Next::Ask(purpose) => self.steps.push_back(Step { document, window, purpose }),
            Next::Settled(answer) => self.settle(document, window, answer),
        }
    }

    /// Notes what a window gave, and tells the document's outcome when it was the last. A document with a window that
    /// failed has failed; its first error is told.
    fn settle(&mut self, number: usize, window: usize, answer: Result<WindowAnswer, Error>) {
        let Some(document) = self.open.get_mut(&number) else { return };
        match answer {
            Ok(answer) => document.answers[window] = Some(answer),
            Err(error) => _ = document.error.get_or_insert(error),
        }
        document.left -= 1;
        if document.left > 0 {
            return;
        }
        if !document.is_over() {
            return self.read_on(number);
        }
        match self.open.remove(&number).map(Document::outcome) {
            Some(Err(Error::Model(error))) => self.failed.push((number, Error::Model(error))),
            Some(outcome) => (self.done)(number, outcome),
            None => {}
        }
    }

    fn tell_failed(&mut self) {
        for (number, error) in self.failed.drain(..) {
            (self.done)(number, Err(error));
        }
    }
}

/// What follows from an answer of the model.
enum Next {
    Ask(Purpose),
    Settled(Result<WindowAnswer, Error>),
}

fn read_scores(function: &Function, scores: &[Score]) -> Next {
    let labels = function.labels().expect("only functions with labels ask for scores");
    // It begins its reply otherwise: the reply itself will tell.
    if function.is_served() && !Labels::are_likely(scores) {
        return Next::Ask(Purpose::Answer);
    }
    match function.calibrated(labels.judge(scores)) {
        answer if function.wants_evidence() && answer.answer != Answer::Na => Next::Ask(Purpose::Evidence(answer)),
        answer => Next::Settled(Ok(answer)),
    }
}

impl<F: Borrow<Function>> Document<F> {
    fn new(function: F, document: &Arc<str>, wanted: Option<Wanted>) -> Self {
        let windows = function.borrow().windows(document);
        let order = match windows.len() {
            few @ ..=MAX_WINDOWS_AT_ONCE => (0..few).collect(),
            _ => function.borrow().order(&windows),
        };
        Self { function, wanted, order, given: 0, answers: vec![None; windows.len()], error: None, left: 0, windows }
    }

    fn request(&self, step: &Step) -> AnyRequest {
        let (function, window) = (self.function.borrow(), &self.windows[step.window]);
        let wanted = self.wanted.clone();
        match (&step.purpose, function.labels()) {
            (Purpose::Label, Some(labels)) => {
                AnyRequest::Score(ScoreRequest { wanted, ..labels.request(function.wording(), &window.text) })
            }
            (Purpose::Evidence(WindowAnswer { answer: Answer::Label(label), .. }), _) => {
                AnyRequest::Generate(Request { wanted, ..function.evidence_request(window, label) })
            }
            _ => AnyRequest::Generate(Request { wanted, ..function.request(window) }),
        }
    }

    fn is_over(&self) -> bool {
        let has_answer = self.answers.iter().flatten().any(|answer| answer.answer != Answer::Na);
        self.error.is_some() || self.given == self.order.len() || has_answer && !self.reads_all()
    }

    /// Free text is made of all windows.
    fn reads_all(&self) -> bool {
        self.function.borrow().spec().kind == AnswerKind::Text
    }

    fn outcome(self) -> Result<Outcome, Error> {
        match self.error {
            Some(error) => Err(error),
            None => {
                let answers = self.answers.into_iter().flatten().collect();
                Ok(Outcome { windows: self.windows.len(), ..merge(answers) })
            }
        }
    }
}
