//! From what a function gave to the cell of a row.

use saydo_corpus::{Cell, Status, Unreadable};
use saydo_function::{Error, Outcome};
use saydo_task::{Answer, Span};
use serde_json::Value;

/// The cell of an answer, or of the reason why there is none.
pub fn of(result: Result<Outcome, Error>, ms: u64) -> Cell {
    match result {
        Ok(outcome) => Cell {
            status: if outcome.answer == Answer::Na { Status::Na } else { Status::Ok },
            answer: outcome.answer.to_json(),
            spans: outcome.answer.spans().into_iter().map(rounded_span).collect(),
            confidence: outcome.confidence.map(rounded),
            windows: outcome.windows,
            ms,
            ungrounded: outcome.ungrounded,
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
        error: Some(error),
    }
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

    proptest! {
        #[test]
        fn rounded_numbers_come_back_from_json_to_the_last_bit(number in 0.0_f64..1.0) {
            let number = rounded(number);
            let text = serde_json::to_string(&number).unwrap();
            prop_assert_eq!(serde_json::from_str::<f64>(&text).unwrap().to_bits(), number.to_bits());
        }
    }

    #[test]
    fn errors_tell_what_they_are_because_of() {
        let error = Error::Model(saydo_model::Error::Server("it is busy".into()));
        let cell = of(Err(error), 7);
        assert_eq!((cell.status, cell.error.as_deref(), cell.ms), (Status::Failed, Some("it is busy"), 7));
    }
}
