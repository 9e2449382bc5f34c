//! How long one short row takes to be read from JSON Lines and to be written again, without a model between.

use criterion::{Criterion, Throughput, criterion_group, criterion_main};
use saydo_corpus::{Cell, Column, Corpus, JsonLines, Options, Row, Status};
use saydo_task::{AnswerKind, AnswerSpec};
use serde_json::json;
use std::hint::black_box;
use std::io::{self, Write};

const ROWS: u64 = 10_000;

fn file() -> tempfile::NamedTempFile {
    let mut file = tempfile::Builder::new().suffix(".jsonl").tempfile().expect("a temporary file");
    for id in 0..ROWS {
        let body = "Boils fast and looks nice, but the lid leaks. It goes back tomorrow.";
        writeln!(file, "{}", json!({"id": id, "product": "kettle", "stars": 2, "body": body})).expect("written");
    }
    file
}

fn read_and_write(c: &mut Criterion) {
    let file = file();
    let inputs = [file.path().display().to_string()];
    let open = || Corpus::open(&inputs, &Options::default()).expect("a corpus");
    let columns = [Column { name: "q".to_owned(), spec: AnswerSpec { kind: AnswerKind::YesNo, na: None } }];
    let mut group = c.benchmark_group("jsonl");
    group.throughput(Throughput::Elements(ROWS));
    group.bench_function("read", |bencher| bencher.iter(|| open().for_each(|row| drop(black_box(row)))));
    group.bench_function("read and write", |bencher| {
        bencher.iter(|| {
            let mut lines = JsonLines::new(io::sink(), &columns);
            for document in open() {
                let document = document.expect("a document");
                let cell = Cell {
                    status: Status::Ok,
                    answer: json!("yes"),
                    spans: Vec::new(),
                    confidence: Some(0.912_345_678),
                    windows: 1,
                    ms: 3,
                    ungrounded: 0,
                    na_log_odds: None,
                    error: None,
                };
                let model = "smollm2-135m".to_owned();
                lines
                    .write(&Row { id: document.id, source: document.source, model, cells: vec![cell] })
                    .expect("written");
            }
        });
    });
    group.finish();
}

criterion_group!(benches, read_and_write);
criterion_main!(benches);
