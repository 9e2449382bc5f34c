//! Batch files: what is not finished goes out as requests, and what comes back is recorded.
//!
//! So any scheduler, or `vllm run-batch`, can take a large corpus. A request's `custom_id` is the key of the answer and
//! the number of the window; nothing else is needed to find its place again. What a request and a result look like is
//! the server's business: callers pass that in.

mod export;
mod import;
mod results;

pub use export::{Exported, export};
pub use import::{Imported, import};
pub use results::Results;

use super::{Key, Keys};
use saydo_function::{Error, Function, Outcome};
use saydo_model::{Reply, Request};

type Ask<'a> = dyn Fn(&str) -> Vec<Request> + 'a;
type Read<'a> = dyn Fn(&str, &[Reply]) -> Result<Outcome, Error> + 'a;

/// A function that is asked through files.
pub struct Part<'a> {
    keys: Keys,
    ask: Box<Ask<'a>>,
    read: Box<Read<'a>>,
}

impl<'a> Part<'a> {
    /// The part of a function on the model of this fingerprint.
    pub fn of(function: &'a Function, fingerprint: &str) -> Self {
        let keys = Keys::new(&function.identity(), fingerprint);
        Self::new(keys, |text| function.ask(text), |text, replies| function.read(text, replies))
    }

    /// A part from anywhere: `ask` gives one request for each window of a text, `read` makes an answer of their replies.
    pub fn new(
        keys: Keys,
        ask: impl Fn(&str) -> Vec<Request> + 'a,
        read: impl Fn(&str, &[Reply]) -> Result<Outcome, Error> + 'a,
    ) -> Self {
        Self { keys, ask: Box::new(ask), read: Box::new(read) }
    }
}

/// The `custom_id` of a window's request.
fn custom_id(key: Key, window: usize) -> String {
    format!("{key}-{window}")
}

/// The key and window of a `custom_id`; none if we did not write it.
fn parse_id(text: &str) -> Option<(Key, u32)> {
    let (key, window) = text.split_once('-')?;
    Some((key.parse().ok()?, window.parse().ok()?))
}

#[cfg(test)]
mod tests;
