//! Some documents on their way through the model: scored, answered where there is an answer, put together again.

use crate::first_token::FirstToken;
use crate::function::Function;
use crate::judge::{Judge, Judgement};
use crate::learned::{Learned, read_evidence};
use crate::merge::{WindowAnswer, merge};
use crate::window::Window;
use crate::{Error, Outcome};
use saydo_model::Score;
use saydo_task::Answer;

/// The windows of some documents with what is known of each.
pub(crate) struct Batch<'a> {
    documents: Vec<Document>,
    /// Documents that failed. They are told at the end, because if the model fails as a whole it was not their fault.
    failed: Vec<(usize, Error)>,
    done: &'a mut dyn FnMut(usize, Result<Outcome, Error>),
}

struct Document {
    windows: Vec<Window>,
    answers: Vec<Option<WindowAnswer>>,
    error: Option<Error>,
    left: usize,
}

/// Which window of which document.
type Place = (usize, usize);

impl<'a> Batch<'a> {
    pub fn new(documents: Vec<Vec<Window>>, done: &'a mut dyn FnMut(usize, Result<Outcome, Error>)) -> Self {
        let document = |windows: Vec<Window>| Document {
            answers: vec![None; windows.len()],
            error: None,
            left: windows.len(),
            windows,
        };
        Self { documents: documents.into_iter().map(document).collect(), failed: Vec::new(), done }
    }

    pub fn run(mut self, function: &Function) -> Result<(), Error> {
        let all =
            |(index, document): (usize, &Document)| (0..document.windows.len()).map(move |window| (index, window));
        let mut places: Vec<(Place, Option<Judgement>)> =
            self.documents.iter().enumerate().flat_map(all).map(|place| (place, None)).collect();
        if function.spec().allows_na() {
            places.retain(|(place, _)| {
                let is_empty = self.window(*place).text.trim().is_empty();
                if is_empty {
                    let answer = WindowAnswer { confidence: Some(1.0), ..WindowAnswer::of(Answer::Na) };
                    self.settle(*place, Ok(answer));
                }
                !is_empty
            });
        }
        if let Some(learned) = function.learned().filter(|learned| learned.has_labels()) {
            let places: Vec<Place> = places.drain(..).map(|(place, _)| place).collect();
            self.label(function, learned, &places)?;
        }
        if let Some(judge) = function.judge().filter(|judge| judge.requests_per_window() > 0) {
            places = self.judge(function, judge, &places)?;
        }
        if let Some(first_token) = function.first_token() {
            places = self.look_at_first_tokens(function, first_token, places)?;
        }
        self.generate(function, &places)?;
        for (index, error) in std::mem::take(&mut self.failed) {
            (self.done)(index, Err(error));
        }
        Ok(())
    }

    /// Settles windows by the labels that a model which has learned to answer functions gives them in one pass.
    fn label(&mut self, function: &Function, learned: &Learned, places: &[Place]) -> Result<(), Error> {
        let windows: Vec<Window> = places.iter().map(|place| self.window(*place).clone()).collect();
        let mut requests = windows.iter().map(|window| learned.score_request(window));
        let mut labelled = Vec::new();
        function.model().score_each(&mut requests, &mut |number, result| match result {
            Ok(scores) => match learned.judge(&scores) {
                answer if learned.wants_evidence && answer.answer != Answer::Na => labelled.push((number, answer)),
                answer => self.settle(places[number], Ok(answer)),
            },
            Err(error) => self.settle(places[number], Err(error.into())),
        })?;
        labelled.sort_by_key(|(number, _)| *number);
        let mut requests = labelled.iter().filter_map(|(number, answer)| match &answer.answer {
            Answer::Label(label) => Some(learned.evidence_request(&windows[*number], label, function.span_decoding())),
            _ => None,
        });
        function.model().generate_each(&mut requests, &mut |index, result| {
            let (number, answer) = &labelled[index];
            let evidence = |reply| read_evidence(&windows[*number], &reply).into_iter().collect();
            let answer = result.map(|reply| WindowAnswer { evidence: evidence(reply), ..answer.clone() });
            self.settle(places[*number], answer.map_err(Error::from));
        })?;
        Ok(())
    }

    /// Scores the windows. Those without an answer, or whose label the scores tell, are settled; the others are
    /// returned with what was judged of them.
    fn judge(
        &mut self,
        function: &Function,
        judge: &Judge,
        places: &[(Place, Option<Judgement>)],
    ) -> Result<Vec<(Place, Option<Judgement>)>, Error> {
        let each = judge.requests_per_window();
        let texts: Vec<_> = places.iter().map(|(place, _)| self.window(*place).text.clone()).collect();
        let mut requests = texts.iter().flat_map(|text| judge.requests(function.judging(), text));
        let mut scores: Vec<Vec<Option<Vec<Score>>>> = vec![vec![None; each]; places.len()];
        let mut failed = vec![false; places.len()];
        let mut open = Vec::new();
        function.model().score_each(&mut requests, &mut |number, result| {
            let (index, part) = (number / each, number % each);
            let place = places[index].0;
            match result {
                Err(_) if failed[index] => {}
                Err(error) => {
                    failed[index] = true;
                    self.settle(place, Err(error.into()));
                }
                Ok(score) => scores[index][part] = Some(score),
            }
            let Some(all) = scores[index].iter().cloned().collect::<Option<Vec<_>>>() else { return };
            let judgement = judge.judge(&all);
            match judgement.is_na() || function.has_labels() {
                true => self.settle(place, Ok(judgement.answer())),
                false => open.push((place, Some(judgement))),
            }
        })?;
        open.sort_by_key(|(place, _)| *place);
        Ok(open)
    }

    /// Settles the windows whose label shows in the first token of the reply; the others are returned.
    fn look_at_first_tokens(
        &mut self,
        function: &Function,
        first_token: &FirstToken,
        places: Vec<(Place, Option<Judgement>)>,
    ) -> Result<Vec<(Place, Option<Judgement>)>, Error> {
        let texts: Vec<_> = places.iter().map(|(place, _)| self.window(*place).text.clone()).collect();
        let mut requests = texts.iter().map(|text| first_token.request(function.wording(), text));
        let mut open = Vec::new();
        function.model().score_each(&mut requests, &mut |number, result| match result
            .map(|scores| first_token.judge(&scores))
        {
            Ok(Some(judgement)) => self.settle(places[number].0, Ok(judgement.answer())),
            // It begins its reply otherwise, or says nothing about how: the reply itself will tell.
            Ok(None) | Err(saydo_model::Error::Unsupported { .. }) => open.push(places[number].clone()),
            Err(error) => self.settle(places[number].0, Err(error.into())),
        })?;
        open.sort_by_key(|(place, _)| *place);
        Ok(open)
    }

    fn generate(&mut self, function: &Function, places: &[(Place, Option<Judgement>)]) -> Result<(), Error> {
        let windows: Vec<Window> = places.iter().map(|(place, _)| self.window(*place).clone()).collect();
        let mut requests = windows.iter().map(|window| function.request(window));
        function.model().generate_each(&mut requests, &mut |number, result| {
            let (place, judgement) = &places[number];
            let answer = match result {
                Ok(reply) => function.read_reply(&windows[number], &reply, judgement.as_ref()),
                Err(error) => Err(error.into()),
            };
            self.settle(*place, answer);
        })?;
        Ok(())
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
        if document.left == 0 {
            let answers: Vec<WindowAnswer> = document.answers.drain(..).flatten().collect();
            match document.error.take() {
                Some(error) => self.failed.push((index, error)),
                None => (self.done)(index, Ok(merge(answers))),
            }
        }
    }
}
