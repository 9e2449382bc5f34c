//! What a row costs beside the model: keys, queue, ledger and the row itself, with a function that answers at once.

use criterion::{Criterion, Throughput, criterion_group, criterion_main};
use saydo::answering::{Columns, Memory, Settings, rows_of};
use saydo::record::{Keys, Ledger};
use saydo_corpus::{Document, Unreadable};
use saydo_function::Outcome;
use saydo_task::Answer;
use serde_json::{Value, json};
use std::hint::black_box;
use std::sync::atomic::AtomicBool;

const ROWS: usize = 10_000;

fn documents() -> impl Iterator<Item = Result<Document, Unreadable>> {
    (0..ROWS).map(|number| {
        let text = format!("Document {number}: the trail to the falls is short, paved and open all year.");
        Ok(Document { id: Value::from(number), source: format!("docs.jsonl:{number}"), text, question: None })
    })
}

fn columns<'a>() -> Columns<'a, ()> {
    let keys = vec![Keys::new(&json!({"task": "t"}), "model")];
    Columns::new(
        keys,
        |_, _| Ok(()),
        |questions, done| {
            for (index, ()) in questions.enumerate() {
                let answer = Answer::Label("yes".to_owned());
                done(
                    index,
                    Ok(Outcome {
                        answer,
                        confidence: Some(0.875),
                        windows: 1,
                        na_log_odds: None,
                        ungrounded: 0,
                        evidence: Vec::new(),
                    }),
                );
            }
            Ok(())
        },
    )
}

fn rows(ledger: &mut Ledger) {
    let (settings, stop) = (Settings::new("bench"), AtomicBool::new(false));
    let summary =
        rows_of(&columns(), &mut documents(), &mut Memory::ledger(ledger, false), &settings, &stop, &mut |finished| {
            black_box(finished.row);
            Ok(())
        });
    assert_eq!(summary.expect("nothing fails").rows, ROWS as u64);
}

fn overhead(c: &mut Criterion) {
    let folder = tempfile::tempdir().expect("a scratch folder");
    let mut group = c.benchmark_group("row");
    group.throughput(Throughput::Elements(ROWS as u64)).sample_size(10);
    let mut number = 0;
    group.bench_function("computed", |bencher| {
        bencher.iter_with_setup(
            || {
                number += 1;
                Ledger::open(&folder.path().join(format!("{number}.jsonl")), &[]).expect("the folder is ours")
            },
            |mut ledger| rows(&mut ledger),
        );
    });
    let finished = folder.path().join("finished.jsonl");
    rows(&mut Ledger::open(&finished, &[]).expect("the folder is ours"));
    group.bench_function("resumed", |bencher| {
        bencher.iter(|| rows(&mut Ledger::open(&finished, &[]).expect("the folder is ours")));
    });
    group.finish();
}

criterion_group!(benches, overhead);
criterion_main!(benches);
