//! From text to tokens and back, exactly: one type for every vocabulary we can read.
//!
//! Vocabularies in GGUF files are encoded by our own byte-level BPE and SentencePiece BPE, which load in milliseconds
//! and give the tokens that llama.cpp gives. A `tokenizer.json` is encoded by Hugging Face's own crate. Decoding is
//! the same for all: each token stands for some bytes.

mod bpe;
mod byte_level;
mod error;
mod folder;
mod hugging_face;
mod index;
mod merge;
mod metadata;
mod sentence_piece;
mod special;
mod stream;
#[cfg(test)]
mod tests;
mod texts;
mod vocabulary;
mod word;
mod written;

pub use error::TokenizerError;
pub use stream::DecodeStream;

pub(crate) use folder::read_json;

use crate::Error;
use crate::gguf::Gguf;
use merge::Merger;
use special::{Piece, Specials};
use std::path::Path;
use vocabulary::{Kind, Vocabulary};

/// Tokens that have a part to play around a text, and whether they are put there.
#[derive(Debug, Clone, Default, PartialEq, Eq)]
pub struct Roles {
    /// Stands at the beginning of a text.
    pub bos: Option<u32>,
    /// Stands at the end of a text.
    pub eos: Option<u32>,
    /// Fills up the shorter texts of a batch.
    pub pad: Option<u32>,
    /// Whether the model wants `bos` before each prompt.
    pub add_bos: bool,
    /// Whether the model wants `eos` behind each text.
    pub add_eos: bool,
    /// All tokens that end a reply, `eos` among them, in ascending order.
    pub ends: Vec<u32>,
}

/// A vocabulary and the rules to encode with it.
#[derive(Debug, Clone)]
pub struct Tokenizer {
    vocabulary: Vocabulary,
    specials: Specials,
    encoder: Encoder,
    roles: Roles,
    space_prefix: bool,
    /// Tokens around a whole text, by the rules of a `tokenizer.json`.
    frame: Option<(Vec<u32>, Vec<u32>)>,
}

/// The rules by which text between special tokens is encoded.
#[derive(Debug, Clone)]
enum Encoder {
    Bpe(bpe::Bpe),
    SentencePiece(sentence_piece::SentencePiece),
    HuggingFace(hugging_face::HuggingFace),
}

impl Tokenizer {
    /// The tokenizer that a GGUF file's metadata describe. Errors name the metadata key.
    pub fn from_gguf<B: AsRef<[u8]>>(gguf: &Gguf<B>) -> Result<Self, Error> {
        metadata::read(gguf)
    }

    /// The tokenizer that a `tokenizer.json` describes, of kind BPE or Unigram. The file does not say which tokens
    /// begin and end a text: see [`Tokenizer::with_roles`].
    pub fn parse_json(json: &[u8]) -> Result<Self, Error> {
        Ok(hugging_face::parse(json)?)
    }

    /// The tokenizer in the `tokenizer.json` at `path`; errors name it.
    pub fn load_json(path: &Path) -> Result<Self, Error> {
        let json = std::fs::read(path).map_err(|source| Error::Read { path: path.to_owned(), source })?;
        Self::parse_json(&json).map_err(|error| error.in_file(path))
    }

    fn new(vocabulary: Vocabulary, encoder: Encoder, roles: Roles) -> Self {
        let specials = Specials::new(&vocabulary);
        Self { vocabulary, specials, encoder, roles, space_prefix: false, frame: None }
    }

    fn with_space_prefix(self, space_prefix: bool) -> Self {
        Self { space_prefix, ..self }
    }

    fn with_frame(self, before: Vec<u32>, behind: Vec<u32>) -> Self {
        Self { frame: Some((before, behind)), ..self }
    }

    /// This tokenizer with other roles.
    pub fn with_roles(self, roles: Roles) -> Self {
        Self { roles, ..self }
    }

    /// The tokens of `text`, without any before or behind it. With `special`, control tokens that the text spells out
    /// are taken for what they are; without, they are text like any other, as befits a text from a stranger.
    ///
    /// A byte that the vocabulary of a GGUF file cannot write is left out; a `tokenizer.json` may refuse such a text.
    pub fn encode(&self, text: &str, special: bool) -> Result<Vec<u32>, Error> {
        let vocabulary = &self.vocabulary;
        Ok(match &self.encoder {
            Encoder::HuggingFace(encoder) => encoder.encode(text, special)?,
            Encoder::Bpe(encoder) => self.encode_pieces(text, special, |text, _, merger, out| {
                encoder.encode(text, vocabulary, merger, out);
            }),
            Encoder::SentencePiece(encoder) => self.encode_pieces(text, special, |text, is_first, merger, out| {
                encoder.encode(text, is_first, vocabulary, merger, out);
            }),
        })
    }

