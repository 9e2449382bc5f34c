//! A `config.json` from a stranger beside sound weights: every architecture with its settings changed.
#![no_main]

use saydo_model::arch::Network;
use saydo_model::weights::{Purpose, Weights};
use std::path::Path;

const CHECKPOINTS: [&str; 8] = ["llama", "llama-tied", "qwen2", "gemma3", "gpt2", "bart", "t5", "t5-gated"];

libfuzzer_sys::fuzz_target!(|input: (u8, &[u8])| {
    let name = CHECKPOINTS[input.0 as usize % CHECKPOINTS.len()];
    let from = Path::new(concat!(env!("CARGO_MANIFEST_DIR"), "/../fixtures/checkpoints")).join(name);
    let folder = std::env::temp_dir().join(format!("saydo-fuzz-{}-{name}", std::process::id()));
    let weights = folder.join("model.safetensors");
    if !weights.exists() {
        let _ = std::fs::create_dir_all(&folder);
        let _ = std::fs::copy(from.join("model.safetensors"), &weights);
    }
    if std::fs::write(folder.join("config.json"), input.1).is_ok()
        && let Ok(weights) = Weights::open(&folder, Purpose::Inference)
    {
        let _ = Network::load(&weights);
    }
});
