//! The Turking Test's resources: sentences, captions, paragraphs, highlights.
#![no_main]

use saydo_task::source::Source;
use saydo_task::turking::ResourceKind;
use std::path::Path;

libfuzzer_sys::fuzz_target!(|bytes: &[u8]| {
    let Ok(source) = Source::from_bytes(Path::new("fuzz"), bytes.to_vec()) else { return };
    for kind in ResourceKind::ALL {
        let _ = kind.read(&source);
    }
});
