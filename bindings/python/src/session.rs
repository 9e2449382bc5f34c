//! A model that is ready: named as for the program, or a Python callable.

use crate::callable::Callable;
use crate::error;
use crate::function::{Function, Spec};
use crate::interrupt::interruptible;
use crate::prompts::shared;
use pyo3::prelude::*;
use saydo::ModelSpec;
use saydo::session::{AdapterChoice, Skill};
use saydo_function::{Way, WindowSize};
use saydo_model::{BatchSize, Decoding, Form, Prompt, Request, ScoreRequest, Strategy};
use std::path::PathBuf;
use std::sync::Arc;
use std::sync::atomic::{AtomicBool, AtomicUsize, Ordering};

/// What a callable is taken to read, in tokens.
const CALLABLE_CONTEXT: usize = 4096;

/// A model that is ready.
#[pyclass(frozen, module = "saydo._saydo")]
pub struct Session {
    /// The library's session.
    pub inner: saydo::Session,
}

/// Why there is no reply, or the reply with the logarithm of its probability.
type Generated = (Option<String>, Option<f64>, Option<String>);

/// The logarithm of a continuation's probability, whether it is the greedy one, and its tokens.
type Scored = (f64, bool, usize);

#[pymethods]
impl Session {
    /// Opens a model by its name.
    #[staticmethod]
    #[pyo3(signature = (
        name, *, adapter=None, skill="functions", base_url=Vec::new(), max_connections=8, max_retries=5, timeout=120.0,
        threads=None, batch_size=None, max_tokens=None, temperature=0.0, seed=0
    ))]
    #[expect(clippy::too_many_arguments, reason = "each is a keyword of the Python function")]
    fn open(
        py: Python<'_>,
        name: &str,
        adapter: Option<PathBuf>,
        skill: &str,
        base_url: Vec<String>,
        max_connections: usize,
        max_retries: u32,
        timeout: f64,
        threads: Option<usize>,
        batch_size: Option<usize>,
        max_tokens: Option<usize>,
        temperature: f64,
        seed: u64,
    ) -> PyResult<Self> {
        let adapter = match (adapter, skill) {
            (Some(path), _) if path.as_os_str() == "none" => AdapterChoice::None,
            (Some(path), _) => AdapterChoice::Folder(path),
            (None, "functions") => AdapterChoice::Shipped(Skill::Functions),
            (None, "tasks") => AdapterChoice::Shipped(Skill::Tasks),
            (None, _) => AdapterChoice::None,
        };
        let open = || -> Result<saydo::Session, saydo::Error> {
            let mut spec = ModelSpec::of_environment(name)?;
            spec.server.base_urls = base_url;
            spec.server.max_connections = max_connections;
            spec.server.max_retries = max_retries;
            spec.server.timeout_seconds = timeout;
            spec.threads = threads.unwrap_or(spec.threads);
            spec.batch_size = batch_size.map_or(spec.batch_size, BatchSize::Count);
            let spec = ModelSpec { adapter, max_tokens, temperature, seed, ..spec };
            spec.open()
        };
        let inner = interruptible(py, &AtomicBool::new(false), &mut |_| Ok(()), open)?;
        Ok(Self { inner: inner.map_err(|error| error::of_library(py, &error))? })
    }

    /// A callable from text to text as a model. Equal names must mean equal replies: records are told apart by them.
    #[staticmethod]
    #[pyo3(signature = (callable, name, *, max_connections=1))]
    fn of_callable(callable: Py<PyAny>, name: &str, max_connections: usize) -> Self {
        let model = Arc::new(Callable::new(callable, max_connections));
        let mut inner = saydo::Session::new(model, name, &format!("python:{name}"));
        inner.settings.way = Way::Free;
        inner.settings.chat = false;
        inner.settings.window = WindowSize::estimated(CALLABLE_CONTEXT);
        Self { inner }
    }

    /// The model as it was named.
    #[getter]
    fn name(&self) -> &str {
        &self.inner.name
    }

    /// Equal fingerprints mean equal replies.
    #[getter]
    fn fingerprint(&self) -> &str {
        &self.inner.fingerprint
    }

    /// Whether it has learned to answer functions, and shows evidence.
    #[getter]
    fn is_trained(&self) -> bool {
        self.inner.settings.is_trained
    }

    /// The functions of a description, a task file, or a folder of them.
    #[pyo3(signature = (description, *, kind=None, labels=None, fields=None, examples=Vec::new(), evidence=false))]
    #[expect(clippy::too_many_arguments, reason = "each is a keyword of the Python function")]
    fn functions(
        &self,
        py: Python<'_>,
        description: &str,
        kind: Option<&str>,
        labels: Option<Vec<String>>,
        fields: Option<Vec<(String, String)>>,
        examples: Vec<(String, String)>,
        evidence: bool,
    ) -> PyResult<Vec<Function>> {
        let spec = Spec { kind, labels, fields };
        Function::of_description(py, &self.inner, description, spec, examples, evidence)
    }

    /// Continues each prompt: the reply, the logarithm of its probability, or what went wrong.
    #[pyo3(signature = (prompts, *, max_tokens=256, stop=Vec::new(), temperature=0.0, top_p=1.0, seed=0, chat=false, progress=None))]
    #[expect(clippy::too_many_arguments, reason = "each is a keyword of the Python function")]
    fn generate(
        &self,
        py: Python<'_>,
        prompts: Vec<String>,
        max_tokens: usize,
        stop: Vec<String>,
        temperature: f64,
        top_p: f64,
        seed: u64,
        chat: bool,
        progress: Option<Py<PyAny>>,
    ) -> PyResult<Vec<Generated>> {
        let strategy = match temperature > 0.0 {
            true => Strategy::Sample { temperature, top_p, seed },
            false => Strategy::Greedy,
        };
        let decoding = Arc::new(Decoding { strategy, ..Decoding::greedy(max_tokens).with_stop(stop) });
        let form = if chat { Form::Chat { system: None } } else { Form::Plain };
        let request = |(prefix, text): (Arc<str>, String)| {
            let prompt = Prompt { form: form.clone(), ..Prompt::plain(text).with_prefix(prefix) };
            Request::new(prompt, Arc::clone(&decoding))
        };
        let requests: Vec<Request> = shared(prompts).into_iter().map(request).collect();
        let count = requests.len();
        let replies = ask(py, requests, count, progress, |requests, done| {
            self.inner.model.generate_each(requests, &mut |number, reply| done(number, reply))
        })?;
        Ok(replies
            .into_iter()
            .map(|reply| match reply {
                Ok(reply) => (Some(reply.text), reply.log_prob, None),
                Err(error) => (None, None, Some(error.to_string())),
            })
            .collect())
    }

    /// How likely each continuation is after its prompt; `start`, which may be a control token, stands for an empty prompt.
    #[pyo3(signature = (pairs, *, start=None, progress=None))]
    fn score(
        &self,
        py: Python<'_>,
        pairs: Vec<(String, String)>,
        start: Option<String>,
        progress: Option<Py<PyAny>>,
    ) -> PyResult<Vec<Scored>> {
        // Continuations of one prompt, as multiple choice has them, are one request.
        let mut grouped: Vec<(String, Vec<String>)> = Vec::new();
        for (prompt, continuation) in pairs {
            match grouped.last_mut() {
                Some((last, continuations)) if *last == prompt => continuations.push(continuation),
                _ => grouped.push((prompt, vec![continuation])),
            }
        }
        let (prompts, continuations): (Vec<String>, Vec<Vec<String>>) = grouped.into_iter().unzip();
        let request = |((prefix, text), continuations): ((Arc<str>, String), Vec<String>)| {
            let prompt = match &start {
                Some(start) if prefix.is_empty() && text.is_empty() => {
                    Prompt { form: Form::Rendered, ..Prompt::plain(start.clone()) }
                }
                _ => Prompt::plain(text).with_prefix(prefix),
            };
            ScoreRequest::new(prompt, continuations)
        };
        let requests: Vec<ScoreRequest> = shared(prompts).into_iter().zip(continuations).map(request).collect();
        let count = requests.len();
        let answered = ask(py, requests, count, progress, |requests, done| {
            self.inner.model.score_each(requests, &mut |number, scores| done(number, scores))
        })?;
        let mut scored = Vec::new();
        for scores in answered {
            let scores = scores.map_err(|error| error::of(py, error::Kind::Model, &error))?;
            scored.extend(scores.iter().map(|score| (score.log_prob, score.is_greedy, score.tokens)));
        }
        Ok(scored)
    }
}

