//! One query head of attention with products in bf16, a block of rows at a time.
//!
//! Keys are taken in whole tiles: a block's scores cover all tiles that hold a key it may see, and what it may not see has
//! probability 0. Gradients of keys and values are summed as columns, so that probabilities need no turning.

use super::block::{Backward, Block, Head, Inputs};
use crate::kernel::AttentionShape;
use crate::kernel::ops;
use crate::kernel::tiles::{Left, Piece, Right, multiply_here};
use rayon::prelude::*;
use std::ops::Range;

/// Rows of a block.
const ROWS: usize = 96;

/// Keys that stand together.
const TILE: usize = 32;

/// Whether heads are made of whole tiles.
pub(super) fn serves(shape: &AttentionShape) -> bool {
    shape.head_dim.is_multiple_of(TILE)
}

/// Queries, keys and values of all heads.
pub(super) struct Rounded {
    /// Times the scale of the scores.
    q: Left,
    heads: Vec<KeyHead>,
}

/// Keys and values of a head, as the products need them.
struct KeyHead {
    keys_turned: Right,
    keys: Right,
    values_turned: Right,
    values: Right,
}

impl Rounded {
    pub fn new(shape: &AttentionShape, inputs: &Inputs<'_>) -> Self {
        let (dim, width) = (shape.head_dim, shape.kv_heads * shape.head_dim);
        let mut scaled = ops::copy(inputs.q);
        scaled.par_chunks_mut(1 << 14).for_each(|q| q.iter_mut().for_each(|q| *q *= shape.scale));
        let (k, v) = (Left::round(inputs.k, width), Left::round(inputs.v, width));
        let rows = inputs.k.len() / width;
        let head = |number: usize| {
            let part = |all: &'_ Left| {
                let part = all.part(0..rows, number * dim..(number + 1) * dim);
                (Right::turned(part), Right::joined(part))
            };
            let ((keys_turned, keys), (values_turned, values)) = (part(&k), part(&v));
            KeyHead { keys_turned, keys, values_turned, values }
        };
        let heads = (0..shape.kv_heads).into_par_iter().with_max_len(1).map(head).collect();
        Self { q: Left::round(&scaled, shape.heads * dim), heads }
    }
}

/// The columns of a block's scores: whole tiles of keys before the span, then of its own.
struct Columns {
    /// The keys that the columns stand for, those before the span first.
    keys: [Range<usize>; 2],
}

impl Columns {
    fn new(block: &Block) -> Self {
        let tiles = |keys: &Range<usize>| match keys.is_empty() {
            true => 0..0,
            false => keys.start / TILE * TILE..keys.end.next_multiple_of(TILE),
        };
        Self { keys: [tiles(&block.after), tiles(&block.own)] }
    }

    fn len(&self) -> usize {
        self.keys.iter().map(Range::len).sum()
    }

    /// Places of the columns and the keys they stand for, without empty ones.
    fn parts(&self) -> impl Iterator<Item = (Range<usize>, Range<usize>)> {
        let [before, own] = self.keys.clone();
        let parts = [(0..before.len(), before.clone()), (before.len()..self.len(), own)];
        parts.into_iter().filter(|(_, keys)| !keys.is_empty())
    }

    /// The columns that a row of the block sees.
    fn seen(&self, block: &Block, row: usize) -> [Range<usize>; 2] {
        let [before, own] = &self.keys;
        let first = before.len();
        let after = block.after.start - before.start..block.after.end - before.start;
        let end = block.rows.start + row + 1;
        [after, first + block.own.start - own.start..first + end - own.start]
    }
}

