//! Protocols for other harnesses: the prompts to ask, and our scores of what was said.

use crate::error;
use crate::evaluate::{Asked, Settings, named, report};
use crate::interrupt::interruptible;
use crate::score::mode;
use pyo3::prelude::*;
use saydo_corpus::{Cell, Status};
use saydo_model::Strategy;
use saydo_protocol::record::Opened;
use saydo_protocol::{Length, score};
use serde_json::{Value, json};
use std::path::PathBuf;
use std::sync::atomic::AtomicBool;

type Failure = Box<dyn std::error::Error + Send + Sync>;

/// Writes the plan of a protocol into a folder; gives its samples and metrics as JSON.
#[pyfunction]
#[pyo3(signature = (protocol, data, folder, *, layout=Vec::new(), num_fewshot=None, limit=None, tasks=Vec::new(), seed=0))]
#[expect(clippy::too_many_arguments, reason = "each is a keyword of the Python function")]
pub fn plan(
    py: Python<'_>,
    protocol: &str,
    data: Vec<PathBuf>,
    folder: PathBuf,
    layout: Vec<String>,
    num_fewshot: Option<usize>,
    limit: Option<usize>,
    tasks: Vec<String>,
    seed: u64,
) -> PyResult<String> {
    let (protocol, task) = named(py, protocol)?;
    let settings = Settings { layouts: layout, num_fewshot, limit, tasks, seed, ..Settings::new(protocol, data, task) };
    let work = || -> Result<Value, Failure> {
        let asked = Asked::nobody();
        let plan = settings.plan(&asked)?;
        let [decoding] = &plan.decodings[..] else {
            return Err(format!("{protocol} has {} decodings, expected one", plan.decodings.len()).into());
        };
        let (Length::Tokens(max_tokens), Strategy::Greedy, false) =
            (decoding.length, decoding.strategy, decoding.is_constrained())
        else {
            return Err(format!("{protocol} decodes as {}, expected greedy replies", decoding.name).into());
        };
        settings.record(&plan, &asked).save(&folder, &plan)?;
        let sample = |(number, sample): (usize, &saydo_protocol::Sample)| {
            let (task, instance) = (plan.task(sample), plan.instance(sample));
            json!({
                "number": number,
                "task": task.id,
                "id": instance.name(),
                "prompt": plan.prompt(sample),
                "references": instance.gold,
            })
        };
        Ok(json!({
            "metrics": plan.protocol.metrics(),
            "stop": decoding.stop,
            "max_tokens": max_tokens,
            "samples": plan.samples.iter().enumerate().map(sample).collect::<Value>(),
        }))
    };
    let planned = interruptible(py, &AtomicBool::new(false), &mut |_| Ok(()), work)?;
    planned.map(|planned| planned.to_string()).map_err(|error| error::of(py, error::Kind::Data, &*error))
}

/// Scores of replies to samples of a plan, by their numbers; the others have no reply.
#[pyfunction]
#[pyo3(signature = (folder, replies, *, mode="strict", seed=0))]
pub fn score_replies(
    py: Python<'_>,
    folder: PathBuf,
    replies: Vec<(usize, String)>,
    mode: &str,
    seed: u64,
) -> PyResult<String> {
    let mode = self::mode(py, mode)?;
    let work = || -> Result<Value, Failure> {
        let Opened { plan, .. } = Opened::load(&folder)?;
        let mut cells: Vec<Option<Cell>> = plan.samples.iter().map(|_| None).collect();
        let all = cells.len();
        for (number, text) in replies {
            let place = cells.get_mut(number).ok_or_else(|| format!("sample {number}, expected one below {all}"))?;
            let nothing = saydo::record::cell::without_answer(Status::Ok, String::new(), 0);
            *place = Some(Cell { answer: Value::from(text), error: None, ..nothing });
        }
        let scores = score(&plan, &cells, &saydo_protocol::score::Options { mode, seed, competent_at: None })?;
        Ok(report(&plan, &scores, Some(&folder)))
    };
    let scored = interruptible(py, &AtomicBool::new(false), &mut |_| Ok(()), work)?;
    scored.map(|scored| scored.to_string()).map_err(|error| error::of(py, error::Kind::Data, &*error))
}
