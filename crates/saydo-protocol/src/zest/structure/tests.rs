use super::super::repair::quirk;
use super::*;

fn compare(gold: &str, predicted: &str, repairs: Repairs) -> Result<Structure, Fault> {
    Structure::compare(gold, predicted, repairs)
}

fn score(gold: &str, predicted: &str, repairs: Repairs) -> f64 {
    compare(gold, predicted, repairs).unwrap().score
}

fn reason(gold: &str, predicted: &str) -> String {
    compare(gold, predicted, Repairs::NONE).unwrap_err().to_string()
}

const THREE: &str = r#"[{"k": "x"}, {"k": "y"}, {"k": "z"}]"#;

#[test]
fn equal_structures_score_one_whatever_the_order_of_keys() {
    assert_eq!(score(r#"[{"a": "x", "b": "y"}]"#, r#"[{"b": "y", "a": "x"}]"#, Repairs::NONE), 1.0);
    assert_eq!(score(r#"[{"a": "x"}, {}]"#, r#"[{"a": "x"}]"#, Repairs::NONE), 1.0);
    assert_eq!(score("[{}]", "[]", Repairs::NONE), 1.0);
}

#[test]
fn a_rotation_of_right_objects_is_lost_on_the_reference() {
    let rotated = r#"[{"k": "y"}, {"k": "z"}, {"k": "x"}]"#;
    assert_eq!(score(THREE, rotated, Repairs::NONE), 0.5);
    assert_eq!(score(THREE, rotated, Repairs::NONE.with(quirk::ALIGNMENT)), 1.0);
    let swapped = r#"[{"k": "y"}, {"k": "x"}, {"k": "z"}]"#;
    assert_eq!(score(THREE, swapped, Repairs::NONE), 1.0);
}

#[test]
fn surplus_and_missing_objects_are_paired_with_nothing() {
    let longer = compare(r#"[{"k": "z"}]"#, THREE, Repairs::NONE.with(quirk::ALIGNMENT)).unwrap();
    let ids: Vec<_> = longer.predicted.iter().map(|object| object[0].1.as_str().unwrap()).collect();
    assert_eq!((longer.gold.len(), ids), (3, vec!["z", "x", "y"]));
    let shorter = compare(THREE, r#"[{"k": "z"}]"#, Repairs::NONE.with(quirk::ALIGNMENT)).unwrap();
    assert_eq!(shorter.predicted.iter().map(Vec::len).collect::<Vec<_>>(), [0, 0, 1]);
}

#[test]
fn what_is_not_a_list_scores_zero_and_leaves_every_field_open() {
    for predicted in ["n/a", "[{", "{}", "5"] {
        let structure = compare(THREE, predicted, Repairs::NONE).unwrap();
        assert_eq!((structure.score, structure.predicted.concat().len()), (0.0, 0), "{predicted}");
    }
}

#[test]
fn fields_left_open_are_na_only_if_repaired_and_the_prediction_was_read() {
    let absent_is_na =
        |predicted: &str| compare(THREE, predicted, Repairs::NONE.with(quirk::EXTRAS)).unwrap().absent_is_na;
    assert!(absent_is_na("[]") && absent_is_na("n/a") && !absent_is_na("[{"));
    assert!(!compare(THREE, "[]", Repairs::NONE).unwrap().absent_is_na);
}

#[test]
fn two_empty_objects_count_minus_one_unless_left_out() {
    let gold = r#"[{"k": "x"}, {}]"#;
    let predicted = r#"[{"k": "y"}, {}]"#;
    assert_eq!(score(gold, predicted, Repairs::NONE), -0.25);
    assert_eq!(score(gold, predicted, Repairs::NONE.with(quirk::EMPTY_PAIR)), 0.5);
    assert_eq!(score("{}", "[]", Repairs::NONE), -1.0);
    assert_eq!(score("{}", "[]", Repairs::NONE.with(quirk::EMPTY_PAIR)), 1.0);
    assert_eq!(score("{}", "{}", Repairs::NONE), 0.0);
    assert_eq!(score("{}", "{}", Repairs::NONE.with(quirk::EMPTY_PAIR)), 1.0);
}

#[test]
fn alternatives_of_a_field_are_tried_in_turn() {
    let gold = r#"[{"k": ["x", "y"], "m": ["p", "q"]}]"#;
    let predicted = r#"[{"k": "y", "m": "q"}]"#;
    assert_eq!(score(gold, predicted, Repairs::NONE), 0.75);
    assert_eq!(score(gold, predicted, Repairs::NONE.with(quirk::COMBINATIONS)), 1.0);
}

#[test]
fn faults_name_the_side_and_what_is_wrong() {
    assert_eq!(reason("{\"a\": \"b\"}", "[]"), "the gold answer is an object, expected a list of objects");
    assert_eq!(reason("{}", "[{}]"), "the gold answer is an object, expected a list of objects");
    assert_eq!(reason("[{}, 5]", "x"), "the gold answer holds a number, expected objects");
    assert_eq!(reason("x}", "[]"), "the gold answer is not JSON: found `x`, expected a value");
    assert_eq!(reason(THREE, "[\"x\"]"), "the prediction holds a string, expected objects");
    assert_eq!(reason(THREE, "[{\"k\": []}]"), "the prediction holds an empty list, expected an element");
    assert_eq!(reason("[{\"k\": []}]", "[]"), "the gold answer has no field to compare");
}

#[test]
fn many_surplus_objects_are_aligned_in_reasonable_time() {
    let many = format!("[{}]", vec![r#"{"k": "w"}"#; 20_000].join(","));
    for repairs in [Repairs::NONE, Repairs::NONE.with(quirk::ALIGNMENT)] {
        assert_eq!(compare(THREE, &many, repairs).unwrap().predicted.len(), 20_000);
    }
}
