//! There and back between our format and the published ones.

use super::load_data;
use crate::convert::there_and_back;
use saydo_task::format::Format;

#[test]
#[ignore = "needs ../shared: published tasks"]
fn published_data_goes_there_and_back() {
    // Every fourth task of the large ones, to keep the test short.
    for (name, format, step) in [
        ("natural-instructions-v1", Format::NaturalInstructions, 4),
        ("super-natural-instructions", Format::SuperNaturalInstructions, 4),
        ("zest/sample/train.jsonl", Format::Zest, 1),
        ("zest/sample/test_unanswered.jsonl", Format::Zest, 1),
    ] {
        let mut dataset = load_data(name);
        assert!(!dataset.tasks.is_empty(), "{name}");
        dataset.tasks = dataset.tasks.into_iter().step_by(step).collect();
        let there = there_and_back(dataset, format, Format::Toml);
        assert!(there.losses().is_empty(), "{name}: {:?}", there.losses());
    }
}
