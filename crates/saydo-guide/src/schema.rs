//! JSON Schemas, by way of llguidance: what it is given, its limits, and its words for what went wrong.

use crate::allowed::Allowed;
use crate::{Error, Vocabulary};
use llguidance::api::{StopReason, TopLevelGrammar};
use llguidance::{JsonCompileOptions, Matcher, ParserFactory, panic_utils};
use serde_json::Value;
use std::panic::AssertUnwindSafe;
use std::sync::Arc;
use toktrie::{ApproximateTokEnv, TokEnv, TokRxInfo, TokTrie};

/// How deep a schema may be nested, and how many values it may have.
const MAX_LEVELS: usize = 64;
const MAX_VALUES: usize = 50_000;
/// The longest token the library can hold; longer ones are never allowed in JSON.
const LONGEST_TOKEN: usize = 512;

/// A vocabulary made ready for schemas.
pub(crate) struct Schemas(ParserFactory);

/// A schema as one sequence follows it.
#[derive(Clone)]
pub(crate) struct Schema(Matcher);

impl Schemas {
    /// Prepares a vocabulary, which takes some tenths of a second.
    pub fn new(vocabulary: &Vocabulary) -> Result<Schemas, Error> {
        // The library takes tokens that begin with 0xff for control tokens. No JSON contains that byte.
        let spelled =
            |bytes: &&[u8]| bytes.len() <= LONGEST_TOKEN && bytes.first() != Some(&TokTrie::SPECIAL_TOKEN_MARKER);
        let words: Vec<Vec<u8>> = (0..vocabulary.len() as u32)
            .map(|token| Some(vocabulary.bytes(token)).filter(spelled).unwrap_or_default().to_vec())
            .collect();
        let trie = TokTrie::from(&TokRxInfo::new(words.len() as u32, vocabulary.ends()[0]), &words);
        let tokens: TokEnv = Arc::new(ApproximateTokEnv::new(trie.with_eos_tokens(vocabulary.ends())));
        let mut factory = ParserFactory::new_simple(&tokens).map_err(failed)?;
        factory.quiet();
        let limits = factory.limits_mut();
        // A lexer state is one to two kilobytes.
        limits.max_lexer_states = 25_000;
        limits.max_grammar_size = 100_000;
        limits.verbose_errors = false;
        Ok(Schemas(factory))
    }

    /// Compiles a schema.
    pub fn compile(&self, schema: &Value) -> Result<Schema, Error> {
        let mut schema = match schema {
            Value::Bool(false) => return Err(Error::Nothing { reason: "JSON Schema is false".into() }),
            Value::Bool(true) => serde_json::json!({}),
            Value::Object(_) => schema.clone(),
            other => return Err(Error::Schema { reason: format!("found {other}, expected an object or a boolean") }),
        };
        check(&schema)?;
        let style = JsonCompileOptions {
            item_separator: ", ".into(),
            key_separator: ": ".into(),
            whitespace_flexible: false,
            ..JsonCompileOptions::default()
        };
        style.apply_to(&mut schema);
        let grammar = TopLevelGrammar::from_json_schema(schema);
        let parser = panic_utils::catch_unwind(AssertUnwindSafe(|| self.0.create_parser(grammar))).map_err(failed)?;
        Ok(Schema(Matcher::new(Ok(parser))))
    }
}

impl Schema {
    /// Adds the tokens that may come next.
    pub fn allow(&mut self, allowed: &mut Allowed) -> Result<(), Error> {
        if !self.0.is_stopped() {
            self.0.compute_mask().map_err(failed)?.iter_set_entries(|token| allowed.insert(token as u32));
        }
        Ok(())
    }

    /// Takes a token and returns whether it could come.
    pub fn accept(&mut self, token: u32) -> Result<bool, Error> {
        Ok(!self.0.is_stopped() && self.0.try_consume_tokens(&[token]).map_err(failed)? == 1)
    }

    /// Whether the text so far is JSON that the schema accepts.
    pub fn is_complete(&mut self) -> Result<bool, Error> {
        if self.is_stopped() { Ok(true) } else { self.0.is_accepting().map_err(failed) }
    }

    /// Whether nothing may follow.
    pub fn is_stopped(&self) -> bool {
        self.0.stop_reason() == StopReason::NoExtension
    }
}

/// The library's words, less the trace of a panic.
fn failed(error: impl std::fmt::Display) -> Error {
    let words = error.to_string();
    let first = words.split("\n<backtrace>").next().unwrap_or_default();
    Error::Schema { reason: first.trim().to_owned() }
}

/// Refuses schemas deep enough to exhaust the stack or large enough to exhaust memory.
fn check(schema: &Value) -> Result<(), Error> {
    let mut left = vec![(schema, 1)];
    let mut values = 0;
    while let Some((value, level)) = left.pop() {
        values += 1;
        if level > MAX_LEVELS {
            return Err(Error::TooLarge { what: "nesting of the JSON Schema", found: level, most: MAX_LEVELS });
        }
        match value {
            Value::Array(items) => left.extend(items.iter().map(|item| (item, level + 1))),
            Value::Object(items) => left.extend(items.values().map(|item| (item, level + 1))),
            _ => {}
        }
    }
    if values > MAX_VALUES {
        Err(Error::TooLarge { what: "JSON Schema", found: values, most: MAX_VALUES })
    } else {
        Ok(())
    }
}
