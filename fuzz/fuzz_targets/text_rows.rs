//! Anyone's rows for `saydo score text`, read from a file as the command does.
#![no_main]

use std::path::PathBuf;
use std::sync::OnceLock;

static FILE: OnceLock<PathBuf> = OnceLock::new();

libfuzzer_sys::fuzz_target!(|bytes: &[u8]| {
    let path = FILE.get_or_init(|| std::env::temp_dir().join(format!("saydo-fuzz-{}.jsonl", std::process::id())));
    std::fs::write(path, bytes).expect("the folder for temporary files is writable");
    let _ = saydo_protocol::text::score(path, 0);
});
