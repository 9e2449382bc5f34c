//! Loading every task of a Super-NaturalInstructions folder: what each command over that dataset pays first.

use criterion::{Criterion, criterion_group, criterion_main};
use saydo_task::dataset::Dataset;
use std::path::Path;

const DATA: &str = concat!(env!("CARGO_MANIFEST_DIR"), "/../../../shared/data/super-natural-instructions");

fn load(criterion: &mut Criterion) {
    let data = Path::new(DATA);
    if !data.is_dir() {
        eprintln!("skipped: ../shared is not here");
        return;
    }
    criterion.bench_function("super-natural-instructions/load", |bencher| {
        bencher.iter(|| Dataset::load(data).expect("the published files are sound"));
    });
}

criterion_group! {
    name = benches;
    config = Criterion::default().sample_size(20);
    targets = load
}
criterion_main!(benches);
