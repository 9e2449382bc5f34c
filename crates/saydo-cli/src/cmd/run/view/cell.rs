//! An answer as paragraphs in the tones of its kind, and its confidence as a bar.

use super::Tone;
use super::wrap::{Paragraph, Piece};
use crate::table::percent;
use saydo_corpus::{Cell, Status};
use saydo_task::{AnswerKind, AnswerSpec};
use serde_json::Value;

/// Columns of a bar.
const BAR: usize = 8;
/// A column of the bar, filled by eighths.
const EIGHTHS: [&str; 8] = ["", "▏", "▎", "▍", "▌", "▋", "▊", "▉"];
/// The name that evidence has among the spans of a row.
const EVIDENCE: &str = "evidence";

/// What stands in the cell: a paragraph for each record and for each line of free text, then the evidence.
pub(super) fn paragraphs(spec: &AnswerSpec, cell: &Cell) -> Vec<Paragraph> {
    let mut all = match cell.status {
        Status::Ok => answer(spec, &cell.answer),
        Status::Na => vec![na()],
        Status::Unparsable => vec![fault("unparsable", cell)],
        Status::Failed => vec![fault("failed", cell)],
    };
    let evidence = cell.spans.iter().filter(|span| span.label.as_deref() == Some(EVIDENCE));
    all.extend(evidence.map(|span| Paragraph::new([Piece::new(Tone::Evidence, &format!("“{}”", span.text))])));
    all
}

/// The confidence as a bar and a percentage.
pub(super) fn bar(share: f64) -> Vec<Piece> {
    let eighths = (share.clamp(0.0, 1.0) * (8 * BAR) as f64).round() as usize;
    let filled = format!("{}{}", "█".repeat(eighths / 8), EIGHTHS[eighths % 8]);
    let tone = match share {
        share if share >= 0.9 => Tone::High,
        share if share >= 0.6 => Tone::Medium,
        _ => Tone::Low,
    };
    vec![Piece::exact(tone, &format!("{filled:<BAR$}")), Piece::exact(Tone::Plain, &format!(" {:>5}%", percent(share)))]
}

fn answer(spec: &AnswerSpec, value: &Value) -> Vec<Paragraph> {
    match (&spec.kind, value) {
        (AnswerKind::Records(_), Value::Array(records)) if !records.is_empty() => records.iter().map(record).collect(),
        (AnswerKind::Text, Value::String(text)) => {
            let lines = text.lines().filter(|line| !line.trim().is_empty());
            let paragraphs: Vec<Paragraph> = lines.map(Paragraph::plain).collect();
            if paragraphs.is_empty() { vec![na()] } else { paragraphs }
        }
        (kind, Value::Array(items)) => {
            let mut pieces = Vec::new();
            for item in items {
                if !pieces.is_empty() {
                    pieces.push(Piece::exact(Tone::Dim, "; "));
                }
                pieces.push(piece(kind, item));
            }
            vec![Paragraph::new(pieces)]
        }
        (kind, value) => vec![Paragraph::new([piece(kind, value)])],
    }
}

/// A record as `field: value, field: value`.
fn record(value: &Value) -> Paragraph {
    let Value::Object(fields) = value else { return Paragraph::new([piece(&AnswerKind::Spans, value)]) };
    let mut pieces = Vec::new();
    for (name, value) in fields {
        if !pieces.is_empty() {
            pieces.push(Piece::exact(Tone::Dim, ", "));
        }
        pieces.push(Piece::new(Tone::Dim, name));
        pieces.push(Piece::exact(Tone::Dim, ": "));
        pieces.push(piece(&AnswerKind::Spans, value));
    }
    Paragraph::new(pieces)
}

/// One value in the tone of its kind; `yes` and `no` are known wherever they stand.
fn piece(kind: &AnswerKind, value: &Value) -> Piece {
    let tone = match (kind, value) {
        (_, Value::Null) => Tone::Dim,
        (AnswerKind::Text, _) => Tone::Plain,
        (_, Value::String(text)) if text == "yes" => Tone::Yes,
        (_, Value::String(text)) if text == "no" => Tone::No,
        (AnswerKind::Label(_), _) => Tone::Label,
        _ => Tone::Span,
    };
    Piece::new(tone, &plain(value))
}

/// A value without the quotes and brackets of JSON.
fn plain(value: &Value) -> String {
    match value {
        Value::Null => "NA".to_owned(),
        Value::String(text) => text.clone(),
        Value::Array(items) => items.iter().map(plain).collect::<Vec<_>>().join("; "),
        other => other.to_string(),
    }
}

fn na() -> Paragraph {
    Paragraph::new([Piece::new(Tone::Dim, "NA")])
}

fn fault(what: &str, cell: &Cell) -> Paragraph {
    let reason = cell.error.as_deref().unwrap_or_default();
    Paragraph::new([Piece::exact(Tone::Fault, &format!("{what}: ")), Piece::new(Tone::Plain, reason)])
}
