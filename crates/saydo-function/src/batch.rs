//! Some documents on their way through the model: labels scored, other answers generated, windows put together again.

use crate::function::Function;
use crate::labels::Labels;
use crate::merge::{WindowAnswer, merge};
use crate::window::Window;
use crate::{Error, Outcome};
use saydo_task::{Answer, AnswerKind};

/// The windows of some documents, each with the function that it is asked by. All functions ask the same model.
pub(crate) struct Batch<'a> {
    documents: Vec<Document<'a>>,
    /// Documents that failed. They are told at the end, because if the model fails as a whole it was not their fault.
    failed: Vec<(usize, Error)>,
    done: &'a mut dyn FnMut(usize, Result<Outcome, Error>),
}

struct Document<'a> {
    function: &'a Function,
    windows: Vec<Window>,
    /// The windows in the order in which they are read, and how many of them have been given out.
    order: Vec<usize>,
    taken: usize,
    answers: Vec<Option<WindowAnswer>>,
    error: Option<Error>,
    /// Windows that were given out and have no answer yet.
    left: usize,
}

/// Windows of a document that are read together. If one of them holds an answer, the others are not read.
const MAX_WINDOWS_AT_ONCE: usize = 5;

/// Which window of which document.
type Place = (usize, usize);

impl<'a> Batch<'a> {
    pub fn new(
        documents: Vec<(&'a Function, Vec<Window>)>,
        done: &'a mut dyn FnMut(usize, Result<Outcome, Error>),
    ) -> Self {
        let document = |(function, windows): (&'a Function, Vec<Window>)| Document {
            function,
            order: match windows.len() {
                few @ ..=MAX_WINDOWS_AT_ONCE => (0..few).collect(),
                _ => function.order(&windows),
            },
            taken: 0,
            answers: vec![None; windows.len()],
            error: None,
            left: 0,
            windows,
        };
        Self { documents: documents.into_iter().map(document).collect(), failed: Vec::new(), done }
    }

    pub fn run(mut self) -> Result<(), Error> {
        loop {
            let places = self.next_windows();
            if places.is_empty() {
                break;
            }
            self.read(places)?;
        }
        for (index, error) in std::mem::take(&mut self.failed) {
            (self.done)(index, Err(error));
        }
        Ok(())
    }

    /// The windows to be read next, of documents in which no answer was found yet.
    fn next_windows(&mut self) -> Vec<Place> {
        let mut places = Vec::new();
        for (index, document) in self.documents.iter_mut().enumerate() {
            let is_open = document.error.is_none() && !document.has_answer();
            let count = if document.reads_all() { document.order.len() } else { MAX_WINDOWS_AT_ONCE };
            let next = document.order.iter().skip(document.taken).take(if is_open { count } else { 0 });
            let before = places.len();
            places.extend(next.map(|window| (index, *window)));
            document.left = places.len() - before;
            document.taken += document.left;
        }
        places.sort_unstable();
        places
    }

    fn read(&mut self, mut places: Vec<Place>) -> Result<(), Error> {
        places.retain(|place| {
            let is_empty = self.function(*place).spec().allows_na() && self.window(*place).text.trim().is_empty();
            if is_empty {
                let answer = WindowAnswer { confidence: Some(1.0), ..WindowAnswer::of(Answer::Na) };
                self.settle(*place, Ok(answer));
            }
            !is_empty
        });
        let (scored, mut generated): (Vec<Place>, Vec<Place>) =
            places.into_iter().partition(|place| self.function(*place).labels().is_some());
        generated.extend(self.label(&scored)?);
        generated.sort_unstable();
        self.generate(&generated)
    }

    /// Settles windows by the scores of their labels. Those whose label the scores do not tell are returned.
    fn label(&mut self, places: &[Place]) -> Result<Vec<Place>, Error> {
        let Some(first) = places.first() else { return Ok(Vec::new()) };
        let model = self.function(*first).model();
        let asked: Vec<(&Function, &Labels, Window)> = places
            .iter()
            .filter_map(|place| {
                let function = self.function(*place);
                Some((function, function.labels()?, self.window(*place).clone()))
            })
            .collect();
        let mut requests =
            asked.iter().map(|(function, labels, window)| labels.request(function.wording(), &window.text));
        let (mut open, mut shown) = (Vec::new(), Vec::new());
        model.score_each(&mut requests, &mut |number, result| {
            let (function, labels, _) = &asked[number];
            match result {
                // It begins its reply otherwise: the reply itself will tell.
                Ok(scores) if function.is_served() && !Labels::are_likely(&scores) => open.push(places[number]),
                Ok(scores) => match function.calibrated(labels.judge(&scores)) {
                    answer if function.wants_evidence() && answer.answer != Answer::Na => shown.push((number, answer)),
                    answer => self.settle(places[number], Ok(answer)),
                },
                Err(saydo_model::Error::Unsupported { .. }) if function.is_served() => open.push(places[number]),
                Err(error) => self.settle(places[number], Err(error.into())),
            }
        })?;
        shown.sort_by_key(|(number, _)| *number);
        let mut requests = shown.iter().filter_map(|(number, answer)| match &answer.answer {
            Answer::Label(label) => Some(asked[*number].0.evidence_request(&asked[*number].2, label)),
            _ => None,
        });
        model.generate_each(&mut requests, &mut |index, result| {
            let (number, answer) = &shown[index];
            let (function, _, window) = &asked[*number];
            let evidence = |reply| function.read_evidence(window, &reply).into_iter().collect();
            let answer = result.map(|reply| WindowAnswer { evidence: evidence(reply), ..answer.clone() });
            self.settle(places[*number], answer.map_err(Error::from));
        })?;
        Ok(open)
    }

    fn generate(&mut self, places: &[Place]) -> Result<(), Error> {
        let Some(first) = places.first() else { return Ok(()) };
        let model = self.function(*first).model();
        let asked: Vec<(&Function, Window)> =
            places.iter().map(|place| (self.function(*place), self.window(*place).clone())).collect();
        let mut requests = asked.iter().map(|(function, window)| function.request(window));
        model.generate_each(&mut requests, &mut |number, result| {
            let (function, window) = &asked[number];
            let answer = match result {
                Ok(reply) => function.read_reply(window, &reply),
                Err(error) => Err(error.into()),
            };
            self.settle(places[number], answer);
        })?;
        Ok(())
    }

    fn function(&self, (document, _): Place) -> &'a Function {
        self.documents[document].function
    }

