//! Split files.
#![no_main]

libfuzzer_sys::fuzz_target!(|bytes: &[u8]| {
    let _ = serde_json::from_slice::<saydo_task::split::Split>(bytes);
});