type Done<'a, T> = &'a mut dyn FnMut(usize, Result<T, saydo_model::Error>);

/// Has requests answered, in their order. Ctrl-C ends it: no further request is given to the model.
fn ask<R: Send, T: Send>(
    py: Python<'_>,
    requests: Vec<R>,
    count: usize,
    progress: Option<Py<PyAny>>,
    stream: impl FnOnce(&mut dyn Iterator<Item = R>, Done<'_, T>) -> Result<(), saydo_model::Error> + Send,
) -> PyResult<Vec<Result<T, saydo_model::Error>>> {
    let (stop, finished) = (AtomicBool::new(false), AtomicUsize::new(0));
    let mut watch = |py: Python<'_>| match &progress {
        Some(progress) => progress.call1(py, (finished.load(Ordering::Relaxed), count)).map(drop),
        None => Ok(()),
    };
    let work = || {
        let mut results: Vec<Option<Result<T, saydo_model::Error>>> = (0..count).map(|_| None).collect();
        let mut asked = requests.into_iter().take_while(|_| !stop.load(Ordering::Relaxed));
        let streamed = stream(&mut asked, &mut |number, result| {
            results[number] = Some(result);
            finished.fetch_add(1, Ordering::Relaxed);
        });
        streamed.map(|()| results)
    };
    let results = interruptible(py, &stop, &mut watch, work)?;
    let results = results.map_err(|error| error::of(py, error::Kind::Model, &error))?;
    Ok(results.into_iter().flatten().collect())
}
