//! Whether an output is of the kind its task asks for.
//!
//! The rules are those of a reader of the data, not of a scorer: case and white space do not matter, `n/a` and `na`
//! are NA, several spans are a JSON list or joined by `|`, and records stand as a JSON list of objects.

use crate::excerpt::quoted;
use crate::gold::Gold;
use crate::node::{Node, Value};
use crate::{AnswerKind, AnswerSpec, Field, FieldKind};

/// What is wrong with an output, as what was found and what was expected; none when it fits.
pub(crate) fn mismatch(spec: &AnswerSpec, input: &str, output: &str) -> Option<(String, String)> {
    let trimmed = output.trim();
    // An empty output is reported as missing.
    if trimmed.is_empty() {
        return None;
    }
    if is_na(trimmed) {
        let is_label = matches!(&spec.kind, AnswerKind::Label(labels) if labels.iter().any(|label| label == trimmed));
        let fits = spec.allows_na() || is_label || spec.kind == AnswerKind::Text;
        return (!fits).then(|| (quoted(output), "an answer, as the task does not allow NA".to_owned()));
    }
    let (fits, expected) = match &spec.kind {
        AnswerKind::Text => return None,
        AnswerKind::YesNo => (is_yes_no(trimmed), "yes or no".to_owned()),
        AnswerKind::Label(labels) => (labels.iter().any(|label| label == trimmed), one_of(labels)),
        AnswerKind::Spans => return spans_mismatch(input, output),
        AnswerKind::Records(fields) => return records_mismatch(fields, output),
    };
    (!fits).then(|| (quoted(output), expected))
}

fn is_na(text: &str) -> bool {
    text.eq_ignore_ascii_case("n/a") || text.eq_ignore_ascii_case("na")
}

fn is_yes_no(text: &str) -> bool {
    text.eq_ignore_ascii_case("yes") || text.eq_ignore_ascii_case("no")
}

fn one_of(labels: &[String]) -> String {
    let shown: Vec<_> = labels.iter().take(10).map(|label| quoted(label)).collect();
    let more = if labels.len() > shown.len() { ", …" } else { "" };
    format!("one of {}{more}", shown.join(", "))
}

fn spans_mismatch(input: &str, output: &str) -> Option<(String, String)> {
    let input = folded(input);
    let Gold::Spans(spans) = Gold::parse(output, &AnswerKind::Spans) else { return None };
    let missing = spans.iter().find(|span| !input.contains(&folded(span)))?;
    Some((quoted(missing), "text of the input".to_owned()))
}

/// Lower-cased, with runs of white space as one space.
fn folded(text: &str) -> String {
    text.split_whitespace().collect::<Vec<_>>().join(" ").to_lowercase()
}

/// With no field given, any object will do.
fn records_mismatch(fields: &[Field], output: &str) -> Option<(String, String)> {
    let expected = || "a JSON list of objects".to_owned();
    let Ok(parsed) = crate::json::parse(output) else { return Some((quoted(output), expected())) };
    let Some(records) = parsed.root.as_array() else { return Some((parsed.root.value.kind().to_owned(), expected())) };
    records.iter().find_map(|record| match record.as_object() {
        None => Some((record.value.kind().to_owned(), expected())),
        Some(_) if fields.is_empty() => None,
        Some(entries) => record_mismatch(fields, record, entries),
    })
}

fn record_mismatch(fields: &[Field], record: &Node, entries: &[(String, Node)]) -> Option<(String, String)> {
    let names = || fields.iter().map(|field| quoted(&field.name)).collect::<Vec<_>>().join(", ");
    if let Some((key, _)) = entries.iter().find(|(key, _)| fields.iter().all(|field| field.name != *key)) {
        return Some((format!("a record with {}", quoted(key)), format!("only {}", names())));
    }
    fields.iter().find_map(|field| match record.get(&field.name) {
        None => Some((format!("a record without {}", quoted(&field.name)), format!("all of {}", names()))),
        Some(node) => field_mismatch(field, node),
    })
}

