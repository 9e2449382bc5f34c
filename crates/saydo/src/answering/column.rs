//! The columns of rows: keys for their answers, and a way to have documents answered.

use super::Done;
use crate::record::{Keys, cell};
use saydo_corpus::{Cell, Document};
use saydo_function::{Error, Function, answer_each};
use serde_json::Value;
use std::borrow::Borrow;
use std::cell::RefCell;
use std::collections::HashMap;
use std::rc::Rc;
use std::sync::Arc;

/// Functions of questions that are kept for later documents.
const MAX_FUNCTIONS: usize = 256;

/// One column of the rows.
pub struct Column<'a> {
    keys: Keys,
    source: Source<'a>,
}

/// Makes the function of a question.
type Maker<'a> = Box<dyn Fn(&str) -> Result<Function, Error> + 'a>;

/// Where a column's functions come from.
enum Source<'a> {
    One(&'a Function),
    /// One for each distinct question of the documents.
    Questions {
        make: Maker<'a>,
        made: RefCell<HashMap<String, Rc<Function>>>,
    },
}

/// A function and the text it is applied to.
pub(super) type Question<'a> = (Asked<'a>, Arc<str>);

/// A function, for as long as a document is in flight.
pub(super) enum Asked<'a> {
    One(&'a Function),
    Question(Rc<Function>),
}

impl Borrow<Function> for Asked<'_> {
    fn borrow(&self) -> &Function {
        match self {
            Self::One(function) => function,
            Self::Question(function) => function,
        }
    }
}

impl<'a> Column<'a> {
    /// The column of a function on the model of this fingerprint.
    pub fn of(function: &'a Function, fingerprint: &str) -> Self {
        Self { keys: Keys::new(&function.identity(), fingerprint), source: Source::One(function) }
    }

    /// The column of documents that bring their own questions. `make` makes the function of a question; `identity` is all
    /// that its answers depend on besides the question, the document and the model of this fingerprint.
    pub fn of_questions(
        identity: &Value,
        fingerprint: &str,
        make: impl Fn(&str) -> Result<Function, Error> + 'a,
    ) -> Self {
        let source = Source::Questions { make: Box::new(make), made: RefCell::default() };
        Self { keys: Keys::new(identity, fingerprint), source }
    }

    fn ask(&self, document: &Document) -> Result<Question<'a>, Error> {
        match &self.source {
            Source::One(function) => Ok((Asked::One(function), Arc::from(document.text.as_str()))),
            Source::Questions { make, made } => {
                let asked = document.asked();
                let (question, text) = Document::question_and_text(&asked).unwrap_or(("", &asked));
                Ok((Asked::Question(function(question, make, made)?), Arc::from(text)))
            }
        }
    }

    /// Whether a cell can be what the function gave for a text.
    fn fits(&self, cell: &Cell, text: &str) -> bool {
        match &self.source {
            Source::One(function) => cell::fits(cell, function.spec(), text),
            Source::Questions { .. } => true,
        }
    }
}

fn function(
    question: &str,
    make: &dyn Fn(&str) -> Result<Function, Error>,
    made: &RefCell<HashMap<String, Rc<Function>>>,
) -> Result<Rc<Function>, Error> {
    if let Some(function) = made.borrow().get(question) {
        return Ok(Rc::clone(function));
    }
    let function = Rc::new(make(question)?);
    let mut made = made.borrow_mut();
    if made.len() >= MAX_FUNCTIONS {
        made.clear();
    }
    made.insert(question.to_owned(), Rc::clone(&function));
    Ok(function)
}

type Ask<'a, Q> = dyn Fn(usize, &Document) -> Result<Q, Error> + 'a;
type Fits<'a> = dyn Fn(usize, &Cell, &str) -> bool + 'a;
type Stream<'a, Q> = dyn Fn(&mut dyn Iterator<Item = Q>, Done<'_>) -> Result<(), Error> + 'a;

/// All columns of the rows, and how their answers are made.
pub struct Columns<'a, Q> {
    pub(super) keys: Vec<Keys>,
    pub(super) ask: Box<Ask<'a, Q>>,
    pub(super) fits: Box<Fits<'a>>,
    pub(super) stream: Box<Stream<'a, Q>>,
}

impl<'a, Q> Columns<'a, Q> {
    /// Columns with these keys, whose answers come from anywhere: `ask` makes a question of a column's number and a document,
    /// and `stream` answers questions by the contract of [`answer_each`].
    pub fn new(
        keys: Vec<Keys>,
        ask: impl Fn(usize, &Document) -> Result<Q, Error> + 'a,
        stream: impl Fn(&mut dyn Iterator<Item = Q>, Done<'_>) -> Result<(), Error> + 'a,
    ) -> Self {
        Self { keys, ask: Box::new(ask), fits: Box::new(|_, _, _| true), stream: Box::new(stream) }
    }
}

impl<'a> Columns<'a, Question<'a>> {
    /// Functions side by side, so that the model reads each document once.
    pub(super) fn of(columns: &'a [Column<'a>]) -> Self {
        Self {
            keys: columns.iter().map(|column| column.keys.clone()).collect(),
            ask: Box::new(|column, document| columns[column].ask(document)),
            fits: Box::new(|column, cell, text| columns[column].fits(cell, text)),
            stream: Box::new(|questions, done| answer_each(questions, done)),
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use saydo_function::Settings;
    use saydo_model::ScriptedModel;
    use saydo_task::Task;

    #[test]
    fn equal_questions_have_one_function_and_texts_are_kept() {
        let model = Arc::new(ScriptedModel::new(|_| String::new()));
        let column = Column::of_questions(&Value::Null, "m", |question| {
            let task = Task { definition: Some(question.to_owned()), ..Task::default() };
            Function::new(task, Arc::clone(&model) as _, Settings::default())
        });
        let ask = |question: &str, text: &str| {
            let (text, question) = (text.to_owned(), Some(question.to_owned()));
            column.ask(&Document { id: Value::Null, source: String::new(), text, question }).unwrap()
        };
        let asked = [ask("A?", "1"), ask("B\u{1f}?", "2\u{1f}"), ask("A?", "3")];
        let texts: Vec<&str> = asked.iter().map(|(_, text)| &**text).collect();
        assert_eq!(texts, ["1", "2\u{1f}", "3"]);
        let definition = |place: usize| {
            let function: &Function = asked[place].0.borrow();
            function.task().definition.clone().unwrap_or_default()
        };
        assert_eq!([0, 1, 2].map(definition), ["A?", "B ?", "A?"]);
        let function = |place: usize| std::ptr::from_ref::<Function>(asked[place].0.borrow());
        assert!(function(0) == function(2) && function(0) != function(1));
    }
}
