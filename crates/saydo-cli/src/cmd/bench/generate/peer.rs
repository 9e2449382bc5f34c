//! Figures of another engine that generates.

use super::Peer;
use super::plan::Plan;
use crate::cmd::bench::engine::{Engine, by_script};
use anyhow::Result;
use serde_json::{Value, json};
use std::path::Path;

const SCRIPT: &str = include_str!("../peers.py");

/// What a peer is called.
pub(super) fn name(peer: Peer) -> Option<&'static str> {
    match peer {
        Peer::LlamaCppPython => Some("llama-cpp-python"),
        Peer::Transformers => Some("transformers"),
        Peer::None => None,
    }
}

/// Takes the figures of the plan.
pub(super) fn measure(name: &str, plan: &Plan, python: &Path) -> Result<Engine> {
    by_script(name, SCRIPT, &request(name, plan), python)
}

fn request(name: &str, plan: &Plan) -> Value {
    let measures: Vec<&str> = plan.measures.iter().map(|measure| measure.name()).collect();
    json!({
        "gguf": plan.path,
        "peer": name,
        "threads": plan.settings.threads,
        "repeats": plan.repeats,
        "measures": measures,
        "prompts": {
            "prefill": plan.prefill_tokens,
            "decode": plan.decode_tokens,
            "workload": plan.workload_tokens,
        },
    })
}