fn field_mismatch(field: &Field, node: &Node) -> Option<(String, String)> {
    match &node.value {
        Value::String(text) => {
            let text = text.trim();
            let (fits, expected) = match &field.kind {
                FieldKind::Span | FieldKind::Text => return None,
                FieldKind::YesNo => (is_yes_no(text), "yes or no".to_owned()),
                FieldKind::Label(labels) => (labels.iter().any(|label| label == text), one_of(labels)),
            };
            (!fits && !is_na(text)).then(|| (format!("{} as {}", quoted(text), quoted(&field.name)), expected))
        }
        // A list holds alternatives; a null is NA.
        Value::Array(_) | Value::Null => None,
        other => Some((format!("{} as {}", other.kind(), quoted(&field.name)), "a string".to_owned())),
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn spec(kind: AnswerKind) -> AnswerSpec {
        AnswerSpec { kind, na: None }
    }

    fn found(spec: &AnswerSpec, output: &str) -> Option<String> {
        mismatch(spec, "Bridalveil  Fall is\nsteep.", output).map(|(found, _)| found)
    }

    #[test]
    fn yes_no_and_labels() {
        assert_eq!(found(&spec(AnswerKind::YesNo), " Yes"), None);
        assert_eq!(found(&spec(AnswerKind::YesNo), "n/a"), None);
        assert_eq!(found(&AnswerSpec { kind: AnswerKind::YesNo, na: Some(false) }, "n/a").as_deref(), Some("`n/a`"));
        assert_eq!(found(&spec(AnswerKind::YesNo), "maybe").as_deref(), Some("`maybe`"));
        let labels = spec(AnswerKind::Label(vec!["wet".into(), "dry".into()]));
        assert_eq!(found(&labels, "wet"), None);
        assert_eq!(found(&labels, "damp").as_deref(), Some("`damp`"));
        assert_eq!(mismatch(&labels, "", "damp").unwrap().1, "one of `wet`, `dry`");
    }

    #[test]
    fn spans_stand_in_the_input() {
        assert_eq!(found(&spec(AnswerKind::Spans), "bridalveil fall|steep"), None);
        assert_eq!(found(&spec(AnswerKind::Spans), "Bridalveil Fall|Yosemite").as_deref(), Some("`Yosemite`"));
    }

    #[test]
    fn records_have_the_fields_of_the_task() {
        let fields = vec![
            Field { name: "hike".into(), kind: FieldKind::Span },
            Field { name: "accessible".into(), kind: FieldKind::YesNo },
        ];
        let leash = Field { name: "leash".into(), kind: FieldKind::Label(vec!["required".into(), "optional".into()]) };
        let leashes = spec(AnswerKind::Records(vec![leash]));
        assert_eq!(found(&leashes, r#"[{"leash": "required"}, {"leash": "n/a"}]"#), None);
        let wrong = mismatch(&leashes, "", r#"[{"leash": "yes"}]"#).unwrap();
        assert_eq!(wrong, ("`yes` as `leash`".into(), "one of `required`, `optional`".into()));
        let records = spec(AnswerKind::Records(fields));
        assert_eq!(found(&records, r#"[{"hike": "x", "accessible": "no"}]"#), None);
        assert_eq!(found(&records, r#"[{"hike": "x", "accessible": null}]"#), None);
        assert_eq!(found(&records, "steep").as_deref(), Some("`steep`"));
        assert_eq!(found(&records, r#"{"hike": "x"}"#).as_deref(), Some("an object"));
        assert_eq!(found(&records, r#"[{"hike": "x"}]"#).as_deref(), Some("a record without `accessible`"));
        assert_eq!(found(&records, r#"[{"hike": "x", "open": "no"}]"#).as_deref(), Some("a record with `open`"));
        let found = found(&records, r#"[{"hike": "x", "accessible": "steep"}]"#);
        assert_eq!(found.as_deref(), Some("`steep` as `accessible`"));
    }
}
