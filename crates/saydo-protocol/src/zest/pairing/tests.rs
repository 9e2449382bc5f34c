use super::super::bucket::Buckets;
use super::super::task_score::ScoredTask;
use super::*;

/// A task as id, type, ids it derives from, and F1.
type Given<'a> = (&'a str, &'a str, &'a [&'a str], f64);

fn ids(texts: &[&str]) -> Vec<Value> {
    texts.iter().map(|text| saydo_task::json::parse(text).unwrap().root.value).collect()
}

fn paired(given: &[Given<'_>], repairs: Repairs) -> Result<(Vec<Option<f64>>, Vec<String>), Error> {
    let record = |(id, category, derives_from, _): &Given<'_>| Record {
        id: ids(&[id]).remove(0),
        question: "Is it?".to_owned(),
        generalization: Some((*category).to_owned()),
        domain: Some("dogs".to_owned()),
        derives_from: ids(derives_from),
        examples: vec![],
        line: 1,
    };
    let task = |(_, category, _, f1): &Given<'_>| TaskScore {
        id: serde_json::Value::Null,
        outcome: Outcome::Scored(Box::new(ScoredTask {
            category: (*category).to_owned(),
            format: "classification".to_owned(),
            f1: *f1,
            instances: vec![],
            buckets: Buckets::default(),
            gold_positive: 0,
            domain: "dogs".to_owned(),
            official: None,
        })),
    };
    let records: Vec<Record> = given.iter().map(record).collect();
    let mut tasks: Vec<TaskScore> = given.iter().map(task).collect();
    let warnings = pair(&records, &mut tasks, repairs)?;
    Ok((tasks.iter().map(|task| task.scored().unwrap().official).collect(), warnings))
}

fn values(given: &[Given<'_>], repairs: Repairs) -> Vec<Option<f64>> {
    paired(given, repairs).unwrap().0
}

fn message(given: &[Given<'_>]) -> String {
    paired(given, Repairs::NONE).unwrap_err().to_string()
}

const BASE_TASKS: [Given<'_>; 2] = [("1", "normal", &[], 0.5), ("2", "normal", &[], 0.7)];

fn with_bases<'a>(derived: &[Given<'a>]) -> Vec<Given<'a>> {
    [&BASE_TASKS, derived].concat()
}

#[test]
fn paired_types_take_the_lesser_value_and_others_their_own() {
    let given = with_bases(&[
        ("3", "paraphrase", &["1"], 0.9),
        ("4", "target_semantics", &["2"], 0.6),
        ("5", "combination", &["1", "2"], 0.9),
        ("6", "structure", &["1"], 0.8),
        ("7", "paraphrase", &["99"], 0.9),
    ]);
    let expected = [Some(0.5), Some(0.7), Some(0.5), Some(0.6), Some(0.9), Some(0.8), None];
    assert_eq!(values(&given, Repairs::NONE), expected);
}

#[test]
fn of_several_bases_the_last_counts_unless_repaired() {
    let given = with_bases(&[("3", "paraphrase", &["1", "99", "2"], 0.9)]);
    assert_eq!(values(&given, Repairs::NONE)[2], Some(0.7));
    assert_eq!(values(&given, Repairs::NONE.with(quirk::BASES))[2], Some(0.5));
}

#[test]
fn a_last_base_that_is_missing_stops_the_run_unless_repaired() {
    let given = with_bases(&[("3", "paraphrase", &["1", "99"], 0.9)]);
    assert_eq!(
        message(&given),
        "task 3: found no base task with the id 99, expected one because an earlier id has one"
    );
    assert_eq!(values(&given, Repairs::NONE.with(quirk::BASES))[2], Some(0.5));
}

#[test]
fn repeated_base_ids_stop_the_run() {
    let given = with_bases(&[("1", "normal", &[], 0.9), ("3", "paraphrase", &["1"], 0.9)]);
    assert_eq!(message(&given), "task 3: found 2 base tasks with the id 1, expected one");
}

#[test]
fn ids_are_compared_as_python_does() {
    for (id, expected) in [("1.0", Some(0.5)), ("true", Some(0.5)), ("\"1\"", None), ("null", None)] {
        let derives_from = [id];
        let given = [("1", "normal", [].as_slice(), 0.5), ("3", "paraphrase", &derives_from, 0.9)];
        assert_eq!(values(&given, Repairs::NONE)[1], expected, "{id}");
    }
}

#[test]
fn without_base_tasks_values_count_unpaired_with_a_warning_if_repaired() {
    let given = [("3", "paraphrase", ["1"].as_slice(), 0.9), ("4", "structure", &[], 0.4)];
    assert_eq!(message(&given), "found no base task (generalization type `normal`), expected at least one");
    let (found, warnings) = paired(&given, Repairs::NONE.with(quirk::NO_BASE)).unwrap();
    assert_eq!(found, [Some(0.9), Some(0.4)]);
    assert_eq!(warnings, ["task 3: no base task in the file, counted unpaired"]);
}

#[test]
fn an_unknown_type_stops_the_run_if_its_base_is_found() {
    let given = with_bases(&[("3", "negation", &["1"], 0.9)]);
    assert_eq!(message(&given), "task 3: found generalization type `negation`, expected one of the five of the paper");
    let (found, warnings) = paired(&given, Repairs::NONE.with(quirk::NO_BASE)).unwrap();
    assert_eq!((found[2], warnings.len()), (Some(0.9), 1));
    let given = with_bases(&[("3", "negation", &["99"], 0.9)]);
    assert_eq!(values(&given, Repairs::NONE)[2], None);
}
