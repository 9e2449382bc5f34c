//! Scores against values computed by the reference programs, which lie beside the workspace and not in it.

#[path = "vectors/exact.rs"]
mod exact;
#[path = "vectors/python.rs"]
mod python;
#[path = "vectors/rouge.rs"]
mod rouge;

use serde_json::Value;

/// The text of a vector file, or `None`, with a note, where the vectors are not at hand.
fn read(name: &str) -> Option<String> {
    let path = format!("{}/../../../shared/vectors/{name}", env!("CARGO_MANIFEST_DIR"));
    let text = std::fs::read_to_string(path).ok();
    if text.is_none() {
        eprintln!("skipped: ../shared is not here");
    }
    text
}

/// The value of a JSON file.
fn json(name: &str) -> Option<Value> {
    read(name).map(|text| serde_json::from_str(&text).expect("vectors are JSON"))
}

/// The values of a JSON Lines file.
fn rows(name: &str) -> Option<Vec<Value>> {
    let parse = |line: &str| serde_json::from_str(line).expect("vectors are JSON");
    read(name).map(|text| text.lines().filter(|line| !line.is_empty()).map(parse).collect())
}

fn text(value: &Value) -> &str {
    value.as_str().expect("a text")
}

fn number(value: &Value) -> f64 {
    value.as_f64().expect("a number")
}

fn list(value: &Value) -> &[Value] {
    value.as_array().expect("a list")
}

fn texts(value: &Value) -> Vec<&str> {
    list(value).iter().map(text).collect()
}

#[track_caller]
fn assert_near(found: f64, expected: f64, tolerance: f64, what: &str) {
    assert!((found - expected).abs() <= tolerance, "{what}: found {found}, expected {expected}");
}
