//! The released outputs of GPT-3 and BART through the same path as a model's, against the published tables.

use saydo::answering::samples::run;
use saydo::record::Ledger;
use saydo_conformance::{Protocol as Vectors, compare, outside};
use saydo_function::Settings;
use saydo_protocol::plan::Options as PlanOptions;
use saydo_protocol::score::{Detail, Options};
use saydo_protocol::{Answerer, Plan, Protocol, Replay, Scores, score};
use saydo_task::Task;
use saydo_task::dataset::Dataset;
use std::path::Path;
use std::sync::atomic::AtomicBool;

const DATA: &str = "data/natural-instructions-v1";

fn load(path: &Path) -> Vec<Task> {
    let dataset = Dataset::load(path).expect("published tasks load");
    dataset.tasks.into_iter().map(|located| located.task).collect()
}

/// Plans what was stored, replays it into a ledger, and scores it.
fn replayed(tasks: Vec<Task>, replay: Replay) -> (Plan, Scores) {
    let settings = Settings::default();
    let options = PlanOptions::new(&settings, "replay");
    let plan = Plan::replayed(tasks, replay.files().expect("files were loaded"), &options).expect("a plan");
    let folder = tempfile::tempdir().expect("a scratch folder");
    let mut ledger = Ledger::open(&folder.path().join("ledger.jsonl"), &[]).expect("a ledger");
    let answerer = Answerer::Replay(replay);
    let summary = run(&plan, &answerer, &mut ledger, false, &AtomicBool::new(false), &mut |_| {}).expect("a run");
    assert_eq!((summary.new, summary.failed), (plan.samples.len(), 0));
    let cells: Vec<_> = plan.samples.iter().map(|sample| ledger.read(sample.key)).collect();
    let scores = score(&plan, &cells, &Options::default()).expect("scores");
    (plan, scores)
}

/// Few and many examples of each encoding, in percent.
fn encodings(scores: &Scores) -> Vec<(f64, Option<f64>)> {
    let Detail::NaturalInstructions(report) = &scores.detail else { panic!("another protocol") };
    let cells = report.by_encoding.iter();
    cells.map(|row| (100.0 * row.small.rouge_l, row.large.map(|cell| 100.0 * cell.rouge_l))).collect()
}

#[test]
#[ignore = "needs ../shared: tasks of Natural Instructions and outputs of GPT-3"]
fn gpt3_gives_every_cell_of_the_recomputed_table() {
    let data = outside(DATA);
    let replay = Replay::load(&data.join("gpt3_predictions"), Protocol::NaturalInstructions).expect("predictions");
    let (_, scores) = replayed(load(&data), replay);
    let expected = [
        (28.6, None),
        (34.2, None),
        (26.3, None),
        (28.7, None),
        (32.2, None),
        (30.0, Some(32.5)),
        (39.5, Some(38.8)),
        (42.4, Some(38.5)),
        (41.7, Some(38.2)),
        (23.3, Some(31.7)),
        (24.0, Some(32.6)),
    ];
    let found = encodings(&scores);
    assert_eq!(found.len(), expected.len());
    compare(Vectors::NaturalInstructions, found.iter().zip(expected), |(found, expected)| {
        assert!((found.0 - expected.0).abs() <= 0.05, "{found:?}, expected {expected:?}");
        assert_eq!(found.1.is_some(), expected.1.is_some());
        assert!((found.1.unwrap_or_default() - expected.1.unwrap_or_default()).abs() <= 0.05, "{found:?}");
    });
}

#[test]
#[ignore = "needs ../shared: tasks of Natural Instructions and outputs of GPT-3"]
fn with_the_twelfth_task_gpt3_gives_the_papers_24_and_44() {
    let data = outside(DATA);
    let mut tasks = load(&data);
    tasks.extend(load(&data.join("reconstructed/subtask002_quoref_answer_generation.json")));
    let replay = Replay::load(&data.join("gpt3_predictions"), Protocol::NaturalInstructions).expect("predictions");
    let (plan, scores) = replayed(tasks, replay);
    assert_eq!(plan.tasks.len(), 12);
    let found = encodings(&scores);
    assert!((found[9].0 - 23.5).abs() <= 0.05 && (found[8].0 - 44.0).abs() <= 0.05, "{found:?}");
}

#[test]
#[ignore = "needs ../shared: tasks of Natural Instructions and outputs of GPT-3"]
fn the_prompts_of_the_plan_are_those_that_were_sent() {
    let data = outside(DATA);
    let name = "subtask039_qasc_find_overlapping_words@_Definition_Prompt_Positive Examples Full Only@3_100.json.gz";
    let path = data.join("gpt3_predictions").join(name);
    let (plan, _) = replayed(load(&data), Replay::load(&path, Protocol::NaturalInstructions).expect("predictions"));
    let source = saydo_task::source::Source::load(&path).expect("the file is there");
    let stored: serde_json::Value = serde_json::from_str(&source.text).expect("it is JSON");
    let sent: Vec<&str> =
        stored["predictions"].as_array().expect("a list").iter().filter_map(|one| one["input"].as_str()).collect();
    let planned: Vec<String> = plan.samples.iter().map(|sample| plan.prompt(sample)).collect();
    assert_eq!(planned.len(), sent.len());
    compare(Vectors::Encodings, planned.iter().zip(sent), |(planned, sent)| assert_eq!(planned, sent));
}

#[test]
#[ignore = "needs ../shared: tasks of Natural Instructions and outputs of BART"]
fn barts_sample_scores_what_the_reference_gives() {
    let data = outside(DATA);
    let task = load(&data.join("tasks/subtask034_winogrande_question_modification_object.json"));
    let path = data.join("bart_predictions/BART_sample_predictions.json");
    let replay = Replay::load(&path, Protocol::NaturalInstructions).expect("predictions").for_task(&task[0].id);
    let (plan, scores) = replayed(task, replay);
    assert_eq!(plan.samples.len(), 1005);
    assert!((100.0 * scores.rows[0].mean - 88.05).abs() < 0.005, "{:?}", scores.rows[0]);
}
