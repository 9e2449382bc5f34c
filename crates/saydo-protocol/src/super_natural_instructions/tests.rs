//! What the evaluator does on odd input, strict and fixed.

use super::*;
use proptest::prelude::*;
use saydo_task::dataset::{Dataset, LocatedTask};
use saydo_task::source::Source;
use saydo_task::{Instance, Task};

const FIXED: Options = Options { mode: Mode::Fixed, cut_at_full_stop: false, seed: 0 };

fn source(name: &str, text: &str) -> Source {
    Source::from_bytes(Path::new(name), text.as_bytes().to_vec()).unwrap()
}

fn references(text: &str) -> Result<References, String> {
    References::parse(&source("r.jsonl", text)).map_err(|error| error.to_string())
}

fn run(references_text: &str, predictions: &str, options: &Options) -> Result<Report, String> {
    let predictions = Predictions::parse(&source("p.jsonl", predictions)).map_err(|error| error.to_string())?;
    evaluate(&references(references_text)?, &predictions, options).map_err(|error| error.to_string())
}

fn keys(report: &Report) -> Vec<&str> {
    report.scores.keys().map(String::as_str).collect()
}

const ONE: &str = r#"{"id": 1, "references": ["yes."]}"#;
const YES: &str = r#"{"id": "1", "prediction": "Yes. No."}"#;

#[test]
fn an_empty_track_is_an_error_or_is_left_out() {
    let message =
        "found no reference of the track `xlingual`, expected at least one (fixed scoring leaves the track out)";
    assert_eq!(run(ONE, YES, &Options::default()).unwrap_err(), message);
    assert_eq!(keys(&run(ONE, YES, &FIXED).unwrap()), ["exact_match_default_track", "rougeL_default_track"]);
    let nowhere = r#"{"id": 1, "references": ["yes"], "track": "moon"}"#;
    assert!(run(nowhere, YES, &FIXED).unwrap_err().starts_with("found no reference of the tracks"));
}

#[test]
fn a_completion_can_be_cut_at_its_first_full_stop() {
    let exact = |options: &Options| run(ONE, YES, options).unwrap().scores["exact_match_default_track"].clone();
    assert_eq!(exact(&FIXED), 0.0);
    assert_eq!(exact(&Options { cut_at_full_stop: true, ..FIXED }), 100.0);
}

#[test]
fn the_first_instance_decides_whether_there_are_groups() {
    let both = |second: &str| {
        format!(
            "{{\"id\": 1, \"references\": [\"a\"], \"task_id\": \"t\"}}\n{{\"id\": 2, \"references\": [\"a\"]{second}}}\n\
             {{\"id\": 3, \"references\": [\"a\"], \"track\": \"xlingual\"}}"
        )
    };
    let message =
        "r.jsonl:2:1: found no `task_id` for the instance `2`, expected one because the first of its track has it";
    assert_eq!(run(&both(""), YES, &Options::default()).unwrap_err(), message);
    let fixed = run(&both(""), YES, &FIXED).unwrap();
    assert_eq!(keys(&fixed)[2..4], ["exact_match_for_t_default_track", "rougeL_for_t_default_track"]);
    let late = both(r#", "task_id": "u", "task_category": "Late Comer""#);
    let strict = run(&late, YES, &Options::default()).unwrap();
    assert!(!keys(&strict).iter().any(|key| key.contains("late_comer")));
    assert!(keys(&run(&late, YES, &FIXED).unwrap()).contains(&"rougeL_for_late_comer_default_track"));
}

#[test]
fn a_task_named_like_a_category_replaces_its_numbers_in_place() {
    let text = "{\"id\": 1, \"references\": [\"a\"], \"task_id\": \"x\", \"task_category\": \"X\"}\n\
                {\"id\": 2, \"references\": [\"a\"], \"task_id\": \"y\", \"task_category\": \"X\"}";
    let report = run(text, "{\"id\": 1, \"prediction\": \"a\"}", &FIXED).unwrap();
    assert_eq!(keys(&report)[2], "exact_match_for_x_default_track");
    assert_eq!(report.scores["exact_match_for_x_default_track"], 100.0);
}

#[test]
fn what_is_wrong_is_placed() {
    let error = |text: &str| references(text).unwrap_err();
    assert_eq!(error("{\"id\": 1}"), "r.jsonl:1:1: no `references`, expected this field");
    assert_eq!(
        error("\n{\"id\": 1, \"references\": []}"),
        "r.jsonl:2:25: references: an empty list, expected a list of at least one string"
    );
    assert_eq!(
        error("{\"id\": 1, \"references\": \"a\"}"),
        "r.jsonl:1:25: references: a string, expected a list of at least one string"
    );
    assert_eq!(
        error("{\"id\": [], \"references\": [\"a\"]}"),
        "r.jsonl:1:8: id: a list, expected a string or a whole number"
    );
    assert_eq!(
        error("{\"id\": 1, \"references\": [\"a\"], \"track\": null}"),
        "r.jsonl:1:41: track: null, expected a string"
    );
    let error = run(ONE, "{\"id\": 1, \"prediction\": 7}", &FIXED).unwrap_err();
    assert_eq!(error, "p.jsonl:1:25: prediction: a number, expected a string");
    let missing = score(Path::new("no.jsonl"), Path::new("no.jsonl"), &FIXED).unwrap_err();
    assert_eq!(missing.to_string(), "cannot read no.jsonl");
}

#[test]
fn a_test_task_gives_its_first_hundred_instances() {
    let instance = |i: usize| Instance {
        id: i.is_multiple_of(2).then(|| format!("id{i}")),
        input: String::new(),
        outputs: if i == 3 { Vec::new() } else { vec![i.to_string()] },
        ..Instance::default()
    };
    let mut task = Task { id: "t".to_owned(), instances: (0..120).map(instance).collect(), ..Task::default() };
    task.origin.category = vec!["Word Analogy".to_owned(), "Other".to_owned()];
    let dataset = Dataset { tasks: vec![LocatedTask { path: "t.json".into(), line: 1, task }], skipped: Vec::new() };
    let found = references_from_tasks(&dataset, &["gone", "t"], Track::Default);
    assert_eq!((found.absent.as_slice(), found.without_output), (["gone".to_owned()].as_slice(), 1));
    let instances = &found.references.instances;
    assert_eq!((instances.len(), instances[1].id.as_str(), instances[2].id.as_str()), (99, "t-1", "id2"));
    assert_eq!(instances[0].category.as_deref(), Some("Word Analogy"));
}

proptest! {
    #[test]
    fn any_lines_are_read_or_refused(text in "[\\[\\]{}\"id:,0a \n]{1,60}") {
        if let Ok(source) = Source::from_bytes(Path::new("x"), text.clone().into_bytes()) {
            let _ = References::parse(&source);
            let _ = Predictions::parse(&source);
        }
    }

    #[test]
    fn a_prediction_equal_to_a_reference_gets_full_marks(text in "[a-zé]{1,8}( [a-z]{1,8}){0,4}") {
        let line = |track: &str, id: u8| serde_json::json!({"id": id, "references": ["zzz", text], "track": track});
        let references = format!("{}\n{}", line("default", 1), line("xlingual", 2));
        let said = |id: u8| serde_json::json!({"id": id, "prediction": text});
        let report = run(&references, &format!("{}\n{}", said(1), said(2)), &Options::default()).unwrap();
        for (key, value) in &report.scores {
            prop_assert!(value == 100.0 || key == "rougeL_default_track" && text.chars().all(|c| c == 'é'), "{}", key);
        }
    }
}
