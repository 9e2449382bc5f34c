//! A run of cached keys and values, as half floats or floats.

use crate::kernel::lanes::Chains;
use half::f16;
use half::slice::HalfFloatSliceExt;

/// Positions whose keys are interleaved.
pub(super) const LANES: usize = 8;

/// How keys and values are stored.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum KvPrecision {
    /// Half floats: half the memory and traffic, with a relative rounding of 2⁻¹¹.
    Half,
    /// Floats, as they were computed.
    Full,
}

/// Keys and values of consecutive positions, for one layer. Grows at the end.
///
/// Keys of eight positions are interleaved, so that scores of eight positions are computed without a sum across
/// lanes; values lie position by position, since those are what is summed.
#[derive(Clone)]
pub struct KvSegment {
    head_dim: usize,
    len: usize,
    heads: Heads,
}

#[derive(Clone)]
enum Heads {
    Half(Vec<Head<f16>>),
    Full(Vec<Head<f32>>),
}

#[derive(Clone)]
pub(super) struct Head<T> {
    /// Shape (positions / 8, head_dim, 8), the last block filled up with zeros.
    pub keys: Vec<[T; LANES]>,
    /// Shape (positions, head_dim / 8, 8).
    pub values: Vec<[T; LANES]>,
}

/// A number as keys and values store it.
pub(super) trait Stored: Copy + Send + Sync {
    const ZERO: Self;
    /// The heads of a segment that stores such numbers; panics if it stores others.
    fn heads(segment: &KvSegment) -> &[Head<Self>];
    fn read<'a, C: Chains>(eight: impl Fn(usize) -> &'a [Self; LANES]) -> C
    where
        Self: 'a;
    fn convert(from: &[f32], to: &mut [Self]);
}

impl KvSegment {
    /// An empty segment. Panics if `head_dim` is not a multiple of eight.
    pub fn new(kv_heads: usize, head_dim: usize, precision: KvPrecision) -> Self {
        assert!(head_dim > 0 && head_dim.is_multiple_of(LANES), "head_dim {head_dim} is not a multiple of {LANES}");
        let heads = match precision {
            KvPrecision::Half => Heads::Half(vec![Head::EMPTY; kv_heads]),
            KvPrecision::Full => Heads::Full(vec![Head::EMPTY; kv_heads]),
        };
        Self { head_dim, len: 0, heads }
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
        match &self.heads {
            Heads::Half(heads) => heads.len(),
            Heads::Full(heads) => heads.len(),
        }
    }

    /// How its numbers are stored.
    pub fn precision(&self) -> KvPrecision {
        match &self.heads {
            Heads::Half(_) => KvPrecision::Half,
            Heads::Full(_) => KvPrecision::Full,
        }
    }

    /// Values per head.
    pub fn head_dim(&self) -> usize {
        self.head_dim
    }

    /// Bytes held.
    pub fn bytes(&self) -> usize {
        match &self.heads {
            Heads::Half(heads) => heads.iter().map(Head::bytes).sum(),
            Heads::Full(heads) => heads.iter().map(Head::bytes).sum(),
        }
    }

    /// Adds positions at the end; keys and values have the shape (positions, kv_heads, head_dim). Panics if not.
    pub fn append(&mut self, keys: &[f32], values: &[f32]) {
        let width = self.kv_heads() * self.head_dim;
        assert!(keys.len() == values.len(), "{} keys for {} values", keys.len(), values.len());
        assert!(width > 0 && keys.len().is_multiple_of(width), "{} keys are not rows of {width}", keys.len());
        match &mut self.heads {
            Heads::Half(heads) => append(heads, self.len, self.head_dim, keys, values),
            Heads::Full(heads) => append(heads, self.len, self.head_dim, keys, values),
        }
        self.len += keys.len() / width;
    }

    /// Forgets all positions from `len` on; nothing if there are no more.
    pub fn truncate(&mut self, len: usize) {
        if len >= self.len {
            return;
        }
        self.len = len;
        match &mut self.heads {
            Heads::Half(heads) => heads.iter_mut().for_each(|head| head.truncate(len, self.head_dim)),
            Heads::Full(heads) => heads.iter_mut().for_each(|head| head.truncate(len, self.head_dim)),
        }
    }
}

fn append<T: Stored>(heads: &mut [Head<T>], len: usize, head_dim: usize, keys: &[f32], values: &[f32]) {
    let width = heads.len() * head_dim;
    let mut stored = vec![T::ZERO; head_dim];
    for (at, (keys, values)) in keys.chunks(width).zip(values.chunks(width)).enumerate() {
        let rows = keys.chunks(head_dim).zip(values.chunks(head_dim));
        for (head, (keys, values)) in heads.iter_mut().zip(rows) {
            T::convert(keys, &mut stored);
            head.push_key(len + at, &stored);
            T::convert(values, &mut stored);
            head.values.extend_from_slice(stored.as_chunks().0);
        }
    }
}

impl<T: Stored> Head<T> {
    const EMPTY: Self = Self { keys: Vec::new(), values: Vec::new() };

    fn bytes(&self) -> usize {
        size_of_val(&self.keys[..]) + size_of_val(&self.values[..])
    }

    fn push_key(&mut self, position: usize, key: &[T]) {
        let (block, lane) = (position / LANES, position % LANES);
        if lane == 0 {
            self.keys.resize(self.keys.len() + key.len(), [T::ZERO; LANES]);
        }
        for (eight, value) in self.keys[block * key.len()..].iter_mut().zip(key) {
            eight[lane] = *value;
        }
    }

    fn truncate(&mut self, len: usize, head_dim: usize) {
        self.keys.truncate(len.div_ceil(LANES) * head_dim);
        self.values.truncate(len * head_dim / LANES);
    }
}

impl Stored for f16 {
    const ZERO: Self = f16::ZERO;

    fn heads(segment: &KvSegment) -> &[Head<Self>] {
        match &segment.heads {
            Heads::Half(heads) => heads,
            Heads::Full(_) => panic!("a segment of floats among segments of half floats"),
        }
    }

    #[inline(always)]
    fn read<'a, C: Chains>(eight: impl Fn(usize) -> &'a [Self; LANES]) -> C {
        C::read_f16(eight)
    }

    fn convert(from: &[f32], to: &mut [Self]) {
        to.convert_from_f32_slice(from);
    }
}

impl Stored for f32 {
    const ZERO: Self = 0.0;

    fn heads(segment: &KvSegment) -> &[Head<Self>] {
        match &segment.heads {
            Heads::Full(heads) => heads,
            Heads::Half(_) => panic!("a segment of half floats among segments of floats"),
        }
    }

    #[inline(always)]
    fn read<'a, C: Chains>(eight: impl Fn(usize) -> &'a [Self; LANES]) -> C {
        C::read(eight)
    }

    fn convert(from: &[f32], to: &mut [Self]) {
        to.copy_from_slice(from);
    }
}
