//! The answers of a document's windows become the document's answer.
//!
//! NA only if every window says NA. Labels: the surest window that has one decides. Spans: all of them, by position.
//! Records: all of them, in order. Texts: one behind the other.

use crate::Outcome;
use saydo_task::{Answer, FieldValue, Record, Span};

/// What one window gave.
#[derive(Debug, Clone, PartialEq)]
pub(crate) struct WindowAnswer {
    pub answer: Answer,
    pub confidence: Option<f64>,
    /// The log-odds that there is no answer, where they were measured.
    pub na_log_odds: Option<f64>,
    /// Pieces of the reply that the window does not hold.
    pub ungrounded: usize,
    /// The passages that show a label.
    pub evidence: Vec<Span>,
}

impl WindowAnswer {
    /// An answer of which nothing else is known.
    pub fn of(answer: Answer) -> Self {
        Self { answer, confidence: None, na_log_odds: None, ungrounded: 0, evidence: Vec::new() }
    }

    /// The same answer with its confidence on each of its spans.
    pub fn with_span_scores(mut self) -> Self {
        let score = self.confidence;
        let mark = |span: &mut Span| span.score = score;
        match &mut self.answer {
            Answer::Spans(spans) => spans.iter_mut().for_each(mark),
            Answer::Records(records) => {
                for (_, value) in records.iter_mut().flat_map(|record| &mut record.fields) {
                    if let FieldValue::Span(span) = value {
                        mark(span);
                    }
                }
            }
            Answer::Na | Answer::Label(_) | Answer::Text(_) => {}
        }
        self
    }
}

/// The document's outcome. There is at least one window.
pub(crate) fn merge(answers: Vec<WindowAnswer>) -> Outcome {
    let windows = answers.len();
    // Some window must hold the answer, so the one that most likely does speaks for the document.
    let na_log_odds = answers.iter().filter_map(|window| window.na_log_odds).reduce(f64::min);
    let ungrounded = answers.iter().map(|window| window.ungrounded).sum();
    let (na, found): (Vec<_>, Vec<_>) = answers.into_iter().partition(|window| window.answer == Answer::Na);
    if found.is_empty() {
        let evidence = Vec::new();
        return Outcome { answer: Answer::Na, confidence: least(&na), windows, na_log_odds, ungrounded, evidence };
    }
    let surest = found.iter().enumerate().max_by(|(a, one), (b, other)| {
        let sure = |window: &WindowAnswer| window.confidence.unwrap_or(0.0);
        sure(one).total_cmp(&sure(other)).then(b.cmp(a))
    });
    let surest = surest.map_or(0, |(index, _)| index);
    let confidence = match &found[0].answer {
        Answer::Label(_) => found[surest].confidence,
        _ => least(&found),
    };
    let evidence = found[surest].evidence.clone();
    let answer = match &found[surest].answer {
        Answer::Label(_) | Answer::Na => found[surest].answer.clone(),
        Answer::Text(_) => Answer::Text(texts(&found)),
        Answer::Spans(_) => Answer::Spans(spans(found.into_iter().map(|window| window.answer))),
        Answer::Records(_) => Answer::Records(records(found.into_iter().map(|window| window.answer))),
    };
    Outcome { answer, confidence, windows, na_log_odds, ungrounded, evidence }
}

/// The confidence of the least sure window: all must be right for the whole to be.
fn least(windows: &[WindowAnswer]) -> Option<f64> {
    windows.iter().map(|window| window.confidence).try_fold(1.0, |least: f64, next| Some(least.min(next?)))
}

fn texts(windows: &[WindowAnswer]) -> String {
    let text = |window: &WindowAnswer| match &window.answer {
        Answer::Text(text) => Some(text.clone()),
        _ => None,
    };
    windows.iter().filter_map(text).collect::<Vec<_>>().join("\n\n")
}

