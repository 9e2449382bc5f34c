//! Typed access to a [`Node`] tree that collects every problem on the way.
//!
//! All formats read through this, so a wrong type is reported in the same words, with the same code, whether it
//! stands in JSON, JSON Lines or TOML.

use crate::format::{Part, Places, Spot};
use crate::node::{Node, Value};
use crate::problem::{Code, Problem};
use crate::source::Source;
use std::collections::BTreeMap;
use std::fmt;

/// More problems of one code than this in one file are counted but not listed: the file is of another kind, or hostile.
const MAX_OF_A_CODE: usize = 1_000;

/// The way from the root of a document to one of its values.
#[derive(Clone, Copy)]
pub enum Path<'a> {
    /// The document itself.
    Root,
    /// The value under a key.
    Key(&'a Path<'a>, &'a str),
    /// The value at a position of a list.
    Index(&'a Path<'a>, usize),
}

impl<'a> Path<'a> {
    /// The way on to the value under `key`.
    pub fn key(&'a self, key: &'a str) -> Path<'a> {
        Path::Key(self, key)
    }

    /// The way on to the value at `index`.
    pub fn index(&'a self, index: usize) -> Path<'a> {
        Path::Index(self, index)
    }
}

impl fmt::Display for Path<'_> {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            Path::Root => Ok(()),
            Path::Key(Path::Root, key) => f.write_str(key),
            Path::Key(parent, key) => write!(f, "{parent}.{key}"),
            Path::Index(parent, index) => write!(f, "{parent}[{index}]"),
        }
    }
}

/// What it means when a field is not there.
#[derive(Clone, Copy, PartialEq, Eq)]
pub enum Need {
    /// The file cannot be used.
    Required,
    /// The schema asks for it, but the task can do without.
    Expected,
    /// Nothing.
    Optional,
}

/// Reads one document of a source and keeps the problems found.
pub struct Reader<'s> {
    /// The text the document stands in.
    pub source: &'s Source,
    /// Where the document starts in the source: not 0 for a line of a JSON Lines file.
    base: usize,
    /// Every problem met so far, up to a thousand of each code.
    pub problems: Vec<Problem>,
    /// How many problems of each code there were, listed or not.
    counts: BTreeMap<Code, usize>,
    /// Where the parts of the current task stand.
    places: Places,
}

impl<'s> Reader<'s> {
    /// A reader for the document that fills the source.
    pub fn new(source: &'s Source) -> Self {
        Reader { source, base: 0, problems: Vec::new(), counts: BTreeMap::new(), places: Places::default() }
    }

    /// The same reader for the document that starts at `base`.
    pub fn starting_at(&mut self, base: usize) -> &mut Self {
        self.base = base;
        self.places = Places { start: base, ..Places::default() };
        self
    }

    /// Parses the text at the current base as JSON; a failure is a problem.
    pub fn json(&mut self, text: &str) -> Option<Node> {
        match crate::json::parse(text) {
            Ok(parsed) => {
                for (offset, key) in parsed.repeated_keys {
                    self.report(Code::RepeatedKey, offset, Path::Root, format!("`{key}` twice"), "each key once");
                }
                Some(parsed.root)
            }
            Err(error) => {
                self.report(Code::Syntax, error.offset, Path::Root, error.found, error.expected);
                None
            }
        }
    }

    /// Keeps a problem with the value at `offset` of the document.
    pub fn report(
        &mut self,
        code: Code,
        offset: usize,
        path: Path<'_>,
        found: impl Into<String>,
        expected: impl Into<String>,
    ) {
        let count = self.counts.entry(code).or_default();
        *count += 1;
        if *count <= MAX_OF_A_CODE {
            let element = path.to_string();
            self.problems.push(self.source.problem(code, self.base + offset, &element, found, expected));
        }
    }

    fn wrong_type(&mut self, node: &Node, path: Path<'_>, expected: &str) {
        self.report(Code::WrongType, node.offset, path, node.value.kind(), expected);
    }

    /// The value under `key`; when it is not there, says so as `need` asks.
    pub fn field<'n>(&mut self, parent: &'n Node, path: Path<'_>, key: &str, need: Need) -> Option<&'n Node> {
        let found = parent.get(key);
        let code = match need {
            Need::Required => Code::MissingField,
            Need::Expected => Code::AbsentField,
            Need::Optional => return found,
        };
        if found.is_none() {
            self.report(code, parent.offset, path, format!("no `{key}`"), "this field");
        }
        found
    }

