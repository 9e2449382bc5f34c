//! One part of the work: a few query rows, all query heads that read one key head.
//!
//! A "query" here is one head of one row. Every score is one chain of multiply-adds over the dimensions, every output
//! one chain over the positions; tiles only decide which chains run side by side.

use super::segment::{LANES, Stored};
use super::{AttentionRow, AttentionShape, KvSegment};
use crate::kernel::lanes::{Chains, Lanes, WithLanes};
use crate::kernel::ops::exp;
use crate::kernel::shared::SharedSlice;
use std::marker::PhantomData;
use std::ops::Range;

/// Eights of positions or dimensions in a pair of lanes.
const WIDE: usize = 2;

/// Positions of values that are summed for all queries before the next ones, so that they stay in the nearest cache.
const CHUNK: usize = 128;

pub(super) struct Tile<'a, T> {
    pub shape: &'a AttentionShape,
    /// Queries from the tile's first row on.
    pub q: &'a [f32],
    pub rows: &'a [AttentionRow<'a>],
    pub kv_head: usize,
    /// Number of the tile's first row.
    pub first: usize,
    pub out: &'a SharedSlice<'a, f32>,
    /// What keys and values are stored as.
    pub stored: PhantomData<T>,
}

/// Rows of the tile that read the same segment at the same offset.
struct Run<'a> {
    rows: Range<usize>,
    segment: &'a KvSegment,
    offset: usize,
}

impl<T: Stored> WithLanes for Tile<'_, T> {
    type Output = ();

    #[inline(always)]
    fn run<L: Lanes>(self) {
        let longest = self.rows.iter().map(|row| row.end).max().unwrap_or(0);
        // Room for whole registers after the last position.
        let stride = longest.next_multiple_of(LANES) + LANES * WIDE;
        let (group, dim) = (self.group(), self.shape.head_dim);
        let mut scores = vec![0.0; self.rows.len() * group * stride];
        let mut sums = vec![0.0; self.rows.len() * group * dim];
        let runs = self.runs();
        for run in &runs {
            self.scores::<L>(run, &mut scores, stride);
        }
        let totals: Vec<f32> =
            scores.chunks_mut(stride).enumerate().map(|(query, scores)| self.softmax::<L>(query, scores)).collect();
        for run in &runs {
            self.weighted_values::<L>(run, &scores, stride, &mut sums);
        }
        self.write(&sums, &totals);
    }
}

impl<'a, T: Stored> Tile<'a, T> {
    /// Query heads per key head.
    #[inline(always)]
    fn group(&self) -> usize {
        self.shape.heads / self.shape.kv_heads
    }

    /// Position in the queries of query number `query` of this tile.
    #[inline(always)]
    fn place(&self, query: usize) -> usize {
        let (row, head) = (query / self.group(), self.kv_head * self.group() + query % self.group());
        (row * self.shape.heads + head) * self.shape.head_dim
    }

    /// Positions of `run` that row sees, counted from the segment's start.
    #[inline(always)]
    fn seen(&self, run: &Run<'_>, row: usize) -> Range<usize> {
        let within = |position: usize| position.clamp(run.offset, run.offset + run.segment.len()) - run.offset;
        let row = &self.rows[row];
        within(row.start(self.shape))..within(row.end)
    }

