//! Saydo's own task file: TOML, written by hand or by `saydo new`. It holds every part of a task.
//!
//! Unknown keys are errors here, unlike in the published formats: a typo in a file of one's own must not be ignored.

mod read;
mod write;

pub use read::read;
pub use write::write;

const ROOT_KEYS: [&str; 13] = [
    "id",
    "title",
    "definition",
    "other-definitions",
    "prompt",
    "things-to-avoid",
    "emphasis",
    "raw",
    "answer",
    "origin",
    "positive",
    "negative",
    "instance",
];
const ANSWER_KEYS: [&str; 6] = ["kind", "labels", "fields", "na", "metric", "competent_at"];
const ORIGIN_KEYS: [&str; 12] = [
    "dataset",
    "category",
    "domain",
    "generalization",
    "derives-from",
    "reasoning",
    "input-language",
    "output-language",
    "instruction-language",
    "contributors",
    "url",
    "license",
];
const EXAMPLE_KEYS: [&str; 4] = ["input", "output", "reason", "suggestion"];
const INSTANCE_KEYS: [&str; 6] = ["id", "input", "output", "evidence", "all-answers", "near-miss"];

#[cfg(test)]
mod tests;
