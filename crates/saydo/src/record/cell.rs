//! From what a function gave to the cell of a row.

use saydo_corpus::{Cell, Status, Unreadable};
use saydo_function::{Error, Outcome};
use saydo_task::{Answer, AnswerKind, AnswerSpec, Field, FieldKind, Span};
use serde_json::Value;

/// The cell of an answer, or of the reason why there is none.
pub fn of(result: Result<Outcome, Error>, ms: u64) -> Cell {
    match result {
        Ok(outcome) => Cell {
            status: if outcome.answer == Answer::Na { Status::Na } else { Status::Ok },
            answer: outcome.answer.to_json(),
            spans: outcome.answer.spans().into_iter().chain(evidence(outcome.evidence)).map(rounded_span).collect(),
            confidence: outcome.confidence.map(rounded),
            windows: outcome.windows,
            ms,
            ungrounded: outcome.ungrounded,
            na_log_odds: None,
            error: None,
        },
        Err(error) => {
            let (status, ungrounded) = match error {
                Error::Unparsable { ungrounded, .. } => (Status::Unparsable, ungrounded),
                _ => (Status::Failed, 0),
            };
            Cell { ungrounded, ..without_answer(status, chain(&error), ms) }
        }
    }
}

/// The passages that show an answer stand among its spans under this name.
pub const EVIDENCE: &str = "evidence";

fn evidence(passages: Vec<Span>) -> impl Iterator<Item = Span> {
    passages.into_iter().map(|passage| Span { label: Some(EVIDENCE.to_owned()), ..passage })
}

/// A number with six decimals: read back from JSON it is the same to the last bit, so that rows do not depend on whether
/// they were computed now or before.
pub fn rounded(number: f64) -> f64 {
    (number * 1e6).round() / 1e6
}

fn rounded_span(span: Span) -> Span {
    Span { score: span.score.map(rounded), ..span }
}

/// The cell of a document that could not be read.
pub fn unreadable(document: &Unreadable) -> Cell {
    without_answer(Status::Failed, document.reason.clone(), 0)
}

/// A cell that says what went wrong.
pub fn without_answer(status: Status, error: String, ms: u64) -> Cell {
    Cell {
        status,
        answer: Value::Null,
        spans: Vec::new(),
        confidence: None,
        windows: 0,
        ms,
        ungrounded: 0,
        na_log_odds: None,
        error: Some(error),
    }
}

/// Whether a cell can be what a task with such answers gave for a text. Read back from a file, it may be anything.
pub fn fits(cell: &Cell, spec: &AnswerSpec, text: &str) -> bool {
    let is_grounded = || cell.spans.iter().all(|span| text.contains(&span.text));
    match cell.status {
        Status::Ok => is_answer(&cell.answer, &spec.kind) && is_grounded(),
        Status::Na | Status::Unparsable | Status::Failed => cell.answer.is_null(),
    }
}

fn is_answer(answer: &Value, kind: &AnswerKind) -> bool {
    let list = |is_item: &dyn Fn(&Value) -> bool| {
        answer.as_array().is_some_and(|items| !items.is_empty() && items.iter().all(is_item))
    };
    match kind {
        AnswerKind::YesNo => is_yes_no(answer),
        AnswerKind::Label(labels) => is_label(answer, labels),
        AnswerKind::Spans => list(&Value::is_string),
        AnswerKind::Records(fields) => list(&|record| is_record(record, fields)),
        AnswerKind::Text => answer.is_string(),
    }
}

fn is_yes_no(value: &Value) -> bool {
    matches!(value.as_str(), Some("yes" | "no"))
}

fn is_label(value: &Value, labels: &[String]) -> bool {
    value.as_str().is_some_and(|value| labels.iter().any(|label| label == value))
}

