//! Where the answers of a project stand.

use super::Asked;
use super::aggregate::aggregate;
use super::given::Given;
use crate::failure::{Answered, Failure};
use rusqlite::Connection;
use serde::Serialize;

/// A pair of question and passage with its answers.
#[derive(Debug, Clone, Serialize)]
pub(crate) struct AnsweredItem {
    pub(crate) id: i64,
    /// The question it is about; 0 in a project of people, whose tasks come from elsewhere.
    #[serde(skip)]
    pub(crate) question: i64,
    pub(crate) asked: Asked,
    #[serde(skip)]
    pub(crate) wanted: usize,
    /// Who answered what.
    pub(crate) answers: Vec<(String, Given)>,
    /// What the owner decided, if they had to.
    pub(crate) decided: Option<Given>,
}

impl AnsweredItem {
    /// Whether everyone has answered.
    pub(crate) fn is_complete(&self) -> bool {
        self.answers.len() >= self.wanted
    }

    /// The answer: the owner's, or what the annotators' amount to.
    pub(crate) fn answer(&self) -> Option<Given> {
        let given: Vec<Given> = self.answers.iter().map(|(_, given)| given.clone()).collect();
        self.decided.clone().or_else(|| aggregate(&given))
    }

    /// Answers that count as right: the combined one first; then, for text of the passage that nobody had to decide, what
    /// else annotators chose. A class has one right answer, and a scorer takes records one at a time.
    pub(crate) fn alternatives(&self) -> Option<Vec<String>> {
        let answer = self.answer()?;
        let mut texts = vec![answer.text()];
        if matches!(answer, Given::Spans { .. }) && self.decided.is_none() {
            for (_, given) in self.answers.iter().filter(|(_, given)| matches!(given, Given::Spans { .. })) {
                let text = given.text();
                if !texts.contains(&text) {
                    texts.push(text);
                }
            }
        }
        Some(texts)
    }

    /// What each annotator answered.
    pub(crate) fn all_answers(&self) -> Vec<String> {
        self.answers.iter().map(|(_, given)| given.text()).collect()
    }

    /// Whether it waits for a decision of the owner.
    pub(crate) fn is_disputed(&self) -> bool {
        self.is_complete() && self.answer().is_none()
    }

    /// What agreement is measured on.
    pub(crate) fn labels(&self) -> Vec<String> {
        self.answers.iter().map(|(_, given)| given.label()).collect()
    }
}

/// The items of the answering step, qualifications left out.
pub(crate) fn answered_items(db: &Connection, project: i64) -> Answered<Vec<AnsweredItem>> {
    let query = "SELECT i.id, i.question, i.payload, i.wanted, i.decided, a.value, n.name FROM item i
        LEFT JOIN answer a ON a.item = i.id LEFT JOIN annotator n ON n.id = a.annotator
        WHERE i.project = ?1 AND i.step = 'answer' AND i.gold IS NULL ORDER BY i.id, a.id";
    let mut statement = db.prepare_cached(query)?;
    let mut rows = statement.query([project])?;
    let mut items: Vec<AnsweredItem> = Vec::new();
    while let Some(row) = rows.next()? {
        let id: i64 = row.get(0)?;
        if items.last().is_none_or(|item| item.id != id) {
            let payload = serde_json::from_str(&row.get::<_, String>(2)?).map_err(Failure::internal)?;
            let decided: Option<String> = row.get(4)?;
            items.push(AnsweredItem {
                id,
                question: row.get::<_, Option<i64>>(1)?.unwrap_or_default(),
                asked: Asked::of(&payload)?,
                wanted: row.get::<_, i64>(3)? as usize,
                answers: Vec::new(),
                decided: decided.map(|text| Given::kept(&text)).transpose()?,
            });
        }
        let (value, name): (Option<String>, Option<String>) = (row.get(5)?, row.get(6)?);
        if let (Some(value), Some(name), Some(item)) = (value, name, items.last_mut()) {
            item.answers.push((name, Given::kept(&value)?));
        }
    }
    Ok(items)
}
