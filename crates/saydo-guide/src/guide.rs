//! Follows one sequence and says which tokens keep to the constraint.

use crate::allowed::Allowed;
use crate::byte_set::ByteSet;
use crate::machine::{Machine, Thread};
use crate::program::Program;
use crate::schema::Schema;
use crate::vocabulary::Vocabulary;
use crate::{Constraint, Error, walk};
use std::fmt;
use std::sync::Arc;

/// The longest run of forced bytes that is worked out at once.
const MAX_FORCED: usize = 4096;

/// A constraint and how far one sequence has come in it. A clone goes its own way from there, as in beam search.
///
/// What a guide promises, if every token taken is one its mask left: the text is always the beginning of one that the
/// constraint accepts, and at an end token it is one the constraint accepts. Every text that the constraint accepts can
/// come out, in every way the vocabulary can spell it. Should the vocabulary lack a byte that the constraint asks for,
/// [`Guide::mask`] fails with [`Error::Stuck`] where it is wanted.
#[derive(Clone)]
pub struct Guide {
    vocabulary: Vocabulary,
    parts: Option<Parts>,
    schemas: Vec<Schema>,
    complete: bool,
    ended: bool,
}

/// The alternatives that are not JSON Schemas.
#[derive(Clone)]
struct Parts {
    machine: Machine,
    threads: Vec<Thread>,
}

impl Guide {
    /// Starts to follow a constraint, before the first token.
    ///
    /// It fails if the constraint accepts no text, is too large, or has a JSON Schema that cannot be followed.
    pub fn new(vocabulary: &Vocabulary, constraint: &Constraint) -> Result<Guide, Error> {
        let alternatives: Vec<&Constraint> = match constraint {
            Constraint::OneOf(parts) if parts.iter().any(is_schema) => parts.iter().collect(),
            whole => vec![whole],
        };
        let (schemas, parts): (Vec<&Constraint>, Vec<&Constraint>) =
            alternatives.into_iter().partition(|part| is_schema(part));
        let schemas = schemas.into_iter().filter_map(|part| match part {
            Constraint::Json(schema) => Some(vocabulary.schemas().and_then(|schemas| schemas.compile(schema))),
            _ => None,
        });
        let schemas = schemas.collect::<Result<Vec<_>, _>>()?;
        let parts = if parts.is_empty() { None } else { Some(Parts::new(&parts)?) };
        let mut guide = Guide { vocabulary: vocabulary.clone(), parts, schemas, complete: false, ended: false };
        guide.complete = guide.find_complete()?;
        Ok(guide)
    }

    /// Sets the logits of tokens that cannot come next to −∞. End tokens are left exactly when the text so far is
    /// complete. There may be more logits than tokens: those are set to −∞ too.
    ///
    /// It fails if there are fewer logits than tokens, if no token can come next, or if the text can be read under the
    /// constraint in too many ways to follow; the logits are then untouched.
    pub fn mask(&mut self, logits: &mut [f32]) -> Result<(), Error> {
        let expected = self.vocabulary.len();
        if logits.len() < expected {
            return Err(Error::Logits { found: logits.len(), expected });
        }
        let mut allowed = Allowed::none(expected);
        if !self.ended {
            if let Some(parts) = &mut self.parts {
                walk::allow(&mut parts.machine, &self.vocabulary, &parts.threads, &mut allowed)?;
            }
            for schema in &mut self.schemas {
                schema.allow(&mut allowed)?;
            }
        }
        for &end in self.vocabulary.ends() {
            if self.complete && !self.ended { allowed.insert(end) } else { allowed.remove(end) }
        }
        if allowed.is_empty() {
            return Err(Error::Stuck);
        }
        allowed.apply(logits);
        Ok(())
    }

    /// Takes the next token, which may be an end token if the text is complete. After an end token nothing can come.
    ///
    /// It fails if the token cannot come next; the guide is then as it was.
    pub fn accept(&mut self, token: u32) -> Result<(), Error> {
        if self.vocabulary.ends().contains(&token) && self.complete && !self.ended {
            self.ended = true;
            return Ok(());
        }
        let bytes = self.vocabulary.bytes(token);
        if bytes.is_empty() || self.ended {
            return Err(Error::Token { token });
        }
        let mut next = self.parts.as_mut().map(|parts| parts.follow(bytes)).transpose()?.flatten();
        let mut schemas = vec![];
        for schema in &self.schemas {
            let mut schema = schema.clone();
            if schema.accept(token)? {
                schemas.push(schema);
            }
        }
        if next.is_none() && schemas.is_empty() {
            return Err(Error::Token { token });
        }
        match (&mut self.parts, next.take()) {
            (Some(parts), Some(threads)) => parts.threads = threads,
            (parts, _) => *parts = None,
        }
        self.schemas = schemas;
        self.complete = self.find_complete()?;
        Ok(())
    }

    /// Whether the text so far is one the constraint accepts.
    pub fn is_complete(&self) -> bool {
        self.complete
    }

    /// Whether the text so far is one the constraint accepts and nothing but the end may follow.
    pub fn is_finished(&self) -> bool {
        let parts_end = self.parts.as_ref().is_none_or(|parts| parts.threads.iter().all(Thread::is_end));
        self.complete && (self.ended || (parts_end && self.schemas.iter().all(Schema::is_stopped)))
    }

    /// The bytes that must come next whatever the model says; empty if there is a choice, if the text is complete, or if
    /// a JSON Schema is followed.
    ///
    /// These are bytes and not tokens because only the model's tokenizer knows how it would write them: tokenize them
    /// with what went before, and leave out the last token, which might have become one with what follows.
    pub fn forced(&mut self) -> Vec<u8> {
        match &mut self.parts {
            Some(parts) if self.schemas.is_empty() && !self.ended => parts.forced(),
            _ => vec![],
        }
    }

    fn find_complete(&mut self) -> Result<bool, Error> {
        if self.parts.as_ref().is_some_and(Parts::is_complete) {
            return Ok(true);
        }
        self.schemas.iter_mut().try_fold(false, |found, schema| Ok(found || schema.is_complete()?))
    }
}

impl fmt::Debug for Guide {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.debug_struct("Guide").field("complete", &self.complete).field("ended", &self.ended).finish_non_exhaustive()
    }
}

impl Parts {
    fn new(alternatives: &[&Constraint]) -> Result<Parts, Error> {
        let (machine, threads) = Machine::new(Arc::new(Program::new(alternatives)?));
        Ok(Parts { machine, threads })
    }

    fn is_complete(&self) -> bool {
        self.threads.iter().any(Thread::is_end)
    }

    fn follow(&mut self, bytes: &[u8]) -> Result<Option<Vec<Thread>>, Error> {
        self.machine.begin();
        walk::follow(&mut self.machine, &self.threads, bytes)
    }

    fn forced(&mut self) -> Vec<u8> {
        let mut forced = vec![];
        let mut threads = self.threads.clone();
        self.machine.begin();
        while forced.len() < MAX_FORCED && !threads.iter().any(Thread::is_end) {
            let mut bytes = ByteSet::default();
            self.machine.next_bytes(&threads, &mut bytes);
            let mut bytes = bytes.iter();
            let (Some(byte), None) = (bytes.next(), bytes.next()) else { break };
            let Ok(Some(next)) = walk::follow(&mut self.machine, &threads, &[byte]) else { break };
            forced.push(byte);
            threads = next;
        }
        forced
    }
}

fn is_schema(part: &Constraint) -> bool {
    matches!(part, Constraint::Json(_))
}

#[cfg(test)]
mod tests;
