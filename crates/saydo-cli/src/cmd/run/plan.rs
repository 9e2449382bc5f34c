//! Everything that is settled before the first document: functions on their model, and the folder of the run.

use super::questions::Questions;
use super::{Args, calibration, note};
use crate::model::Opened;
use crate::task::Named;
use anyhow::{Context, Result, bail};
use saydo_corpus::Options;
use saydo_function::{Function, Settings};
use saydo_run::batch::Part;
use saydo_run::folder::{Record, TaskRecord};
use saydo_run::{Column, Folder, Ledger};
use saydo_task::{AnswerKind, AnswerSpec};
use serde_json::json;
use std::path::Path;
use std::sync::Arc;

/// A run that is ready to go.
pub(super) struct Plan {
    pub(super) opened: Opened,
    pub(super) functions: Vec<NamedFunction>,
    /// What stands in the place of functions if each row has its own question.
    questions: Option<Questions>,
    pub(super) folder: Folder,
}

/// A function and the name of its column.
pub(super) struct NamedFunction {
    pub(super) name: String,
    pub(super) function: Function,
    /// Whether the kind of answer was taken from the words.
    is_inferred: bool,
}

/// Formats of inputs, as users write them.
#[derive(Debug, Clone, Copy, PartialEq, Eq, clap::ValueEnum)]
pub(super) enum Format {
    Text,
    Html,
    #[value(alias = "json-lines")]
    Jsonl,
    Json,
    Csv,
    Tsv,
    Parquet,
}

/// What to read of the inputs.
pub(super) fn options(args: &Args) -> Options {
    let format = args.format.map(|format| match format {
        Format::Text => saydo_corpus::Format::Text,
        Format::Html => saydo_corpus::Format::Html,
        Format::Jsonl => saydo_corpus::Format::JsonLines,
        Format::Json => saydo_corpus::Format::Json,
        Format::Csv => saydo_corpus::Format::Csv,
        Format::Tsv => saydo_corpus::Format::Tsv,
        Format::Parquet => saydo_corpus::Format::Parquet,
    });
    let (column, question) = (args.column.clone(), args.question_column.clone());
    Options { column, question, format, limit: args.limit, shard: args.shard, ..Options::default() }
}

impl Plan {
    /// Opens the model, makes the functions and the folder.
    pub(super) fn new(args: &Args, tasks: Vec<Named>, inputs: &[String]) -> Result<Self> {
        let opened = args.model.open()?;
        if args.evidence && !opened.settings.is_trained {
            bail!(
                "--evidence needs a model that has learned to show it, and {} has not; `saydo models list` says which have",
                opened.name
            );
        }
        let functions = tasks.into_iter().map(|named| function(args, named, &opened)).collect::<Result<Vec<_>>>()?;
        let questions = Questions::new(args, &opened)?;
        let task = |function: &NamedFunction| TaskRecord {
            name: function.name.clone(),
            identity: function.function.identity(),
        };
        let settings = json!({
            "inputs": inputs,
            "column": args.column,
            "limit": args.limit.map(|limit| limit.to_string()),
        });
        let tasks = functions.iter().map(task).chain(questions.as_ref().map(Questions::record)).collect();
        let record = Record::new(&opened.name, &opened.fingerprint, tasks, args.model.seed(), settings);
        let path = match &args.run {
            Some(path) => path.clone(),
            None => args.model.home().runs()?.join(record.folder_name()),
        };
        let folder = Folder::open(&path, &record)?;
        Ok(Self { opened, functions, questions, folder })
    }

