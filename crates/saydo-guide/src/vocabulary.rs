//! What each token of a model spells.

use crate::line::LineTokens;
use crate::schema::Schemas;
use crate::trie::Trie;
use crate::{Error, Escape};
use std::fmt;
use std::sync::{Arc, OnceLock};

/// The greatest number of tokens, and of bytes of all tokens together.
const MAX_TOKENS: usize = 1 << 22;
const MAX_BYTES: usize = 1 << 28;

/// What a token spells.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct TokenBytes {
    /// Its bytes, which may be a part of a character. A token without bytes is never allowed.
    pub bytes: Vec<u8>,
    /// Whether it is a control token, which stands for no text: never allowed, except to end a reply.
    pub control: bool,
}

/// The tokens of a model, made ready for masks. Built once per model; a clone is the same vocabulary.
#[derive(Clone)]
pub struct Vocabulary(Arc<Inner>);

struct Inner {
    bytes: Vec<u8>,
    /// Where each token's bytes start, and one more entry for the end.
    starts: Vec<u32>,
    ends: Vec<u32>,
    trie: Trie,
    lines: [OnceLock<LineTokens>; 2],
    schemas: OnceLock<Result<Schemas, Error>>,
}

impl Vocabulary {
    /// A vocabulary of these tokens, in the order of their ids. `ends` are the tokens that end a reply.
    ///
    /// It fails if there are no end tokens, if one is not in the vocabulary, or if there are more than four million
    /// tokens or 256 MB of them.
    pub fn new(tokens: Vec<TokenBytes>, ends: &[u32]) -> Result<Vocabulary, Error> {
        check(&tokens, ends)?;
        let mut bytes = vec![];
        let mut starts = vec![0];
        for (id, token) in tokens.iter().enumerate() {
            if !token.control && !ends.contains(&(id as u32)) {
                bytes.extend_from_slice(&token.bytes);
            }
            starts.push(bytes.len() as u32);
        }
        let spelling = |token: u32| &bytes[starts[token as usize] as usize..starts[token as usize + 1] as usize];
        let trie = Trie::new(tokens.len(), spelling);
        let (lines, schemas, ends) = (Default::default(), OnceLock::new(), ends.to_vec());
        Ok(Vocabulary(Arc::new(Inner { bytes, starts, ends, trie, lines, schemas })))
    }

    /// How many tokens there are, those that are never allowed among them.
    pub fn len(&self) -> usize {
        self.0.starts.len() - 1
    }

    /// Whether there are no tokens: never, as a vocabulary has a token that ends a reply.
    pub fn is_empty(&self) -> bool {
        self.len() == 0
    }

    /// The tokens that end a reply.
    pub fn ends(&self) -> &[u32] {
        &self.0.ends
    }

    /// The bytes a token adds to a reply: none for control tokens, end tokens and ids outside the vocabulary.
    pub fn bytes(&self, token: u32) -> &[u8] {
        match (self.0.starts.get(token as usize), self.0.starts.get(token as usize + 1)) {
            (Some(&start), Some(&end)) => &self.0.bytes[start as usize..end as usize],
            _ => &[],
        }
    }

    pub(crate) fn trie(&self) -> &Trie {
        &self.0.trie
    }

    /// What the tokens are in the midst of free text. Worked out on first use.
    pub(crate) fn line_tokens(&self, escape: Escape) -> &LineTokens {
        self.0.lines[escape as usize].get_or_init(|| LineTokens::new(self, escape))
    }

    /// What JSON Schemas are compiled with. Made on first use.
    pub(crate) fn schemas(&self) -> Result<&Schemas, Error> {
        self.0.schemas.get_or_init(|| Schemas::new(self)).as_ref().map_err(Clone::clone)
    }
}

impl fmt::Debug for Vocabulary {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.debug_struct("Vocabulary").field("tokens", &self.len()).field("ends", &self.ends()).finish()
    }
}

fn check(tokens: &[TokenBytes], ends: &[u32]) -> Result<(), Error> {
    let bad = |reason: String| Err(Error::Vocabulary { reason });
    let bytes: usize = tokens.iter().map(|token| token.bytes.len()).sum();
    if tokens.len() > MAX_TOKENS || bytes > MAX_BYTES {
        return bad(format!(
            "found {} tokens of {bytes} bytes, expected at most {MAX_TOKENS} of {MAX_BYTES}",
            tokens.len()
        ));
    }
    match ends.iter().find(|&&end| end as usize >= tokens.len()) {
        Some(end) => bad(format!("end token {end} is not among the {} tokens", tokens.len())),
        None if ends.is_empty() => bad("no token ends a reply".into()),
        None => Ok(()),
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn bad_vocabularies_are_refused() {
        let tokens = vec![TokenBytes { bytes: b"a".to_vec(), control: false }];
        let fails = |ends: &[u32]| Vocabulary::new(tokens.clone(), ends).expect_err("it is bad").to_string();
        assert_eq!(fails(&[]), "vocabulary is unusable: no token ends a reply");
        assert_eq!(fails(&[0, 1]), "vocabulary is unusable: end token 1 is not among the 1 tokens");
    }

    #[test]
    fn control_and_end_tokens_spell_nothing() {
        let token = |bytes: &str, control| TokenBytes { bytes: bytes.into(), control };
        let vocabulary = Vocabulary::new(vec![token("a", false), token("<s>", true), token("</s>", false)], &[2])
            .expect("it is good");
        assert_eq!([0, 1, 2, 9].map(|id| vocabulary.bytes(id)), [&b"a"[..], b"", b"", b""]);
    }
}
