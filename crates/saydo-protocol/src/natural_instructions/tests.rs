//! What goes wrong in a run, in the words the user reads.

use super::*;
use proptest::prelude::*;
use std::path::PathBuf;

/// A folder with a task of two instances, the second without output, and one prediction file.
struct Scratch(tempfile::TempDir);

impl Scratch {
    fn new(predictions: &str) -> Self {
        let scratch = Scratch(tempfile::tempdir().unwrap());
        scratch.write("tasks/t.json", r#"{"Instances": [{"output": ["a b", "c"]}, {"output": []}]}"#);
        scratch.write("predictions/t@x.json", predictions);
        scratch
    }

    fn path(&self, name: &str) -> PathBuf {
        self.0.path().join(name)
    }

    fn write(&self, name: &str, text: &str) {
        std::fs::create_dir_all(self.path(name).parent().unwrap()).unwrap();
        std::fs::write(self.path(name), text).unwrap();
    }

    fn score(&self, predictions: &str) -> Result<Report, String> {
        let report = score(&self.path("tasks"), &self.path(predictions), &Options::default());
        report.map_err(|error| error.to_string().replace(&format!("{}/", self.0.path().display()), ""))
    }

    fn error(&self) -> String {
        self.score("predictions/t@x.json").unwrap_err()
    }
}

#[test]
fn an_index_beyond_the_task_is_placed() {
    let scratch =
        Scratch::new("{\"predictions\": [\n {\"index\": 0, \"output\": \"\"},\n {\"index\": 7, \"output\": \"\"}]}");
    let message = "predictions/t@x.json:3:12: predictions[1].index: 7, expected below 2, the number of instances of t";
    assert_eq!(scratch.error(), message);
    assert_eq!(scratch.score("predictions").unwrap_err(), message);
}

#[test]
fn an_instance_without_output_is_an_error() {
    let scratch = Scratch::new(r#"{"predictions": [{"index": 1, "output": ""}]}"#);
    let message =
        "predictions/t@x.json:1:28: predictions[0].index: 1, an instance of t without output, expected a reference";
    assert_eq!(scratch.error(), message);
}

#[test]
fn an_average_over_nothing_is_an_error() {
    let scratch = Scratch::new(r#"{"predictions": []}"#);
    assert_eq!(scratch.error(), "predictions/t@x.json has no predictions, expected at least one");
    let message = "predictions: none of its 1 prediction files could be scored: predictions/t@x.json has no predictions, \
                   expected at least one";
    assert_eq!(scratch.score("predictions").unwrap_err(), message);
    scratch.write("predictions/t@y.json", r#"{"predictions": [{"index": 0, "output": "c"}]}"#);
    let report = scratch.score("predictions").unwrap();
    assert_eq!((report.mean, report.skipped.len()), (1.0, 1));
}

#[test]
fn an_unknown_task_stops_a_lone_file() {
    let scratch = Scratch::new("{}");
    scratch.write("predictions/u@x.json", r#"{"predictions": [{"index": 0, "output": "c"}]}"#);
    let message = "predictions/u@x.json is for the task `u`, which is not in tasks, expected its file there";
    assert_eq!(scratch.score("predictions/u@x.json").unwrap_err(), message);
}

#[test]
fn a_broken_task_file_is_placed() {
    let scratch = Scratch::new(r#"{"predictions": [{"index": 0, "output": "c"}]}"#);
    scratch.write("tasks/t.json", "{\"Instances\": [\n{\"output\": [\"a\"");
    assert_eq!(scratch.error(), "tasks/t.json:2:16: the end of the text, expected `,` or `]` in a list");
}

#[test]
fn a_missing_path_is_named() {
    let scratch = Scratch::new("{}");
    assert_eq!(scratch.score("nowhere").unwrap_err(), "cannot read nowhere");
}

#[test]
fn of_several_broken_files_the_first_by_task_and_name_is_reported() {
    let scratch = Scratch::new(r#"{"predictions": 1}"#);
    scratch.write("tasks/s.json", r#"{"Instances": []}"#);
    for name in ["t@a.json", "s@b.json", "s@a.json"] {
        scratch.write(&format!("predictions/{name}"), "[");
    }
    for _ in 0..20 {
        assert!(scratch.score("predictions").unwrap_err().starts_with("predictions/s@a.json:1:2"));
    }
}

#[test]
fn the_mean_has_the_interval_of_its_tasks() {
    let scratch = Scratch::new(r#"{"predictions": [{"index": 0, "output": "c"}]}"#);
    let lone = scratch.score("predictions").unwrap();
    assert_eq!(lone.interval, Some([1.0, 1.0]));
    scratch.write("predictions/t@y.json", r#"{"predictions": [{"index": 0, "output": "d"}]}"#);
    assert_eq!(scratch.score("predictions").unwrap().interval, None);
    scratch.write("tasks/u.json", r#"{"Instances": [{"output": ["a"]}]}"#);
    scratch.write("predictions/u@x.json", r#"{"predictions": [{"index": 0, "output": "a"}]}"#);
    assert_eq!(scratch.score("predictions").unwrap().interval, Some([0.5, 1.0]));
}

proptest! {
    #![proptest_config(ProptestConfig::with_cases(64))]

    #[test]
    fn scores_lie_between_0_and_1_and_order_of_predictions_does_not_matter(
        outputs in prop::collection::vec("[a-c ]{0,12}", 1..8),
    ) {
        let items = |outputs: &[String]| {
            let items: Vec<_> = outputs.iter().map(|o| serde_json::json!({"index": 0, "output": o})).collect();
            serde_json::json!({ "predictions": items }).to_string()
        };
        let forward = Scratch::new(&items(&outputs)).score("predictions").unwrap();
        let reversed: Vec<_> = outputs.iter().rev().cloned().collect();
        let backward = Scratch::new(&items(&reversed)).score("predictions").unwrap();
        prop_assert!((0.0..=1.0).contains(&forward.mean));
        prop_assert!((forward.mean - backward.mean).abs() < 1e-12);
    }
}