    fn window(&self, (document, window): Place) -> &Window {
        &self.documents[document].windows[window]
    }

    /// Notes what a window gave, and gives the document's outcome when it was the last. A document with a window that
    /// failed has failed; its first error is told.
    fn settle(&mut self, (index, window): Place, answer: Result<WindowAnswer, Error>) {
        let document = &mut self.documents[index];
        match answer {
            Ok(answer) => document.answers[window] = Some(answer),
            Err(error) => _ = document.error.get_or_insert(error),
        }
        document.left = document.left.saturating_sub(1);
        let is_over = document.error.is_some() || document.has_answer() || document.taken == document.order.len();
        if document.left == 0 && is_over {
            document.taken = document.order.len();
            let answers: Vec<WindowAnswer> = document.answers.drain(..).flatten().collect();
            match document.error.take() {
                Some(error) => self.failed.push((index, error)),
                None => (self.done)(index, Ok(Outcome { windows: document.windows.len(), ..merge(answers) })),
            }
        }
    }
}

impl Document<'_> {
    fn has_answer(&self) -> bool {
        self.answers.iter().flatten().any(|answer| answer.answer != Answer::Na)
    }

    /// Free text is made of all windows.
    fn reads_all(&self) -> bool {
        self.function.spec().kind == AnswerKind::Text
    }
}
