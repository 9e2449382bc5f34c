//! What the kernels reach on this machine, beside what its memory could give.
//!
//! `cargo run --release --example kernel_speed [threads]`. All weights are made up; shapes are those of SmolLM2-135M and
//! Qwen2.5-1.5B. Work is timed in short pieces and each piece counts with its best of several rounds, so other load
//! on the machine matters less; every round visits all pieces, so weights come from memory as in real use.

use saydo_model::kernel::{
    Activations, AttentionRow, AttentionShape, KvPrecision, KvSegment, PackedMatrix, Pool, attention, matmul_all,
};
use saydo_model::quant::BlockType;
use std::hint::black_box;
use std::time::Instant;

fn main() {
    let threads = std::env::args().nth(1).and_then(|n| n.parse().ok()).unwrap_or(2);
    let pool = Pool::new(threads);
    println!("threads {threads}");
    println!("dispatch {:.2} µs", 1e6 * best(2000, || pool.run(threads, |part| _ = black_box(part))));
    println!("memory read {:.1} GB/s", memory_bandwidth(&pool) / 1e9);
    println!("f32 multiply-add peak {:.0} GMAC/s", float_peak(&pool) / 1e9);
    let smollm2 = Model {
        name: "smollm2-135m",
        layers: 30,
        groups: vec![
            (576, vec![(BlockType::Q4_1, 576), (BlockType::Q4_1, 192), (BlockType::Q4_1, 192)]),
            (576, vec![(BlockType::Q4_1, 576)]),
            (576, vec![(BlockType::Q4_1, 1536), (BlockType::Q4_1, 1536)]),
            (1536, vec![(BlockType::Q4_1, 576)]),
        ],
        head: (576, BlockType::Q8_0, 49152),
        attention: (9, 3, 64),
    };
    let qwen = Model {
        name: "qwen2.5-1.5b",
        layers: 28,
        groups: vec![
            (1536, vec![(BlockType::Q4_K, 1536), (BlockType::Q4_K, 256), (BlockType::Q6_K, 256)]),
            (1536, vec![(BlockType::Q4_K, 1536)]),
            (1536, vec![(BlockType::Q4_K, 8960), (BlockType::Q4_K, 8960)]),
            (8960, vec![(BlockType::Q6_K, 1536)]),
        ],
        head: (1536, BlockType::Q6_K, 151_936),
        attention: (12, 2, 128),
    };
    for model in [smollm2, qwen] {
        model.report(&pool);
    }
}

/// Seconds of the fastest of `tries` calls.
fn best(tries: usize, mut work: impl FnMut()) -> f64 {
    let once = |_| {
        let start = Instant::now();
        work();
        start.elapsed().as_secs_f64()
    };
    (0..tries).map(once).fold(f64::INFINITY, f64::min)
}

/// Seconds of all pieces together, each with its fastest of `rounds` rounds.
fn best_of_pieces(rounds: usize, pieces: usize, mut work: impl FnMut(usize)) -> f64 {
    let mut fastest = vec![f64::INFINITY; pieces];
    for _ in 0..rounds {
        for (piece, seconds) in fastest.iter_mut().enumerate() {
            *seconds = seconds.min(best(1, || work(piece)));
        }
    }
    fastest.iter().sum()
}

fn memory_bandwidth(pool: &Pool) -> f64 {
    let data = vec![1_u64; 1 << 25];
    let seconds = best_of_pieces(10, 32, |piece| {
        pool.run(16, |part| {
            let words = &data[(piece << 20) + (part << 16)..][..1 << 16];
            let mut sums = [0_u64; 16];
            for chunk in words.as_chunks::<16>().0 {
                for (sum, word) in sums.iter_mut().zip(chunk) {
                    *sum ^= word;
                }
            }
            black_box(sums);
        });
    });
    size_of_val(&data[..]) as f64 / seconds
}

/// Multiply-adds per second of a dense float product that stays in the nearest cache.
fn float_peak(pool: &Pool) -> f64 {
    let (rows, cols, m) = (256, 256, 64);
    let bytes: Vec<u8> = std::iter::repeat_n(0.5_f32.to_le_bytes(), rows * cols).flatten().collect();
    let matrix = PackedMatrix::pack(BlockType::F32, &bytes, rows, cols).expect("sizes agree");
    let x = vec![1.0; m * cols];
    let mut out = vec![0.0; m * rows];
    let seconds = best(300, || matrix.matmul(&x, m, &mut out, pool));
    (rows * cols * m) as f64 / seconds
}

/// Matrices of one layer as (inputs, outputs of each matrix on those inputs), the output head, and attention.
struct Model {
    name: &'static str,
    layers: usize,
    groups: Vec<(usize, Vec<(BlockType, usize)>)>,
    head: (usize, BlockType, usize),
    /// Query heads, key heads, values per head.
    attention: (usize, usize, usize),
}

type Group = (usize, Vec<PackedMatrix>);

