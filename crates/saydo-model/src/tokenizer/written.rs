//! A GGUF file's vocabulary as a `tokenizer.json`, for folders that other programs read.
//!
//! Byte-level BPE only: the file has the merges in their order, which a SentencePiece vocabulary does not.

use super::vocabulary::Kind;
use super::word::Words;
use super::{Tokenizer, TokenizerError};
use crate::Error;
use crate::gguf::Gguf;
use serde_json::{Map, Value, json};

/// The pattern of the newer families; they differ in how many digits stay together.
fn newer(digits: &str) -> String {
    format!(
        "(?i:'s|'t|'re|'ve|'m|'ll|'d)|[^\\r\\n\\p{{L}}\\p{{N}}]?\\p{{L}}+|{digits}\
         | ?[^\\s\\p{{L}}\\p{{N}}]+[\\r\\n]*|\\s*[\\r\\n]+|\\s+(?!\\S)|\\s+"
    )
}

impl Tokenizer {
    /// This tokenizer, which was read from `gguf`, in the words of Hugging Face's crate.
    pub(crate) fn to_json<B: AsRef<[u8]>>(&self, gguf: &Gguf<B>) -> Result<Value, Error> {
        let name = gguf.text("tokenizer.ggml.pre")?;
        let field = "tokenizer.ggml.pre";
        let words = Words::from_name(name).ok_or_else(|| TokenizerError::Unsupported {
            field,
            found: name.to_owned(),
            expected: Words::NAMES,
        })?;
        let mut vocabulary = Map::new();
        let mut added = Vec::new();
        for id in 0..self.vocab_size() as u32 {
            let Some(text) = self.token(id).filter(|text| !text.is_empty()) else { continue };
            vocabulary.insert(text.to_owned(), id.into());
            if self.vocabulary.kind(id).is_some_and(Kind::is_special) {
                added.push(json!({
                    "id": id, "content": text, "single_word": false, "lstrip": false, "rstrip": false,
                    "normalized": false, "special": self.vocabulary.kind(id) != Some(Kind::UserDefined),
                }));
            }
        }
        let split = |merge: &str| {
            // The space that separates them is not the first character.
            let at = merge.char_indices().skip(1).find(|(_, character)| *character == ' ').map_or(0, |(at, _)| at);
            json!([&merge[..at], merge.get(at + 1..).unwrap_or_default()])
        };
        let merges: Vec<Value> = gguf.texts("tokenizer.ggml.merges")?.map(split).collect();
        Ok(json!({
            "version": "1.0",
            "truncation": null,
            "padding": null,
            "added_tokens": added,
            "normalizer": null,
            "pre_tokenizer": cut(words),
            "post_processor": self.frame_json(),
            "decoder": byte_level(true),
            "model": {
                "type": "BPE", "dropout": null, "unk_token": null, "continuing_subword_prefix": null,
                "end_of_word_suffix": null, "fuse_unk": false, "byte_fallback": false,
                "ignore_merges": words == Words::Llama3, "vocab": vocabulary, "merges": merges,
            },
        }))
    }

    /// What stands around a text.
    fn frame_json(&self) -> Value {
        let (before, behind) = self.frame();
        if before.is_empty() && behind.is_empty() {
            return Value::Null;
        }
        let special = |id: &u32| json!({ "SpecialToken": { "id": self.token(*id), "type_id": 0 } });
        let around = |part: Value| -> Vec<Value> {
            before.iter().map(special).chain([part]).chain(behind.iter().map(special)).collect()
        };
        let text = |name: &str| json!({ "Sequence": { "id": name, "type_id": 0 } });
        let tokens: Map<String, Value> = before
            .iter()
            .chain(&behind)
            .filter_map(|id| Some((self.token(*id)?.to_owned(), *id)))
            .map(|(text, id)| (text.clone(), json!({ "id": text, "ids": [id], "tokens": [text] })))
            .collect();
        let (single, mut pair) = (around(text("A")), around(text("A")));
        pair.push(text("B"));
        json!({ "type": "TemplateProcessing", "single": single, "pair": pair, "special_tokens": tokens })
    }
}

fn byte_level(uses_regex: bool) -> Value {
    json!({ "type": "ByteLevel", "add_prefix_space": false, "trim_offsets": true, "use_regex": uses_regex })
}

/// How a text is cut into words.
fn cut(words: Words) -> Value {
    let first = match words {
        Words::Gpt2 => return byte_level(true),
        Words::SmolLm => json!({ "type": "Digits", "individual_digits": true }),
        Words::Llama3 | Words::Qwen2 => {
            let pattern = newer(if words == Words::Qwen2 { "\\p{N}" } else { "\\p{N}{1,3}" });
            json!({ "type": "Split", "pattern": { "Regex": pattern }, "behavior": "Isolated", "invert": false })
        }
    };
    json!({ "type": "Sequence", "pretokenizers": [first, byte_level(words == Words::SmolLm)] })
}
