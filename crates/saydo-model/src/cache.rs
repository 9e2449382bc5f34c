//! Keys and values of a sequence, shared where sequences agree.

use crate::kernel::{KvPrecision, KvSegment};
use std::sync::Arc;

/// What keys and values look like in every layer of a network.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct CacheShape {
    /// Layers with keys and values.
    pub layers: usize,
    /// Heads of keys and values.
    pub kv_heads: usize,
    /// Values per head.
    pub head_dim: usize,
    /// How they are stored.
    pub precision: KvPrecision,
}

impl CacheShape {
    /// Bytes that one position takes.
    pub fn bytes_per_position(&self) -> usize {
        let size = match self.precision {
            KvPrecision::Half => 2,
            KvPrecision::Full => 4,
        };
        2 * self.layers * self.kv_heads * self.head_dim * size
    }
}

/// Keys and values of consecutive positions, for every layer.
#[derive(Clone)]
pub struct KvRun {
    /// One segment for each layer, all of the same length once a pass is over.
    pub layers: Vec<KvSegment>,
}

impl KvRun {
    /// An empty run.
    pub fn new(shape: &CacheShape) -> Self {
        let segment = KvSegment::new(shape.kv_heads, shape.head_dim, shape.precision);
        Self { layers: vec![segment; shape.layers] }
    }

    /// Positions held.
    pub fn len(&self) -> usize {
        self.layers.first().map_or(0, KvSegment::len)
    }

    /// Whether no position is held.
    pub fn is_empty(&self) -> bool {
        self.len() == 0
    }

    /// Bytes held.
    pub fn bytes(&self) -> usize {
        self.layers.iter().map(KvSegment::bytes).sum()
    }

    /// A copy of the first `len` positions.
    pub fn head(&self, len: usize) -> Self {
        let mut head = self.clone();
        head.layers.iter_mut().for_each(|layer| layer.truncate(len));
        head
    }
}

/// What one sequence attends to: runs it shares with others, then its own.
#[derive(Clone)]
pub struct SequenceCache {
    /// Earlier positions, in order; never changed.
    pub shared: Vec<Arc<KvRun>>,
    /// The sequence's own positions, behind the shared ones.
    pub own: KvRun,
    /// Keys and values of the encoded input, for encoder-decoder networks.
    pub source: Option<Arc<KvRun>>,
}

impl SequenceCache {
    /// A sequence that starts behind shared runs, which may be none.
    pub fn new(shape: &CacheShape, shared: Vec<Arc<KvRun>>, source: Option<Arc<KvRun>>) -> Self {
        Self { shared, own: KvRun::new(shape), source }
    }

    /// Positions so far.
    pub fn len(&self) -> usize {
        self.shared.iter().map(|run| run.len()).sum::<usize>() + self.own.len()
    }

    /// Whether there is no position yet.
    pub fn is_empty(&self) -> bool {
        self.len() == 0
    }

    /// Makes its own positions shared ones, so that several sequences can go on from here.
    pub fn freeze(self, shape: &CacheShape) -> Self {
        let Self { mut shared, own, source } = self;
        if !own.is_empty() {
            shared.push(Arc::new(own));
        }
        Self::new(shape, shared, source)
    }

    /// What a layer's queries see, in order of position.
    pub(crate) fn segments(&self, layer: usize) -> Vec<&KvSegment> {
        self.shared.iter().map(|run| &run.layers[layer]).chain([&self.own.layers[layer]]).collect()
    }
}
