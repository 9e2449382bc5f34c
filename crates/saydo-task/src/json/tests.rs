use super::*;
use proptest::prelude::*;

fn value(text: &str) -> Value {
    parse(text).unwrap().root.value
}

fn reason(text: &str) -> (usize, String) {
    let error = parse(text).unwrap_err();
    (error.offset, error.to_string())
}

#[test]
fn reads_what_python_adds_to_the_standard() {
    assert!(matches!(value("NaN"), Value::Float(x) if x.is_nan()));
    assert_eq!(value("-Infinity"), Value::Float(f64::NEG_INFINITY));
    assert_eq!(value("1e999"), Value::Float(f64::INFINITY));
    assert_eq!(value("123456789012345678901234567890"), Value::Integer("123456789012345678901234567890".into()));
    assert_eq!(value(r#""\ud83d\ude00 \ud83d""#), Value::String("😀 \u{10D83D}".into()));
}

#[test]
fn a_repeated_key_keeps_its_place_and_takes_the_last_value() {
    let parsed = parse(r#"{"a": 1, "b": 2, "a": 3}"#).unwrap();
    let keys: Vec<_> = parsed.root.as_object().unwrap().iter().map(|(key, node)| (key.as_str(), &node.value)).collect();
    assert_eq!(keys, [("a", &Value::Integer("3".into())), ("b", &Value::Integer("2".into()))]);
    assert_eq!(parsed.repeated_keys, [(17, "a".to_owned())]);
}

#[test]
fn an_object_with_many_keys_finds_repetitions_too() {
    let body: Vec<String> = (0..100).map(|i| format!("\"k{}\": {i}", i % 60)).collect();
    let parsed = parse(&format!("{{{}}}", body.join(","))).unwrap();
    assert_eq!(parsed.root.as_object().unwrap().len(), 60);
    assert_eq!(parsed.repeated_keys.len(), 40);
    assert_eq!(parsed.root.get("k39").unwrap().value, Value::Integer("99".into()));
}

#[test]
fn says_where_and_what_is_wrong() {
    assert_eq!(reason("[1, 2"), (5, "found the end of the text, expected `,` or `]` in a list".into()));
    assert_eq!(reason("{'a': 1}"), (1, "found `'`, expected a key in double quotes".into()));
    assert_eq!(reason("[1,]"), (3, "found `]`, expected a value".into()));
    assert_eq!(reason("\"a\tb\""), (2, "found U+0009 inside a string, expected it escaped".into()));
    assert_eq!(reason("\"abc"), (0, "found the end of the text inside a string, expected a closing `\"`".into()));
    assert_eq!(reason("{} x"), (3, "found `x`, expected the end of the text".into()));
    assert_eq!(reason("01"), (1, "found `1`, expected the end of the text".into()));
    assert_eq!(reason("\u{feff}1").0, 0);
    assert!(parse(&"[".repeat(5000)).unwrap_err().too_deep);
}

#[test]
fn numbers_end_where_the_grammar_ends() {
    assert_eq!(value("-0"), Value::Integer("0".into()));
    assert_eq!(value("1.5e-3"), Value::Float(0.0015));
    for broken in ["1.", "1e", "-", "1.e5", ".5", "+1", "1e+"] {
        assert!(parse(broken).is_err(), "{broken}");
    }
}

#[test]
fn writes_as_python_does() {
    let value = serde_json::json!([{"k": "é\n😀", "n": null, "x": 1}]);
    assert_eq!(to_ascii_string(&value), r#"[{"k": "\u00e9\n\ud83d\ude00", "n": null, "x": 1}]"#);
}

proptest! {
    #[test]
    fn never_panics(text in ".{0,80}") {
        let _ = parse(&text);
    }

    #[test]
    fn never_panics_on_json_like_text(text in r#"[\[\]{}",:0-9eE.\-\\untrfalsNI ]{0,60}"#) {
        let _ = parse(&text);
    }

    #[test]
    fn strings_read_back(text in any::<String>()) {
        let written = serde_json::to_string(&text).unwrap();
        prop_assert_eq!(value(&written), Value::String(text.clone()));
        let ascii = to_ascii_string(&serde_json::Value::String(text.clone()));
        prop_assert!(ascii.is_ascii());
        prop_assert_eq!(value(&ascii), Value::String(text));
    }
}
