//! Byte-level BPE, the tokenizer of GPT-2 and most models after it: words are cut, their bytes become tokens, and
//! neighbors are merged in the order in which training learned the merges.

use super::TokenizerError;
use super::byte_level::CHARACTERS;
use super::merge::{Join, Merger, Part};
use super::vocabulary::Vocabulary;
use super::word::Words;
use std::collections::HashMap;

/// What byte-level BPE needs besides the vocabulary.
#[derive(Debug, Clone)]
pub(super) struct Bpe {
    words: Words,
    /// The token of each byte. SmolLM2 lacks 21, six control characters among them; they are dropped, as llama.cpp does.
    bytes: Vec<Option<u32>>,
    /// What two tokens make, and how early the merge was learned.
    merges: HashMap<(u32, u32), Join>,
    /// Whether a word that is a token is taken whole, even if merging would not get there.
    whole_words: bool,
}

impl Bpe {
    /// Reads merges such as `Ġ t`, the earliest first.
    pub(super) fn new<'t>(
        words: Words,
        merges: impl ExactSizeIterator<Item = &'t str>,
        vocabulary: &Vocabulary,
    ) -> Result<Self, TokenizerError> {
        let byte = |character: &char| vocabulary.id_of(character.encode_utf8(&mut [0; 4]).as_bytes());
        let bytes = CHARACTERS.iter().map(byte).collect();
        let mut table = HashMap::with_capacity(merges.len());
        let mut joined = Vec::new();
        for (rank, merge) in merges.enumerate() {
            let (pair, id) = read_merge(merge, vocabulary, &mut joined)
                .ok_or_else(|| TokenizerError::Merge { index: rank, merge: merge.to_owned() })?;
            table.entry(pair).or_insert(Join { rank: rank as u32, id });
        }
        Ok(Self { words, bytes, merges: table, whole_words: words == Words::Llama3 })
    }

    /// Appends the tokens of a text without special tokens.
    pub(super) fn encode(&self, text: &str, vocabulary: &Vocabulary, merger: &mut Merger, out: &mut Vec<u32>) {
        self.words.each(text, |word| {
            if self.whole_words
                && let Some(id) = self.whole(word, vocabulary)
            {
                out.push(id);
                return;
            }
            merger.clear();
            for byte in word.bytes() {
                merger.push(1, self.bytes[usize::from(byte)]);
            }
            merger.merge(|left, right| self.join(left, right), |part| out.extend(part.id()));
        });
    }

    fn join(&self, left: &Part, right: &Part) -> Option<Join> {
        self.merges.get(&(left.id()?, right.id()?)).copied()
    }

    fn whole(&self, word: &str, vocabulary: &Vocabulary) -> Option<u32> {
        let spelled: String = word.bytes().map(|byte| CHARACTERS[usize::from(byte)]).collect();
        vocabulary.id_of(spelled.as_bytes())
    }
}

/// The two tokens of a merge and what they make. The space that separates them is not the first character.
fn read_merge(merge: &str, vocabulary: &Vocabulary, joined: &mut Vec<u8>) -> Option<((u32, u32), u32)> {
    let merge = merge.as_bytes();
    let space = 1 + merge.get(1..)?.iter().position(|byte| *byte == b' ')?;
    let (left, right) = (&merge[..space], &merge[space + 1..]);
    joined.clear();
    joined.extend_from_slice(left);
    joined.extend_from_slice(right);
    Some(((vocabulary.id_of(left)?, vocabulary.id_of(right)?), vocabulary.id_of(joined)?))
}
