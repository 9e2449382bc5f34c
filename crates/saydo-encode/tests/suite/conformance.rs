//! Vectors of `fixtures/conformance`: prompts of made-up tasks, and the training files of T5 and BART for ZEST.

use crate::natural_instructions::{generated, layout_of, prompts};
use crate::{number, strings, tk_instruct};
use saydo_conformance::{Protocol, compare, json_lines, path, text};
use saydo_encode::training_file::{bart_lines, bart_test_lines, t5_csv};
use saydo_metrics::python::Random;
use saydo_task::format::zest::read_records;
use saydo_task::source::Source;

#[test]
fn prompts_of_odd_tasks_and_failures_are_those_of_the_released_encoder() {
    compare(Protocol::Encodings, json_lines("encodings/natural_instructions_prompts.jsonl"), |row| {
        let prompts = prompts(&generated(&row["task"]), &layout_of(&row), number(&row["num_instances"]));
        if let Some(error) = row.get("error") {
            assert!(prompts.is_err(), "expected {error}");
            return;
        }
        let prompts: Vec<_> = prompts.unwrap().into_iter().map(|(_, text)| text).collect();
        assert_eq!(prompts.len(), number(&row["n"]));
        let shown = [&prompts[..3], &prompts[prompts.len() - 1..]].concat();
        assert_eq!(shown, strings(&row["prompts"]));
    });
}

#[test]
fn sources_are_those_of_the_released_collator() {
    let rows = json_lines("encodings/tk_instruct_prompts.jsonl");
    compare(Protocol::Encodings, tk_instruct::with_examples(&rows), tk_instruct::check);
}

#[test]
fn training_files_are_those_of_the_released_code() {
    let records = read_records(&Source::load(&path("encodings/zest/input.jsonl")).unwrap()).unwrap();
    let mut random = Random::seeded(5);
    let mut choose = |n| random.choice_index(n);
    let train = bart_lines(&records, &mut choose).unwrap();
    let dev = bart_lines(&records, &mut choose).unwrap();
    let written = [
        ("t5_train.csv", t5_csv(&records)),
        ("bart_train.source", train.source),
        ("bart_train.target", train.target),
        ("bart_val.target", dev.target),
        ("bart_test.target", bart_test_lines(&records).target),
    ];
    for (name, written) in written {
        let expected = text(&format!("encodings/zest/{name}"));
        assert_eq!(written.lines().count(), expected.lines().count(), "{name}");
        let lines = written.split_inclusive('\n').zip(expected.split_inclusive('\n'));
        compare(Protocol::Encodings, lines, |(written, expected)| assert_eq!(written, expected, "{name}"));
    }
}
