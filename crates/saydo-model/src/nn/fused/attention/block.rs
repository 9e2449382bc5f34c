//! One query head of attention, a block of rows at a time.

use super::super::super::pass::Span;
use crate::kernel::dense::{View, Write, multiply};
use crate::kernel::{AttentionShape, ops};
use std::ops::Range;

/// Rows of a block: few enough that their scores stay in cache, enough for products to be worth it.
const ROWS: usize = 64;

/// Queries of shape (rows, heads × head_dim), keys and values of shape (rows, kv_heads × head_dim).
pub(super) struct Inputs<'a> {
    pub q: &'a [f32],
    pub k: &'a [f32],
    pub v: &'a [f32],
}

/// What the backward step starts from: the result, its gradient, and the log-sum of each row's scores.
pub(super) struct Backward<'a> {
    pub out: &'a [f32],
    pub gradient: &'a [f32],
    pub log_sums: &'a [f32],
}

/// One query head over all spans.
pub(super) struct Head<'a> {
    pub shape: &'a AttentionShape,
    pub spans: &'a [Span],
    pub number: usize,
}

/// Some rows of a span, and the rows they may see: those the span comes after, then its own up to the block's last.
pub(super) struct Block {
    pub rows: Range<usize>,
    pub after: Range<usize>,
    pub own: Range<usize>,
}

impl Block {
    /// Columns of the scores, and the rows they stand for.
    fn parts(&self) -> [(Range<usize>, Range<usize>); 2] {
        let after = self.after.len();
        [(0..after, self.after.clone()), (after..self.keys(), self.own.clone())]
    }

    fn keys(&self) -> usize {
        self.after.len() + self.own.len()
    }

    /// How many columns a row of the block sees.
    fn seen(&self, row: usize) -> usize {
        self.keys() - self.rows.len() + row + 1
    }
}

impl Head<'_> {
    /// All rows, a limited number of a span at a time.
    pub fn blocks(&self, most: usize) -> impl Iterator<Item = Block> {
        self.spans.iter().flat_map(move |span| {
            let starts = span.rows.clone().step_by(most);
            starts.map(move |start| {
                let end = span.rows.end.min(start + most);
                Block { rows: start..end, after: span.after.clone().unwrap_or(0..0), own: span.rows.start..end }
            })
        })
    }

    /// The number of the key head that this one reads.
    pub fn key_head(&self) -> usize {
        self.number / (self.shape.heads / self.shape.kv_heads)
    }

    /// Values of this head in rows of all query heads.
    pub fn of_query<'v>(&self, values: &'v [f32]) -> View<'v> {
        let dim = self.shape.head_dim;
        View::new(values, self.shape.heads * dim).columns(self.number * dim..(self.number + 1) * dim)
    }

    /// Values of the key head that this one reads.
    fn of_key<'v>(&self, values: &'v [f32]) -> View<'v> {
        let dim = self.shape.head_dim;
        let number = self.key_head();
        View::new(values, self.shape.kv_heads * dim).columns(number * dim..(number + 1) * dim)
    }

    /// a bᵀ for the rows b that a block sees, into its columns of `scores`.
    fn products(&self, block: &Block, a: View<'_>, b: View<'_>, scale: f32, scores: &mut Vec<f32>) {
        let keys = block.keys();
        scores.resize(block.rows.len() * keys, 0.0);
        for (columns, rows) in block.parts() {
            let places = (&mut scores[columns.start..], keys, Write::Over);
            multiply(places, a.rows(block.rows.clone()), b.rows(rows).t(), scale, false);
        }
    }

    /// Adds scores × b, for the rows b that a block sees, to rows of `head_dim` values.
    fn weighted(&self, block: &Block, scores: &[f32], b: View<'_>, out: &mut [f32]) {
        let dim = self.shape.head_dim;
        let scores = View::new(scores, block.keys());
        for (columns, rows) in block.parts() {
            multiply((out, dim, Write::Add), scores.columns(columns), b.rows(rows), 1.0, false);
        }
    }

    /// Adds scoresᵀ × a, with the block's rows of a, to the rows that the block sees.
    fn spread(&self, block: &Block, scores: &[f32], a: View<'_>, out: &mut [f32]) {
        let dim = self.shape.head_dim;
        let scores = View::new(scores, block.keys());
        for (columns, rows) in block.parts() {
            let places = (&mut out[rows.start * dim..rows.end * dim], dim, Write::Add);
            multiply(places, scores.columns(columns).t(), a.rows(block.rows.clone()), 1.0, false);
        }
    }

    /// The result, shape (rows, head_dim), and the log-sum of each row's scores.
    pub fn forward(&self, inputs: &Inputs<'_>) -> (Vec<f32>, Vec<f32>) {
        let (q, k, v) = (self.of_query(inputs.q), self.of_key(inputs.k), self.of_key(inputs.v));
        let (dim, rows) = (self.shape.head_dim, inputs.q.len() / (self.shape.heads * self.shape.head_dim));
        let (mut out, mut log_sums, mut scores) = (vec![0.0; rows * dim], vec![0.0; rows], Vec::new());
        for block in self.blocks(ROWS) {
            self.products(&block, q, k, self.shape.scale, &mut scores);
            for (row, scores) in scores.chunks_exact_mut(block.keys()).enumerate() {
                let (seen, unseen) = scores.split_at_mut(block.seen(row));
                let log_sum = ops::log_sum_exp(seen);
                ops::exp_minus(seen, log_sum);
                unseen.fill(0.0);
                log_sums[block.rows.start + row] = log_sum;
            }
            self.weighted(&block, &scores, v, &mut out[block.rows.start * dim..block.rows.end * dim]);
        }
        (out, log_sums)
    }

    /// Gradients of this head's queries and of the keys and values it reads, shape (rows, head_dim) each.
    pub fn backward(&self, inputs: &Inputs<'_>, from: &Backward<'_>) -> [Vec<f32>; 3] {
        let (q, k, v) = (self.of_query(inputs.q), self.of_key(inputs.k), self.of_key(inputs.v));
        let (out, gradient) = (self.of_query(from.out), self.of_query(from.gradient));
        let (dim, rows) = (self.shape.head_dim, from.log_sums.len());
        let [mut to_q, mut to_k, mut to_v] = [(); 3].map(|()| vec![0.0; rows * dim]);
        let (mut p, mut to_p) = (Vec::new(), Vec::new());
        for block in self.blocks(ROWS) {
            self.products(&block, q, k, self.shape.scale, &mut p);
            self.products(&block, gradient, v, 1.0, &mut to_p);
            for (number, row) in block.rows.clone().enumerate() {
                let places = number * block.keys()..(number + 1) * block.keys();
                let (p, to_p) = (&mut p[places.clone()], &mut to_p[places]);
                let (seen, unseen) = p.split_at_mut(block.seen(number));
                ops::exp_minus(seen, from.log_sums[row]);
                unseen.fill(0.0);
                let along: f32 = out.row(row).iter().zip(gradient.row(row)).map(|(out, g)| out * g).sum();
                to_p.iter_mut().zip(&*p).for_each(|(to_p, p)| *to_p = (*to_p - along) * p * self.shape.scale);
            }
            self.spread(&block, &p, gradient, &mut to_v);
            self.spread(&block, &to_p, q, &mut to_k);
            self.weighted(&block, &to_p, k, &mut to_q[block.rows.start * dim..block.rows.end * dim]);
        }
        [to_q, to_k, to_v]
    }
}
