//! `--question-column`: each row of a table brings its own question.

use super::Args;
use crate::model::Opened;
use anyhow::{Result, bail};
use saydo_function::{Error, Function, Settings};
use saydo_run::folder::TaskRecord;
use saydo_task::{AnswerKind, AnswerSpec, Task};
use serde_json::{Value, json};
use std::sync::Arc;

/// Stands for the questions where the run as a whole is told from others.
const PLACEHOLDER: &str = "the question of the row";

/// What all questions of a run have in common.
pub(super) struct Questions {
    /// The column that holds them.
    pub(super) name: String,
    /// The kind of all answers, if flags say so; otherwise each question's words do.
    spec: Option<AnswerSpec>,
    settings: Settings,
}

impl Questions {
    /// None if no column of questions was named.
    pub(super) fn new(args: &Args, opened: &Opened) -> Result<Option<Self>> {
        let Some(name) = args.question_column.clone() else { return Ok(None) };
        let spec = args.task.spec()?;
        let is_parquet =
            args.output_path.as_ref().is_some_and(|path| path.extension().is_some_and(|it| it == "parquet"));
        if is_parquet && spec.is_none() {
            bail!(
                "--question-column gives answers of several kinds, which a column of Parquet cannot hold; say --kind, or \
                 write .jsonl"
            );
        }
        let settings = Settings { evidence: args.evidence, ..opened.settings.clone() };
        Ok(Some(Self { name, spec, settings }))
    }

    fn task(&self, question: &str) -> Task {
        let (id, definition) = (question.trim().to_owned(), Some(question.to_owned()));
        Task { id, definition, answer: self.spec.clone(), ..Task::default() }
    }

    /// The function of a question.
    pub(super) fn function(&self, question: &str, opened: &Opened) -> Result<Function, Error> {
        Function::new(self.task(question), Arc::clone(&opened.model), self.settings.clone())
    }

    /// All that answers depend on besides question, document and model.
    pub(super) fn identity(&self) -> Value {
        json!({ "question_in_each_row": Function::identity_of(&self.task(PLACEHOLDER), &self.settings) })
    }

    pub(super) fn record(&self) -> TaskRecord {
        TaskRecord { name: self.name.clone(), identity: self.identity() }
    }

    /// What the answers look like, as far as one word can say it for all of them.
    pub(super) fn spec(&self) -> AnswerSpec {
        self.spec.clone().unwrap_or(AnswerSpec { kind: AnswerKind::Text, na: None })
    }

    /// Whether flags say the kind of the answers.
    pub(super) fn has_kind(&self) -> bool {
        self.spec.is_some()
    }
}
