//! Byte-pair merging of one word: neighbors are joined, lowest rank first and leftmost among equals, until no two
//! neighbors make a token.
//!
//! A heap of candidate pairs keeps this near linear, so that a "word" of a megabyte costs no more than a page of
//! text. Pairs are looked up by their joined bytes, which is the same as by the pair itself in this vocabulary.

use crate::Ranks;
use std::cmp::Reverse;
use std::collections::BinaryHeap;

/// Calls `take` with each token of `word` in order.
pub(crate) fn each_token<'w>(word: &'w [u8], ranks: &Ranks, mut take: impl FnMut(&'w [u8])) {
    let mut merge = Merge::new(word, ranks);
    while let Some(Reverse((_, start, end))) = merge.pairs.pop() {
        merge.join(start, end);
    }
    let mut start = 0;
    while start < word.len() {
        let end = merge.end[start];
        take(&word[start..end]);
        start = end;
    }
}

/// A word cut into parts, at first one byte each.
struct Merge<'w> {
    word: &'w [u8],
    ranks: &'w Ranks,
    /// For the start of a part, its end; 0 where no part starts any more.
    end: Vec<usize>,
    /// For the start of a part, the start of the part before it.
    before: Vec<usize>,
    /// Neighbors that make a token: its rank, where the first starts, where the second ends.
    pairs: BinaryHeap<Reverse<(u32, usize, usize)>>,
}

impl<'w> Merge<'w> {
    fn new(word: &'w [u8], ranks: &'w Ranks) -> Self {
        let (end, before) = (1..=word.len()).map(|end| (end, end.saturating_sub(2))).unzip();
        let mut merge = Self { word, ranks, end, before, pairs: BinaryHeap::with_capacity(word.len()) };
        for start in 0..word.len() {
            merge.offer(start);
        }
        merge
    }

    /// Notes the pair whose first part starts at `start`, if it makes a token.
    fn offer(&mut self, start: usize) {
        let Some(&end) = self.end.get(self.end[start]) else { return };
        if let Some(rank) = self.ranks.get(&self.word[start..end]) {
            self.pairs.push(Reverse((*rank, start, end)));
        }
    }

    /// Joins the pair from `start` to `end` if it still stands as noted: earlier joins may have used up its parts.
    fn join(&mut self, start: usize, end: usize) {
        let middle = self.end[start];
        if middle <= start || self.end.get(middle) != Some(&end) {
            return;
        }
        self.end[start] = end;
        self.end[middle] = 0;
        if let Some(before) = self.before.get_mut(end) {
            *before = start;
        }
        self.offer(start);
        if start > 0 {
            self.offer(self.before[start]);
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn tokens(word: &str, vocabulary: &[&str]) -> Vec<String> {
        let ranks = vocabulary.iter().zip(0..).map(|(token, rank)| (token.as_bytes().to_vec(), rank)).collect();
        let mut tokens = Vec::new();
        each_token(word.as_bytes(), &ranks, |token| tokens.push(String::from_utf8(token.to_vec()).unwrap()));
        tokens
    }

    #[test]
    fn the_lowest_rank_is_joined_first() {
        assert_eq!(tokens("abc", &["bc", "ab"]), ["a", "bc"]);
        assert_eq!(tokens("abc", &["ab", "bc"]), ["ab", "c"]);
        assert_eq!(tokens("abcd", &["bc", "abc", "cd"]), ["abc", "d"]);
    }

    #[test]
    fn the_leftmost_of_equal_pairs_is_joined_first() {
        assert_eq!(tokens("aaaaa", &["aa", "aaaa"]), ["aaaa", "a"]);
        assert_eq!(tokens("aaa", &["aa"]), ["aa", "a"]);
    }

    #[test]
    fn bytes_that_make_no_token_stay_alone() {
        assert_eq!(tokens("xyz", &[]), ["x", "y", "z"]);
        assert!(tokens("", &["a"]).is_empty());
    }
}
