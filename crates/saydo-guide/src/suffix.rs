//! Sorts suffixes of a text: the order in which a piece is looked up byte by byte.
//!
//! Ordinary text is sorted by plain comparison, which stops after a few bytes. Text that repeats itself at length would
//! make that quadratic, so comparison stops at [`WINDOW`] bytes, and where that leaves a tie the ranks of all suffixes
//! are computed by prefix doubling (Manber and Myers 1990), in `O(n log² n)` whatever the text.

use std::cell::Cell;
use std::cmp::Ordering;

/// How many bytes are compared before the text counts as repetitive.
const WINDOW: usize = 512;
/// How many bytes are compared at once, as a number.
const HEAD: usize = 7;

/// The given positions of `text`, in the order of the suffixes that start there.
pub(crate) fn sort(text: &[u8], positions: &[u32]) -> Vec<u32> {
    let mut keyed: Vec<(u64, u32)> = positions.iter().map(|&at| (head(&text[at as usize..]), at)).collect();
    let tied = Cell::new(false);
    keyed.sort_unstable_by(|a, b| a.0.cmp(&b.0).then_with(|| compare(text, a.1, b.1, &tied)));
    let mut sorted: Vec<u32> = keyed.into_iter().map(|(_, at)| at).collect();
    if tied.get() {
        let ranks = ranks(text);
        sorted.sort_unstable_by_key(|&at| ranks[at as usize]);
    }
    sorted
}

/// The first bytes, and how many there are, as a number that orders as they do.
fn head(suffix: &[u8]) -> u64 {
    let mut bytes = [0; 8];
    let len = suffix.len().min(HEAD);
    bytes[..len].copy_from_slice(&suffix[..len]);
    bytes[HEAD] = len as u8;
    u64::from_be_bytes(bytes)
}

fn compare(text: &[u8], a: u32, b: u32, tied: &Cell<bool>) -> Ordering {
    let window = |at: u32| &text[at as usize..text.len().min(at as usize + WINDOW)];
    let order = window(a).cmp(window(b));
    if order.is_eq() && a != b {
        tied.set(true);
    }
    order
}

/// For each position, the rank of the suffix that starts there.
fn ranks(text: &[u8]) -> Vec<u32> {
    let mut keys: Vec<(u64, u32)> = (0..text.len()).map(|at| (head(&text[at..]), at as u32)).collect();
    let mut ranks = vec![0; text.len()];
    let mut width = HEAD;
    loop {
        keys.sort_unstable();
        let distinct = rank(&keys, &mut ranks);
        if distinct == text.len() || width >= text.len() * 2 {
            return ranks;
        }
        for (key, at) in &mut keys {
            let next = ranks.get(*at as usize + width).map_or(0, |rank| u64::from(*rank) + 1);
            *key = u64::from(ranks[*at as usize]) << 32 | next;
        }
        width *= 2;
    }
}

/// Writes the rank of each position and returns how many distinct ranks there are.
fn rank(keys: &[(u64, u32)], ranks: &mut [u32]) -> usize {
    let mut rank = 0;
    for (index, (key, at)) in keys.iter().enumerate() {
        if index > 0 && keys[index - 1].0 != *key {
            rank += 1;
        }
        ranks[*at as usize] = rank;
    }
    rank as usize + 1
}

#[cfg(test)]
mod tests {
    use super::*;
    use proptest::prelude::*;

    fn check(text: &[u8]) {
        let all: Vec<u32> = (0..text.len() as u32).collect();
        let mut expected = all.clone();
        expected.sort_by_key(|&at| &text[at as usize..]);
        assert_eq!(sort(text, &all), expected);
    }

    #[test]
    fn repetitive_text_is_sorted() {
        check(&b"ab".repeat(1500));
        check(&b"a".repeat(2000));
        check(&[b"the cat. ".repeat(90), b"the dog. ".repeat(90)].concat());
        check(&[0; 1200]);
    }

    proptest! {
        #[test]
        fn suffixes_come_in_order(text in prop::collection::vec(0u8..3, 0..80), times in 1usize..30) {
            check(&text.repeat(times));
        }
    }
}
