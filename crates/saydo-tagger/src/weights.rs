//! The weights of the chain and the file they travel in: a signature, the lexicon, the transitions, and for every
//! feature its 32-bit key and one four-bit weight per tag.
//!
//! Weights are whole numbers of [`STEP`]: cross-validation shows no loss against full precision, and sums of whole
//! numbers are the same on every machine.

use crate::bytes::{Reader, put_count};
use crate::viterbi::{Scores, Transitions};
use crate::{Error, Tag};

/// Size of one unit of weight.
pub(crate) const STEP: f32 = 0.1;

/// Bytes of one feature's weights: two tags to a byte.
const ROW_BYTES: usize = Tag::COUNT.div_ceil(2);

/// Weights of features and transitions.
#[derive(Debug, Clone, PartialEq, Eq)]
pub(crate) struct Weights {
    /// Keys of the features, ascending.
    keys: Vec<u32>,
    /// For each key, [`ROW_BYTES`] bytes.
    rows: Vec<u8>,
    transitions: Transitions,
}

impl Weights {
    /// Rounds real weights. Features must come with ascending keys; those that round to nothing are left out.
    pub(crate) fn round(
        features: impl Iterator<Item = (u32, [f32; Tag::COUNT])>,
        transitions: &[[f32; Tag::COUNT]; Tag::COUNT + 1],
    ) -> Weights {
        let mut weights = Weights {
            keys: Vec::new(),
            rows: Vec::new(),
            transitions: transitions.map(|row| row.map(|weight| units(weight, 127) as i64)),
        };
        for (key, row) in features {
            let units = row.map(|weight| units(weight, 7));
            if units.iter().any(|unit| *unit != 0) {
                weights.keys.push(key);
                weights.rows.extend(pack(&units));
            }
        }
        weights
    }

    /// How many features have weights.
    pub(crate) fn len(&self) -> usize {
        self.keys.len()
    }

    /// The summed weights of the features with these keys.
    pub(crate) fn sum(&self, keys: &[u32]) -> Scores {
        let mut sum = [0; Tag::COUNT];
        for key in keys {
            if let Ok(at) = self.keys.binary_search(key) {
                add_row(&mut sum, &self.rows[at * ROW_BYTES..(at + 1) * ROW_BYTES]);
            }
        }
        sum
    }

    pub(crate) fn transitions(&self) -> &Transitions {
        &self.transitions
    }

    pub(crate) fn read(reader: &mut Reader<'_>) -> Result<Weights, Error> {
        let mut transitions = [[0; Tag::COUNT]; Tag::COUNT + 1];
        for row in &mut transitions {
            for (weight, byte) in row.iter_mut().zip(reader.take(Tag::COUNT, "transitions")?) {
                *weight = i64::from(byte.cast_signed());
            }
        }
        let count = reader.count(4 + ROW_BYTES, "features")?;
        let keys: Vec<u32> = reader
            .take(count * 4, "feature keys")?
            .as_chunks()
            .0
            .iter()
            .map(|bytes| u32::from_le_bytes(*bytes))
            .collect();
        if let Some(pair) = keys.windows(2).find(|pair| pair[0] >= pair[1]) {
            let found = format!("{} after {}", pair[1], pair[0]);
            return Err(Error::Malformed { field: "feature keys", found, expected: "ascending keys" });
        }
        let rows = reader.take(count * ROW_BYTES, "feature weights")?.to_vec();
        Ok(Weights { keys, rows, transitions })
    }

    pub(crate) fn write(&self, out: &mut Vec<u8>) {
        for row in &self.transitions {
            out.extend(
                row.map(|weight| i8::try_from(weight).expect("transitions are clamped to a byte").cast_unsigned()),
            );
        }
        put_count(out, self.keys.len());
        out.extend(self.keys.iter().flat_map(|key| key.to_le_bytes()));
        out.extend(&self.rows);
    }
}

fn units(weight: f32, limit: i8) -> i8 {
    let limit = f32::from(limit);
    (weight / STEP).round().clamp(-limit, limit) as i8
}

/// Two's-complement halves, the even tag in the low one.
fn pack(units: &[i8; Tag::COUNT]) -> [u8; ROW_BYTES] {
    let mut row = [0; ROW_BYTES];
    for (tag, unit) in units.iter().enumerate() {
        row[tag / 2] |= (unit.cast_unsigned() & 0xf) << (tag % 2 * 4);
    }
    row
}

fn add_row(sum: &mut Scores, row: &[u8]) {
    for (tag, score) in sum.iter_mut().enumerate() {
        let byte = row[tag / 2];
        let high = if tag % 2 == 0 { byte << 4 } else { byte & 0xf0 };
        *score += i64::from(high.cast_signed() >> 4);
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn sample() -> Weights {
        let mut row = [0.0; Tag::COUNT];
        (row[0], row[1], row[18]) = (0.31, -0.68, -9.0);
        let mut transitions = [[0.0; Tag::COUNT]; Tag::COUNT + 1];
        transitions[19][3] = -1.26;
        Weights::round([(7, row), (8, [0.02; Tag::COUNT])].into_iter(), &transitions)
    }

    #[test]
    fn weights_round_to_units_and_clamp() {
        let weights = sample();
        let sum = weights.sum(&[7, 8, 9]);
        assert_eq!((sum[0], sum[1], sum[2], sum[18]), (3, -7, 0, -7));
        assert_eq!(weights.transitions()[19][3], -13);
        assert_eq!(weights.len(), 1, "a feature that rounds to nothing is left out");
    }

    #[test]
    fn what_is_written_reads_back_equal() {
        let mut bytes = Vec::new();
        sample().write(&mut bytes);
        assert_eq!(Weights::read(&mut Reader::new(&bytes)).unwrap(), sample());
    }

    #[test]
    fn repeated_keys_are_refused() {
        let mut bytes = vec![0; Tag::COUNT * (Tag::COUNT + 1)];
        put_count(&mut bytes, 2);
        bytes.extend([5, 0, 0, 0, 5, 0, 0, 0]);
        bytes.extend([0; 2 * ROW_BYTES]);
        let error = Weights::read(&mut Reader::new(&bytes)).unwrap_err();
        assert_eq!(error.to_string(), "tagger weights hold 5 after 5 for feature keys, expected ascending keys");
    }
}
