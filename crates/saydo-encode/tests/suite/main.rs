//! Prompts and training files compared byte for byte with those of the papers' released code, and docs/layouts.md with both.

#![expect(clippy::unwrap_used, reason = "a test stops at the first surprise")]

mod conformance;
mod docs;
mod natural_instructions;
mod outside;
mod tk_instruct;

use serde_json::Value;

fn strings(list: &Value) -> Vec<&str> {
    list.as_array().unwrap().iter().map(|text| text.as_str().unwrap()).collect()
}

fn number(value: &Value) -> usize {
    usize::try_from(value.as_u64().unwrap()).unwrap()
}
