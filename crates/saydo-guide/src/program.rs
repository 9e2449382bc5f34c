//! A constraint made ready to be followed: a flat list of nodes, strings sorted, limits checked.

use crate::strings::Strings;
use crate::{Constraint, Error, Escape};
use std::sync::Arc;

/// The greatest number of parts of a constraint.
const MAX_PARTS: usize = 100_000;
/// How deep the parts may be nested.
const MAX_LEVELS: usize = 100;
/// The greatest size of a text that pieces are taken from, and of all labels and fixed texts together, in bytes.
const MAX_BYTES: usize = 1 << 20;

/// The index of a node in its program.
pub(crate) type NodeId = u32;

/// One part of a constraint.
pub(crate) enum Node {
    /// Nothing at all.
    Empty,
    /// One string of a list.
    Strings(Arc<Strings>),
    /// Free text.
    Line { max_chars: usize, escape: Escape },
    /// A decimal number.
    Number,
    /// One of these.
    OneOf(Vec<NodeId>),
    /// These, one after the other.
    Sequence(Vec<NodeId>),
    /// An item so many times, with a separator between.
    Repeat { item: NodeId, separator: NodeId, min: usize, max: usize },
}

/// A compiled constraint without JSON Schemas.
pub(crate) struct Program {
    nodes: Vec<Node>,
    /// Where a reply starts.
    pub root: NodeId,
}

impl Program {
    /// Compiles the alternatives for a whole reply.
    pub fn new(alternatives: &[&Constraint]) -> Result<Program, Error> {
        let mut compiler = Compiler::default();
        let root = compiler.one_of(alternatives, 0)?.id;
        Ok(Program { nodes: compiler.nodes, root })
    }

    /// The node with this index.
    pub fn node(&self, id: NodeId) -> &Node {
        &self.nodes[id as usize]
    }
}

/// A node, and whether it accepts the empty text.
#[derive(Clone, Copy)]
struct Part {
    id: NodeId,
    nullable: bool,
}

#[derive(Default)]
struct Compiler<'a> {
    nodes: Vec<Node>,
    bytes: usize,
    pieces: Vec<(&'a Arc<str>, Escape, Arc<Strings>)>,
}

impl<'a> Compiler<'a> {
    fn part(&mut self, constraint: &'a Constraint, level: usize) -> Result<Part, Error> {
        check("nesting of the constraint", level, MAX_LEVELS)?;
        match constraint {
            Constraint::Text(text) => self.words(vec![text]),
            Constraint::OneOf(parts) => self.one_of(&parts.iter().collect::<Vec<_>>(), level),
            Constraint::Sequence(parts) => self.sequence(parts, level),
            Constraint::Repeat { item, separator, min, max } => self.repeat(item, separator, *min, *max, level),
            Constraint::PieceOf { text, escape } => self.pieces(text, *escape),
            Constraint::Line { max_chars: 0, .. } => Err(nothing("line of no characters")),
            Constraint::Line { max_chars, escape } => {
                self.push(Node::Line { max_chars: *max_chars, escape: *escape }, false)
            }
            Constraint::Number => self.push(Node::Number, false),
            Constraint::Json(_) => Err(Error::Unsupported {
                reason: "a JSON Schema inside another part; make it the whole reply or an alternative for it, or build \
                         the JSON from parts",
            }),
        }
    }

    fn push(&mut self, node: Node, nullable: bool) -> Result<Part, Error> {
        check("number of parts of the constraint", self.nodes.len() + 1, MAX_PARTS)?;
        self.nodes.push(node);
        Ok(Part { id: self.nodes.len() as NodeId - 1, nullable })
    }

