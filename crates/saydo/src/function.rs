//! A description on a session's model: texts in, typed and grounded answers out.

use crate::answering::{Column, FailOnError, Memory, RowError, Settings, Summary, rows};
use crate::record::Ledger;
use crate::{Error, Session, task};
use saydo_corpus::{Document, Meta, Output, Row, Unreadable};
use saydo_function::Outcome;
use saydo_task::{AnswerSpec, Task};
use std::path::{Path, PathBuf};
use std::sync::Arc;
use std::sync::atomic::AtomicBool;

/// A description on a session's model: texts in, typed and grounded answers out.
///
/// ```
/// let session = saydo::open("scripted")?;
/// let dogs = session.function("Are dogs allowed?")?;
/// assert_eq!(dogs.spec().kind.name(), "yes-no");
/// let outcome = dogs.answer("Leashed dogs are welcome on all trails.")?;
/// assert!(["yes", "no", "n/a"].contains(&saydo::answer_text(&outcome.answer).as_str()));
/// # Ok::<(), saydo::Error>(())
/// ```
pub struct Function {
    name: String,
    session: Session,
    function: saydo_function::Function,
}

impl Session {
    /// The function of a description in plain words, or of a task file that holds one task. The kind of answer follows from
    /// the words unless the file states it.
    pub fn function(&self, text: &str) -> Result<Function, Error> {
        let tasks = task::resolve(text)?;
        let found = tasks.len();
        let mut tasks = tasks.into_iter();
        match (tasks.next(), tasks.next()) {
            (Some(only), None) => self.function_of(only.task),
            _ => Err(Error::SeveralTasks { text: text.to_owned(), found }),
        }
    }

    /// The function of a task.
    pub fn function_of(&self, task: Task) -> Result<Function, Error> {
        let name = task.title.clone().or_else(|| task.definition.clone()).unwrap_or_else(|| task.id.clone());
        let task = Task { instances: Vec::new(), ..task };
        let made = saydo_function::Function::new(task, Arc::clone(&self.model), self.settings.clone());
        let function = made.map_err(|source| Error::NoFunction { name: name.clone(), source })?;
        Ok(Function { name, session: self.clone(), function })
    }
}

impl Function {
    /// The answer to one text.
    pub fn answer(&self, text: &str) -> Result<Outcome, Error> {
        self.function.apply(text).map_err(Error::Function)
    }

    /// What answers look like.
    pub fn spec(&self) -> &AnswerSpec {
        self.function.spec()
    }

    /// The task, its kind of answer filled in.
    pub fn task(&self) -> &Task {
        self.function.task()
    }

    /// The function over documents of any number, such as a [`saydo_corpus::Corpus`].
    ///
    /// ```
    /// use saydo::{Corpus, CorpusOptions};
    ///
    /// let (parks, results) = (tempfile::tempdir()?, tempfile::tempdir()?);
    /// std::fs::write(parks.path().join("park.txt"), "Leashed dogs are welcome.")?;
    /// let corpus = || Corpus::open(&[parks.path().display().to_string()], &CorpusOptions::default());
    /// let ledger = results.path().join("ledger.jsonl");
    ///
    /// let dogs = saydo::open("scripted")?.function("Are dogs allowed?")?;
    /// let summary = dogs.over(corpus()?).recorded(&ledger).write(results.path().join("rows.csv"))?;
    /// assert_eq!((summary.rows, summary.computed), (1, 1));
    ///
    /// // What is recorded is not computed again.
    /// let summary = dogs.over(corpus()?).recorded(&ledger).each(|_, _| Ok(()))?;
    /// assert_eq!(summary.computed, 0);
    /// # Ok::<(), Box<dyn std::error::Error>>(())
    /// ```
    pub fn over<D>(&self, documents: D) -> Over<'_, D::IntoIter>
    where
        D: IntoIterator<Item = Result<Document, Unreadable>>,
    {
        Over {
            function: self,
            documents: documents.into_iter(),
            ledger: None,
            retry_errors: false,
            fail_on_error: None,
        }
    }
}

/// A function over documents, before the first of them is read. Rows come out in the documents' order, while later documents
/// are still being answered.
pub struct Over<'a, D> {
    function: &'a Function,
    documents: D,
    ledger: Option<PathBuf>,
    retry_errors: bool,
    fail_on_error: Option<FailOnError>,
}

impl<D: Iterator<Item = Result<Document, Unreadable>>> Over<'_, D> {
    /// Keeps every answer in this file as soon as it is known, and finds it again. Default: nothing is kept.
    #[must_use]
    pub fn recorded(self, ledger: impl Into<PathBuf>) -> Self {
        Self { ledger: Some(ledger.into()), ..self }
    }

    /// Computes again what was recorded as failed or unparsable. Default: it stays.
    #[must_use]
    pub fn retrying_errors(self) -> Self {
        Self { retry_errors: true, ..self }
    }

    /// Gives up when more rows fail. Default: never.
    #[must_use]
    pub fn failing_above(self, bound: FailOnError) -> Self {
        Self { fail_on_error: Some(bound), ..self }
    }

    /// Calls `each` with every document and its row.
    pub fn each(mut self, mut each: impl FnMut(&Document, &Row) -> Result<(), RowError>) -> Result<Summary, Error> {
        let Function { session, function, .. } = self.function;
        let mut ledger = self.ledger.as_deref().map(|path| Ledger::open(path, &[])).transpose()?;
        let mut memory = match &mut ledger {
            Some(ledger) => Memory::ledger(ledger, self.retry_errors),
            None => Memory::nothing(),
        };
        let settings = Settings { fail_on_error: self.fail_on_error, ..Settings::new(&session.name) };
        let columns = [Column::of(function, &session.fingerprint)];
        rows(&columns, &mut self.documents, &mut memory, &settings, &AtomicBool::new(false), &mut |finished| {
            each(finished.document, finished.row)
        })
    }

    /// All rows, in memory.
    pub fn rows(self) -> Result<Vec<Row>, Error> {
        let mut rows = Vec::new();
        self.each(|_, row| {
            rows.push(row.clone());
            Ok(())
        })?;
        Ok(rows)
    }

    /// Writes the rows to a file, by its extension: `.jsonl`, `.csv`, `.tsv`, `.parquet`, `.md` or `.html`. It appears when it
    /// is whole.
    pub fn write(self, path: impl AsRef<Path>) -> Result<Summary, Error> {
        let Function { name, session, function } = self.function;
        let columns = [saydo_corpus::Column { name: name.clone(), spec: function.spec().clone() }];
        let meta = Meta {
            title: name.clone(),
            description: function.task().definition.iter().cloned().collect(),
            model: session.name.clone(),
            version: env!("CARGO_PKG_VERSION").to_owned(),
        };
        let mut output = Output::create(path.as_ref(), &columns, &meta)?;
        let summary = self.each(|document, row| Ok(output.write(document, row)?))?;
        output.finish()?;
        Ok(summary)
    }
}
