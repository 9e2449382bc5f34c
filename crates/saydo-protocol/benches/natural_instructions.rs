//! Scoring the released GPT-3 predictions straight from their packed files, tasks read along the way.

use criterion::{Criterion, criterion_group, criterion_main};
use saydo_protocol::natural_instructions::{Options, score};
use std::path::Path;

const DATA: &str = concat!(env!("CARGO_MANIFEST_DIR"), "/../../../shared/data/natural-instructions-v1");

fn gpt3_set(criterion: &mut Criterion) {
    let (tasks, predictions) = (Path::new(DATA).join("tasks"), Path::new(DATA).join("gpt3_predictions"));
    if !predictions.is_dir() {
        eprintln!("skipped: ../shared is not here");
        return;
    }
    criterion.bench_function("natural-instructions/gpt3-set", |bencher| {
        bencher.iter(|| score(&tasks, &predictions, &Options::default()).expect("the released files are sound"));
    });
}

criterion_group! {
    name = benches;
    config = Criterion::default().sample_size(20);
    targets = gpt3_set
}
criterion_main!(benches);
