//! Prefixes computed before, kept for the prompts that share them.

use super::LocalModel;
use crate::Error;
use crate::cache::{KvRun, SequenceCache};
use crate::nn::{CachedRows, Pass};
use std::collections::HashMap;
use std::sync::Arc;

/// A prefix this short is not worth keeping.
const SHORTEST: usize = 8;

/// Computed prefixes, the least recently used of which go first.
#[derive(Default)]
pub(super) struct PrefixCache {
    entries: Vec<Entry>,
    /// Tokens of prefix texts seen before, by text and form.
    tokens: HashMap<String, Arc<[u32]>>,
    clock: u64,
    /// The most that all keys and values took at one time.
    pub peak: usize,
}

struct Entry {
    tokens: Arc<[u32]>,
    runs: Vec<Arc<KvRun>>,
    used: u64,
}

impl Entry {
    fn bytes(&self) -> usize {
        self.runs.iter().map(|run| run.bytes()).sum()
    }
}

/// What a prompt finds computed.
pub(super) struct Shared {
    /// Keys and values of the prompt's first tokens.
    pub runs: Vec<Arc<KvRun>>,
    /// How many tokens they cover.
    pub len: usize,
    /// How many of these had been computed before.
    pub found: usize,
}

impl PrefixCache {
    /// Bytes of keys and values held.
    pub fn bytes(&self) -> usize {
        self.entries.iter().map(Entry::bytes).sum()
    }

    pub fn clear(&mut self) {
        self.entries.clear();
        self.tokens.clear();
    }

    /// Remembers how much was used, prefixes and `own` bytes together.
    pub fn note_peak(&mut self, own: usize) {
        self.peak = self.peak.max(self.bytes() + own);
    }

    /// The tokens of a prefix text, encoded by `encode` when first seen.
    pub fn tokens(&mut self, key: &str, encode: impl FnOnce() -> Result<Vec<u32>, Error>) -> Result<Arc<[u32]>, Error> {
        if let Some(tokens) = self.tokens.get(key) {
            return Ok(Arc::clone(tokens));
        }
        let tokens: Arc<[u32]> = encode()?.into();
        // Texts are small beside keys and values; a bound all the same, for a stream of ever new tasks.
        if self.tokens.len() >= 1024 {
            self.tokens.clear();
        }
        self.tokens.insert(key.to_owned(), Arc::clone(&tokens));
        Ok(tokens)
    }

    /// The entry that agrees longest with `tokens`, and how far.
    fn nearest(&mut self, tokens: &[u32]) -> Option<(&mut Entry, usize)> {
        self.clock += 1;
        let clock = self.clock;
        let (entry, len) = self
            .entries
            .iter_mut()
            .map(|entry| {
                let len = common(&entry.tokens, tokens);
                (entry, len)
            })
            .max_by_key(|(_, len)| *len)?;
        entry.used = clock;
        Some((entry, len))
    }

    fn insert(&mut self, tokens: &[u32], runs: Vec<Arc<KvRun>>, budget: usize) {
        self.clock += 1;
        self.entries.push(Entry { tokens: tokens.into(), runs, used: self.clock });
        // The newest entry stays: somebody is about to use it.
        while self.bytes() > budget && self.entries.len() > 1 {
            let oldest = (0..self.entries.len()).min_by_key(|at| self.entries[*at].used).expect("more than one entry");
            self.entries.remove(oldest);
        }
    }
}

/// How many tokens two sequences have in common at their beginning.
pub(super) fn common(a: &[u32], b: &[u32]) -> usize {
    a.iter().zip(b).take_while(|(a, b)| a == b).count()
}

impl LocalModel {
    /// Keys and values of the first `len` tokens of a prompt, computed if they are not there.
    pub(super) fn share(&self, tokens: &[u32], len: usize) -> Result<Shared, Error> {
        if len < SHORTEST || !self.settings.share_prefixes {
            return Ok(Shared { runs: Vec::new(), len: 0, found: 0 });
        }
        let wanted = &tokens[..len];
        let mut prefixes = self.lock_prefixes();
        let mut start = (Vec::new(), 0);
        if let Some((entry, agreed)) = prefixes.nearest(wanted) {
            if agreed == len && entry.tokens.len() == len {
                return Ok(Shared { runs: entry.runs.clone(), len, found: len });
            }
            if agreed == entry.tokens.len() || agreed >= SHORTEST {
                start = (cut(&entry.runs, agreed), agreed);
            }
        }
        // Half the budget is for prefixes, so that sequences always have the other half.
        drop(prefixes);
        let (runs, found) = start;
        let runs = self.compute_prefix(runs, &wanted[found..])?;
        self.lock_prefixes().insert(wanted, runs.clone(), self.settings.cache_bytes / 2);
        Ok(Shared { runs, len, found })
    }

    /// Computes `tokens` behind `runs`, and gives all of them together.
    fn compute_prefix(&self, runs: Vec<Arc<KvRun>>, tokens: &[u32]) -> Result<Vec<Arc<KvRun>>, Error> {
        let mut cache = SequenceCache::new(&self.shape, runs, None);
        for tokens in tokens.chunks(self.settings.rows_per_pass.max(1)) {
            let rows = vec![CachedRows { cache: &mut cache, rows: tokens.len() }];
            self.network.hidden(tokens, &mut Pass::cached(&self.pool, rows))?;
        }
        Ok(cache.freeze(&self.shape).shared)
    }
}

/// The first `len` positions of some runs; whole runs are shared, the last one is cut by copying.
fn cut(runs: &[Arc<KvRun>], len: usize) -> Vec<Arc<KvRun>> {
    let (mut left, mut cut) = (len, Vec::new());
    for run in runs {
        if left >= run.len() {
            cut.push(Arc::clone(run));
            left -= run.len();
        } else {
            if left > 0 {
                cut.push(Arc::new(run.head(left)));
            }
            break;
        }
    }
    cut
}
