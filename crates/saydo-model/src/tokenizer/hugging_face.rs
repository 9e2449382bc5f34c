//! Builds a tokenizer from Hugging Face's `tokenizer.json`, through the `tokenizers` crate.
//!
//! The crate encodes. Decoding is ours, from the bytes of each token, so that it is exact and can be done token by
//! token; what spelling the bytes have is read from the decoder that the file declares.

use super::vocabulary::{Kind, Spelling, Vocabulary, byte_of};
use super::{Encoder, Roles, Tokenizer, TokenizerError};
use serde_json::Value;
use std::collections::HashMap;
use std::sync::OnceLock;

/// The crate's tokenizer, and one that takes special tokens for text, made when first needed.
#[derive(Debug, Clone)]
pub(super) struct HuggingFace {
    special: Box<tokenizers::Tokenizer>,
    plain: OnceLock<Box<tokenizers::Tokenizer>>,
}

impl HuggingFace {
    /// Fails if the vocabulary has neither a token for some character nor one for what is unknown, or if a pattern that
    /// cuts the text gives up on it.
    pub(super) fn encode(&self, text: &str, special: bool) -> Result<Vec<u32>, TokenizerError> {
        let tokenizer = if special { &self.special } else { self.plain.get_or_init(|| without_special(&self.special)) };
        let encoding = tokenizer.encode_fast(text, false).map_err(TokenizerError::Encode)?;
        Ok(encoding.get_ids().to_vec())
    }
}

fn without_special(tokenizer: &tokenizers::Tokenizer) -> Box<tokenizers::Tokenizer> {
    let mut plain = Box::new(tokenizer.clone());
    plain.set_encode_special_tokens(true);
    plain
}

pub(super) fn parse(json: &[u8]) -> Result<Tokenizer, TokenizerError> {
    let described: Value = serde_json::from_slice(json).map_err(|error| TokenizerError::Json(error.into()))?;
    let model = described["model"]["type"].as_str().unwrap_or("BPE");
    if !matches!(model, "BPE" | "Unigram") {
        let (field, found) = ("the type of the model in the tokenizer's JSON", model.to_owned());
        return Err(TokenizerError::Unsupported { field, found, expected: "BPE or Unigram" });
    }
    let mut tokenizer = tokenizers::Tokenizer::from_bytes(json).map_err(TokenizerError::Json)?;
    tokenizer.with_padding(None);
    tokenizer.with_truncation(None).map_err(TokenizerError::Json)?;
    let style = Style::of(&described["decoder"]);
    let vocabulary = read_vocabulary(&tokenizer, style.spelling)?;
    let (before, behind) = frame(&tokenizer);
    let encoder = HuggingFace { special: Box::new(tokenizer), plain: OnceLock::new() };
    let tokenizer = Tokenizer::new(vocabulary, Encoder::HuggingFace(encoder), Roles::default());
    Ok(tokenizer.with_space_prefix(style.strips_space).with_frame(before, behind))
}

/// The tokens that the file's post-processor puts around a text, found by encoding one.
fn frame(tokenizer: &tokenizers::Tokenizer) -> (Vec<u32>, Vec<u32>) {
    let ids = |add| tokenizer.encode_fast("a", add).map(|encoding| encoding.get_ids().to_vec()).unwrap_or_default();
    let (bare, framed): (Vec<u32>, Vec<u32>) = (ids(false), ids(true));
    let place = framed.windows(bare.len().max(1)).position(|window| window == bare);
    place.map_or_else(Default::default, |at| (framed[..at].to_vec(), framed[at + bare.len()..].to_vec()))
}

/// Every token by number. A gap in the numbers becomes a token without text.
fn read_vocabulary(tokenizer: &tokenizers::Tokenizer, spelling: Spelling) -> Result<Vocabulary, TokenizerError> {
    let by_text = tokenizer.get_vocab(true);
    let size = by_text.values().max().map_or(0, |last| *last as usize + 1);
    // The crate takes any number for an added token; a table is not made for one that leaves most of it empty.
    let most = by_text.len() * 2 + 1024;
    if size > most {
        let field = "the highest token number in the tokenizer's JSON";
        return Err(TokenizerError::OutOfVocabulary { field, id: size as u32 - 1, size: most });
    }
    let added: HashMap<u32, bool> =
        tokenizer.get_added_tokens_decoder().iter().map(|(id, token)| (*id, token.special)).collect();
    let mut tokens = vec![("", Kind::Unused); size];
    for (text, id) in &by_text {
        tokens[*id as usize] = (text, kind(text, added.get(id).copied(), spelling));
    }
    Vocabulary::new(tokens.into_iter(), spelling)
}

