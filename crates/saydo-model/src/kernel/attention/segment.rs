//! A run of cached keys and values.

use half::f16;
use half::slice::HalfFloatSliceExt;

/// Positions whose keys are interleaved.
pub(super) const LANES: usize = 8;

/// Keys and values of consecutive positions, for one layer. Grows at the end.
///
/// Keys of eight positions are interleaved, so that scores of eight positions are computed without a sum across
/// lanes; values lie position by position, since those are what is summed.
#[derive(Clone)]
pub struct KvSegment {
    head_dim: usize,
    len: usize,
    heads: Vec<Head>,
}

#[derive(Clone, Default)]
struct Head {
    /// Shape (positions / 8, head_dim, 8), the last block filled up with zeros.
    keys: Vec<[f16; LANES]>,
    /// Shape (positions, head_dim / 8, 8).
    values: Vec<[f16; LANES]>,
}

impl KvSegment {
    /// An empty segment. Panics if `head_dim` is not a multiple of eight.
    pub fn new(kv_heads: usize, head_dim: usize) -> Self {
        assert!(head_dim > 0 && head_dim.is_multiple_of(LANES), "head_dim {head_dim} is not a multiple of {LANES}");
        Self { head_dim, len: 0, heads: vec![Head::default(); kv_heads] }
    }

    /// Positions held.
    pub fn len(&self) -> usize {
        self.len
    }

    /// Whether it holds no position.
    pub fn is_empty(&self) -> bool {
        self.len == 0
    }

    /// Heads of keys and values.
    pub fn kv_heads(&self) -> usize {
        self.heads.len()
    }

    /// Values per head.
    pub fn head_dim(&self) -> usize {
        self.head_dim
    }

    /// Bytes held.
    pub fn bytes(&self) -> usize {
        self.heads.iter().map(|head| size_of_val(&head.keys[..]) + size_of_val(&head.values[..])).sum()
    }

    /// Adds positions at the end; keys and values have the shape (positions, kv_heads, head_dim). Panics if not.
    pub fn append(&mut self, keys: &[f32], values: &[f32]) {
        let width = self.heads.len() * self.head_dim;
        assert!(keys.len() == values.len(), "{} keys for {} values", keys.len(), values.len());
        assert!(width > 0 && keys.len().is_multiple_of(width), "{} keys are not rows of {width}", keys.len());
        let mut half = vec![f16::ZERO; self.head_dim];
        for (keys, values) in keys.chunks(width).zip(values.chunks(width)) {
            let rows = keys.chunks(self.head_dim).zip(values.chunks(self.head_dim));
            for (head, (keys, values)) in self.heads.iter_mut().zip(rows) {
                half.convert_from_f32_slice(keys);
                head.push_key(self.len, &half);
                half.convert_from_f32_slice(values);
                head.values.extend_from_slice(half.as_chunks().0);
            }
            self.len += 1;
        }
    }

    /// Forgets all positions from `len` on; nothing if there are no more.
    pub fn truncate(&mut self, len: usize) {
        if len >= self.len {
            return;
        }
        self.len = len;
        for head in &mut self.heads {
            head.keys.truncate(len.div_ceil(LANES) * self.head_dim);
            head.values.truncate(len * self.head_dim / LANES);
        }
    }

    /// Keys of a head, shape (positions / 8 rounded up, head_dim, 8).
    pub(super) fn keys(&self, kv_head: usize) -> &[[f16; LANES]] {
        &self.heads[kv_head].keys
    }

    /// Values of a head, shape (positions, head_dim / 8, 8).
    pub(super) fn values(&self, kv_head: usize) -> &[[f16; LANES]] {
        &self.heads[kv_head].values
    }
}

impl Head {
    fn push_key(&mut self, position: usize, key: &[f16]) {
        let (block, lane) = (position / LANES, position % LANES);
        if lane == 0 {
            self.keys.resize(self.keys.len() + key.len(), [f16::ZERO; LANES]);
        }
        for (eight, value) in self.keys[block * key.len()..].iter_mut().zip(key) {
            eight[lane] = *value;
        }
    }
}
