//! A question in each row: one function for each distinct question, in one column.

use crate::Keys;
use crate::column::{Column, Done};
use saydo_corpus::Document;
use saydo_function::{Error, Function};
use serde_json::Value;
use std::cell::RefCell;
use std::collections::HashMap;
use std::rc::Rc;
use std::sync::Arc;

/// Documents among which those with the same question are answered together.
const GROUP: usize = 64;
/// Functions that are kept for later documents.
const FUNCTIONS: usize = 256;

/// The column of documents that bring their own questions. `make` makes the function of a question; `identity` is all
/// that its answers depend on besides the question, the document and the model of this fingerprint.
pub fn column<'a>(
    identity: &Value,
    fingerprint: &str,
    make: impl Fn(&str) -> Result<Function, Error> + 'a,
) -> Column<'a> {
    let made: RefCell<HashMap<String, Rc<Function>>> = RefCell::default();
    Column::new(Keys::new(identity, fingerprint), move |documents, done| answer(documents, done, &make, &made))
}

/// Keeps the contract of [`Function::apply_each`].
fn answer(
    documents: &mut dyn Iterator<Item = Arc<str>>,
    done: Done<'_>,
    make: &dyn Fn(&str) -> Result<Function, Error>,
    made: &RefCell<HashMap<String, Rc<Function>>>,
) -> Result<(), Error> {
    let mut first = 0;
    loop {
        let taken: Vec<Arc<str>> = documents.take(GROUP).collect();
        if taken.is_empty() {
            return Ok(());
        }
        for (question, texts) in by_question(&taken) {
            match function(question, make, made) {
                Ok(function) => {
                    let mut documents = texts.iter().map(|(_, text)| Arc::<str>::from(*text));
                    function.apply_each(&mut documents, &mut |index, result| done(first + texts[index].0, result))?;
                }
                Err(Error::Model(error)) => return Err(Error::Model(error)),
                // A question that nothing can be made of costs its own rows. An error cannot be copied, so each has its own.
                Err(_) => texts.iter().for_each(|(place, text)| {
                    done(first + place, make(question).and_then(|function| function.apply(text)));
                }),
            }
        }
        first += taken.len();
    }
}

/// The places and texts of each question, in the order in which the questions come up.
fn by_question(asked: &[Arc<str>]) -> Vec<(&str, Vec<(usize, &str)>)> {
    let mut groups: Vec<(&str, Vec<(usize, &str)>)> = Vec::new();
    let mut known = HashMap::new();
    for (place, asked) in asked.iter().enumerate() {
        let (question, text) = Document::question_and_text(asked).unwrap_or(("", asked));
        let group = *known.entry(question).or_insert(groups.len());
        if group == groups.len() {
            groups.push((question, Vec::new()));
        }
        groups[group].1.push((place, text));
    }
    groups
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
    if made.len() >= FUNCTIONS {
        made.clear();
    }
    made.insert(question.to_owned(), Rc::clone(&function));
    Ok(function)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn equal_questions_are_asked_together_and_places_are_kept() {
        let document = |question: &str, text: &str| -> Arc<str> {
            let (text, question) = (text.to_owned(), Some(question.to_owned()));
            Arc::from(&*Document { id: Value::Null, source: String::new(), text, question }.asked())
        };
        let asked = [document("A?", "1"), document("B\u{1f}?", "2\u{1f}"), document("A?", "3")];
        assert_eq!(by_question(&asked), [("A?", vec![(0, "1"), (2, "3")]), ("B ?", vec![(1, "2\u{1f}")])]);
    }
}
