//! Small vocabularies made here, in each of the formats.

use super::byte_level::CHARACTERS;
use super::*;
use crate::gguf::{GgufWriter, Value, ValueType};
use proptest::prelude::*;
use serde_json::json;
use std::sync::LazyLock;

/// Metadata of a tokenizer.
struct Metadata<'a> {
    tokens: Vec<(String, i32, f32)>,
    merges: Vec<&'a str>,
    values: Vec<(&'a str, Value<'a>)>,
}

impl Metadata<'_> {
    fn read(&self) -> Result<Tokenizer, Error> {
        Tokenizer::from_gguf(&Gguf::parse(&self.bytes()[..]).unwrap())
    }

    fn bytes(&self) -> Vec<u8> {
        let mut writer = GgufWriter::new();
        for (key, value) in &self.values {
            writer.set(&format!("tokenizer.ggml.{key}"), *value);
        }
        let texts = self.tokens.iter().map(|token| Value::Text(&token.0));
        writer.set_array("tokenizer.ggml.tokens", ValueType::Text, texts).unwrap();
        let kinds = self.tokens.iter().map(|token| Value::I32(token.1));
        writer.set_array("tokenizer.ggml.token_type", ValueType::I32, kinds).unwrap();
        let scores = self.tokens.iter().map(|token| Value::F32(token.2));
        writer.set_array("tokenizer.ggml.scores", ValueType::F32, scores).unwrap();
        let merges = self.merges.iter().map(|merge| Value::Text(merge));
        writer.set_array("tokenizer.ggml.merges", ValueType::Text, merges).unwrap();
        let mut bytes = Vec::new();
        writer.write(&mut bytes).unwrap();
        bytes
    }
}

const MERGES: [&str; 9] = ["h e", "l l", "he ll", "hell o", "Ġ w", "o r", "Ġw or", "l d", "Ċ Ċ"];

/// A byte-level vocabulary: the bytes from 0 to 255, then one token per merge, then two special ones.
fn byte_level(words: &'static str) -> Metadata<'static> {
    let bytes = CHARACTERS.iter().map(|character| (character.to_string(), 1, 0.0));
    let merged = MERGES.iter().map(|merge| (merge.replace(' ', ""), 1, 0.0));
    let special = [("<|im_end|>".to_owned(), 3, 0.0), ("<tool>".to_owned(), 4, 0.0)];
    Metadata {
        tokens: bytes.chain(merged).chain(special).collect(),
        merges: MERGES.to_vec(),
        values: vec![
            ("model", Value::Text("gpt2")),
            ("pre", Value::Text(words)),
            ("eos_token_id", Value::U32(265)),
            ("padding_token_id", Value::U32(0)),
        ],
    }
}

/// A SentencePiece vocabulary with byte tokens.
fn sentence_piece() -> Metadata<'static> {
    let head = [("<unk>", 2, 0.0), ("<s>", 3, 0.0), ("</s>", 3, 0.0), ("\n\n", 4, 0.0)];
    let head = head.map(|(text, kind, score)| (text.to_owned(), kind, score));
    let bytes = (0..=u8::MAX).map(|byte| (format!("<0x{byte:02X}>"), 6, 0.0));
    let tail =
        [("▁", -1.0), ("a", -2.0), ("b", -3.0), ("ab", -4.0), ("▁a", -5.0), ("▁ab", -6.0), ("ba", -3.5), ("▁▁", -9.0)];
    let tail = tail.map(|(text, score)| (text.to_owned(), 1, score));
    Metadata {
        tokens: head.into_iter().chain(bytes).chain(tail).collect(),
        merges: vec![],
        values: vec![("model", Value::Text("llama"))],
    }
}

fn spelled(tokenizer: &Tokenizer, text: &str, special: bool) -> Vec<String> {
    tokenizer.encode(text, special).unwrap().iter().map(|id| tokenizer.token(*id).unwrap().to_owned()).collect()
}

