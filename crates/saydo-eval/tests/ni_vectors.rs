//! Natural Instructions scores against hand-made golden files and against the reference evaluator's own numbers.

use saydo_eval::Mode;
use saydo_eval::natural_instructions::{FileScore, Options, Report, score};
use serde_json::Value;
use std::path::{Path, PathBuf};
use std::sync::LazyLock;

const FIXTURES: &str = concat!(env!("CARGO_MANIFEST_DIR"), "/../../fixtures/natural-instructions");
const SHARED: &str = concat!(env!("CARGO_MANIFEST_DIR"), "/../../../shared");

/// A path under the shared data, or a note that it is not there.
fn shared(path: &str) -> Option<PathBuf> {
    let path = Path::new(SHARED).join(path);
    if !path.exists() {
        eprintln!("skipped: ../shared is not here");
        return None;
    }
    Some(path)
}

fn file<'r>(report: &'r Report, name: &str) -> &'r FileScore {
    report.files.iter().find(|file| file.file == name).unwrap_or_else(|| panic!("{name} was not scored"))
}

fn assert_close(found: f64, expected: f64, tolerance: f64, what: &str) {
    assert!((found - expected).abs() <= tolerance, "{what}: {found}, expected {expected}");
}

fn fixtures(mode: Mode) -> Report {
    let folder = Path::new(FIXTURES);
    score(&folder.join("tasks"), &folder.join("predictions"), &Options { mode, seed: 0 })
        .expect("the fixtures are sound")
}

#[test]
fn the_fixtures_score_as_worked_out_by_hand() {
    let report = fixtures(Mode::Strict);
    let golden = [
        ("capitals@_Prompt@0_4.json", "capitals", 3, (1.0 + 1.0 + 0.5) / 3.0),
        ("rain@_Definition_Prompt@0_4.json", "rain", 2, (2.0 / 3.0 + 0.4) / 2.0),
        ("rain@_Positive Examples Full Only@2_4.json", "rain", 2, 0.2),
        ("rain@_Positive Examples Full Only@9_4.json", "rain", 2, (2.0 / 3.0 + 1.0) / 2.0),
        ("rain@_Prompt@0_4.json", "rain", 4, (1.0 + 0.75 + 1.0 / 3.0 + 0.0) / 4.0),
    ];
    assert_eq!(report.files.len(), golden.len());
    for (found, (name, task, n, rouge_l)) in report.files.iter().zip(golden) {
        assert_eq!((found.file.as_str(), found.task.as_str(), found.n), (name, task, n));
        assert_close(found.rouge_l, rouge_l, 1e-12, name);
    }
    assert_close(report.mean, golden.iter().map(|golden| golden.3).sum::<f64>() / 5.0, 1e-12, "mean");
    let capitals = &report.files[0];
    assert_eq!(
        (capitals.unscorable, capitals.repeated, capitals.scores.as_slice()),
        (1, 1, [1.0, 1.0, 0.5].as_slice())
    );
    let skipped: Vec<_> = report.skipped.iter().map(|skipped| skipped.file.as_str()).collect();
    assert_eq!(skipped, ["capitals@_Definition_Prompt@0_0.json", "rivers@_Prompt@0_1.json"]);
}

#[test]
fn fixed_scoring_cuts_continuations_and_says_what_it_moved() {
    let (strict, fixed) = (fixtures(Mode::Strict), fixtures(Mode::Fixed));
    let rain = file(&fixed, "rain@_Prompt@0_4.json");
    assert_close(rain.rouge_l, 2.75 / 4.0, 1e-12, "fixed");
    assert_eq!(rain.strict, Some(file(&strict, "rain@_Prompt@0_4.json").rouge_l));
    let moved = fixed.moved.unwrap();
    assert_eq!(moved.strict_mean, strict.mean);
    assert_close(moved.by, (2.75 / 4.0 - rain.strict.unwrap()) / 5.0, 1e-12, "moved");
    assert_eq!(strict.moved, None);
}