    /// Fixed texts among the alternatives become one sorted list, so that ten thousand labels cost what one does.
    fn one_of(&mut self, parts: &[&'a Constraint], level: usize) -> Result<Part, Error> {
        let mut texts = vec![];
        let mut found = vec![];
        for &part in parts {
            match part {
                Constraint::Text(text) => texts.push(text.as_str()),
                other => found.push(self.part(other, level + 1)?),
            }
        }
        if !texts.is_empty() {
            found.push(self.words(texts)?);
        }
        match found[..] {
            [] => Err(nothing("one-of has no alternatives")),
            [only] => Ok(only),
            _ => {
                let nullable = found.iter().any(|part| part.nullable);
                self.push(Node::OneOf(found.iter().map(|part| part.id).collect()), nullable)
            }
        }
    }

    fn words(&mut self, mut texts: Vec<&'a str>) -> Result<Part, Error> {
        self.bytes += texts.iter().map(|text| text.len()).sum::<usize>();
        check("fixed text of the constraint in bytes", self.bytes, MAX_BYTES)?;
        let given = texts.len();
        texts.retain(|text| !text.is_empty());
        if texts.is_empty() {
            return self.push(Node::Empty, true);
        }
        let nullable = texts.len() < given;
        let words = self.push(Node::Strings(Arc::new(Strings::words(texts))), false)?;
        if !nullable {
            return Ok(words);
        }
        let empty = self.push(Node::Empty, true)?;
        self.push(Node::OneOf(vec![words.id, empty.id]), true)
    }

    fn sequence(&mut self, parts: &'a [Constraint], level: usize) -> Result<Part, Error> {
        let parts = parts.iter().map(|part| self.part(part, level + 1)).collect::<Result<Vec<_>, _>>()?;
        let nullable = parts.iter().all(|part| part.nullable);
        self.push(Node::Sequence(parts.iter().map(|part| part.id).collect()), nullable)
    }

    fn repeat(
        &mut self,
        item: &'a Constraint,
        separator: &'a str,
        min: usize,
        max: usize,
        level: usize,
    ) -> Result<Part, Error> {
        if min > max {
            return Err(nothing(&format!("repeat of at least {min} and at most {max} items")));
        }
        let item = self.part(item, level + 1)?;
        if item.nullable && separator.is_empty() {
            return Err(Error::Unsupported {
                reason: "a repeat without separator of an item that may be empty; leave the empty text out of the item",
            });
        }
        let separator = self.words(vec![separator])?.id;
        self.push(Node::Repeat { item: item.id, separator, min, max }, min == 0 || (min == 1 && item.nullable))
    }

    /// The same text stands in every span field of a record: it is sorted once.
    fn pieces(&mut self, text: &'a Arc<str>, escape: Escape) -> Result<Part, Error> {
        check("text that pieces are taken from in bytes", text.len(), MAX_BYTES)?;
        let known = self.pieces.iter().find(|(other, how, _)| {
            *how == escape && (Arc::ptr_eq(other, text) || (other.len() == text.len() && other == &text))
        });
        let strings = match known {
            Some((_, _, strings)) => strings.clone(),
            None => {
                let strings = Arc::new(Strings::pieces(text, escape));
                self.pieces.push((text, escape, strings.clone()));
                strings
            }
        };
        if strings.is_empty() {
            return Err(nothing("piece of a text that is blank"));
        }
        self.push(Node::Strings(strings), false)
    }
}

fn nothing(reason: &str) -> Error {
    Error::Nothing { reason: reason.into() }
}

fn check(what: &'static str, found: usize, most: usize) -> Result<(), Error> {
    if found > most { Err(Error::TooLarge { what, found, most }) } else { Ok(()) }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn fails(constraint: &Constraint) -> String {
        Program::new(&[constraint]).err().expect("the constraint is bad").to_string()
    }

    fn repeat(item: Constraint, separator: &str, min: usize, max: usize) -> Constraint {
        Constraint::Repeat { item: Box::new(item), separator: separator.into(), min, max }
    }

    #[test]
    fn constraints_that_accept_nothing_say_why() {
        assert_eq!(fails(&Constraint::OneOf(vec![])), "constraint accepts no text: one-of has no alternatives");
        assert_eq!(
            fails(&Constraint::spans(" \n", ", ", 3)),
            "constraint accepts no text: piece of a text that is blank"
        );
        assert_eq!(
            fails(&repeat("a".into(), "", 3, 2)),
            "constraint accepts no text: repeat of at least 3 and at most 2 items"
        );
        let line = Constraint::Line { max_chars: 0, escape: Escape::None };
        assert_eq!(fails(&line), "constraint accepts no text: line of no characters");
    }

    #[test]
    fn what_cannot_be_followed_is_refused() {
        assert!(fails(&repeat("".into(), "", 0, 9)).starts_with("constraint is not supported: a repeat without"));
        let inside = Constraint::Sequence(vec!["a".into(), Constraint::Json(true.into())]);
        assert!(fails(&inside).starts_with("constraint is not supported: a JSON Schema inside"));
    }

    #[test]
    fn huge_constraints_are_refused() {
        let mut deep = Constraint::Number;
        for _ in 0..200 {
            deep = Constraint::Sequence(vec![deep]);
        }
        assert_eq!(fails(&deep), "nesting of the constraint is too large: found 101, expected at most 100");
        assert!(fails(&Constraint::Sequence(vec![Constraint::Number; 100_001])).starts_with("number of parts"));
        assert!(fails(&Constraint::spans("a ".repeat(1 << 20), "; ", 2)).starts_with("text that pieces"));
        assert!(fails(&Constraint::Text("a".repeat(1 << 21))).starts_with("fixed text"));
    }
}
