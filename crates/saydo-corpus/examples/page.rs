//! Reads some documents, marks some words in them, and writes the page (or table) that a run would write.
//!
//! `cargo run -p saydo-corpus --example page -- out.html fall,trail examples/parks`

use saydo_corpus::{Cell, Column, Corpus, Document, Meta, Options, Output, Row, Status};
use saydo_task::{Answer, AnswerKind, AnswerSpec, Span};
use serde_json::Value;
use std::path::Path;

fn main() -> Result<(), Box<dyn std::error::Error>> {
    let arguments: Vec<String> = std::env::args().skip(1).collect();
    let [output, words, inputs @ ..] = arguments.as_slice() else {
        return Err("expected an output file, words with commas between, and inputs".into());
    };
    let words: Vec<&str> = words.split(',').collect();
    let column =
        |word: &&str| Column { name: (*word).to_owned(), spec: AnswerSpec { kind: AnswerKind::Spans, na: None } };
    let columns: Vec<Column> = words.iter().map(column).collect();
    let meta = Meta {
        title: format!("Where it says {}", words.join(" and ")),
        description: words.iter().map(|word| format!("Every `{word}` in the text.")).collect(),
        model: "word search".to_owned(),
        version: env!("CARGO_PKG_VERSION").to_owned(),
    };
    let corpus = Corpus::open(inputs, &Options::default())?;
    let mut output = Output::create(Path::new(output), &columns, &meta)?;
    for item in corpus {
        let (document, fault) = match item {
            Ok(document) => (document, None),
            Err(bad) => {
                (Document { id: bad.id, source: bad.source, text: String::new(), question: None }, Some(bad.reason))
            }
        };
        let cells = words.iter().map(|word| search(word, &document.text, fault.clone())).collect();
        let (id, source) = (document.id.clone(), document.source.clone());
        output.write(&document, &Row { id, source, model: meta.model.clone(), cells })?;
    }
    Ok(output.finish()?)
}

fn search(word: &str, text: &str, fault: Option<String>) -> Cell {
    let span = |(byte, found): (usize, &str)| {
        let start = text[..byte].chars().count();
        let end = start + found.chars().count();
        Span { start, end, text: found.to_owned(), label: None, record: None, score: None }
    };
    let spans: Vec<Span> = text.match_indices(word).map(span).collect();
    let status = match (&fault, spans.is_empty()) {
        (Some(_), _) => Status::Failed,
        (None, true) => Status::Na,
        (None, false) => Status::Ok,
    };
    let answer = if spans.is_empty() { Value::Null } else { Answer::Spans(spans.clone()).to_json() };
    let confidence = (status != Status::Failed).then(|| spans.len() as f64 / (spans.len() as f64 + 1.0));
    Cell { status, answer, spans, confidence, windows: 1, ms: 0, ungrounded: 0, na_log_odds: None, error: fault }
}
