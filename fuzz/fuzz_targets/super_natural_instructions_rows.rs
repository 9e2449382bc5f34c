//! Super-NaturalInstructions references and predictions, read and scored in both modes.
#![no_main]

use saydo_protocol::Mode;
use saydo_protocol::super_natural_instructions::{Options, Predictions, References, evaluate};
use saydo_task::source::Source;
use std::path::Path;

libfuzzer_sys::fuzz_target!(|bytes: &[u8]| {
    let Ok(source) = Source::from_bytes(Path::new("fuzz"), bytes.to_vec()) else { return };
    let (Ok(references), Ok(predictions)) = (References::parse(&source), Predictions::parse(&source)) else { return };
    for mode in [Mode::Strict, Mode::Fixed] {
        let _ = evaluate(&references, &predictions, &Options { mode, ..Options::default() });
    }
});