impl Model {
    fn report(&self, pool: &Pool) {
        let start = Instant::now();
        let layers: Vec<Vec<Group>> =
            (0..self.layers).map(|_| self.groups.iter().map(random_group).collect()).collect();
        let (inputs, kind, outputs) = self.head;
        let head = random_group(&(inputs, vec![(kind, outputs)]));
        let bytes: usize = layers.iter().flatten().chain([&head]).flat_map(|g| &g.1).map(PackedMatrix::bytes).sum();
        let weights = |g: &Group| g.1.iter().map(|m| m.rows() * m.cols()).sum::<usize>();
        let layer_weights: usize = layers.iter().flatten().map(weights).sum();
        println!("{}: {:.0} MB, packed in {:.1} s", self.name, bytes as f64 / 1e6, start.elapsed().as_secs_f64());
        let all: Vec<&Group> = layers.iter().flatten().collect();
        for m in [1, 4, 16, 64] {
            let rounds = (4e10 / (layer_weights * m) as f64).clamp(2.0, 40.0) as usize;
            let mut buffers: Vec<_> = all[..self.groups.len()].iter().map(|group| Buffers::new(group, m)).collect();
            let layer = best_of_pieces(rounds, all.len(), |piece| {
                multiply(all[piece], &mut buffers[piece % self.groups.len()], m, pool);
            });
            print!("  m {m:3}: layers {:7.2} ms, {:4.0} GMAC/s", 1e3 * layer, (layer_weights * m) as f64 / layer / 1e9);
            if m <= 16 {
                let mut buffers = Buffers::new(&head, m);
                let top = best(rounds, || multiply(&head, &mut buffers, m, pool));
                print!(", head {:6.2} ms {:3.0} GMAC/s", 1e3 * top, (weights(&head) * m) as f64 / top / 1e9);
                print!(", {:4.1} GB/s, {:.0} tok/s", bytes as f64 / (layer + top) / 1e9, m as f64 / (layer + top));
            } else {
                print!(", {:.0} tok/s", m as f64 / layer);
            }
            println!();
        }
        for m in [1, 16, 64] {
            let (seconds, products) = self.attend(m, 700, pool);
            let (per_row, rate) = (1e6 * seconds / m as f64, products / seconds / 1e9);
            println!("  attention, m {m:3} rows after 700: {per_row:5.1} µs per row and layer, {rate:3.0} GMAC/s");
        }
    }

    /// Seconds and multiply-adds of one layer's attention of `m` rows over a shared prefix.
    fn attend(&self, m: usize, prefix: usize, pool: &Pool) -> (f64, f64) {
        let (heads, kv_heads, head_dim) = self.attention;
        let shape = AttentionShape { heads, kv_heads, head_dim, scale: 0.1, window: None, soft_cap: None };
        let wave = |n: usize| -> Vec<f32> { (0..n).map(|i| (i % 37) as f32 / 37.0 - 0.5).collect() };
        let mut segment = KvSegment::new(kv_heads, head_dim, KvPrecision::Half);
        let keys = wave((prefix + m) * kv_heads * head_dim);
        segment.append(&keys, &keys);
        let (q, segments) = (wave(m * heads * head_dim), [&segment]);
        let rows: Vec<_> = (1..=m).map(|r| AttentionRow { segments: &segments, end: prefix + r, bias: None }).collect();
        let mut out = vec![0.0; q.len()];
        let seconds = best(200, || attention(&shape, &q, &rows, &mut out, pool));
        let positions: usize = rows.iter().map(|row| row.end).sum();
        (seconds, (2 * positions * heads * head_dim) as f64)
    }
}

fn random_group((inputs, matrices): &(usize, Vec<(BlockType, usize)>)) -> Group {
    (*inputs, matrices.iter().map(|(kind, outputs)| random_matrix(*kind, *outputs, *inputs)).collect())
}

fn random_matrix(kind: BlockType, rows: usize, cols: usize) -> PackedMatrix {
    let len = kind.bytes_for(rows * cols).expect("whole blocks");
    let bytes: Vec<u8> = (0..len as u32).map(|i| (i.wrapping_mul(2_654_435_761) >> 27) as u8).collect();
    PackedMatrix::pack(kind, &bytes, rows, cols).expect("sizes agree")
}

/// Activations of a group and its results.
struct Buffers {
    x: Vec<f32>,
    outs: Vec<Vec<f32>>,
}

impl Buffers {
    fn new((inputs, matrices): &Group, m: usize) -> Self {
        let x = (0..m * inputs).map(|i| (i % 255) as f32 - 127.0).collect();
        Self { x, outs: matrices.iter().map(|matrix| vec![0.0; m * matrix.rows()]).collect() }
    }
}

fn multiply((_, matrices): &Group, buffers: &mut Buffers, m: usize, pool: &Pool) {
    let rounded = Activations::quantize(&buffers.x, m, pool);
    let outs = buffers.outs.iter_mut().map(|out| &mut out[..]);
    matmul_all(&rounded, &mut matrices.iter().zip(outs).collect::<Vec<_>>(), pool);
    black_box(&buffers.outs);
}
