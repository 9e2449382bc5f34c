//! Requests of both kinds in one stream, for whoever continues some prompts and scores others.

use super::{Done, Model, Reply, Request, Score, ScoreRequest};
use crate::Error;
use std::cell::RefCell;
use std::ops::ControlFlow;

/// A request of either kind.
#[derive(Debug, Clone, PartialEq)]
pub enum AnyRequest {
    /// A prompt to continue.
    Generate(Request),
    /// Continuations to score.
    Score(ScoreRequest),
}

/// What comes of a request of either kind.
#[derive(Debug, Clone, PartialEq)]
pub enum AnyReply {
    /// A prompt was continued.
    Reply(Reply),
    /// One score for each continuation.
    Scores(Vec<Score>),
}

/// What every request has come to, with the request's own number.
type Results<'a> = &'a mut dyn FnMut(usize, Result<AnyReply, Error>);

/// Has requests of one kind answered as long as they stand side by side, then those of the other.
pub(super) fn alternate<M: Model + ?Sized>(
    model: &M,
    requests: &mut dyn Iterator<Item = AnyRequest>,
    done: Results<'_>,
) -> Result<(), Error> {
    let mut requests = requests.enumerate();
    let mut next = requests.next();
    while let Some((number, first)) = next.take() {
        let rest = Rest { requests: &mut requests, other: &mut next };
        match first {
            AnyRequest::Generate(first) => rest.run(
                (number, first),
                |request| match request {
                    AnyRequest::Generate(request) => ControlFlow::Continue(request),
                    other => ControlFlow::Break(other),
                },
                |requests, done| model.generate_each(requests, done),
                &mut |number, result| done(number, result.map(AnyReply::Reply)),
            ),
            AnyRequest::Score(first) => rest.run(
                (number, first),
                |request| match request {
                    AnyRequest::Score(request) => ControlFlow::Continue(request),
                    other => ControlFlow::Break(other),
                },
                |requests, done| model.score_each(requests, done),
                &mut |number, result| done(number, result.map(AnyReply::Scores)),
            ),
        }?;
        next = next.or_else(|| requests.next());
    }
    Ok(())
}

/// The requests that follow, and the first of them that is of the other kind.
struct Rest<'a, I> {
    requests: &'a mut I,
    other: &'a mut Option<(usize, AnyRequest)>,
}

impl<I: Iterator<Item = (usize, AnyRequest)>> Rest<'_, I> {
    fn run<R, T>(
        self,
        first: (usize, R),
        pick: impl Fn(AnyRequest) -> ControlFlow<AnyRequest, R>,
        run: impl FnOnce(&mut dyn Iterator<Item = R>, Done<'_, T>) -> Result<(), Error>,
        done: Done<'_, T>,
    ) -> Result<(), Error> {
        let Self { requests, other } = self;
        let numbers = RefCell::new(Vec::new());
        let mut first = Some(first);
        let mut alike = std::iter::from_fn(|| {
            let (number, request) = match first.take() {
                Some(first) => first,
                None if other.is_some() => return None,
                None => {
                    let (number, request) = requests.next()?;
                    match pick(request) {
                        ControlFlow::Continue(request) => (number, request),
                        ControlFlow::Break(request) => {
                            *other = Some((number, request));
                            return None;
                        }
                    }
                }
            };
            numbers.borrow_mut().push(number);
            Some(request)
        });
        run(&mut alike, &mut |index, result| {
            let number = numbers.borrow()[index];
            done(number, result);
        })
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::{Decoding, Prompt, ScriptedModel};

    #[test]
    fn every_request_is_answered_under_its_number() {
        let model = ScriptedModel::new(|prompt| prompt.to_owned()).with_log_prob(|prompt, _| prompt.len() as f64);
        let generate = |text: &str| AnyRequest::Generate(Request::new(Prompt::plain(text), Decoding::default()));
        let score = |text: &str| AnyRequest::Score(ScoreRequest::new(Prompt::plain(text), vec!["a".to_owned()]));
        let requests = [score("1"), score("22"), generate("x"), score("333"), generate("y"), generate("z")];
        let mut found = vec![String::new(); requests.len()];
        alternate(&model, &mut requests.into_iter(), &mut |number, result| {
            found[number] = match result.unwrap() {
                AnyReply::Reply(reply) => reply.text,
                AnyReply::Scores(scores) => scores[0].log_prob.to_string(),
            };
        })
        .unwrap();
        assert_eq!(found, ["1", "2", "x", "3", "y", "z"]);
    }
}
