//! The log: a line of JSON for each request and each thing that went wrong.

use serde_json::{Value, json};
use std::sync::Arc;

/// Where lines of the log go.
#[derive(Clone)]
pub struct Log(Arc<dyn Fn(&str) + Send + Sync>);

impl Log {
    /// Lines to the standard error stream.
    pub fn stderr() -> Self {
        Self::new(|line| eprintln!("{line}"))
    }

    /// Lines to `write`.
    pub fn new(write: impl Fn(&str) + Send + Sync + 'static) -> Self {
        Self(Arc::new(write))
    }

    /// Writes an event: its name, and what belongs to it.
    pub(crate) fn event(&self, at: i64, event: &str, facts: Value) {
        let mut line = json!({"at": at, "event": event});
        if let (Some(line), Value::Object(facts)) = (line.as_object_mut(), facts) {
            line.extend(facts);
        }
        (self.0)(&line.to_string());
    }
}
