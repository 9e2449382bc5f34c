//! Any Python callable as a model: a prompt in, a reply out.

use pyo3::prelude::*;
use saydo_model::{Error, Finish, Model, Reply, Request, Score, ScoreRequest, Usage, Wanted};
use std::thread;

/// A callable from text to text. It gives no probabilities, so functions let it reply freely and read the reply.
pub struct Callable {
    callable: Py<PyAny>,
    /// How many calls run at once.
    connections: usize,
}

impl Callable {
    /// Calls `callable` from so many threads at once; at least 1.
    pub fn new(callable: Py<PyAny>, connections: usize) -> Self {
        Self { callable, connections: connections.max(1) }
    }

    fn reply(&self, request: &Request) -> Result<Reply, Error> {
        Wanted::check(request.wanted.as_ref())?;
        let prompt = request.prompt.whole();
        let said = Python::attach(|py| self.callable.call1(py, (prompt,))?.extract::<String>(py));
        let text = said.map_err(|error| Error::Server(Box::new(error)))?;
        // A callable knows no stop strings: what stands behind the first of them was not asked for.
        let stop = request.decoding.stop.iter().filter_map(|stop| text.find(stop.as_str())).min();
        let text = stop.map_or(text.as_str(), |end| &text[..end]).to_owned();
        let finish = if stop.is_some() { Finish::Stop } else { Finish::End };
        Ok(Reply {
            text,
            tokens: Vec::new(),
            finish,
            log_prob: None,
            first_log_prob: None,
            opening_log_odds: None,
            usage: Usage::default(),
        })
    }
}

impl Model for Callable {
    fn generate_each(
        &self,
        requests: &mut dyn Iterator<Item = Request>,
        done: &mut dyn FnMut(usize, Result<Reply, Error>),
    ) -> Result<(), Error> {
        let mut number = 0;
        loop {
            let asked: Vec<Request> = requests.take(self.connections).collect();
            let replies: Vec<_> = match &asked[..] {
                [] => return Ok(()),
                [one] => vec![self.reply(one)],
                several => thread::scope(|scope| {
                    let threads: Vec<_> =
                        several.iter().map(|request| scope.spawn(move || self.reply(request))).collect();
                    threads.into_iter().map(|one| one.join().expect("a call that fails is an error")).collect()
                }),
            };
            for reply in replies {
                done(number, reply);
                number += 1;
            }
        }
    }

    fn score_each(
        &self,
        requests: &mut dyn Iterator<Item = ScoreRequest>,
        done: &mut dyn FnMut(usize, Result<Vec<Score>, Error>),
    ) -> Result<(), Error> {
        for (number, _) in requests.enumerate() {
            let what = "the probability of a given text under a Python callable".to_owned();
            let advice = "use a protocol that generates, or a model that runs here".to_owned();
            done(number, Err(Error::Unsupported { what, advice }));
        }
        Ok(())
    }
}
