//! JSON values into documents: finds the column at the first row, then takes text and id out of each.

use super::column::{self, Candidate, ID};
use super::{Bad, NO_QUESTION, unreadable};
use crate::{Document, Error, Options, Unreadable};
use serde_json::{Map, Value};
use std::collections::VecDeque;

/// How many rows are looked at to find the column before anything is given out.
const PEEKED_ROWS: usize = 100;

/// A row's number, from 1, and what it holds.
pub type Numbered = (u64, Result<Value, Bad>);

/// The documents in a list of JSON values.
pub struct Objects<I> {
    values: I,
    name: String,
    is_numbered: bool,
    column: String,
    question: Option<String>,
    peeked: VecDeque<Numbered>,
    is_over: bool,
}

impl<I: Iterator<Item = Numbered>> Objects<I> {
    /// Reads up to the first row that tells the column.
    pub fn open(values: I, name: String, options: &Options) -> Result<Objects<I>, Error> {
        let wanted = options.column.as_deref();
        let mut objects = Objects {
            values,
            name,
            is_numbered: true,
            column: wanted.unwrap_or_default().to_owned(),
            question: options.question.clone(),
            peeked: VecDeque::new(),
            is_over: false,
        };
        while objects.peeked.len() < PEEKED_ROWS {
            match objects.values.next() {
                Some((_, Err(Bad::Stream(error)))) => return Err(unreadable(&objects.name, error)),
                Some((number, value)) => {
                    let found = value.as_ref().ok().map(|value| objects.find_columns(value, wanted));
                    objects.peeked.push_back((number, value));
                    match found {
                        Some(Ok(true)) => return Ok(objects),
                        Some(Err(error)) => return Err(error),
                        _ => {}
                    }
                }
                None => break,
            }
        }
        match objects.fault(wanted) {
            Some(error) => Err(error),
            None => Ok(objects),
        }
    }

    /// Numbers the rows only if there are several.
    pub fn number_if_several(mut self) -> Objects<I> {
        if self.peeked.len() == 1 {
            self.peeked.extend(self.values.next());
        }
        self.is_numbered = self.peeked.len() > 1;
        self
    }

    /// Whether this row tells the columns of text and question.
    fn find_columns(&mut self, value: &Value, wanted: Option<&str>) -> Result<bool, Error> {
        let is_found = self.find_column(value, wanted)?;
        match self.question.as_deref().filter(|_| is_found) {
            Some(question) if look_up(value, question).is_none() => {
                Err(Error::NoColumn { path: self.name.clone(), column: question.to_owned(), columns: names(value) })
            }
            _ => Ok(is_found),
        }
    }

    /// Whether this row tells the column of the text. A row without the wanted column does not yet mean that all are without it.
    fn find_column(&mut self, value: &Value, wanted: Option<&str>) -> Result<bool, Error> {
        match (value, wanted) {
            (Value::String(_), None) => Ok(true),
            (Value::Object(fields), None) => {
                let is_question = |name: &String| self.question.as_ref() == Some(name);
                let candidates: Vec<Candidate> =
                    fields.iter().filter(|(name, _)| !is_question(name)).map(candidate).collect();
                let place = column::choose(&self.name, None, &candidates)?;
                self.column.clone_from(&candidates[place].name);
                Ok(true)
            }
            (value, Some(wanted)) => match look_up(value, wanted) {
                None => Ok(false),
                Some(Value::String(_) | Value::Null) => Ok(true),
                Some(other) => Err(Error::NotText {
                    path: self.name.clone(),
                    column: wanted.to_owned(),
                    found: kind(other).to_owned(),
                }),
            },
            _ => Ok(false),
        }
    }

    /// Why no row told the column; none if there is no row at all.
    fn fault(&self, wanted: Option<&str>) -> Option<Error> {
        let first = self.peeked.front()?;
        let good = self.peeked.iter().find_map(|(_, value)| value.as_ref().ok());
        let path = self.name.clone();
        Some(match (good, &first.1, wanted) {
            (Some(value), _, Some(wanted)) => {
                Error::NoColumn { path, column: wanted.to_owned(), columns: names(value) }
            }
            (None, Err(bad), _) => {
                let reason = format!("no row could be read; row {}: {}", first.0, bad.reason());
                Error::Damaged { path, reason }
            }
            (value, _, _) => {
                let found = value.map_or("nothing", kind);
                Error::Damaged { path, reason: format!("its rows hold {found}, expected objects or texts") }
            }
        })
    }