/// The task's fields, all of them and no others, each with a value of its kind or none.
fn is_record(record: &Value, fields: &[Field]) -> bool {
    let is_value = |field: &Field, value: &Value| match &field.kind {
        _ if value.is_null() => true,
        FieldKind::YesNo => is_yes_no(value),
        FieldKind::Label(labels) => is_label(value, labels),
        FieldKind::Span | FieldKind::Text => value.is_string(),
    };
    record.as_object().is_some_and(|record| {
        record.len() == fields.len()
            && fields.iter().all(|field| record.get(&field.name).is_some_and(|value| is_value(field, value)))
    })
}

/// An error and what it is because of, in one line.
pub fn chain(error: &dyn std::error::Error) -> String {
    let mut text = error.to_string();
    let mut cause = error.source();
    while let Some(error) = cause {
        text = format!("{text}: {error}");
        cause = error.source();
    }
    text
}

#[cfg(test)]
mod tests {
    use super::*;
    use proptest::prelude::*;
    use serde_json::json;

    proptest! {
        #[test]
        fn rounded_numbers_come_back_from_json_to_the_last_bit(number in 0.0_f64..1.0) {
            let number = rounded(number);
            let text = serde_json::to_string(&number).unwrap();
            prop_assert_eq!(serde_json::from_str::<f64>(&text).unwrap().to_bits(), number.to_bits());
        }
    }

    #[test]
    fn an_answer_of_another_kind_cannot_have_been_given() {
        let field = |name: &str, kind| Field { name: name.to_owned(), kind };
        let records = AnswerKind::Records(vec![field("hike", FieldKind::Span), field("paved", FieldKind::YesNo)]);
        let cases = [
            (AnswerKind::YesNo, json!("yes"), json!("yds")),
            (AnswerKind::YesNo, json!("no"), json!(true)),
            (AnswerKind::Label(vec!["a".to_owned(), "b".to_owned()]), json!("b"), json!("c")),
            (AnswerKind::Spans, json!(["Falls"]), json!([])),
            (AnswerKind::Spans, json!(["Falls"]), json!("Falls")),
            (AnswerKind::Text, json!("anything"), json!(null)),
            (records.clone(), json!([{"hike": "Falls", "paved": null}]), json!([{"hike": "Falls"}])),
            (records.clone(), json!([{"hike": "Falls", "paved": "no"}]), json!([{"hike": "Falls", "paved": "n0"}])),
            (records, json!([{"paved": "no", "hike": null}]), json!([{"hike": null, "paved": "no", "x": 1}])),
        ];
        for (kind, good, bad) in cases {
            let spec = AnswerSpec { kind, na: None };
            let fits = |status, answer: &Value| {
                let cell = Cell { answer: answer.clone(), error: None, ..without_answer(status, String::new(), 0) };
                super::fits(&cell, &spec, "Falls")
            };
            assert!(fits(Status::Ok, &good) && !fits(Status::Ok, &bad), "{spec:?}: {good} {bad}");
            assert!(fits(Status::Na, &Value::Null) && !fits(Status::Na, &good), "{spec:?}");
        }
    }

    #[test]
    fn a_span_that_the_text_does_not_hold_cannot_have_been_given() {
        let span = Span { start: 0, end: 5, text: "Falls".to_owned(), label: None, record: None, score: None };
        let cell = Cell {
            answer: json!(["Falls"]),
            spans: vec![span],
            error: None,
            ..without_answer(Status::Ok, String::new(), 0)
        };
        let spec = AnswerSpec { kind: AnswerKind::Spans, na: None };
        assert!(fits(&cell, &spec, "Falls and domes") && !fits(&cell, &spec, "domes"));
    }

    #[test]
    fn errors_tell_what_they_are_because_of() {
        let error = Error::Model(saydo_model::Error::Server("it is busy".into()));
        let cell = of(Err(error), 7);
        assert_eq!((cell.status, cell.error.as_deref(), cell.ms), (Status::Failed, Some("it is busy"), 7));
    }
}