#[test]
fn byte_level_bpe_merges_within_words() {
    let tokenizer = byte_level("gpt-2").read().unwrap();
    assert_eq!(spelled(&tokenizer, "hello world", false), ["hello", "Ġwor", "ld"]);
    assert_eq!(spelled(&tokenizer, "é", false), ["Ã", "©"]);
    assert_eq!(tokenizer.decode(&tokenizer.encode("hello world é", false).unwrap()), "hello world é");
    assert_eq!(tokenizer.vocab_size(), 267);
    assert_eq!(tokenizer.id_of("Ġwor"), Some(262));
    assert_eq!(tokenizer.token_bytes(262), Some(&b" wor"[..]));
    assert!(tokenizer.encode("", true).unwrap().is_empty());
}

#[test]
fn special_tokens_are_taken_for_what_they_are_only_if_asked() {
    let tokenizer = byte_level("qwen2").read().unwrap();
    assert_eq!(tokenizer.encode("<|im_end|><tool>", true).unwrap(), [265, 266]);
    let plain = tokenizer.encode("<|im_end|><tool>", false).unwrap();
    assert_eq!((plain.len(), plain.last()), (11, Some(&266)));
    assert_eq!(tokenizer.decode(&plain), "<|im_end|><tool>");
    assert!(tokenizer.is_control(265) && !tokenizer.is_control(266));
}

#[test]
fn roles_come_from_the_metadata() {
    let tokenizer = byte_level("smollm").read().unwrap();
    let expected = Roles { eos: Some(265), pad: Some(0), ends: vec![265], ..Roles::default() };
    assert_eq!(tokenizer.roles(), &expected);
    assert!(tokenizer.is_end(265) && !tokenizer.is_end(0));
    assert!(byte_level("llama-bpe").read().unwrap().add_bos());
    let tokenizer = sentence_piece().read().unwrap();
    assert_eq!(
        (tokenizer.bos(), tokenizer.eos(), tokenizer.pad(), tokenizer.add_bos()),
        (Some(1), Some(2), None, true)
    );
}

#[test]
fn a_byte_without_a_token_is_left_out_and_nothing_merges_across_it() {
    let mut metadata = byte_level("gpt-2");
    metadata.tokens[usize::from(b'x')].0 = "<x>".to_owned();
    let tokenizer = metadata.read().unwrap();
    assert_eq!(spelled(&tokenizer, "hxe", false), ["h", "e"]);
}

#[test]
fn llama3_takes_a_word_that_is_a_token_whole() {
    let mut metadata = byte_level("llama-bpe");
    metadata.tokens.push(("Ġold".to_owned(), 1, 0.0));
    assert_eq!(spelled(&metadata.read().unwrap(), " old", false), ["Ġold"]);
    metadata.values[1].1 = Value::Text("gpt-2");
    assert_eq!(spelled(&metadata.read().unwrap(), " old", false), ["Ġ", "o", "ld"]);
}

#[test]
fn sentence_piece_merges_by_score_and_falls_back_to_bytes() {
    let mut metadata = sentence_piece();
    let tokenizer = metadata.read().unwrap();
    assert_eq!(spelled(&tokenizer, "ab", false), ["▁ab"]);
    assert_eq!(spelled(&tokenizer, "aba", false), ["▁a", "ba"]);
    assert_eq!(spelled(&tokenizer, "aé", false), ["▁a", "<0xC3>", "<0xA9>"]);
    assert_eq!(spelled(&tokenizer, "a</s>b\n\nb", true), ["▁a", "</s>", "▁", "b", "\n\n", "▁", "b"]);
    assert_eq!(tokenizer.decode(&tokenizer.encode("ab é", false).unwrap()), "ab é");
    metadata.values.push(("add_space_prefix", Value::Bool(false)));
    let tokenizer = metadata.read().unwrap();
    assert_eq!(spelled(&tokenizer, "ab  ", false), ["ab", "▁▁"]);
    assert_eq!(tokenizer.decode(&tokenizer.encode(" ab", false).unwrap()), " ab");
}