    /// Cuts special tokens out and encodes what is between. The encoder is told whether a piece starts
    /// the text or follows a special token.
    /// How many tokens a text has, for budgets; one that cannot be encoded counts as many as it has bytes, so that it is too
    /// long rather than free.
    pub fn count(&self, text: &str) -> usize {
        self.encode(text, false).map_or(text.len(), |tokens| tokens.len())
    }

    fn encode_pieces(
        &self,
        text: &str,
        special: bool,
        encode: impl Fn(&str, bool, &mut Merger, &mut Vec<u32>),
    ) -> Vec<u32> {
        let (mut merger, mut tokens, mut is_first) = (Merger::default(), Vec::new(), true);
        for piece in self.specials.cut(text, special, &self.vocabulary) {
            match piece {
                Piece::Token(id) => tokens.push(id),
                Piece::Text(text) => encode(text, is_first, &mut merger, &mut tokens),
            }
            is_first = matches!(piece, Piece::Token(_));
        }
        tokens
    }

    /// The text of `tokens`, control tokens spelled out, numbers outside the vocabulary left out. Bytes that are not
    /// UTF-8 become U+FFFD; [`Tokenizer::token_bytes`] has them as they are.
    pub fn decode(&self, tokens: &[u32]) -> String {
        let mut bytes = Vec::new();
        for (index, token) in tokens.iter().enumerate() {
            let token = self.token_bytes(*token).unwrap_or_default();
            bytes.extend_from_slice(if index == 0 { self.without_prefix(token) } else { token });
        }
        stream::lossy(bytes)
    }

    /// Decodes tokens one at a time.
    pub fn decode_stream(&self) -> DecodeStream<'_> {
        DecodeStream::new(self)
    }

    /// The first token's bytes without the space that encoding put before the text.
    fn without_prefix<'b>(&self, bytes: &'b [u8]) -> &'b [u8] {
        match bytes.strip_prefix(b" ") {
            Some(rest) if self.space_prefix => rest,
            _ => bytes,
        }
    }

    /// The bytes that a token stands for: not always whole characters, and none for a number outside the vocabulary.
    pub fn token_bytes(&self, id: u32) -> Option<&[u8]> {
        self.vocabulary.bytes(id)
    }

    /// The token that the vocabulary spells `token`, such as `Ġthe` or `<|im_end|>`.
    pub fn id_of(&self, token: &str) -> Option<u32> {
        self.vocabulary.id_of(token.as_bytes())
    }

    /// How the vocabulary spells a token.
    pub fn token(&self, id: u32) -> Option<&str> {
        self.vocabulary.text(id)
    }

    /// How many tokens there are.
    pub fn vocab_size(&self) -> usize {
        self.vocabulary.len()
    }

    /// Whether a token steers the model and is no part of a text.
    pub fn is_control(&self, id: u32) -> bool {
        self.vocabulary.kind(id) == Some(Kind::Control)
    }

    /// Whether a token ends a reply.
    pub fn is_end(&self, id: u32) -> bool {
        self.roles.ends.contains(&id) || self.roles.eos == Some(id)
    }

    /// The tokens around a text.
    pub fn roles(&self) -> &Roles {
        &self.roles
    }

    /// The tokens that stand before and behind a whole text when it is given to the model.
    pub fn frame(&self) -> (Vec<u32>, Vec<u32>) {
        self.frame.clone().unwrap_or_else(|| {
            let roles = &self.roles;
            let wanted = |token: Option<u32>, is_wanted| token.filter(|_| is_wanted).into_iter().collect();
            (wanted(roles.bos, roles.add_bos), wanted(roles.eos, roles.add_eos))
        })
    }

    /// Whether encoding puts a space before a text that has none.
    pub fn has_space_prefix(&self) -> bool {
        self.space_prefix
    }

    /// Whether a text spells out a control token.
    pub fn spells_control(&self, text: &str) -> Result<bool, Error> {
        Ok(self.encode(text, true)? != self.encode(text, false)?)
    }

    /// The vocabulary as constraints want it. A model without a token that ends a reply cannot be held to one.
    pub fn guide_vocabulary(&self) -> Result<saydo_guide::Vocabulary, Error> {
        let token = |id: u32| saydo_guide::TokenBytes {
            bytes: self.token_bytes(id).unwrap_or_default().to_vec(),
            control: self.is_control(id),
        };
        let ends =
            if self.roles.ends.is_empty() { self.roles.eos.into_iter().collect() } else { self.roles.ends.clone() };
        Ok(saydo_guide::Vocabulary::new((0..self.vocab_size() as u32).map(token).collect(), &ends)?)
    }

    /// The token at the beginning of a text.
    pub fn bos(&self) -> Option<u32> {
        self.roles.bos
    }

    /// The token at the end of a text.
    pub fn eos(&self) -> Option<u32> {
        self.roles.eos
    }

    /// The token that fills up batches.
    pub fn pad(&self) -> Option<u32> {
        self.roles.pad
    }

    /// Whether the model wants [`Tokenizer::bos`] before each prompt.
    pub fn add_bos(&self) -> bool {
        self.roles.add_bos
    }
}
