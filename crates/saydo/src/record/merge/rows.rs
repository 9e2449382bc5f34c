//! What is checked of the rows while they are joined, whatever their format.

use crate::Error;
use rustc_hash::{FxHashSet, FxHasher};
use std::hash::Hasher as _;
use std::path::PathBuf;

/// Watches rows as they are joined.
pub(super) struct Check<'a> {
    parts: &'a [PathBuf],
    /// Hashes of the sources so far.
    seen: FxHashSet<u64>,
    /// The last row of each part.
    last: Vec<Option<Place>>,
    rows: u64,
    /// The least distance between two rows of one part in one input file.
    least_step: Option<u64>,
}

/// A row of an input file with several: `reviews.jsonl:3`.
struct Place {
    file: u64,
    number: u64,
}

impl<'a> Check<'a> {
    pub(super) fn new(parts: &'a [PathBuf]) -> Self {
        let last = parts.iter().map(|_| None).collect();
        Self { parts, seen: FxHashSet::default(), last, rows: 0, least_step: None }
    }

    /// Takes note of a row of a part; a document that another part has already is refused.
    pub(super) fn row(&mut self, part: usize, id: &str, source: &str) -> Result<(), Error> {
        self.rows += 1;
        if !self.seen.insert(hash(&(id, source))) {
            return Err(Error::Overlap { part: self.parts[part].clone(), source_name: source.to_owned() });
        }
        let place = Place::of(source);
        if let (Some(before), Some(now)) = (&self.last[part], &place)
            && before.file == now.file
        {
            let step = now.number.saturating_sub(before.number);
            self.least_step = Some(self.least_step.map_or(step, |least| least.min(step)));
        }
        self.last[part] = place;
        Ok(())
    }

    /// Checks the lengths of the parts, as far as they were read in this round or block.
    pub(super) fn lengths(&self, lengths: &[u64]) -> Result<(), Error> {
        let shortest_allowed = lengths.first().copied().unwrap_or_default().saturating_sub(1);
        let is_well =
            lengths.windows(2).all(|pair| pair[0] >= pair[1]) && lengths.iter().all(|l| *l >= shortest_allowed);
        let before = self.rows / (lengths.len().max(1) as u64);
        if is_well {
            Ok(())
        } else {
            Err(Error::Lengths { lengths: lengths.iter().map(|length| before + length).collect() })
        }
    }

    /// The number of rows, unless the parts are too few: in a table of `n` shards, rows of one part stand `n` apart.
    pub(super) fn finish(self) -> Result<u64, Error> {
        match self.least_step {
            Some(step) if step > self.parts.len() as u64 => {
                Err(Error::MissingParts { found: self.parts.len() as u64, expected: step })
            }
            _ => Ok(self.rows),
        }
    }
}

impl Place {
    fn of(source: &str) -> Option<Self> {
        let (file, number) = source.rsplit_once(':')?;
        Some(Self { file: hash(&file), number: number.parse().ok()? })
    }
}

fn hash(value: &impl std::hash::Hash) -> u64 {
    let mut hasher = FxHasher::default();
    value.hash(&mut hasher);
    hasher.finish()
}