#[test]
fn metadata_that_make_no_tokenizer_are_refused() {
    let message = |edit: fn(&mut Metadata<'_>)| {
        let mut metadata = byte_level("gpt-2");
        edit(&mut metadata);
        metadata.read().unwrap_err().to_string()
    };
    let messages = [
        message(|metadata| metadata.values[0].1 = Value::Text("bert")),
        message(|metadata| metadata.values[1].1 = Value::Text("tekken")),
        message(|metadata| metadata.values[1].0 = "other"),
        message(|metadata| metadata.values[2].1 = Value::U32(267)),
        message(|metadata| metadata.values[2].1 = Value::Text("x")),
        message(|metadata| metadata.tokens[1].0 = "b".to_owned()),
        message(|metadata| metadata.merges.push("a z")),
        message(|metadata| metadata.merges.push("az")),
        message(|metadata| metadata.merges.push("")),
        message(|metadata| metadata.tokens.clear()),
    ];
    insta::assert_snapshot!(messages.join("\n"), @r#"
    tokenizer.ggml.model is "bert", expected gpt2 or llama
    tokenizer.ggml.pre is "tekken", expected gpt-2, smollm, starcoder, llama-bpe, llama3, llama-v3, qwen2 or deepseek-r1-qwen
    metadata key "tokenizer.ggml.pre" is missing, expected text
    tokenizer.ggml.eos_token_id is 267, expected less than 267, the size of the vocabulary
    metadata key "tokenizer.ggml.eos_token_id" holds text, expected u32
    token 98 is "b", as token 1 is, expected a new text
    merge 9 is "a z", expected two tokens with a space between that together make a token
    merge 9 is "az", expected two tokens with a space between that together make a token
    merge 9 is "", expected two tokens with a space between that together make a token
    merge 0 is "h e", expected two tokens with a space between that together make a token
    "#);
}

#[test]
fn lists_of_different_lengths_are_refused() {
    let mut writer = GgufWriter::new();
    writer.set("tokenizer.ggml.model", Value::Text("llama"));
    writer.set_array("tokenizer.ggml.tokens", ValueType::Text, [Value::Text("a")]).unwrap();
    writer.set_array("tokenizer.ggml.scores", ValueType::F32, []).unwrap();
    let read = |writer: &GgufWriter<'_>| {
        let mut bytes = Vec::new();
        writer.write(&mut bytes).unwrap();
        Tokenizer::from_gguf(&Gguf::parse(&bytes[..]).unwrap()).unwrap_err().to_string()
    };
    assert_eq!(read(&writer), "tokenizer.ggml.scores has 0 entries, expected 1, one for each token");
    writer.set_array("tokenizer.ggml.token_type", ValueType::I32, [Value::I32(1), Value::I32(1)]).unwrap();
    assert_eq!(read(&writer), "tokenizer.ggml.token_type has 2 entries, expected 1, one for each token");
}

#[test]
fn a_byte_level_tokenizer_json_agrees_with_the_same_vocabulary_in_gguf() {
    let metadata = byte_level("gpt-2");
    let ours = metadata.read().unwrap();
    let vocabulary: serde_json::Map<_, _> =
        metadata.tokens[..265].iter().zip(0..).map(|(token, id)| (token.0.clone(), json!(id))).collect();
    let added = |id: u32, content: &str, special: bool| {
        json!({"id": id, "content": content, "special": special, "single_word": false, "lstrip": false, "rstrip": false,
               "normalized": false})
    };
    let json = json!({
        "version": "1.0",
        "added_tokens": [added(265, "<|im_end|>", true), added(266, "<tool>", false)],
        "pre_tokenizer": {"type": "ByteLevel", "add_prefix_space": false, "trim_offsets": true, "use_regex": true},
        "decoder": {"type": "ByteLevel", "add_prefix_space": true, "trim_offsets": true, "use_regex": true},
        "model": {"type": "BPE", "vocab": vocabulary, "merges": MERGES},
    });
    let theirs = Tokenizer::parse_json(&serde_json::to_vec(&json).unwrap()).unwrap();
    assert_eq!(theirs.vocab_size(), ours.vocab_size());
    for text in ["hello  world\n\n1234 it's", "a<|im_end|>b<tool>c", "日本 🎉", ""] {
        for special in [false, true] {
            assert_eq!(theirs.encode(text, special).unwrap(), ours.encode(text, special).unwrap(), "{text:?}");
            assert_eq!(theirs.decode(&theirs.encode(text, special).unwrap()), text);
        }
    }
    assert!(theirs.is_control(265) && !theirs.is_control(266));
    let roles = Roles { eos: Some(265), ..Roles::default() };
    assert!(theirs.with_roles(roles).is_end(265));
}

