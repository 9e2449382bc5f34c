//! A question: what becomes a task.

use crate::compute::compute;
use crate::draft::DraftField;
use crate::failure::{Answered, Failure};
use rusqlite::{Connection, Row, params};
use saydo_function::infer;
use saydo_task::{AnswerKind, Generalization};
use serde::Serialize;

/// The longest question, in characters.
pub(crate) const MOST_CHARS: usize = 500;

/// A question of a project.
#[derive(Debug, Clone, PartialEq, Serialize)]
pub(crate) struct Question {
    pub(crate) id: i64,
    /// ZEST's word for how it came about.
    pub(crate) generalization: String,
    pub(crate) domain: String,
    pub(crate) text: String,
    /// `yes-no`, `spans` or `records`.
    pub(crate) kind: String,
    pub(crate) fields: Vec<DraftField>,
    /// The questions it was made from.
    pub(crate) derives_from: Vec<i64>,
    pub(crate) author: String,
    /// Whether the owner put it aside.
    pub(crate) dropped: bool,
    /// `train`, `dev` or `test`, once the base questions are split.
    pub(crate) part: Option<String>,
}

/// A question before it has a number.
pub(crate) struct NewQuestion<'a> {
    pub(crate) project: i64,
    pub(crate) generalization: Generalization,
    pub(crate) domain: &'a str,
    pub(crate) text: &'a str,
    pub(crate) kind: &'a str,
    pub(crate) fields: &'a [DraftField],
    pub(crate) derives_from: &'a [i64],
    pub(crate) author: &'a str,
}

impl Question {
    /// Whether it is an original one.
    pub(crate) fn is_base(&self) -> bool {
        self.generalization == Generalization::Base.key()
    }

    /// The id of its task.
    pub(crate) fn task_id(id: i64) -> String {
        format!("q{id:05}")
    }

    /// The questions of a project, in the order they were written.
    pub(crate) fn all(db: &Connection, project: i64) -> Answered<Vec<Self>> {
        let query = "SELECT id, generalization, domain, text, kind, fields, derives_from, author, dropped, part
            FROM question WHERE project = ?1 ORDER BY id";
        let mut statement = db.prepare_cached(query)?;
        let rows = statement.query_map([project], of_row)?;
        Ok(rows.collect::<Result<Vec<_>, _>>()?)
    }

    /// Those that are not put aside.
    pub(crate) fn active(db: &Connection, project: i64) -> Answered<Vec<Self>> {
        Ok(Self::all(db, project)?.into_iter().filter(|question| !question.dropped).collect())
    }
}

impl NewQuestion<'_> {
    /// Keeps the question. It must say something, and nobody may have asked it before.
    pub(crate) fn insert(&self, db: &Connection, now: i64) -> Answered<i64> {
        let text = checked(self.text)?;
        let same = "SELECT count(*) FROM question WHERE project = ?1 AND lower(text) = lower(?2)";
        if db.query_row(same, params![self.project, text], |row| row.get::<_, i64>(0))? > 0 {
            return Err(Failure::Conflict("this question has been asked already; ask something else".to_owned()));
        }
        let part = self.part(db)?;
        let json = |value: serde_json::Result<String>| value.map_err(Failure::internal);
        db.execute(
            "INSERT INTO question (project, generalization, domain, text, kind, fields, derives_from, author, created, part)
             VALUES (?1, ?2, ?3, ?4, ?5, ?6, ?7, ?8, ?9, ?10)",
            params![
                self.project,
                self.generalization.key(),
                self.domain,
                text,
                self.kind,
                json(serde_json::to_string(self.fields))?,
                json(serde_json::to_string(self.derives_from))?,
                self.author,
                now,
                part
            ],
        )?;
        Ok(db.last_insert_rowid())
    }

    /// The part of what it was made from, which is one.
    fn part(&self, db: &Connection) -> Answered<Option<String>> {
        let mut statement = db.prepare_cached("SELECT part FROM question WHERE id = ?1 AND project = ?2")?;
        let of = |base: &i64| -> Answered<Option<String>> {
            Ok(statement.query_row([*base, self.project], |row| row.get(0))?)
        };
        let parts = self.derives_from.iter().map(of).collect::<Answered<Vec<_>>>()?;
        match parts.windows(2).all(|pair| pair[0] == pair[1]) {
            true => Ok(parts.into_iter().next().flatten()),
            false => Err(Failure::Conflict("these questions are in different parts of the data".to_owned())),
        }
    }
}

/// A question's text, if it can be one.
pub(crate) fn checked(text: &str) -> Answered<&str> {
    let text = text.trim();
    match text.chars().count() {
        3..=MOST_CHARS => Ok(text),
        found => Err(Failure::bad(format!("the question has {found} characters, expected 3 to {MOST_CHARS}"))),
    }
}

/// The kind that a question's words ask for, of the two that people answer without fields. Takes only what can be a
/// question.
pub(crate) async fn kind_of(text: &str) -> Answered<&'static str> {
    let text = checked(text)?.to_owned();
    compute(move || Ok(if infer(&text).spec.kind == AnswerKind::YesNo { "yes-no" } else { "spans" })).await
}

fn of_row(row: &Row<'_>) -> rusqlite::Result<Question> {
    let list = |text: String| serde_json::from_str(&text).unwrap_or_default();
    Ok(Question {
        id: row.get(0)?,
        generalization: row.get(1)?,
        domain: row.get(2)?,
        text: row.get(3)?,
        kind: row.get(4)?,
        fields: serde_json::from_str(&row.get::<_, String>(5)?).unwrap_or_default(),
        derives_from: list(row.get(6)?),
        author: row.get(7)?,
        dropped: row.get(8)?,
        part: row.get(9)?,
    })
}