    fn document(&self, number: u64, value: Result<Value, Bad>) -> Result<Document, Unreadable> {
        let source = if self.is_numbered { format!("{}:{number}", self.name) } else { self.name.clone() };
        let mut value = match value {
            Ok(value) => value,
            Err(bad) => return Err(Unreadable::new(source, bad.reason())),
        };
        let id = own_id(&value, &self.column).unwrap_or_else(|| Value::from(source.as_str()));
        let question = self.question.as_deref().map(|column| take_question(&mut value, column)).transpose();
        match question.and_then(|question| Ok((question, take_text(&mut value, &self.column)?))) {
            Ok((question, text)) => Ok(Document { id, source, text, question }),
            Err(reason) => Err(Unreadable { id, source, reason }),
        }
    }
}

impl<I: Iterator<Item = Numbered>> Iterator for Objects<I> {
    type Item = Result<Document, Unreadable>;

    fn next(&mut self) -> Option<Self::Item> {
        if self.is_over {
            return None;
        }
        let (number, value) = self.peeked.pop_front().or_else(|| self.values.next())?;
        self.is_over = matches!(value, Err(Bad::Stream(_)));
        Some(self.document(number, value))
    }
}

fn candidate((name, value): (&String, &Value)) -> Candidate {
    let is_text = matches!(value, Value::String(_) | Value::Null);
    Candidate { name: name.clone(), other: (!is_text).then(|| kind(value).to_owned()) }
}

fn own_id(value: &Value, column: &str) -> Option<Value> {
    let id = value.get(ID).filter(|id| column != ID && (id.is_string() || id.is_number()));
    id.cloned()
}

fn take_question(value: &mut Value, column: &str) -> Result<String, String> {
    if !value.is_object() {
        return Err(format!("{} instead of an object with a question", kind(value)));
    }
    let question = take_text(value, column)?;
    if question.trim().is_empty() { Err(NO_QUESTION.to_owned()) } else { Ok(question) }
}

fn take_text(value: &mut Value, column: &str) -> Result<String, String> {
    if let Value::String(text) = value {
        return Ok(std::mem::take(text));
    }
    match take(value, column) {
        Some(Value::String(text)) => Ok(text),
        Some(Value::Null) => Err(format!("column `{column}` is null, expected text")),
        Some(other) => Err(format!("column `{column}` holds {}, expected text", kind(&other))),
        None if value.is_object() => Err(format!("no column `{column}`")),
        None => Err(format!("{} instead of an object or a text", kind(value))),
    }
}

/// The value at a name, or at a path of names with dots between.
fn take(value: &mut Value, path: &str) -> Option<Value> {
    let fields = value.as_object_mut()?;
    if let Some(found) = fields.get_mut(path) {
        return Some(found.take());
    }
    let (first, rest) = nested(fields, path)?;
    take(fields.get_mut(first)?, rest)
}

fn look_up<'a>(value: &'a Value, path: &str) -> Option<&'a Value> {
    let fields = value.as_object()?;
    fields.get(path).or_else(|| {
        let (first, rest) = nested(fields, path)?;
        look_up(fields.get(first)?, rest)
    })
}

/// The first point at which a path can be cut so that its head is a field.
fn nested<'a>(fields: &Map<String, Value>, path: &'a str) -> Option<(&'a str, &'a str)> {
    let mut cuts = path.match_indices('.').map(|(at, _)| (&path[..at], &path[at + 1..]));
    cuts.find(|(head, _)| fields.contains_key(*head))
}

/// The names of an object's fields, with those of the objects in it.
fn names(value: &Value) -> Vec<String> {
    let nested = |(name, value): (&String, &Value)| match value {
        Value::Object(_) => names(value).into_iter().map(|inner| format!("{name}.{inner}")).collect(),
        _ => vec![name.clone()],
    };
    value.as_object().into_iter().flatten().flat_map(nested).collect()
}

fn kind(value: &Value) -> &'static str {
    match value {
        Value::Null => "null",
        Value::Bool(_) => "true or false",
        Value::Number(_) => "a number",
        Value::String(_) => "text",
        Value::Array(_) => "a list",
        Value::Object(_) => "an object",
    }
}
