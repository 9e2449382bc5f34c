//! The released outputs of GPT-3 and BART against the reference evaluator's numbers and the paper's tables.

use crate::natural_instructions::{assert_close, file};
use saydo_conformance::{Protocol, compare, json_lines, outside};
use saydo_protocol::Mode;
use saydo_protocol::natural_instructions::{Options, Report, score};
use std::sync::LazyLock;

/// The released GPT-3 files, scored once for all tests of a process.
fn gpt3() -> &'static Report {
    static REPORT: LazyLock<Report> = LazyLock::new(|| {
        let data = outside("data/natural-instructions-v1");
        score(&data, &data.join("gpt3_predictions"), &Options::default()).expect("the released files are sound")
    });
    &REPORT
}

#[test]
#[ignore = "needs ../shared: tasks of Natural Instructions and outputs of GPT-3"]
fn released_gpt3_files_score_as_the_reference_evaluator_says() {
    let report = gpt3();
    assert_eq!((report.files.len(), report.skipped.len()), (216, 17));
    assert_close(report.mean, 0.346_001_824_991_473_9, 1e-9, "mean of all files");
    let files = json_lines("natural-instructions/gpt3_files.jsonl");
    let with_encoding: Vec<_> = files.iter().filter(|row| !row["encoding"].is_null()).collect();
    assert_eq!(with_encoding.len(), 108);
    compare(Protocol::NaturalInstructions, with_encoding, |expected| {
        let found = file(report, expected["file"].as_str().unwrap());
        assert_eq!((expected["task"].as_str(), expected["n"].as_u64()), (Some(&*found.task), Some(found.n as u64)));
        assert_close(found.rouge_l, expected["rougeL_full"].as_f64().unwrap(), 1e-9, &found.file);
    });
    compare(Protocol::NaturalInstructions, json_lines("natural-instructions/gpt3_item_scores.jsonl"), |expected| {
        let found = file(report, expected["file"].as_str().unwrap());
        let scores = expected["scores"].as_array().unwrap();
        assert_eq!(scores.len(), found.scores.len());
        for (found, expected) in found.scores.iter().zip(scores) {
            assert_close(*found, expected.as_f64().unwrap(), 1e-12, "one prediction");
        }
    });
}

/// The same files cut to their first line and scored with `rouge-score` 0.1.2.
#[test]
#[ignore = "needs ../shared: tasks of Natural Instructions and outputs of GPT-3"]
fn cutting_the_released_continuations_moves_the_mean_by_almost_seven_points() {
    let data = outside("data/natural-instructions-v1");
    let options = Options { mode: Mode::Fixed, ..Options::default() };
    let report = score(&data, &data.join("gpt3_predictions"), &options).unwrap();
    assert_close(report.mean, 0.412_777_133_793_183_15, 1e-9, "fixed mean");
    assert_close(report.moved.unwrap().by, 0.066_775_308_801_709_25, 1e-9, "moved");
}

/// Every row of appendix B.6 of the papers' numbers, to the decimal printed there.
#[test]
#[ignore = "needs ../shared: tasks of Natural Instructions and outputs of GPT-3"]
fn the_table_by_encoding_is_that_of_the_appendix() {
    let report = gpt3();
    let printed = [
        ("prompt", 28.6, None),
        ("prompt + definition", 34.2, None),
        ("prompt + things to avoid", 26.3, None),
        ("prompt + emphasis", 28.7, None),
        ("prompt + definition + things to avoid + emphasis", 32.2, None),
        ("pos. examples", 30.0, Some(32.5)),
        ("prompt + pos. examples", 39.5, Some(38.8)),
        ("prompt + definition + pos. examples", 42.4, Some(38.5)),
        ("full without negative examples", 41.7, Some(38.2)),
        ("full", 23.3, Some(31.7)),
        ("prompt + negative + positive with explanations", 24.0, Some(32.6)),
    ];
    assert_eq!(report.by_encoding.len(), printed.len());
    for (row, (encoding, small, large)) in report.by_encoding.iter().zip(printed) {
        assert_eq!(row.encoding, encoding);
        assert_eq!(row.small.tasks, 11);
        assert_close(100.0 * row.small.rouge_l, small, 0.051, encoding);
        assert_eq!(row.large.map(|cell| cell.tasks), large.map(|_| 11), "{encoding}");
        if let (Some(cell), Some(large)) = (row.large, large) {
            assert_close(100.0 * cell.rouge_l, large, 0.051, encoding);
        }
    }
    assert_eq!(report.by_encoding[9].published, Some(0.24));
}

/// The task that is known in part only, beside the eleven others, gives the paper's 24 and 44.
#[test]
#[ignore = "needs ../shared: tasks of Natural Instructions and outputs of GPT-3"]
fn the_reconstructed_task_completes_the_published_means() {
    let (report, data) = (gpt3(), outside("data/natural-instructions-v1"));
    let task = data.join("reconstructed/subtask002_quoref_answer_generation.json");
    let partial = score(&task, &data.join("gpt3_predictions"), &Options::default()).unwrap();
    assert_eq!((partial.files.len(), partial.skipped.len()), (17, 216));
    assert!(partial.files.iter().all(|file| (file.n, file.unscorable) == (57, 43)));
    for (encoding, alone, with_others) in [("full", 25.2, 23.5), ("full without negative examples", 69.4, 44.0)] {
        let cell = |report: &Report| report.by_encoding.iter().find(|row| row.encoding == encoding).unwrap().small;
        let (one, eleven) = (cell(&partial).rouge_l, cell(report).rouge_l);
        assert_close(100.0 * one, alone, 0.051, encoding);
        assert_close(100.0 * (one + 11.0 * eleven) / 12.0, with_others, 0.051, encoding);
    }
}

#[test]
#[ignore = "needs ../shared: tasks of Natural Instructions and outputs of BART"]
fn the_released_bart_sample_scores_88_05() {
    let data = outside("data/natural-instructions-v1");
    let task = data.join("tasks/subtask034_winogrande_question_modification_object.json");
    let report =
        score(&task, &data.join("bart_predictions/BART_sample_predictions.json"), &Options::default()).unwrap();
    let [file] = report.files.as_slice() else { panic!("one file was given") };
    assert_eq!((file.file.as_str(), file.n), ("BART_sample_predictions.json", 1005));
    assert_eq!(file.task, "subtask034_winogrande_question_modification_object");
    assert_close(file.rouge_l, 0.880_484_671_141_834_8, 1e-9, "BART");
    assert_eq!((report.mean, report.interval), (file.rouge_l, file.interval));
}
