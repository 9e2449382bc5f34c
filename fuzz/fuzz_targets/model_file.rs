//! Whole GGUF models from strangers: header, tokenizer, template, settings and weights.
#![no_main]

use saydo_model::{EngineSettings, LocalModel};

libfuzzer_sys::fuzz_target!(|bytes: &[u8]| {
    let path = std::env::temp_dir().join(format!("saydo-fuzz-{}.gguf", std::process::id()));
    if std::fs::write(&path, bytes).is_ok() {
        let _ = LocalModel::load(&path, EngineSettings { threads: 1, ..EngineSettings::default() });
    }
});