    /// The columns of the rows.
    pub(super) fn columns(&self) -> Vec<Column<'_>> {
        let fingerprint = &self.opened.fingerprint;
        let functions = self.functions.iter().map(|named| Column::of(&named.function, fingerprint));
        let questions = self.questions.as_ref().map(|questions| {
            let make = move |question: &str| questions.function(question, &self.opened);
            saydo_run::questions::column(&questions.identity(), fingerprint, make)
        });
        functions.chain(questions).collect()
    }

    /// The columns of the rows as they are written.
    pub(super) fn outputs(&self) -> Vec<saydo_corpus::Column> {
        let function = |named: &NamedFunction| (named.name.clone(), named.function.spec().clone());
        let questions = self.questions.as_ref().map(|questions| (questions.name.clone(), questions.spec()));
        let columns = self.functions.iter().map(function).chain(questions);
        columns.map(|(name, spec)| saydo_corpus::Column { name, spec }).collect()
    }

    /// What is asked, a line for each column.
    pub(super) fn descriptions(&self) -> Vec<String> {
        let describe =
            |named: &NamedFunction| named.function.task().definition.clone().unwrap_or_else(|| named.name.clone());
        let questions =
            self.questions.as_ref().map(|questions| format!("The questions in column `{}`", questions.name));
        self.functions.iter().map(describe).chain(questions).collect()
    }

    /// The functions, to be asked through files.
    pub(super) fn parts(&self) -> Vec<Part<'_>> {
        self.functions.iter().map(|named| Part::of(&named.function, &self.opened.fingerprint)).collect()
    }

    /// The ledger of this run or shard; a note says what was put aside or repaired.
    pub(super) fn ledger(&self, args: &Args) -> Result<Ledger> {
        let path = self.folder.ledger(args.shard);
        if args.no_resume {
            if let Some(kept) = Ledger::set_aside(&path)? {
                note(args, &format!("started anew; what was recorded before is in {}", kept.display()));
            }
            return Ok(Ledger::open(&path, &[])?);
        }
        let ledger = Ledger::open(&path, &self.folder.beside(args.shard)?)?;
        if ledger.repair().torn_bytes > 0 {
            note(args, &format!("repaired {}: its last line was not whole", path.display()));
        }
        Ok(ledger)
    }

    /// Says what kind of answers there will be, and where that can be changed.
    pub(super) fn describe(&self, args: &Args, skipped: u64) {
        for named in &self.functions {
            let change = match named.is_inferred {
                true => "; change with --kind or `saydo new`",
                false => "",
            };
            let name = match self.functions.len() {
                1 => "answers".to_owned(),
                _ => format!("answers to `{}`", named.name),
            };
            note(args, &format!("{name}: {}{change}", describe(named.function.spec())));
        }
        if let Some(questions) = &self.questions {
            let kind = match questions.has_kind() {
                true => describe(&questions.spec()),
                false => "as each question in its column asks for; change with --kind".to_owned(),
            };
            note(args, &format!("answers: {kind}"));
        }
        if skipped > 0 {
            note(args, &format!("{skipped} files of other kinds in the folders are not read"));
        }
    }

    /// Where the run is recorded.
    pub(super) fn path(&self) -> &Path {
        self.folder.path()
    }
}

fn function(args: &Args, named: Named, opened: &Opened) -> Result<NamedFunction> {
    let Named { name, task } = named;
    let is_inferred = task.answer.is_none();
    let settings = Settings { evidence: args.evidence, ..opened.settings.clone() };
    let function = Function::new(task, Arc::clone(&opened.model), settings)
        .with_context(|| format!("cannot make a function of `{name}`"))?;
    let function = match &args.calibrate {
        Some(path) => calibration::calibrate(function, path, args.column.as_deref())?,
        None => function,
    };
    Ok(NamedFunction { name, function, is_inferred })
}

/// A kind of answer in a few words.
fn describe(spec: &AnswerSpec) -> String {
    match &spec.kind {
        AnswerKind::Label(labels) => format!("label ({})", labels.join(", ")),
        AnswerKind::Records(fields) => {
            let fields: Vec<String> = fields.iter().map(|field| format!("{}: {}", field.name, field.kind)).collect();
            format!("records ({})", fields.join(", "))
        }
        kind => kind.name().to_owned(),
    }
}