#[test]
fn a_vocabulary_in_gguf_written_as_json_gives_the_same_tokens() {
    for words in ["gpt-2", "smollm", "llama-bpe", "qwen2"] {
        let mut metadata = byte_level(words);
        metadata.values.push(("bos_token_id", Value::U32(265)));
        metadata.values.push(("add_bos_token", Value::Bool(words == "qwen2")));
        let bytes = metadata.bytes();
        let gguf = Gguf::parse(&bytes[..]).unwrap();
        let ours = Tokenizer::from_gguf(&gguf).unwrap();
        let json = ours.to_json(&gguf).unwrap();
        let theirs = Tokenizer::parse_json(&serde_json::to_vec(&json).unwrap()).unwrap();
        assert_eq!((theirs.vocab_size(), theirs.frame()), (ours.vocab_size(), ours.frame()), "{words}");
        let texts = ["hello  world\n\n1234 it's I'LL", "a<|im_end|>b<tool>c", "日本 🎉\t x", " \r\n\n  y½", "", "   "];
        for text in texts {
            for special in [false, true] {
                assert_eq!(
                    theirs.encode(text, special).unwrap(),
                    ours.encode(text, special).unwrap(),
                    "{words}: {text:?}"
                );
            }
        }
        assert!(theirs.is_control(265) && !theirs.is_control(266));
    }
}

#[test]
fn a_unigram_tokenizer_json_is_read() {
    let json = json!({
        "version": "1.0",
        "added_tokens": [{"id": 0, "content": "</s>", "special": true, "single_word": false, "lstrip": false,
                          "rstrip": false, "normalized": false}],
        "pre_tokenizer": {"type": "Metaspace", "replacement": "▁", "prepend_scheme": "always", "split": true},
        "decoder": {"type": "Metaspace", "replacement": "▁", "prepend_scheme": "always", "split": true},
        "model": {"type": "Unigram", "unk_id": 1, "byte_fallback": false,
                  "vocab": [["</s>", 0.0], ["<unk>", 0.0], ["▁", -2.0], ["a", -1.5], ["b", -1.0], ["▁ab", -1.2]]},
    });
    let folder = tempfile::tempdir().unwrap();
    let path = folder.path().join("tokenizer.json");
    std::fs::write(&path, serde_json::to_vec(&json).unwrap()).unwrap();
    let tokenizer = Tokenizer::load_json(&path).unwrap();
    assert_eq!(spelled(&tokenizer, "ab ba</s>", true), ["▁ab", "▁", "b", "a", "</s>"]);
    assert_eq!(tokenizer.decode(&[5, 2, 4, 3]), "ab ba");
    std::fs::write(&path, "{}").unwrap();
    assert_eq!(Tokenizer::load_json(&path).unwrap_err().to_string(), format!("cannot use {}", path.display()));
}

static BYTE_LEVEL: LazyLock<Vec<Tokenizer>> =
    LazyLock::new(|| ["gpt-2", "smollm", "llama3", "qwen2"].map(|words| byte_level(words).read().unwrap()).into());
static SENTENCE_PIECE: LazyLock<Tokenizer> = LazyLock::new(|| sentence_piece().read().unwrap());

proptest! {
    #[test]
    fn any_text_decodes_to_itself(text in "\\PC{0,40}|[ \\n\\r\\t.a1é日🎉]{0,40}", special: bool) {
        for tokenizer in &*BYTE_LEVEL {
            prop_assert_eq!(&tokenizer.decode(&tokenizer.encode(&text, special).unwrap()), &text);
        }
    }

    #[test]
    fn a_stream_gives_what_decoding_at_once_gives(tokens in proptest::collection::vec(0u32..270, 0..30)) {
        for tokenizer in [&BYTE_LEVEL[0], &*SENTENCE_PIECE] {
            let mut stream = tokenizer.decode_stream();
            let mut text: String = tokens.iter().map(|token| stream.push(*token)).collect();
            text.push_str(&stream.finish());
            prop_assert_eq!(text, tokenizer.decode(&tokens));
        }
    }
}
