//! GPT-2's byte-level BPE with its vocabulary.
//!
//! Two papers need this one tokenizer: Natural Instructions packs examples into GPT-3's context window by its count,
//! and the cross-lingual track of Super-NaturalInstructions scores ROUGE-L over its tokens. It is a crate of its own
//! because the vocabulary is large and most users of prompts and scores never load it.
//!
//! The vocabulary comes from `tiktoken-rs`. Its encoder is not used: it panics on a text with a million spaces in a
//! row, and texts come from strangers.

mod merge;
mod word;

use rustc_hash::FxHashMap;
use std::sync::LazyLock;

/// The one special token; in a text it counts as one token, as in the Hugging Face tokenizer the scorers use.
pub const END_OF_TEXT: &str = "<|endoftext|>";

/// How many tokens there are besides [`END_OF_TEXT`].
const VOCABULARY_SIZE: u32 = 50_256;

/// A token's place in the vocabulary by its bytes. Tokens of lower rank are merged first.
type Ranks = FxHashMap<Vec<u8>, u32>;

/// The tokenizer of GPT-2 and of the first GPT-3 models.
///
/// ```
/// let gpt2 = saydo_bpe::Gpt2::shared();
/// assert_eq!(gpt2.tokens("Say it twice"), [b"Say".to_vec(), b" it".to_vec(), b" twice".to_vec()]);
/// assert_eq!(gpt2.count("Say it twice"), 3);
/// ```
pub struct Gpt2 {
    ranks: Ranks,
}

impl Gpt2 {
    /// The tokenizer, built at the first call.
    pub fn shared() -> &'static Gpt2 {
        static SHARED: LazyLock<Gpt2> = LazyLock::new(Gpt2::new);
        &SHARED
    }

    fn new() -> Self {
        let published = tiktoken_rs::r50k_base().expect("the vocabulary compiled into the binary is well formed");
        let token = |rank| published.decode_bytes(&[rank]).expect("every rank below the vocabulary's size has a token");
        Self { ranks: (0..VOCABULARY_SIZE).map(|rank| (token(rank), rank)).collect() }
    }

    /// How many tokens the text has; 0 for an empty text.
    pub fn count(&self, text: &str) -> usize {
        let mut count = 0;
        self.each_token(text, |_| count += 1);
        count
    }

    /// The tokens as bytes. Joined they give the text back; one alone need not be UTF-8.
    pub fn tokens(&self, text: &str) -> Vec<Vec<u8>> {
        let mut tokens = Vec::new();
        self.each_token(text, |token| tokens.push(token.to_vec()));
        tokens
    }

    /// The tokens ROUGE-L compares on the cross-lingual track: each without its leading spaces. A token of spaces
    /// alone is left empty and still counts. Only U+0020 is removed, since only it is written `Ġ` in the vocabulary.
    pub fn rouge_pieces(&self, text: &str) -> Vec<Vec<u8>> {
        let mut pieces = Vec::new();
        self.each_token(text, |token| {
            let spaces = token.iter().take_while(|byte| **byte == b' ').count();
            pieces.push(token[spaces..].to_vec());
        });
        pieces
    }

    fn each_token<'t>(&self, text: &'t str, mut take: impl FnMut(&'t [u8])) {
        for (i, part) in text.split(END_OF_TEXT).enumerate() {
            if i > 0 {
                take(END_OF_TEXT.as_bytes());
            }
            for word in word::split(part) {
                if self.ranks.contains_key(word.as_bytes()) {
                    take(word.as_bytes());
                } else {
                    merge::each_token(word.as_bytes(), &self.ranks, &mut take);
                }
            }
        }
    }
}

#[cfg(test)]
mod tests;