    /// Splits the rows' segments into runs, in order of position.
    fn runs(&self) -> Vec<Run<'a>> {
        let mut runs: Vec<Run<'a>> = Vec::new();
        for (r, row) in self.rows.iter().enumerate() {
            let mut offset = 0;
            for segment in row.segments {
                let joins = |run: &&mut Run<'_>| {
                    run.rows.end == r && run.offset == offset && std::ptr::eq(run.segment, *segment)
                };
                match runs.iter_mut().find(joins) {
                    Some(run) => run.rows.end = r + 1,
                    None => runs.push(Run { rows: r..r + 1, segment, offset }),
                }
                offset += segment.len();
            }
        }
        runs.sort_by_key(|run| run.offset);
        runs
    }

    /// Writes the products of the run's queries and keys at their positions. May write up to seven values after the
    /// segment's last position: the next segment, or the mask, writes over them.
    #[inline(always)]
    fn scores<L: Lanes>(&self, run: &Run<'_>, scores: &mut [f32], stride: usize) {
        let seen: Vec<Range<usize>> = run.rows.clone().map(|row| self.seen(run, row)).collect();
        let from = seen.iter().map(|seen| seen.start).min().unwrap_or(0) / LANES;
        let to = seen.iter().map(|seen| seen.end).max().unwrap_or(0).div_ceil(LANES);
        let queries = run.rows.start * self.group()..run.rows.end * self.group();
        let mut block = from;
        while block < to {
            let wide = if block + WIDE <= to { WIDE } else { 1 };
            let mut query = queries.start;
            while query < queries.end {
                let step = side_by_side::<L>(queries.end - query);
                if wide == WIDE {
                    match step {
                        8 => self.products::<L::Pair, 8>(run, query, block, scores, stride),
                        4 => self.products::<L::Pair, 4>(run, query, block, scores, stride),
                        3 => self.products::<L::Pair, 3>(run, query, block, scores, stride),
                        2 => self.products::<L::Pair, 2>(run, query, block, scores, stride),
                        _ => self.products::<L::Pair, 1>(run, query, block, scores, stride),
                    }
                } else {
                    match step {
                        8 => self.products::<L, 8>(run, query, block, scores, stride),
                        4 => self.products::<L, 4>(run, query, block, scores, stride),
                        3 => self.products::<L, 3>(run, query, block, scores, stride),
                        2 => self.products::<L, 2>(run, query, block, scores, stride),
                        _ => self.products::<L, 1>(run, query, block, scores, stride),
                    }
                }
                query += step;
            }
            block += wide;
        }
    }

    #[inline(always)]
    fn products<C: Chains, const Q: usize>(
        &self,
        run: &Run<'_>,
        query: usize,
        block: usize,
        scores: &mut [f32],
        stride: usize,
    ) {
        let dim = self.shape.head_dim;
        let q: [&[f32]; Q] = std::array::from_fn(|i| &self.q[self.place(query + i)..][..dim]);
        let keys = &T::heads(run.segment)[self.kv_head].keys;
        let keys: [&[[T; LANES]]; WIDE] =
            std::array::from_fn(|w| if w < C::EIGHTS { &keys[(block + w) * dim..][..dim] } else { &[] });
        let mut sums = [C::fill(0.0); Q];
        for d in 0..dim {
            let key: C = T::read(|w| &keys[w][d]);
            for i in 0..Q {
                sums[i] = key.fuse(C::fill(q[i][d]), sums[i]);
            }
        }
        for (i, sums) in sums.into_iter().enumerate() {
            let at = (query + i) * stride + run.offset + block * LANES;
            sums.write(|w, eight| scores[at + w * LANES..][..LANES].copy_from_slice(eight));
        }
    }

    /// Turns the scores of a query into weights, 0 for positions it does not see, and returns their sum.
    #[inline(always)]
    fn softmax<L: Lanes>(&self, query: usize, scores: &mut [f32]) -> f32 {
        let row = &self.rows[query / self.group()];
        let (start, end) = (row.start(self.shape), row.end);
        let from = start / LANES * LANES;
        let eights = scores[from..end.next_multiple_of(LANES)].as_chunks_mut::<LANES>().0;
        let scale = L::splat(self.shape.scale);
        for eight in eights.iter_mut() {
            let score = L::load(eight).mul(scale);
            *eight = self.shape.soft_cap.map_or(score, |cap| soft_cap(score, cap)).to_array();
        }
        if let Some(bias) = row.bias {
            let head = self.kv_head * self.group() + query % self.group();
            let bias = &bias[head * end..][..end];
            eights.as_flattened_mut().iter_mut().zip(&bias[from..]).for_each(|(score, bias)| *score += bias);
        }
        eights.as_flattened_mut()[..start - from].fill(f32::NEG_INFINITY);
        eights.as_flattened_mut()[end - from..].fill(f32::NEG_INFINITY);
        let largest = eights.iter().fold(L::splat(f32::NEG_INFINITY), |largest, eight| largest.max(L::load(eight)));
        let largest = L::splat(largest.to_array().into_iter().fold(f32::NEG_INFINITY, f32::max));
        let mut total = L::splat(0.0);
        for eight in eights {
            let weight = exp::exp(L::load(eight).sub(largest));
            total = total.add(weight);
            *eight = weight.to_array();
        }
        total.sum()
    }

    /// Adds weight × value of each position the queries see, in order of position.
    #[inline(always)]
    fn weighted_values<L: Lanes>(&self, run: &Run<'_>, scores: &[f32], stride: usize, sums: &mut [f32]) {
        let group = self.group();
        let longest = run.rows.clone().map(|row| self.seen(run, row).end).max().unwrap_or(0);
        for chunk in (0..longest).step_by(CHUNK) {
            let chunk = chunk..chunk + CHUNK;
            let seen = |query: usize| intersect(&self.seen(run, query / group), &chunk);
            let mut query = run.rows.start * group;
            while query < run.rows.end * group {
                let step = side_by_side::<L>(run.rows.end * group - query);
                // What all see is summed side by side, what only some see before and after it one by one.
                let shared = (query..query + step).map(seen).reduce(|a, b| intersect(&a, &b)).unwrap_or(0..0);
                for q in query..query + step {
                    let before = seen(q).start..if shared.is_empty() { seen(q).end } else { shared.start };
                    self.sum_values::<L, 1>(run, before, q, scores, stride, sums);
                }
                if !shared.is_empty() {
                    match step {
                        8 => self.sum_values::<L, 8>(run, shared.clone(), query, scores, stride, sums),
                        4 => self.sum_values::<L, 4>(run, shared.clone(), query, scores, stride, sums),
                        3 => self.sum_values::<L, 3>(run, shared.clone(), query, scores, stride, sums),
                        2 => self.sum_values::<L, 2>(run, shared.clone(), query, scores, stride, sums),
                        _ => self.sum_values::<L, 1>(run, shared.clone(), query, scores, stride, sums),
                    }
                    for q in query..query + step {
                        self.sum_values::<L, 1>(run, shared.end..seen(q).end, q, scores, stride, sums);
                    }
                }
                query += step;
            }
        }
    }

    #[inline(always)]
    fn sum_values<L: Lanes, const Q: usize>(
        &self,
        run: &Run<'_>,
        positions: Range<usize>,
        query: usize,
        scores: &[f32],
        stride: usize,
        sums: &mut [f32],
    ) {
        if positions.is_empty() {
            return;
        }
        let registers = self.shape.head_dim / LANES;
        let wide = registers - registers % WIDE;
        for at in (0..wide).step_by(WIDE) {
            self.sum_registers::<L::Pair, Q>(run, &positions, query, scores, stride, sums, at);
        }
        for at in wide..registers {
            self.sum_registers::<L, Q>(run, &positions, query, scores, stride, sums, at);
        }
    }

    #[inline(always)]
    #[expect(clippy::too_many_arguments, reason = "one register tile, described by all its coordinates")]
    fn sum_registers<C: Chains, const Q: usize>(
        &self,
        run: &Run<'_>,
        positions: &Range<usize>,
        query: usize,
        scores: &[f32],
        stride: usize,
        sums: &mut [f32],
        at: usize,
    ) {
        let dim = self.shape.head_dim;
        let registers = dim / LANES;
        let values =
            &T::heads(run.segment)[self.kv_head].values[positions.start * registers..positions.end * registers];
        let weights: [&[f32]; Q] =
            std::array::from_fn(|i| &scores[(query + i) * stride + run.offset + positions.start..][..positions.len()]);
        let place = |i: usize, w: usize| (query + i) * dim + (at + w) * LANES;
        let eight = |i: usize, w: usize| sums[place(i, w)..].first_chunk().expect("eight sums per register");
        let mut totals: [C; Q] = std::array::from_fn(|i| C::read(|w| eight(i, w)));
        for (p, value) in values.chunks_exact(registers).enumerate() {
            let value = &value[at..][..C::EIGHTS];
            let value: C = T::read(|w| &value[w]);
            for i in 0..Q {
                totals[i] = value.fuse(C::fill(weights[i][p]), totals[i]);
            }
        }
        for (i, totals) in totals.into_iter().enumerate() {
            totals.write(|w, eight| sums[place(i, w)..][..LANES].copy_from_slice(eight));
        }
    }

    #[expect(unsafe_code, reason = "parts write their own heads of their own rows")]
    fn write(&self, sums: &[f32], totals: &[f32]) {
        let dim = self.shape.head_dim;
        let start = self.first * self.shape.heads * dim;
        for (query, (sums, total)) in sums.chunks(dim).zip(totals).enumerate() {
            // SAFETY: each row and head belongs to one part, and the slice is dropped before the next.
            let out = unsafe { self.out.range(start + self.place(query), dim) };
            out.iter_mut().zip(sums).for_each(|(out, sum)| *out = sum / total);
        }
    }
}

/// How many of so many queries go side by side: as many as there are registers for, or up to four.
#[inline(always)]
fn side_by_side<L: Lanes>(queries: usize) -> usize {
    if queries >= L::PAIRS { L::PAIRS } else { queries.min(4) }
}

#[inline(always)]
fn intersect(a: &Range<usize>, b: &Range<usize>) -> Range<usize> {
    let start = a.start.max(b.start);
    start..a.end.min(b.end).max(start)
}

/// cap × tanh(score / cap).
#[inline(always)]
fn soft_cap<L: Lanes>(score: L, cap: f32) -> L {
    let (one, two) = (L::splat(1.0), L::splat(2.0));
    let squashed = one.sub(two.div(exp::exp(score.mul(L::splat(2.0 / cap))).add(one)));
    squashed.mul(L::splat(cap))
}
