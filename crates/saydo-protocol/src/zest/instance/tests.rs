use super::*;
use crate::Mode;
use proptest::prelude::*;

fn value(json: &str) -> Value {
    json::parse(json).unwrap().root.value
}

fn try_score(answer: &str, prediction: &str, repairs: Repairs) -> Result<InstanceScore, Fault> {
    Scorer::new(repairs).score(&value(answer), Some(prediction))
}

fn scored(answer: &str, prediction: &str, repairs: Repairs) -> InstanceScore {
    try_score(answer, prediction, repairs).unwrap()
}

fn text(json: &str) -> String {
    serde_json::to_string(json).unwrap()
}

fn only(quirk: crate::Quirk) -> Repairs {
    Repairs::NONE.with(quirk)
}

fn buckets(tp: &[f64], fp: &[f64], fn_: &[f64], tn: &[f64]) -> Buckets {
    Buckets { tp: tp.to_vec(), fp: fp.to_vec(), fn_: fn_.to_vec(), tn: tn.to_vec() }
}

#[test]
fn the_best_alternative_counts_and_the_first_decides_about_na() {
    let instance = scored(r#"["elk", "black bears|elk"]"#, "elk|black bears", Repairs::NONE);
    assert_eq!((instance.score, instance.buckets), (1.0, buckets(&[1.0], &[], &[], &[])));
    let instance = scored(r#"["n/a", "elk"]"#, "elk", Repairs::NONE);
    assert_eq!(instance.buckets, buckets(&[], &[1.0], &[], &[]));
}

#[test]
fn an_element_of_a_list_is_drawn_from_the_generator() {
    let mut scorer = Scorer::new(Repairs::NONE);
    let mut draw = || scorer.score(&value("\"x\""), Some(r#"["x", "y", "z"]"#)).unwrap().score;
    assert_eq!([draw(), draw(), draw(), draw()], [0.0, 0.0, 1.0, 0.0]);
}

#[test]
fn a_repaired_list_is_several_spans() {
    let repairs = only(quirk::RANDOM_ELEMENT);
    let list = r#"["elk", ["black bears"], 5]"#;
    assert_eq!(scored("\"5|elk|black bears\"", list, repairs).score, 1.0);
    assert_eq!(scored("\"n/a\"", "[\"n/a\"]", repairs).buckets, buckets(&[], &[], &[], &[1.0]));
    assert_eq!(scored("\"n/a\"", "[]", repairs).buckets, buckets(&[], &[], &[], &[1.0]));
    assert_eq!(scored("\"n/a\"", "[\"n/a\"]", Repairs::NONE).buckets, buckets(&[], &[1.0], &[], &[]));
    assert_eq!(scored("\"elk\"", "[{\"a\": \"elk\"}]", repairs).score, 0.0);
    assert_eq!(scored("\"[null]\"", "[null]", repairs).score, 1.0);
}

#[test]
fn json_that_is_no_list_is_taken_as_it_is_or_not_at_all() {
    assert_eq!(scored("\"x [1]\"", "\"x [1]\"", Repairs::NONE).score, 1.0);
    assert_eq!(scored("\"[x\"", "[x", Repairs::NONE).score, 1.0);
    assert_eq!(scored("\"x\"", "[5]", Repairs::NONE).score, 0.0);
}

#[test]
fn keys_are_compared_by_place_unless_repaired() {
    let gold = text(r#"[{"hike": "Bridal Step", "open": "yes"}]"#);
    let turned = r#"[{"open": "yes", "hike": "Bridal Step"}]"#;
    assert_eq!(scored(&gold, turned, Repairs::NONE).buckets, buckets(&[0.0, 0.0], &[], &[], &[]));
    assert_eq!(scored(&gold, turned, only(quirk::KEY_ORDER)).buckets, buckets(&[1.0, 1.0], &[], &[], &[]));
    let renamed = r#"[{"is_it_open": "yes", "Hike": "Bridal Step"}]"#;
    assert_eq!(scored(&gold, renamed, only(quirk::KEY_ORDER)).buckets.tp, [1.0, 0.5]);
}

#[test]
fn missing_fields_are_wrong_and_extra_ones_free_unless_repaired() {
    let gold = text(r#"[{"hike": "Bridal Step", "open": "n/a", "fee": "$5"}]"#);
    let short = r#"[{"hike": "Bridal Step"}]"#;
    assert_eq!(scored(&gold, short, Repairs::NONE).buckets, buckets(&[1.0, 0.0], &[0.0], &[], &[]));
    assert_eq!(scored(&gold, short, only(quirk::EXTRAS)).buckets, buckets(&[1.0], &[], &[0.0], &[0.0]));
    let gold = text(r#"[{"hike": "Bridal Step"}]"#);
    let long = r#"[{"hike": "Bridal Step", "open": "yes", "fee": "n/a"}, {"hike": "Lantern"}]"#;
    assert_eq!(scored(&gold, long, Repairs::NONE).buckets, buckets(&[1.0], &[], &[], &[]));
    assert_eq!(scored(&gold, long, only(quirk::EXTRAS)).buckets, buckets(&[1.0], &[0.0, 0.0], &[], &[]));
}

#[test]
fn an_unreadable_structure_is_wrong_in_every_field_but_na_is_na_when_repaired() {
    let gold = text(r#"[{"hike": "Bridal Step", "open": "n/a"}]"#);
    for repairs in [Repairs::NONE, only(quirk::EXTRAS)] {
        assert_eq!(scored(&gold, "[{", repairs).buckets, buckets(&[0.0], &[0.0], &[], &[]));
    }
    assert_eq!(scored(&gold, "n/a", only(quirk::EXTRAS)).buckets, buckets(&[], &[], &[0.0], &[0.0]));
}

#[test]
fn numbers_as_values_stop_the_run_unless_the_instance_is_given_up() {
    let gold = text(r#"[{"weight": "60", "coat": "n/a"}]"#);
    let predicted = r#"[{"weight": 60, "coat": "n/a"}]"#;
    let fault = try_score(&gold, predicted, Repairs::NONE).unwrap_err();
    assert_eq!(fault.to_string(), "the prediction holds a number, expected text");
    let instance = scored(&gold, predicted, only(quirk::ABORTS));
    assert_eq!(
        (instance.score, instance.buckets, instance.fault),
        (0.0, buckets(&[0.0], &[0.0], &[], &[]), Some(fault))
    );
    let instance = Scorer::new(only(quirk::ABORTS)).score(&value("\"n/a\""), None).unwrap();
    assert_eq!(instance.buckets, buckets(&[], &[0.0], &[], &[]));
}

#[test]
fn predictions_that_stop_the_reference_are_faults() {
    let cases = [
        ("\"x\"", "[]", "the prediction holds an empty list, expected an element"),
        ("\"x\"", r#"{"a": ["b"]}"#, "the prediction is an object, expected a list of objects"),
        ("\"x\"", r#"[{"a": 5}]"#, "the prediction holds a number, expected text"),
        ("null", "x", "the gold answer holds null, expected text"),
        ("[]", "x", "the gold answer is an empty list, expected at least one alternative"),
        (r#"["[{}]", "x"]"#, "x", "the gold answer has 2 alternatives, expected one because it holds a structure"),
    ];
    for (answer, prediction, message) in cases {
        assert_eq!(try_score(answer, prediction, Repairs::NONE).unwrap_err().to_string(), message);
    }
}

#[test]
fn gold_that_is_never_looked_at_is_no_fault() {
    assert_eq!(scored(r#"["x", 5]"#, "x", Repairs::NONE).score, 1.0);
    assert_eq!(scored(r#"["x", 5]"#, "[5]", Repairs::NONE).score, 0.0);
}

#[test]
fn a_structure_inside_a_value_is_compared_as_one() {
    let gold = text(r#"[{"a": "[{\"b\": \"c d\"}]"}]"#);
    assert_eq!(scored(&gold, r#"[{"a": "[{\"b\": \"c\"}]"}]"#, Repairs::NONE).buckets.tp, [0.8]);
}

/// Text full of what the scorer treats in its own way.
fn odd_text() -> impl Strategy<Value = String> {
    let parts =
        ["a", "the", "n/a", "nan", "5.5%", "|", "[", "]", "{", "}", "\"", ",", ":", " ", "-", "x", "é", "_", "1"];
    prop::collection::vec(prop::sample::select(parts.to_vec()), 0..14).prop_map(|parts| parts.concat())
}

/// A list of objects with text and lists of text in them.
fn structure_text() -> impl Strategy<Value = String> {
    let value = prop_oneof![
        3 => odd_text().prop_map(serde_json::Value::from),
        1 => prop::collection::vec("[a-c]{1,2}", 0..3).prop_map(serde_json::Value::from),
        1 => Just(serde_json::Value::Null),
    ];
    let object = prop::collection::btree_map("[a-c_ ]{0,3}", value, 0..4);
    prop::collection::vec(object, 0..4).prop_map(|objects| serde_json::to_string(&objects).unwrap())
}

fn any_answer() -> impl Strategy<Value = String> {
    prop_oneof![odd_text(), structure_text(), any::<String>()]
}

proptest! {
    #[test]
    fn no_prediction_panics_and_scores_are_bounded(
        answers in prop::collection::vec(any_answer(), 0..3),
        prediction in any_answer(),
        fixed in any::<bool>(),
    ) {
        let repairs = if fixed { Mode::Fixed.into() } else { Repairs::NONE };
        let answer = value(&serde_json::to_string(&answers).unwrap());
        if let Ok(instance) = Scorer::new(repairs).score(&answer, Some(&prediction)) {
            prop_assert!((-1.0..=1.0).contains(&instance.score));
            prop_assert!(!fixed || instance.score >= 0.0);
            prop_assert!((0.0..=1.0).contains(&instance.buckets.f1()));
        }
    }

    #[test]
    fn the_gold_answer_itself_is_perfect_in_fixed_mode(answer in prop_oneof![odd_text(), structure_text()]) {
        let gold = Value::String(answer.clone());
        if let Ok(instance) = Scorer::new(Mode::Fixed.into()).score(&gold, Some(&answer)) {
            prop_assert_eq!(instance.score, 1.0);
            prop_assert_eq!(instance.buckets.f1(), 1.0);
        }
    }
}
