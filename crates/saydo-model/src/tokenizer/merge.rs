//! Byte-pair merging: neighbors are joined, best rank first and leftmost among equals, until no two neighbors make a
//! token.
//!
//! A heap of candidate pairs keeps this near linear, so that a "word" of a megabyte costs no more than a page of text.
//! Which pairs make a token is asked of the caller: BPE looks pairs up, SentencePiece looks the joined text up.

use std::cmp::Reverse;
use std::collections::BinaryHeap;
use std::ops::Range;

const NONE: u32 = u32::MAX;

/// A stretch of the text and the token it makes, if any.
#[derive(Debug, Clone, Copy, PartialEq)]
pub(super) struct Part {
    start: u32,
    end: u32,
    /// The token's number, or `NONE`.
    id: u32,
    before: u32,
    after: u32,
}

impl Part {
    pub(super) fn id(&self) -> Option<u32> {
        (self.id != NONE).then_some(self.id)
    }

    /// The stretch from the start of this part to the end of `last`.
    pub(super) fn range_to(&self, last: &Self) -> Range<usize> {
        self.start as usize..last.end as usize
    }
}

/// A token that two neighbors make. A lower rank goes first.
#[derive(Debug, Clone, Copy, PartialEq, Eq, PartialOrd, Ord)]
pub(super) struct Join {
    pub(super) rank: u32,
    pub(super) id: u32,
}

/// A pair that could be joined: what it makes, its parts, and where the second one ended when it was noted.
type Candidate = Reverse<(u32, u32, u32, u32, u32)>;

/// Room for merging, used again from word to word.
#[derive(Debug, Default)]
pub(super) struct Merger {
    parts: Vec<Part>,
    heap: BinaryHeap<Candidate>,
}

impl Merger {
    /// Starts a new word.
    pub(super) fn clear(&mut self) {
        self.parts.clear();
        self.heap.clear();
    }

    /// Adds a part of `len` bytes behind the others. All parts together must stay below 4 GiB.
    pub(super) fn push(&mut self, len: usize, id: Option<u32>) {
        let index = self.parts.len() as u32;
        let start = self.parts.last().map_or(0, |last| last.end);
        if let Some(last) = self.parts.last_mut() {
            last.after = index;
        }
        let before = index.checked_sub(1).unwrap_or(NONE);
        self.parts.push(Part { start, end: start + len as u32, id: id.unwrap_or(NONE), before, after: NONE });
    }

    /// Joins what `join` says can be joined, and calls `take` with each part that remains.
    pub(super) fn merge(&mut self, join: impl Fn(&Part, &Part) -> Option<Join>, mut take: impl FnMut(&Part)) {
        for right in 1..self.parts.len() as u32 {
            self.offer(right - 1, right, &join);
        }
        while let Some(Reverse((_, left, right, end, id))) = self.heap.pop() {
            self.apply(left, right, end, id, &join);
        }
        let mut at = if self.parts.is_empty() { NONE } else { 0 };
        while let Some(part) = self.parts.get(at as usize) {
            take(part);
            at = part.after;
        }
    }

    fn offer(&mut self, left: u32, right: u32, join: impl Fn(&Part, &Part) -> Option<Join>) {
        let (Some(first), Some(second)) = (self.parts.get(left as usize), self.parts.get(right as usize)) else {
            return;
        };
        if let Some(Join { rank, id }) = join(first, second) {
            self.heap.push(Reverse((rank, left, right, second.end, id)));
        }
    }

    /// Joins a noted pair if it still stands: earlier joins may have used up its parts or made them longer.
    fn apply(&mut self, left: u32, right: u32, end: u32, id: u32, join: &impl Fn(&Part, &Part) -> Option<Join>) {
        let (first, second) = (self.parts[left as usize], self.parts[right as usize]);
        // A part that was joined to the one before it is left empty, and so never ends where it did.
        if first.after != right || first.start == first.end || second.end != end || second.start == second.end {
            return;
        }
        self.parts[right as usize].end = second.start;
        let joined = &mut self.parts[left as usize];
        (joined.end, joined.id, joined.after) = (end, id, second.after);
        if let Some(next) = self.parts.get_mut(second.after as usize) {
            next.before = left;
        }
        self.offer(first.before, left, join);
        self.offer(left, second.after, join);
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    /// Merges the letters of `word` with tokens in the order of `vocabulary`.
    fn tokens(word: &str, vocabulary: &[&str]) -> Vec<String> {
        let mut merger = Merger::default();
        for _ in 0..word.len() {
            merger.push(1, None);
        }
        let join = |left: &Part, right: &Part| {
            let rank = vocabulary.iter().position(|token| *token == &word[left.range_to(right)])? as u32;
            Some(Join { rank, id: rank })
        };
        let mut tokens = Vec::new();
        merger.merge(join, |part| tokens.push(word[part.range_to(part)].to_owned()));
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
    fn parts_that_make_no_token_stay_alone() {
        assert_eq!(tokens("xyz", &[]), ["x", "y", "z"]);
        assert!(tokens("", &["a"]).is_empty());
    }

    #[test]
    fn merging_agrees_with_the_slow_way() {
        let vocabulary = ["ab", "ba", "aa", "aba", "bab", "abab", "aab", "bb"];
        for bits in 0..1u32 << 10 {
            let word: String = (0..10).map(|bit| if bits >> bit & 1 == 0 { 'a' } else { 'b' }).collect();
            let mut slow: Vec<String> = word.chars().map(String::from).collect();
            let rank = |pair: &[String]| vocabulary.iter().position(|token| *token == pair.concat());
            while let Some(at) = (1..slow.len())
                .filter(|at| rank(&slow[at - 1..=*at]).is_some())
                .min_by_key(|at| rank(&slow[at - 1..=*at]))
            {
                let right = slow.remove(at);
                slow[at - 1].push_str(&right);
            }
            assert_eq!(tokens(&word, &vocabulary), slow, "{word}");
        }
    }
}
