//! The length of a longest common subsequence, 64 tokens at a time.
//!
//! The dynamic program fills a table whose neighboring cells differ by 0 or 1. A column of those differences fits in
//! machine words, and one addition carries a whole column forward (Crochemore and others, 2001; Hyyrö, 2004). A zero bit
//! marks a row where the length steps up, so the answer is the number of zeros; bits beyond
//! the column match nothing and stay ones.

const BITS: usize = u64::BITS as usize;

/// The length of a longest common subsequence of two token slices; 0 if either is empty.
pub(super) fn length<T: Eq>(a: &[T], b: &[T]) -> usize {
    // The shorter side becomes the column.
    let (column, row) = if a.len() <= b.len() { (a, b) } else { (b, a) };
    if column.len() <= BITS { short(column, row) } else { long(column, row) }
}

/// For a column of at most 64 tokens.
fn short<T: Eq>(column: &[T], row: &[T]) -> usize {
    let flat = row.iter().fold(u64::MAX, |flat, token| {
        let matches = matches(column, token);
        flat.wrapping_add(flat & matches) | (flat & !matches)
    });
    flat.count_zeros() as usize
}

/// For a column of several words: the carry of each addition goes into the next.
fn long<T: Eq>(column: &[T], row: &[T]) -> usize {
    let mut words = vec![u64::MAX; column.len().div_ceil(BITS)];
    for token in row {
        let mut carry = false;
        for (flat, tokens) in words.iter_mut().zip(column.chunks(BITS)) {
            let matches = matches(tokens, token);
            let (sum, carried) = flat.carrying_add(*flat & matches, carry);
            *flat = sum | (*flat & !matches);
            carry = carried;
        }
    }
    words.iter().map(|flat| flat.count_zeros() as usize).sum()
}

/// A bit for each position of the token among at most 64.
fn matches<T: Eq>(tokens: &[T], token: &T) -> u64 {
    // Bits of a fixed-size block do not wait for each other, which makes this loop twice as fast.
    let (blocks, tail) = tokens.as_chunks::<8>();
    let block_bits = |block: &[T; 8]| (0..8).fold(0, |bits, i| bits | u64::from(block[i] == *token) << i);
    let tail_bits = tail.iter().rev().fold(0, |bits, other| bits << 1 | u64::from(other == token));
    blocks.iter().rev().fold(tail_bits, |bits, block| bits << 8 | block_bits(block))
}

#[cfg(test)]
mod tests {
    use super::*;
    use proptest::prelude::*;

    /// The textbook table, one row at a time.
    fn table<T: Eq>(a: &[T], b: &[T]) -> usize {
        let mut row = vec![0; b.len() + 1];
        for x in a {
            let mut diagonal = 0;
            for (j, y) in b.iter().enumerate() {
                let above = row[j + 1];
                row[j + 1] = if x == y { diagonal + 1 } else { above.max(row[j]) };
                diagonal = above;
            }
        }
        row[b.len()]
    }

    #[test]
    fn known_subsequences_are_found() {
        assert_eq!(length(b"abcbdab", b"bdcaba"), 4);
        assert_eq!(length(b"police killed the gunman", b"police kill the gunman"), 22);
        assert_eq!(length::<u8>(b"", b"abc"), 0);
        assert_eq!(length(b"abc", b"def"), 0);
    }

    #[test]
    fn word_boundaries_do_not_matter() {
        for n in [63, 64, 65, 127, 128, 129, 200] {
            let up: Vec<usize> = (0..n).collect();
            let down: Vec<usize> = (0..n).rev().collect();
            assert_eq!(length(&up, &up), n);
            assert_eq!(length(&up, &down), 1);
            assert_eq!(length(&up[1..], &up[..n - 1]), n - 2);
        }
    }

    proptest! {
        #[test]
        fn short_sides_agree_with_the_table(
            a in prop::collection::vec(0..6_u32, 0..65),
            b in prop::collection::vec(0..6_u32, 0..150),
        ) {
            prop_assert_eq!(length(&a, &b), table(&a, &b));
        }

        #[test]
        fn long_sides_agree_with_the_table(
            a in prop::collection::vec(0..9_u32, 60..260),
            b in prop::collection::vec(0..9_u32, 60..260),
        ) {
            prop_assert_eq!(length(&a, &b), table(&a, &b));
        }
    }
}
