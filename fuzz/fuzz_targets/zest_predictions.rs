//! ZEST prediction files, read and scored in both modes against one question of each kind.
#![no_main]

use saydo_protocol::Mode;
use saydo_protocol::zest::{Options, PredictionFormat, read_predictions, score};
use saydo_task::format::zest::{Record, RecordExample};
use saydo_task::node::Value;

fn record(generalization: &str, answer: &str) -> Record {
    let example = RecordExample { context: String::new(), answer: Some(Value::String(answer.to_owned())) };
    Record {
        id: Value::String(generalization.to_owned()),
        question: "What is it?".to_owned(),
        generalization: Some(generalization.to_owned()),
        domain: Some("dogs".to_owned()),
        derives_from: Vec::new(),
        examples: vec![example],
        line: 1,
    }
}

libfuzzer_sys::fuzz_target!(|text: &str| {
    let records = [record("normal", "a|b"), record("structure", r#"[{"k": "v", "l": ["x", "y"]}]"#)];
    for format in [PredictionFormat::Text, PredictionFormat::JsonLines, PredictionFormat::Csv] {
        for mode in [Mode::Strict, Mode::Fixed] {
            let options = Options { intervals: false, ..Options::from(mode) };
            let Ok(predictions) = read_predictions(text, format, options.repairs) else { continue };
            if let Ok(scores) = score(&records, &predictions, &options) {
                assert!(scores.official.average.cells().iter().all(|cell| (0.0..=1.0).contains(cell)));
            }
        }
    }
});
