//! Builds a tokenizer from the metadata of a GGUF file, keys `tokenizer.ggml.*`.

use super::bpe::Bpe;
use super::sentence_piece::SentencePiece;
use super::vocabulary::{Kind, Spelling, Vocabulary};
use super::word::Words;
use super::{Encoder, Roles, Tokenizer, TokenizerError};
use crate::Error;
use crate::gguf::Gguf;

const MODEL: &str = "tokenizer.ggml.model";
const WORDS: &str = "tokenizer.ggml.pre";
const TOKENS: &str = "tokenizer.ggml.tokens";
const KINDS: &str = "tokenizer.ggml.token_type";
const SCORES: &str = "tokenizer.ggml.scores";
const MERGES: &str = "tokenizer.ggml.merges";
const BOS: &str = "tokenizer.ggml.bos_token_id";
const EOS: &str = "tokenizer.ggml.eos_token_id";
const EOT: &str = "tokenizer.ggml.eot_token_id";
const EOM: &str = "tokenizer.ggml.eom_token_id";
const PAD: &str = "tokenizer.ggml.padding_token_id";
const UNKNOWN: &str = "tokenizer.ggml.unknown_token_id";
const ADD_BOS: &str = "tokenizer.ggml.add_bos_token";
const ADD_EOS: &str = "tokenizer.ggml.add_eos_token";
const SPACE_PREFIX: &str = "tokenizer.ggml.add_space_prefix";

/// Tokens that end a reply, by name, since metadata name one at most. The list, oddities included, is llama.cpp's.
const ENDS: [&str; 14] = [
    "<|eot_id|>",
    "<|im_end|>",
    "<|end|>",
    "<end_of_turn>",
    "<|endoftext|>",
    "</s>",
    "<|eom_id|>",
    "<|end_of_text|>",
    "<eos>",
    "<|fim_pad|>",
    "<fim_pad>",
    "<|repo_name|>",
    "<reponame>",
    "<|file_sep|>",
];
/// Further tokens that are control tokens even where the file calls them something else.
const CONTROLS: [&str; 6] =
    ["<|fim_prefix|>", "<fim_prefix>", "<|fim_suffix|>", "<fim_suffix>", "<|fim_middle|>", "<fim_middle>"];

pub(super) fn read<B: AsRef<[u8]>>(gguf: &Gguf<B>) -> Result<Tokenizer, Error> {
    match gguf.text(MODEL)? {
        "gpt2" => read_bpe(gguf),
        "llama" => read_sentence_piece(gguf),
        other => Err(unsupported(MODEL, other, "gpt2 or llama").into()),
    }
}

fn unsupported(field: &'static str, found: &str, expected: &'static str) -> TokenizerError {
    TokenizerError::Unsupported { field, found: found.to_owned(), expected }
}

fn read_bpe<B: AsRef<[u8]>>(gguf: &Gguf<B>) -> Result<Tokenizer, Error> {
    let name = gguf.text(WORDS)?;
    let words = Words::from_name(name).ok_or_else(|| unsupported(WORDS, name, Words::NAMES))?;
    let vocabulary = read_vocabulary(gguf, Spelling::ByteLevel)?;
    let bpe = Bpe::new(words, gguf.texts(MERGES)?, &vocabulary)?;
    let roles = read_roles(gguf, &vocabulary, Roles { add_bos: words == Words::Llama3, ..Roles::default() })?;
    Ok(Tokenizer::new(vocabulary, Encoder::Bpe(bpe), roles).with_space_prefix(false))
}

fn read_sentence_piece<B: AsRef<[u8]>>(gguf: &Gguf<B>) -> Result<Tokenizer, Error> {
    let vocabulary = read_vocabulary(gguf, Spelling::SentencePiece)?;
    let scores = gguf.f32s(SCORES)?;
    check_length(SCORES, scores.len(), &vocabulary)?;
    let space_prefix = gguf.when_present(SPACE_PREFIX, Gguf::bool)?.unwrap_or(true);
    let known = |id: u32| ((id as usize) < vocabulary.len()).then_some(id);
    let unknown = read_id(gguf, UNKNOWN, &vocabulary)?.or(known(0));
    let encoder = SentencePiece::new(scores, unknown, space_prefix, &vocabulary);
    let defaults = Roles { bos: known(1), eos: known(2), add_bos: true, ..Roles::default() };
    let roles = read_roles(gguf, &vocabulary, defaults)?;
    Ok(Tokenizer::new(vocabulary, Encoder::SentencePiece(encoder), roles).with_space_prefix(space_prefix))
}

fn read_vocabulary<B: AsRef<[u8]>>(gguf: &Gguf<B>, spelling: Spelling) -> Result<Vocabulary, Error> {
    let texts = gguf.texts(TOKENS)?;
    let mut vocabulary = match gguf.when_present(KINDS, Gguf::i32s)? {
        None => Vocabulary::new(texts.map(|text| (text, Kind::Normal)), spelling)?,
        Some(kinds) if kinds.len() != texts.len() => {
            let (found, expected) = (kinds.len(), texts.len());
            return Err(TokenizerError::WrongLength { field: KINDS, found, expected }.into());
        }
        Some(mut kinds) => {
            let kind = move |text| (text, kind(kinds.next().unwrap_or_default()));
            Vocabulary::new(texts.map(kind), spelling)?
        }
    };
    for name in ENDS.iter().chain(&CONTROLS) {
        if let Some(id) = vocabulary.id_of(name.as_bytes()) {
            vocabulary.make_control(id);
        }
    }
    Ok(vocabulary)
}

fn kind(number: i32) -> Kind {
    match number {
        1 => Kind::Normal,
        2 => Kind::Unknown,
        3 => Kind::Control,
        4 => Kind::UserDefined,
        6 => Kind::Byte,
        _ => Kind::Unused,
    }
}

fn check_length(field: &'static str, found: usize, vocabulary: &Vocabulary) -> Result<(), TokenizerError> {
    let expected = vocabulary.len();
    if found == expected { Ok(()) } else { Err(TokenizerError::WrongLength { field, found, expected }) }
}

fn read_roles<B: AsRef<[u8]>>(gguf: &Gguf<B>, vocabulary: &Vocabulary, defaults: Roles) -> Result<Roles, Error> {
    let bos = read_id(gguf, BOS, vocabulary)?.or(defaults.bos);
    let eos = read_id(gguf, EOS, vocabulary)?.or(defaults.eos);
    let pad = read_id(gguf, PAD, vocabulary)?;
    let add_bos = gguf.when_present(ADD_BOS, Gguf::bool)?.unwrap_or(defaults.add_bos);
    let add_eos = gguf.when_present(ADD_EOS, Gguf::bool)?.unwrap_or(defaults.add_eos);
    let mut ends: Vec<u32> = ENDS.iter().filter_map(|name| vocabulary.id_of(name.as_bytes())).collect();
    ends.extend(eos);
    ends.extend(read_id(gguf, EOT, vocabulary)?);
    ends.extend(read_id(gguf, EOM, vocabulary)?);
    ends.sort_unstable();
    ends.dedup();
    Ok(Roles { bos, eos, pad, add_bos, add_eos, ends })
}

fn read_id<B: AsRef<[u8]>>(gguf: &Gguf<B>, key: &'static str, vocabulary: &Vocabulary) -> Result<Option<u32>, Error> {
    let Some(id) = gguf.when_present(key, Gguf::u32)? else { return Ok(None) };
    if id as usize >= vocabulary.len() {
        return Err(TokenizerError::OutOfVocabulary { field: key, id, size: vocabulary.len() }.into());
    }
    Ok(Some(id))
}
