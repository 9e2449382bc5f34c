//! Attention against its definition in double precision, and the promises about batches and splits.

use super::*;

fn noise(n: usize, seed: u64) -> Vec<f32> {
    let mut state = seed;
    let mut next = || {
        state = state.wrapping_mul(6_364_136_223_846_793_005).wrapping_add(1_442_695_040_888_963_407);
        (state >> 40) as f32 / (1 << 23) as f32 - 1.0
    };
    (0..n).map(|_| next() * 1.5).collect()
}

fn shape(heads: usize, kv_heads: usize, head_dim: usize) -> AttentionShape {
    AttentionShape { heads, kv_heads, head_dim, scale: 0.3, window: None, soft_cap: None }
}

fn segment(shape: &AttentionShape, len: usize, seed: u64) -> (KvSegment, Vec<f32>, Vec<f32>) {
    let n = len * shape.kv_heads * shape.head_dim;
    let (keys, values) = (noise(n, seed), noise(n, seed + 1));
    let mut segment = KvSegment::new(shape.kv_heads, shape.head_dim, KvPrecision::Half);
    segment.append(&keys, &values);
    (segment, keys, values)
}

/// The definition, in double precision.
fn plain(shape: &AttentionShape, q: &[f32], row: &AttentionRow<'_>, keys: &[f32], values: &[f32]) -> Vec<f64> {
    let (dim, width) = (shape.head_dim, shape.kv_heads * shape.head_dim);
    let mut out = vec![0.0; shape.heads * dim];
    for head in 0..shape.heads {
        let kv = head / (shape.heads / shape.kv_heads) * dim;
        let score = |p: usize| {
            let dot: f64 = (0..dim).map(|d| f64::from(q[head * dim + d]) * f64::from(keys[p * width + kv + d])).sum();
            let scaled = dot * f64::from(shape.scale);
            let capped = shape.soft_cap.map_or(scaled, |cap| f64::from(cap) * (scaled / f64::from(cap)).tanh());
            capped + row.bias.map_or(0.0, |bias| f64::from(bias[head * row.end + p]))
        };
        let positions = row.start(shape)..row.end;
        let weights: Vec<f64> = positions.clone().map(|p| score(p).exp()).collect();
        let total: f64 = weights.iter().sum();
        for (p, weight) in positions.zip(weights) {
            for d in 0..dim {
                out[head * dim + d] += weight / total * f64::from(values[p * width + kv + d]);
            }
        }
    }
    out
}

#[test]
fn results_match_the_definition() {
    let pool = Pool::new(2);
    let mut shapes = vec![shape(9, 3, 64), shape(4, 1, 24), shape(2, 2, 8), shape(12, 2, 128)];
    shapes.push(AttentionShape { window: Some(13), ..shape(6, 3, 32) });
    shapes.push(AttentionShape { soft_cap: Some(2.0), ..shape(6, 3, 32) });
    for shape in shapes {
        let (segment, keys, values) = segment(&shape, 75, 5);
        let width = shape.heads * shape.head_dim;
        let q = noise(20 * width, 9);
        let bias = noise(shape.heads * 60, 11);
        let segments = [&segment];
        let rows: Vec<_> = (0..20)
            .map(|r| AttentionRow { segments: &segments, end: 1 + 3 * r, bias: None })
            .chain([AttentionRow { segments: &segments, end: 60, bias: Some(&bias) }])
            .collect();
        let q = [&q[..], &q[..width]].concat();
        let mut out = vec![0.0; q.len()];
        attention(&shape, &q, &rows, &mut out, &pool);
        for ((row, q), out) in rows.iter().zip(q.chunks(width)).zip(out.chunks(width)) {
            let expected = plain(&shape, q, row, &keys, &values);
            for (a, b) in out.iter().zip(expected) {
                assert!((f64::from(*a) - b).abs() < 2e-3, "{a} {b} {shape:?} {}", row.end);
            }
        }
    }
}

#[test]
fn every_version_gives_the_bits_of_the_portable_one() {
    use crate::kernel::lanes::{self, Portable, WithLanes};
    let shape = AttentionShape { window: Some(30), soft_cap: Some(5.0), ..shape(4, 2, 40) };
    let (segment, ..) = segment(&shape, 50, 3);
    let q = noise(7 * 160, 4);
    let segments = [&segment];
    let rows: Vec<_> = (0..7).map(|r| AttentionRow { segments: &segments, end: 40 + r, bias: None }).collect();
    let run = |version: fn(tile::Tile<'_, f16>)| {
        let mut values = vec![0.0; q.len()];
        let out = SharedSlice::new(&mut values);
        for kv_head in 0..2 {
            version(tile::Tile {
                shape: &shape,
                q: &q,
                rows: &rows,
                kv_head,
                first: 0,
                out: &out,
                stored: PhantomData,
            });
        }
        values
    };
    let portable = run(|tile| tile.run::<Portable>());
    assert_eq!(run(|tile| lanes::dispatch_avx2(tile)), portable);
    assert_eq!(run(|tile| lanes::dispatch(tile)), portable);
}

