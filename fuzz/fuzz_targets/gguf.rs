//! GGUF files from strangers: the header, and the tokenizer inside.
#![no_main]

use saydo_model::gguf::Gguf;
use saydo_model::tokenizer::Tokenizer;

libfuzzer_sys::fuzz_target!(|bytes: &[u8]| {
    if let Ok(file) = Gguf::parse(bytes) {
        let _ = Tokenizer::from_gguf(&file);
    }
});