fn kind(text: &str, added_as_special: Option<bool>, spelling: Spelling) -> Kind {
    match added_as_special {
        Some(true) => Kind::Control,
        Some(false) => Kind::UserDefined,
        None if spelling == Spelling::SentencePiece && byte_of(text).is_some() => Kind::Byte,
        None => Kind::Normal,
    }
}

/// What a file's decoder says about the spelling of tokens.
#[derive(Debug, PartialEq)]
struct Style {
    spelling: Spelling,
    /// Whether a text's first space is dropped when it is decoded.
    strips_space: bool,
}

impl Style {
    fn of(decoder: &Value) -> Self {
        let steps = match decoder["decoders"].as_array() {
            Some(steps) => steps.iter().collect(),
            None => vec![decoder],
        };
        let is = |step: &Value, name: &str| step["type"] == name;
        let spelling =
            if steps.iter().any(|step| is(step, "ByteLevel")) { Spelling::ByteLevel } else { Spelling::SentencePiece };
        let strips = |step: &Value| {
            let prepends = step["prepend_scheme"].as_str().unwrap_or("always") != "never";
            is(step, "Strip") && step["start"] != 0 || is(step, "Metaspace") && prepends
        };
        Self { spelling, strips_space: steps.into_iter().any(strips) }
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use serde_json::json;

    #[test]
    fn the_decoder_says_how_tokens_are_spelled() {
        let style = |decoder: Value| {
            let style = Style::of(&decoder);
            (style.spelling, style.strips_space)
        };
        assert_eq!(style(json!({"type": "ByteLevel", "add_prefix_space": true})), (Spelling::ByteLevel, false));
        assert_eq!(style(json!({"type": "Metaspace", "replacement": "▁"})), (Spelling::SentencePiece, true));
        assert_eq!(style(json!({"type": "Metaspace", "prepend_scheme": "never"})), (Spelling::SentencePiece, false));
        let llama = json!({"type": "Sequence", "decoders": [
            {"type": "Replace", "pattern": {"String": "▁"}, "content": " "}, {"type": "ByteFallback"},
            {"type": "Fuse"}, {"type": "Strip", "content": " ", "start": 1, "stop": 0}]});
        assert_eq!(style(llama), (Spelling::SentencePiece, true));
        assert_eq!(style(Value::Null), (Spelling::SentencePiece, false));
    }

    #[test]
    fn a_text_that_cannot_be_encoded_is_an_error() {
        let json = json!({"version": "1.0", "added_tokens": [], "normalizer": null, "pre_tokenizer": null,
            "post_processor": null, "decoder": null, "truncation": null, "padding": null,
            "model": {"type": "Unigram", "unk_id": null, "vocab": [["a", 0.0], ["b", -1.0]]}});
        let tokenizer = parse(json.to_string().as_bytes()).unwrap();
        assert_eq!(tokenizer.encode("ab", false).unwrap(), [0, 1]);
        let error = tokenizer.encode("a滝b", false).unwrap_err();
        assert_eq!(error.to_string(), "the tokenizer cannot encode the text");
    }

    #[test]
    fn a_kind_of_model_that_cannot_be_decoded_exactly_is_refused() {
        let message = parse(br#"{"model": {"type": "WordPiece"}}"#).unwrap_err().to_string();
        let expected = r#"the type of the model in the tokenizer's JSON is "WordPiece", expected BPE or Unigram"#;
        assert_eq!(message, expected);
        assert!(matches!(parse(b"{"), Err(TokenizerError::Json(_))));
        assert!(matches!(parse(b"{}"), Err(TokenizerError::Json(_))));
    }
}