#[test]
fn a_shared_prefix_and_a_tail_equal_one_sequence() {
    let shape = shape(6, 2, 32);
    let (whole, keys, values) = segment(&shape, 61, 21);
    let q = noise(7 * 192, 8);
    let pool = Pool::new(2);
    for cut in [1, 8, 13, 40, 54] {
        let at = cut * 64;
        let (mut prefix, mut tail) =
            (KvSegment::new(2, 32, KvPrecision::Half), KvSegment::new(2, 32, KvPrecision::Half));
        prefix.append(&keys[..at], &values[..at]);
        tail.append(&keys[at..], &values[at..]);
        let (joined, split) = ([&whole], [&prefix, &tail]);
        let rows =
            |segments| -> Vec<_> { (0..7).map(|r| AttentionRow { segments, end: 55 + r, bias: None }).collect() };
        let (mut one, mut two) = (vec![0.0; q.len()], vec![0.0; q.len()]);
        attention(&shape, &q, &rows(&joined), &mut one, &pool);
        attention(&shape, &q, &rows(&split), &mut two, &pool);
        assert_eq!(one, two, "cut at {cut}");
    }
}

#[test]
fn a_row_has_the_same_bits_alone_and_in_any_batch() {
    let shape = AttentionShape { window: Some(40), ..shape(6, 2, 32) };
    let (prefix, ..) = segment(&shape, 37, 1);
    let tails: Vec<KvSegment> = (0..19).map(|i| segment(&shape, 1 + i % 5, 50 + i as u64).0).collect();
    let lists: Vec<[&KvSegment; 2]> = tails.iter().map(|tail| [&prefix, tail]).collect();
    let row = |list: &'_ [&KvSegment; 2]| 37 + list[1].len();
    let rows: Vec<_> =
        lists.iter().map(|list| AttentionRow { segments: &list[..], end: row(list), bias: None }).collect();
    let q = noise(19 * 192, 2);
    let mut batch = vec![0.0; q.len()];
    attention(&shape, &q, &rows, &mut batch, &Pool::new(2));
    for (r, q) in q.chunks(192).enumerate() {
        let mut alone = vec![0.0; 192];
        attention(&shape, q, &rows[r..=r], &mut alone, &Pool::new(1));
        assert_eq!(alone, batch[r * 192..][..192]);
    }
}

#[test]
fn truncating_and_appending_again_leaves_no_trace() {
    let shape = shape(2, 1, 16);
    let (mut long, keys, values) = segment(&shape, 30, 7);
    long.truncate(11);
    assert_eq!(long.len(), 11);
    long.append(&keys[11 * 16..], &values[11 * 16..]);
    let (whole, ..) = segment(&shape, 30, 7);
    let q = noise(32, 3);
    let (mut a, mut b) = (vec![0.0; 32], vec![0.0; 32]);
    attention(&shape, &q, &[AttentionRow { segments: &[&long], end: 30, bias: None }], &mut a, &Pool::new(1));
    attention(&shape, &q, &[AttentionRow { segments: &[&whole], end: 30, bias: None }], &mut b, &Pool::new(1));
    assert_eq!(a, b);
}

#[test]
fn no_rows_give_nothing() {
    attention(&shape(2, 1, 16), &[], &[], &mut [], &Pool::new(2));
}

#[test]
fn floats_are_kept_as_they_are() {
    let (pool, shape) = (Pool::new(1), shape(6, 3, 16));
    let width = shape.kv_heads * shape.head_dim;
    let (keys, values, q) = (noise(50 * width, 1), noise(50 * width, 2), noise(2 * width, 3));
    let mut segment = KvSegment::new(3, 16, KvPrecision::Full);
    segment.append(&keys, &values);
    let row = AttentionRow { segments: &[&segment], end: 50, bias: None };
    let mut out = vec![0.0; 2 * width];
    attention(&shape, &q, &[row], &mut out, &pool);
    for (exact, out) in plain(&shape, &q, &row, &keys, &values).iter().zip(&out) {
        assert!((exact - f64::from(*out)).abs() < 2e-6, "{out}, expected {exact}");
    }
    assert_eq!(segment.precision(), KvPrecision::Full);
}
