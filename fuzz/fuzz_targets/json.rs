//! Python's JSON dialect.
#![no_main]

libfuzzer_sys::fuzz_target!(|text: &str| {
    let _ = saydo_task::json::parse(text);
});