/// In the document's order, without those inside another and without a second one of the same text.
fn spans(answers: impl Iterator<Item = Answer>) -> Vec<Span> {
    let mut all: Vec<Span> = answers.flat_map(|answer| answer.spans()).collect();
    all.sort_by_key(|span| (span.start, std::cmp::Reverse(span.end)));
    let mut kept: Vec<Span> = Vec::with_capacity(all.len());
    for span in all {
        let inside = |other: &Span| other.start <= span.start && span.end <= other.end;
        if !kept.iter().any(|other| inside(other) || other.text == span.text) {
            kept.push(span);
        }
    }
    kept
}

/// In order, without repetition: a record of things already told is one, whatever it says of them.
fn records(answers: impl Iterator<Item = Answer>) -> Vec<Record> {
    let mut kept: Vec<Record> = Vec::new();
    for answer in answers {
        let Answer::Records(records) = answer else { continue };
        for record in records {
            if !kept.iter().any(|other| things(other) == things(&record)) {
                kept.push(record);
            }
        }
    }
    kept
}

/// The texts of a record's spans; everything it says if it has none.
fn things(record: &Record) -> Vec<(&str, String)> {
    let text = |value: &FieldValue| value.to_json().to_string();
    let of = |wanted: fn(&FieldValue) -> bool| {
        let fields = record.fields.iter().filter(|(_, value)| wanted(value));
        fields.map(|(name, value)| (name.as_str(), text(value))).collect::<Vec<_>>()
    };
    let spans = of(|value| matches!(value, FieldValue::Span(_)));
    if spans.is_empty() { of(|_| true) } else { spans }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn label(label: &str, confidence: f64) -> WindowAnswer {
        WindowAnswer { confidence: Some(confidence), ..WindowAnswer::of(Answer::Label(label.into())) }
    }

    fn na(confidence: f64) -> WindowAnswer {
        WindowAnswer { confidence: Some(confidence), ..WindowAnswer::of(Answer::Na) }
    }

    fn found(places: &[(usize, &str)]) -> WindowAnswer {
        let span = |(start, text): &(usize, &str)| {
            let end = start + text.chars().count();
            Span { start: *start, end, text: (*text).into(), label: None, record: None, score: None }
        };
        let answer = Answer::Spans(places.iter().map(span).collect());
        WindowAnswer { confidence: Some(0.5), ..WindowAnswer::of(answer) }
    }

    #[test]
    fn the_surest_window_with_a_label_decides() {
        let outcome = merge(vec![na(0.99), label("no", 0.6), label("yes", 0.8), na(0.9)]);
        assert_eq!(
            outcome,
            Outcome {
                answer: Answer::Label("yes".into()),
                confidence: Some(0.8),
                windows: 4,
                na_log_odds: None,
                ungrounded: 0,
                evidence: Vec::new()
            }
        );
        let tied = merge(vec![label("no", 0.8), label("yes", 0.8)]);
        assert_eq!(tied.answer, Answer::Label("no".into()));
    }

    #[test]
    fn only_na_everywhere_is_na() {
        let outcome = merge(vec![na(0.9), na(0.7)]);
        assert_eq!(
            outcome,
            Outcome {
                answer: Answer::Na,
                confidence: Some(0.7),
                windows: 2,
                na_log_odds: None,
                ungrounded: 0,
                evidence: Vec::new()
            }
        );
    }

    #[test]
    fn a_thing_is_told_once() {
        let record = |hike: &str, open: &str| Record {
            fields: vec![
                ("hike".into(), FieldValue::Span(found(&[(0, hike)]).answer.spans().remove(0))),
                ("open".into(), FieldValue::Label(open.into())),
            ],
        };
        let records = vec![record("Fern", "yes"), record("Fern", "no"), record("Moss", "no")];
        let outcome = merge(vec![WindowAnswer::of(Answer::Records(records.clone()))]);
        assert_eq!(outcome.answer, Answer::Records(vec![records[0].clone(), records[2].clone()]));
    }

    #[test]
    fn spans_come_by_position_and_once() {
        let outcome =
            merge(vec![found(&[(9, "b c"), (0, "a")]), found(&[(9, "b c"), (11, "c"), (20, "a"), (30, "d")])]);
        let starts: Vec<usize> = outcome.answer.spans().iter().map(|span| span.start).collect();
        assert_eq!(starts, [0, 9, 30]);
    }
}