impl Head<'_> {
    /// This head's numbers in rows of all query heads.
    fn columns(&self) -> Range<usize> {
        self.number * self.shape.head_dim..(self.number + 1) * self.shape.head_dim
    }

    /// a bᵀ for the rows b that stand for the columns.
    fn scores(&self, a: &Left, block: &Block, columns: &Columns, b: &Right, scores: &mut Vec<f32>) {
        let len = columns.len();
        scores.resize(block.rows.len() * len, 0.0);
        for (places, keys) in columns.parts() {
            let piece = Piece { right: b, columns: keys, depth: 0..self.shape.head_dim };
            let left = a.part(block.rows.clone(), self.columns());
            multiply_here(&[(left, piece)], (&mut scores[places.start..], len, false));
        }
    }

    /// Scores × b, for the rows b that stand for the columns, as rows of `head_dim` numbers.
    fn weighted_rounded(&self, scores: &Left, columns: &Columns, b: &Right, rows: usize, out: &mut [f32]) {
        let dim = self.shape.head_dim;
        let terms = columns
            .parts()
            .map(|(places, keys)| (scores.part(0..rows, places), Piece { right: b, columns: 0..dim, depth: keys }));
        multiply_here(&terms.collect::<Vec<_>>(), (out, dim, false));
    }

    /// Adds aᵀ × scores to the columns of keys, shape (head_dim, keys), with a's rows of the block.
    fn spread_rounded(&self, a: &[f32], scores: &Left, columns: &Columns, rows: usize, out: &mut [f32]) {
        let dim = self.shape.head_dim;
        let stride = out.len() / dim;
        let mut turned = Left::zeros(dim, rows);
        let mut row = vec![0.0; rows];
        for column in 0..dim {
            row.iter_mut().zip(a.iter().skip(column).step_by(dim)).for_each(|(place, value)| *place = *value);
            turned.set_row(column, &row);
        }
        let scores = Right::joined(scores.part(0..rows, 0..columns.len()));
        for (places, keys) in columns.parts() {
            let piece = Piece { right: &scores, columns: places, depth: 0..rows };
            multiply_here(&[(turned.part(0..dim, 0..rows), piece)], (&mut out[keys.start..], stride, true));
        }
    }

    /// The result, shape (rows, head_dim), and the log-sum of each row's scores.
    pub fn forward_rounded(&self, all: &Rounded, rows: usize) -> (Vec<f32>, Vec<f32>) {
        let (dim, keys) = (self.shape.head_dim, &all.heads[self.key_head()]);
        let (mut out, mut log_sums, mut scores) = (vec![0.0; rows * dim], vec![0.0; rows], Vec::new());
        for block in self.blocks(ROWS) {
            let columns = Columns::new(&block);
            self.scores(&all.q, &block, &columns, &keys.keys_turned, &mut scores);
            let mut shares = Left::zeros(block.rows.len(), columns.len());
            for (row, scores) in scores.chunks_exact_mut(columns.len()).enumerate() {
                let [before, own] = columns.seen(&block, row);
                let largest = ops::max(&scores[before.clone()]).max(ops::max(&scores[own.clone()]));
                let sum = keep(scores, [before, own], |seen| ops::exp_minus(seen, largest));
                log_sums[block.rows.start + row] = largest + sum.ln();
                scores.iter_mut().for_each(|share| *share /= sum);
                shares.set_row(row, scores);
            }
            let places = block.rows.start * dim..block.rows.end * dim;
            self.weighted_rounded(&shares, &columns, &keys.values, block.rows.len(), &mut out[places]);
        }
        (out, log_sums)
    }

    /// Gradients of this head's queries and of the keys and values it reads, shape (rows, head_dim) each. `gradient` is
    /// that of all heads, rounded.
    pub fn backward_rounded(
        &self,
        all: &Rounded,
        (inputs, gradient): (&Inputs<'_>, &Left),
        from: &Backward<'_>,
    ) -> [Vec<f32>; 3] {
        let (dim, keys, rows) = (self.shape.head_dim, &all.heads[self.key_head()], from.log_sums.len());
        let (queries, out, to_out) = (self.of_query(inputs.q), self.of_query(from.out), self.of_query(from.gradient));
        let columns_of_keys = rows.next_multiple_of(TILE);
        let mut to_q = vec![0.0; rows * dim];
        let [mut to_k, mut to_v] = [(); 2].map(|()| vec![0.0; dim * columns_of_keys]);
        let (mut p, mut to_p, mut own) = (Vec::new(), Vec::new(), Vec::new());
        for block in self.blocks(ROWS) {
            let (columns, count) = (Columns::new(&block), block.rows.len());
            self.scores(&all.q, &block, &columns, &keys.keys_turned, &mut p);
            self.scores(gradient, &block, &columns, &keys.values_turned, &mut to_p);
            let [mut shares, mut to_scores] = [(); 2].map(|()| Left::zeros(count, columns.len()));
            let lines = p.chunks_exact_mut(columns.len()).zip(to_p.chunks_exact_mut(columns.len()));
            for (number, (p, to_p)) in lines.enumerate() {
                let row = block.rows.start + number;
                keep(p, columns.seen(&block, number), |seen| ops::exp_minus(seen, from.log_sums[row]));
                shares.set_row(number, p);
                let along: f32 = out.row(row).iter().zip(to_out.row(row)).map(|(out, g)| out * g).sum();
                to_p.iter_mut().zip(&*p).for_each(|(to_p, p)| *to_p = (*to_p - along) * p);
                to_scores.set_row(number, to_p);
            }
            let places = &mut to_q[block.rows.start * dim..block.rows.end * dim];
            self.weighted_rounded(&to_scores, &columns, &keys.keys, count, places);
            for (values, scores, sums) in [(to_out, &shares, &mut to_v), (queries, &to_scores, &mut to_k)] {
                own.clear();
                block.rows.clone().for_each(|row| own.extend_from_slice(values.row(row)));
                self.spread_rounded(&own, scores, &columns, count, sums);
            }
        }
        to_q.iter_mut().for_each(|x| *x *= self.shape.scale);
        to_k.iter_mut().for_each(|x| *x *= self.shape.scale);
        let rows_of = |columns: Vec<f32>| {
            let mut turned = vec![0.0; rows * dim];
            for (number, column) in columns.chunks_exact(columns_of_keys).enumerate() {
                let places = turned.iter_mut().skip(number).step_by(dim);
                places.zip(column).for_each(|(place, value)| *place = *value);
            }
            turned
        };
        [to_q, rows_of(to_k), rows_of(to_v)]
    }
}

/// Changes what is seen of a row and clears the rest; gives the sum of what `change` gave.
fn keep(row: &mut [f32], [before, own]: [Range<usize>; 2], change: impl Fn(&mut [f32]) -> f32) -> f32 {
    row[..before.start].fill(0.0);
    row[before.end..own.start].fill(0.0);
    row[own.end..].fill(0.0);
    change(&mut row[before]) + change(&mut row[own])
}
