//! Reading a server's answer, field by field: what is missing has a name.

use crate::Error;
use serde_json::Value;

/// Why an answer that claims success cannot be used.
pub(crate) enum Unusable {
    /// It lacks this; the server may do better if asked again.
    Lacks(&'static str),
    /// It says something that asking again will not change.
    Final(Error),
}

/// The first choice of an answer.
pub(crate) fn choice(answer: &Value) -> Result<&Value, Unusable> {
    answer.pointer("/choices/0").ok_or(Unusable::Lacks("choices[0]"))
}

/// A count in the answer's usage; 0 if it does not say.
pub(crate) fn usage(answer: &Value, path: &str) -> usize {
    usage_given(answer, path).unwrap_or(0)
}

/// A count in the answer's usage.
pub(crate) fn usage_given(answer: &Value, path: &str) -> Option<usize> {
    answer.get("usage")?.pointer(path)?.as_u64()?.try_into().ok()
}
