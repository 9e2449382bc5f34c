//! ROUGE-L over generated pairs of the length of real answers: tokens and score, or the score alone.

use std::hint::black_box;

use criterion::{BatchSize, Criterion, Throughput, criterion_group, criterion_main};
use saydo_metrics::rouge::{RougeScorer, rouge_l};

const PAIRS: usize = 10_000;
const FIRST: [&str; 12] = ["", "", "re", "un", "over", "Sub", "inter", "non", "mis", "pre", "de", "trans"];
const SECOND: [&str; 24] = [
    "the",
    "of",
    "question",
    "asking",
    "answered",
    "Texas",
    "running",
    "nationally",
    "hopeful",
    "cats",
    "is",
    "not",
    "1848",
    "organization",
    "how",
    "long",
    "did",
    "it",
    "take",
    "events",
    "usually",
    "temporal",
    "passage",
    "written",
];

/// Pairs of texts of 10 to 30 words from a fixed sequence, with punctuation here and there.
fn pairs() -> Vec<(String, String)> {
    let mut state = 1_u64;
    let mut below = |n: usize| {
        state = state.wrapping_mul(6_364_136_223_846_793_005).wrapping_add(1_442_695_040_888_963_407);
        (state >> 33) as usize % n
    };
    let mut text = || {
        let words: Vec<String> =
            (0..10 + below(21)).map(|_| format!("{}{}", FIRST[below(12)], SECOND[below(24)])).collect();
        words.join([" ", ", ", " - "][below(3)])
    };
    (0..PAIRS).map(|_| (text(), text())).collect()
}

fn rouge(c: &mut Criterion) {
    let pairs = pairs();
    let mut group = c.benchmark_group("rouge_l");
    group.throughput(Throughput::Elements(PAIRS as u64));
    group.bench_function("texts", |b| {
        b.iter_batched(
            RougeScorer::new,
            |mut scorer| {
                let score = |(a, b): &(String, String)| rouge_l(&scorer.encode(a), &scorer.encode(b)).f_measure;
                black_box(pairs.iter().map(score).sum::<f64>())
            },
            BatchSize::LargeInput,
        );
    });
    let mut scorer = RougeScorer::new();
    let encoded: Vec<_> = pairs.iter().map(|(a, b)| (scorer.encode(a), scorer.encode(b))).collect();
    group.bench_function("encoded", |b| {
        b.iter(|| encoded.iter().map(|(a, b)| rouge_l(black_box(a), black_box(b)).f_measure).sum::<f64>());
    });
    group.finish();
}

criterion_group!(benches, rouge);
criterion_main!(benches);