/// The result has exactly the keys that are promised, and no others where all is well.
#[test]
fn the_json_has_the_promised_keys() {
    let json = serde_json::to_value(fixtures(Mode::Strict)).unwrap();
    let keys = |value: &Value| value.as_object().unwrap().keys().cloned().collect::<Vec<_>>();
    assert_eq!(keys(&json), ["files", "mean", "interval", "mode", "skipped", "by_encoding"]);
    assert_eq!(keys(&json["files"][1]), ["file", "task", "n", "rougeL", "interval"]);
    assert_eq!(json["by_encoding"][0]["small"]["tasks"], 2);
    assert_eq!(json["mode"], "strict");
}

/// The released GPT-3 files, scored once for all tests.
fn gpt3() -> Option<&'static Report> {
    static REPORT: LazyLock<Option<Report>> = LazyLock::new(score_gpt3);
    REPORT.as_ref()
}

fn score_gpt3() -> Option<Report> {
    let data = shared("data/natural-instructions-v1")?;
    Some(score(&data, &data.join("gpt3_predictions"), &Options::default()).expect("the released files are sound"))
}

fn vectors(name: &str) -> Vec<Value> {
    let text =
        std::fs::read_to_string(Path::new(SHARED).join("vectors/rouge").join(name)).expect("the vectors are complete");
    text.lines().map(|line| serde_json::from_str(line).expect("a vector is JSON")).collect()
}

#[test]
fn released_gpt3_files_score_as_the_reference_evaluator_says() {
    let Some(report) = gpt3() else { return };
    assert_eq!((report.files.len(), report.skipped.len()), (216, 17));
    assert_close(report.mean, 0.346_001_824_991_473_9, 1e-9, "mean of all files");
    let mut compared = 0;
    for expected in vectors("gpt3_files.jsonl").iter().filter(|row| !row["encoding"].is_null()) {
        let found = file(report, expected["file"].as_str().unwrap());
        assert_eq!((expected["task"].as_str(), expected["n"].as_u64()), (Some(&*found.task), Some(found.n as u64)));
        assert_close(found.rouge_l, expected["rougeL_full"].as_f64().unwrap(), 1e-9, &found.file);
        compared += 1;
    }
    assert_eq!(compared, 108);
    for expected in vectors("gpt3_item_scores.jsonl") {
        let found = file(report, expected["file"].as_str().unwrap());
        let scores = expected["scores"].as_array().unwrap();
        assert_eq!(scores.len(), found.scores.len());
        for (found, expected) in found.scores.iter().zip(scores) {
            assert_close(*found, expected.as_f64().unwrap(), 1e-12, "one prediction");
        }
    }
}

/// The same files cut to their first line and scored with `rouge-score` 0.1.2.
#[test]
fn cutting_the_released_continuations_moves_the_mean_by_almost_seven_points() {
    let Some(data) = shared("data/natural-instructions-v1") else { return };
    let options = Options { mode: Mode::Fixed, ..Options::default() };
    let report = score(&data, &data.join("gpt3_predictions"), &options).unwrap();
    assert_close(report.mean, 0.412_777_133_793_183_15, 1e-9, "fixed mean");
    assert_close(report.moved.unwrap().by, 0.066_775_308_801_709_25, 1e-9, "moved");
}

/// Every row of appendix B.6 of the papers' numbers, to the decimal printed there.
#[test]
fn the_table_by_encoding_is_that_of_the_appendix() {
    let Some(report) = gpt3() else { return };
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
fn the_reconstructed_task_completes_the_published_means() {
    let (Some(report), Some(data)) = (gpt3(), shared("data/natural-instructions-v1")) else { return };
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
fn the_released_bart_sample_scores_88_05() {
    let Some(data) = shared("data/natural-instructions-v1") else { return };
    let task = data.join("tasks/subtask034_winogrande_question_modification_object.json");
    let report =
        score(&task, &data.join("bart_predictions/BART_sample_predictions.json"), &Options::default()).unwrap();
    let [file] = report.files.as_slice() else { panic!("one file was given") };
    assert_eq!((file.file.as_str(), file.n), ("BART_sample_predictions.json", 1005));
    assert_eq!(file.task, "subtask034_winogrande_question_modification_object");
    assert_close(file.rouge_l, 0.880_484_671_141_834_8, 1e-9, "BART");
    assert_eq!((report.mean, report.interval), (file.rouge_l, file.interval));
}
