//! Predictions for the Turking Test, read and scored against one question.
#![no_main]

use saydo_protocol::turking::{Gold, Outputs, score};
use saydo_task::source::Source;
use saydo_task::{Instance, Task};
use std::path::Path;

libfuzzer_sys::fuzz_target!(|bytes: &[u8]| {
    let instance = Instance {
        id: Some("a".to_owned()),
        input: "Write the third word from the sentence \"The cat sat down.\".".to_owned(),
        outputs: vec!["sat".to_owned()],
        ..Instance::default()
    };
    let task = Task { id: "turking_nth_word".to_owned(), instances: vec![instance], ..Task::default() };
    let gold = Gold::new(&[task]).expect("the instruction follows a template");
    let Ok(source) = Source::from_bytes(Path::new("fuzz"), bytes.to_vec()) else { return };
    if let Ok(outputs) = Outputs::read(&source, &gold) {
        let _ = score(&gold, &outputs, 0);
    }
});