    /// The entries of an object; anything else is a problem.
    pub fn object<'n>(&mut self, node: &'n Node, path: Path<'_>) -> Option<&'n [(String, Node)]> {
        let entries = node.as_object();
        if entries.is_none() {
            self.wrong_type(node, path, "an object");
        }
        entries
    }

    /// The elements of the list under `key`; none there and a wrong type both give no element.
    pub fn list<'n>(&mut self, parent: &'n Node, path: Path<'_>, key: &str, need: Need) -> &'n [Node] {
        let Some(node) = self.field(parent, path, key, need) else { return &[] };
        node.as_array().unwrap_or_else(|| {
            self.wrong_type(node, path.key(key), "a list");
            &[]
        })
    }

    /// A string; anything else is a problem.
    pub fn string(&mut self, node: &Node, path: Path<'_>) -> Option<String> {
        let text = node.as_str();
        if text.is_none() {
            self.wrong_type(node, path, "a string");
        }
        text.map(str::to_owned)
    }

    /// The string under `key`; when it is not there, says so as `need` asks.
    pub fn text(&mut self, parent: &Node, path: Path<'_>, key: &str, need: Need) -> Option<String> {
        let node = self.field(parent, path, key, need)?;
        self.string(node, path.key(key))
    }

    /// A list of strings; a single string counts as a list of one, which is worth a warning.
    pub fn texts(&mut self, parent: &Node, path: Path<'_>, key: &str, need: Need) -> Vec<String> {
        let Some(node) = self.field(parent, path, key, need) else { return Vec::new() };
        self.strings(node, path.key(key))
    }

    /// See [`Reader::texts`].
    pub fn strings(&mut self, node: &Node, path: Path<'_>) -> Vec<String> {
        match &node.value {
            Value::String(text) => {
                self.report(Code::StringForList, node.offset, path, "a string", "a list of strings");
                vec![text.clone()]
            }
            Value::Array(items) => {
                items.iter().enumerate().filter_map(|(i, item)| self.string(item, path.index(i))).collect()
            }
            _ => {
                self.wrong_type(node, path, "a list of strings");
                Vec::new()
            }
        }
    }

    /// Reads each element of a list with `read`, and keeps where those stand that could be read.
    pub fn each<T>(
        &mut self,
        list: &[Node],
        path: Path<'_>,
        part: Part,
        read: fn(&mut Reader<'_>, &Node, Path<'_>) -> Option<T>,
    ) -> Vec<T> {
        let mut items = Vec::with_capacity(list.len());
        for (index, node) in list.iter().enumerate() {
            if let Some(item) = read(self, node, path.index(index)) {
                self.keep_place(part, index, node);
                items.push(item);
            }
        }
        items
    }

    /// Notes where an element of the current task stands.
    pub fn keep_place(&mut self, part: Part, index: usize, node: &Node) {
        self.places.push(part, Spot { index, offset: self.base + node.offset });
    }

    /// Notes where the ids stand that the current task derives from.
    pub fn keep_derives_from(&mut self, node: &Node) {
        self.places.derives_from = Some(self.base + node.offset);
    }

    /// The places kept since the current task began.
    pub fn take_places(&mut self) -> Places {
        std::mem::take(&mut self.places)
    }

    /// How many problems of each code are not in the list of problems.
    pub fn unlisted(&self) -> BTreeMap<Code, usize> {
        let beyond = |(code, count): (&Code, &usize)| Some((*code, count.checked_sub(MAX_OF_A_CODE)?));
        self.counts.iter().filter_map(beyond).filter(|(_, count)| *count > 0).collect()
    }

    /// Reports the keys of an object that are not among `known`.
    pub fn only(&mut self, node: &Node, path: Path<'_>, known: &[&str], code: Code) {
        for (key, value) in node.as_object().unwrap_or_default() {
            if !known.contains(&key.as_str()) {
                let expected = format!("one of {}", known.join(", "));
                self.report(code, value.offset, path, format!("unknown field `{key}`"), expected);
            }
        }
    }
}
