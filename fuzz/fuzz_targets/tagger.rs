//! The tagger: its weights file, and any sentence.
#![no_main]

use saydo_tagger::Tagger;
use std::sync::OnceLock;

static TAGGER: OnceLock<Tagger> = OnceLock::new();

libfuzzer_sys::fuzz_target!(|bytes: &[u8]| {
    let _ = Tagger::from_bytes(bytes);
    if let Ok(sentence) = std::str::from_utf8(bytes) {
        for noun in TAGGER.get_or_init(Tagger::embedded).nouns(sentence) {
            assert_eq!(&sentence[noun.start..][..noun.text.len()], noun.text);
        }
    }
});
