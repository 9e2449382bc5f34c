//! Figures of another engine that generates.

use super::Peer;
use super::plan::Plan;
use crate::Error;
use crate::job::bench::engine::{Engine, by_script};
use serde_json::{Value, json};
use std::path::Path;

const SCRIPT: &str = include_str!("../peers.py");

impl Peer {
    /// What it is called.
    pub(super) fn name(self) -> &'static str {
        match self {
            Self::LlamaCppPython => "llama-cpp-python",
            Self::Transformers => "transformers",
        }
    }
}

/// Takes the figures of the plan.
pub(super) fn measure(peer: Peer, plan: &Plan, python: &Path) -> Result<Engine, Error> {
    by_script(peer.name(), SCRIPT, &request(peer.name(), plan), python)
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
