//! ZEST JSON Lines: reading never panics, and what was read is written and read back equal.
#![no_main]

use saydo_task::format::Format;
use saydo_task::source::Source;
use std::path::Path;

libfuzzer_sys::fuzz_target!(|bytes: &[u8]| {
    let format = Format::Zest;
    let Ok(source) = Source::from_bytes(Path::new("fuzz"), bytes.to_vec()) else { return };
    let Ok(tasks) = format.read(&source).into_tasks() else { return };
    for task in tasks {
        let written = Format::Toml.write(&task).text.into_bytes();
        let source = Source::from_bytes(Path::new("fuzz.toml"), written).expect("written text is valid UTF-8");
        let again = Format::Toml.read(&source).tasks.remove(0).1;
        assert_eq!(again.instances, task.instances);
        assert_eq!(again.positive, task.positive);
    }
});
