//! Products of every weight format with one and with 64 activation rows, and attention over a prefix of 700.

use criterion::{BenchmarkId, Criterion, Throughput, criterion_group, criterion_main};
use saydo_model::kernel::{Activations, AttentionRow, AttentionShape, KvPrecision, KvSegment, PackedMatrix, Pool};
use saydo_model::kernel::{attention, matmul_all};
use saydo_model::quant::BlockType;

const KINDS: [BlockType; 7] = [
    BlockType::F32,
    BlockType::F16,
    BlockType::Q4_1,
    BlockType::Q4_K,
    BlockType::Q5_0,
    BlockType::Q6_K,
    BlockType::Q8_0,
];

fn wave(n: usize) -> Vec<f32> {
    (0..n).map(|i| (i % 255) as f32 / 127.0 - 1.0).collect()
}

fn products(c: &mut Criterion) {
    let (rows, cols) = (1536, 1536);
    let pool = Pool::new(2);
    for m in [1, 64] {
        let mut group = c.benchmark_group(format!("product with {m} rows"));
        group.throughput(Throughput::Elements((rows * cols * m) as u64));
        let x = wave(m * cols);
        let rounded = Activations::quantize(&x, m, &pool);
        let mut out = vec![0.0; m * rows];
        for kind in KINDS {
            let len = kind.bytes_for(rows * cols).expect("whole blocks");
            let bytes: Vec<u8> = (0..len as u32).map(|i| (i.wrapping_mul(2_654_435_761) >> 27) as u8).collect();
            let matrix = PackedMatrix::pack(kind, &bytes, rows, cols).expect("sizes agree");
            group.bench_function(BenchmarkId::from_parameter(format!("{kind:?}")), |b| {
                b.iter(|| matmul_all(&rounded, &mut [(&matrix, &mut out)], &pool));
            });
        }
    }
}

fn attention_over_prefix(c: &mut Criterion) {
    let shape = AttentionShape { heads: 9, kv_heads: 3, head_dim: 64, scale: 0.125, window: None, soft_cap: None };
    let pool = Pool::new(2);
    let mut prefix = KvSegment::new(3, 64, KvPrecision::Half);
    prefix.append(&wave(764 * 192), &wave(764 * 192));
    let segments = [&prefix];
    let mut group = c.benchmark_group("attention after 700 positions");
    for m in [1, 16, 64] {
        let q = wave(m * 576);
        let mut out = vec![0.0; q.len()];
        let rows: Vec<_> = (1..=m).map(|r| AttentionRow { segments: &segments, end: 700 + r, bias: None }).collect();
        group.throughput(Throughput::Elements(m as u64));
        group.bench_function(BenchmarkId::from_parameter(m), |b| {
            b.iter(|| attention(&shape, &q, &rows, &mut out, &pool));
        });
    }
}

criterion_group!(benches, products, attention_over_prefix);
criterion_main!(benches);
