//! What a template's source may look like, checked before it is compiled.
//!
//! The compiler goes down into expressions by recursion, and computes what consists of constants: a chain of ten thousand
//! additions would use up the stack, and a text times a hundred million the memory, before the first step is taken.

use super::budget::refused;
use minijinja::Error;
use minijinja::machinery::{Token, tokenize};
use minijinja::syntax::SyntaxConfig;

/// Published templates have fewer than 30,000.
const MAX_BYTES: usize = 128 << 10;
/// The most words and signs between two delimiters. Published templates have fewer than 200.
const MAX_TOKENS: usize = 500;
/// Each `elif` lies within the one before.
const MAX_ELIFS: usize = 150;
/// The largest number beside a `*`.
const MAX_FACTOR: u128 = 1000;

pub(super) fn check(source: &str, syntax: &SyntaxConfig) -> Result<(), Error> {
    if source.len() > MAX_BYTES {
        return Err(refused(format!("it has more than {MAX_BYTES} bytes")));
    }
    let mut elifs = 0;
    let mut tag = Tag::default();
    for token in tokenize(source, false, syntax.clone()) {
        let (token, _) = token?;
        match token {
            Token::VariableStart | Token::BlockStart => tag = Tag::default(),
            Token::Ident("elif") => elifs += 1,
            Token::Mul => tag.products += 1,
            Token::Int(number) => tag.largest = tag.largest.max(number.into()),
            Token::Int128(number) => tag.largest = tag.largest.max(*number),
            _ => {}
        }
        tag.tokens += 1;
        if tag.tokens > MAX_TOKENS {
            return Err(refused(format!("it has more than {MAX_TOKENS} words and signs in one expression")));
        }
        if tag.products > 1 || tag.products == 1 && tag.largest > MAX_FACTOR {
            return Err(refused(format!("it multiplies twice in one expression, or by more than {MAX_FACTOR}")));
        }
        if elifs > MAX_ELIFS {
            return Err(refused(format!("it has more than {MAX_ELIFS} times `elif`")));
        }
    }
    Ok(())
}

/// What stands between two delimiters, so far.
#[derive(Default)]
struct Tag {
    tokens: usize,
    products: usize,
    largest: u128,
}
