//! The tagger: tokens in, tags out, and the nouns among them. This is what users of the crate call.

use crate::bytes::Reader;
use crate::feature::View;
use crate::lexicon::Lexicon;
use crate::viterbi::best_path;
use crate::weights::Weights;
use crate::{Error, Number, Tag, tokenize};

/// What the file begins with; the last byte is the version, raised whenever features or format change.
const SIGNATURE: &[u8] = b"saydo-tagger\x01";

/// A noun found in a sentence.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct Noun<'a> {
    /// The noun as written.
    pub text: &'a str,
    /// Where it begins, in bytes of the sentence.
    pub start: usize,
    /// Whether it names one or several.
    pub number: Number,
    /// Whether it is a name.
    pub proper: bool,
}

/// Tags English sentences. Loading takes milliseconds and some megabytes; keep one and share it.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Tagger {
    lexicon: Lexicon,
    weights: Weights,
}

impl Tagger {
    /// The tagger whose weights are part of this crate.
    pub fn embedded() -> Tagger {
        let bytes = include_bytes!("../weights/english.bin");
        Tagger::from_bytes(bytes).expect("the weights inside the crate are read by its tests")
    }

    /// Reads weights, refusing whatever a trainer would not have written.
    pub fn from_bytes(bytes: &[u8]) -> Result<Tagger, Error> {
        let found = &bytes[..SIGNATURE.len().min(bytes.len())];
        if found != SIGNATURE {
            return Err(Error::NotWeights { found: found.to_vec(), expected: SIGNATURE.to_vec() });
        }
        let mut reader = Reader::new(bytes);
        reader.take(SIGNATURE.len(), "signature")?;
        let lexicon = Lexicon::read(&mut reader)?;
        let weights = Weights::read(&mut reader)?;
        reader.finish()?;
        Ok(Tagger { lexicon, weights })
    }

    /// The bytes that [`Tagger::from_bytes`] reads.
    pub fn to_bytes(&self) -> Vec<u8> {
        let mut bytes = SIGNATURE.to_vec();
        self.lexicon.write(&mut bytes);
        self.weights.write(&mut bytes);
        bytes
    }

    pub(crate) fn new(lexicon: Lexicon, weights: Weights) -> Tagger {
        Tagger { lexicon, weights }
    }

    /// How many features have weights.
    pub fn feature_count(&self) -> usize {
        self.weights.len()
    }

    /// One tag per word. The words are those of one sentence, cut as [`tokenize()`] cuts it.
    pub fn tag(&self, words: &[&str]) -> Vec<Tag> {
        let view = View::new(words, &self.lexicon);
        let mut keys = Vec::new();
        let mut scores = Vec::with_capacity(view.len());
        for position in 0..view.len() {
            view.features(position, &mut keys);
            scores.push(self.weights.sum(&keys));
        }
        best_path(&scores, self.weights.transitions()).into_iter().map(|index| Tag::ALL[index]).collect()
    }

    /// The nouns of a sentence, common and proper, in order; none for an empty sentence.
    ///
    /// ```
    /// use saydo_tagger::{Number, Tagger};
    ///
    /// let tagger = Tagger::embedded();
    /// let nouns = tagger.nouns("Two dogs chased the red ball.");
    /// assert_eq!(nouns.iter().map(|noun| noun.text).collect::<Vec<_>>(), ["dogs", "ball"]);
    /// assert_eq!(nouns[0].number, Number::Plural);
    /// assert_eq!(nouns[1].start, 24);
    /// ```
    pub fn nouns<'a>(&self, sentence: &'a str) -> Vec<Noun<'a>> {
        let tokens = tokenize(sentence);
        let tags = self.tag(&tokens);
        let mut nouns = Vec::new();
        let mut end = 0;
        for (text, tag) in tokens.into_iter().zip(tags) {
            // Only whitespace lies between tokens, so the next one begins at the next visible character.
            let start = sentence.len() - sentence[end..].trim_start().len();
            end = start + text.len();
            if let Some(number) = tag.number() {
                nouns.push(Noun { text, start, number, proper: tag.is_proper() });
            }
        }
        nouns
    }
}

#[cfg(test)]
mod tests;
