//! The tokens of a vocabulary as a tree of bytes, so that tokens that begin alike are tested together.
//!
//! Nodes are numbered level by level. The children of a node are then next to each other, in the order of their bytes,
//! and a node needs no more than its byte and where its children and tokens start.

use std::ops::Range;

/// Tokens by their bytes.
pub(crate) struct Trie {
    /// The last byte of each node; the root's is not used.
    bytes: Vec<u8>,
    /// The first child of each node, and one more entry for the end of the last one's.
    children: Vec<u32>,
    /// Where each node's tokens start, and one more entry for the end.
    ends: Vec<u32>,
    tokens: Vec<u32>,
}

impl Trie {
    /// The root: no bytes yet.
    pub const ROOT: u32 = 0;

    /// Builds the tree of `count` tokens, those without bytes left out.
    pub fn new<'a>(count: usize, spelling: impl Fn(u32) -> &'a [u8]) -> Trie {
        let head =
            |bytes: &[u8]| bytes.iter().take(8).chain([0; 8].iter()).take(8).fold(0, |key, &b| key << 8 | u64::from(b));
        let given = (0..count as u32).map(|token| (spelling(token), token)).filter(|(bytes, _)| !bytes.is_empty());
        let mut sorted: Vec<(u64, &[u8], u32)> = given.map(|(bytes, token)| (head(bytes), bytes, token)).collect();
        sorted.sort_unstable();

        let mut trie = Trie { bytes: vec![0], children: vec![], ends: vec![], tokens: vec![] };
        let mut level = vec![(0, sorted.len())];
        let mut depth = 0;
        while !level.is_empty() {
            level = trie.add_level(&sorted, level, depth);
            depth += 1;
        }
        trie.children.push(trie.bytes.len() as u32);
        trie.ends.push(trie.tokens.len() as u32);
        trie
    }

    /// Finishes the nodes of one level, each given as start and end among the sorted tokens, and returns the next level.
    fn add_level(
        &mut self,
        sorted: &[(u64, &[u8], u32)],
        level: Vec<(usize, usize)>,
        depth: usize,
    ) -> Vec<(usize, usize)> {
        let mut next = vec![];
        for (start, end) in level {
            self.children.push(self.bytes.len() as u32);
            self.ends.push(self.tokens.len() as u32);
            let mut at = start;
            while at < end && sorted[at].1.len() == depth {
                self.tokens.push(sorted[at].2);
                at += 1;
            }
            while at < end {
                let byte = sorted[at].1[depth];
                let from = at;
                while at < end && sorted[at].1[depth] == byte {
                    at += 1;
                }
                self.bytes.push(byte);
                next.push((from, at));
            }
        }
        next
    }

    /// The children of a node.
    pub fn children(&self, node: u32) -> Range<u32> {
        self.children[node as usize]..self.children[node as usize + 1]
    }

    /// The last byte of a node.
    pub fn byte(&self, node: u32) -> u8 {
        self.bytes[node as usize]
    }

    /// The child of a node for a byte.
    pub fn child(&self, node: u32, byte: u8) -> Option<u32> {
        let Range { start, end } = self.children(node);
        let found = self.bytes[start as usize..end as usize].binary_search(&byte).ok()?;
        Some(start + found as u32)
    }

    /// The tokens that are spelled by the bytes down to this node.
    pub fn tokens(&self, node: u32) -> &[u32] {
        &self.tokens[self.ends[node as usize] as usize..self.ends[node as usize + 1] as usize]
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn every_token_is_found_by_its_bytes() {
        let words: [&[u8]; 9] = [b"a", b"ab", b"", b"b", b"ab", b"\xff\x00", b"abcdefghij", b"abcdefghik", b"\x00"];
        let trie = Trie::new(words.len(), |token| words[token as usize]);
        for (token, word) in words.iter().enumerate().filter(|(_, word)| !word.is_empty()) {
            let node =
                word.iter().try_fold(Trie::ROOT, |node, &byte| trie.child(node, byte)).expect("the token is there");
            assert!(trie.tokens(node).contains(&(token as u32)));
            assert_eq!(trie.byte(node), word[word.len() - 1]);
        }
        assert!(trie.tokens(Trie::ROOT).is_empty());
        assert_eq!(trie.tokens.len(), 8);
    }
}
