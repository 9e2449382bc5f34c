//! Overlap of two bags of tokens, shared by ROUGE-1 and token F1.

use std::collections::HashMap;
use std::hash::Hash;

/// How many tokens the bags share, each counted as often as it is in both.
pub(crate) fn overlap<T: Eq + Hash>(a: &[T], b: &[T]) -> usize {
    let mut left: HashMap<&T, usize> = HashMap::new();
    for token in a {
        *left.entry(token).or_default() += 1;
    }
    let mut shared = 0;
    for token in b {
        if let Some(count @ 1..) = left.get_mut(token) {
            *count -= 1;
            shared += 1;
        }
    }
    shared
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_token_counts_as_often_as_it_is_in_both() {
        assert_eq!(overlap(b"aabbbc", b"abbbbd"), 4);
        assert_eq!(overlap(b"abbbbd", b"aabbbc"), 4);
        assert_eq!(overlap(b"", b"a"), 0);
    }
}
