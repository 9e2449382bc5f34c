//! Functions over documents: the plan of a run, its folder and its result.

use crate::answering::{self, Column, FailOnError, Finished, Memory, RowError, Summary};
use crate::record::batch::Part;
use crate::record::{Folder, Ledger, Record, Repair, TaskRecord};
use crate::task::Named;
use crate::{Error, Session};
use saydo_corpus::{Document, Shard, Unreadable};
use saydo_function::Function;
use saydo_openai::Tally;
use saydo_task::{AnswerKind, AnswerSpec, Task};
use serde_json::{Value, json};
use std::path::{Path, PathBuf};
use std::sync::Arc;
use std::sync::atomic::AtomicBool;
use std::time::{Duration, Instant};

/// Stands for the questions where the run as a whole is told from others.
const PLACEHOLDER: &str = "the question of the row";

/// What is run, and where it is recorded.
#[derive(Debug, Clone)]
pub struct Settings {
    /// The tasks, a column each.
    pub tasks: Vec<Named>,
    /// Another column: the answers to the documents' own questions. Default: none.
    pub questions: Option<Questions>,
    /// Whether label answers come with the passage that shows them. Default: no.
    pub evidence: bool,
    /// Whether what failed or could not be parsed before is computed again. Default: no.
    pub retry_errors: bool,
    /// When to give up. Default: never.
    pub fail_on_error: Option<FailOnError>,
    /// The part of the documents that is run, for the name of the ledger. Default: all.
    pub shard: Option<Shard>,
    /// Whether to start anew; what was recorded before is put aside. Default: no.
    pub is_anew: bool,
    /// Where the run is recorded.
    pub place: Place,
    /// Everything else that belongs into the record; it changes no answer. Default: nothing.
    pub noted: Value,
    /// The seed of everything random, for the record. Default: 0.
    pub seed: u64,
}

/// The answers to the documents' own questions.
#[derive(Debug, Clone)]
pub struct Questions {
    /// The column of the input that holds them.
    pub name: String,
    /// The kind of all answers; otherwise each question's words say it.
    pub spec: Option<AnswerSpec>,
}

/// Where a run is recorded.
#[derive(Debug, Clone)]
pub enum Place {
    /// In this folder.
    Folder(PathBuf),
    /// Below this folder, in one that is named for the first task.
    Below(PathBuf),
}

impl Settings {
    /// The defaults, for these tasks and this place.
    pub fn new(tasks: Vec<Named>, place: Place) -> Self {
        Self {
            tasks,
            questions: None,
            evidence: false,
            retry_errors: false,
            fail_on_error: None,
            shard: None,
            is_anew: false,
            place,
            noted: Value::Null,
            seed: 0,
        }
    }
}

/// A run that is ready to go.
pub struct Run {
    /// The model.
    pub session: Session,
    /// The functions.
    pub functions: Vec<NamedFunction>,
    /// What stands beside functions, if each document has its own question.
    pub questions: Option<Questions>,
    /// Where it is recorded.
    pub folder: Folder,
    settings: RunSettings,
}

/// What a run still needs of its settings.
struct RunSettings {
    evidence: bool,
    retry_errors: bool,
    fail_on_error: Option<FailOnError>,
    shard: Option<Shard>,
    is_anew: bool,
}

/// A function and the name of its column.
pub struct NamedFunction {
    /// The column.
    pub name: String,
    /// The function.
    pub function: Function,
    /// Whether the kind of answer was taken from the words.
    pub is_inferred: bool,
}

/// What came of a run.
#[derive(Debug)]
pub struct Report {
    /// How it went with the rows.
    pub summary: Summary,
    /// How long it took.
    pub elapsed: Duration,
    /// How the servers of the model did; none if it runs here.
    pub servers: Vec<Tally>,
}

/// A ledger that is ready, and what was done to make it so.
pub struct OpenLedger {
    /// The ledger.
    pub ledger: Ledger,
    /// Where what was recorded before was put aside.
    pub kept: Option<PathBuf>,
    /// What was wrong with it and set right.
    pub repair: Repair,
}

impl Run {
    /// Makes the functions and the folder. Each function is as `adapt` gives it back.
    pub fn plan<E: From<Error>>(
        session: Session,
        settings: Settings,
        mut adapt: impl FnMut(&Session, Function) -> Result<Function, E>,
    ) -> Result<Self, E> {
        let Settings { tasks, questions, evidence, retry_errors, fail_on_error, shard, is_anew, place, noted, seed } =
            settings;
        if evidence && !session.settings.is_trained {
            return Err(Error::NoEvidence { model: session.name.clone() }.into());
        }
        let mut functions = Vec::new();
        for Named { name, task } in tasks {
            let is_inferred = task.answer.is_none();
            let made = Function::new(task, Arc::clone(&session.model), function_settings(&session, evidence));
            let function = made.map_err(|source| Error::NoFunction { name: name.clone(), source })?;
            functions.push(NamedFunction { name, function: adapt(&session, function)?, is_inferred });
        }
        let record_of =
            |named: &NamedFunction| TaskRecord { name: named.name.clone(), identity: named.function.identity() };
        let of_questions = |questions: &Questions| TaskRecord {
            name: questions.name.clone(),
            identity: questions.identity(&session, evidence),
        };
        let records = functions.iter().map(record_of).chain(questions.as_ref().map(of_questions)).collect();
        let record = Record::new(&session.name, &session.fingerprint, records, seed, noted);
        let path = match place {
            Place::Folder(path) => path,
            Place::Below(path) => path.join(record.folder_name()),
        };
        let folder = Folder::open(&path, &record)?;
        let settings = RunSettings { evidence, retry_errors, fail_on_error, shard, is_anew };
        Ok(Self { session, functions, questions, folder, settings })
    }

    /// The ledger of this run or shard.
    pub fn ledger(&self) -> Result<OpenLedger, Error> {
        let path = self.folder.ledger(self.settings.shard);
        let kept = if self.settings.is_anew { Ledger::set_aside(&path)? } else { None };
        let beside = if self.settings.is_anew { Vec::new() } else { self.folder.beside(self.settings.shard)? };
        let ledger = Ledger::open(&path, &beside)?;
        Ok(OpenLedger { repair: ledger.repair(), ledger, kept })
    }

    /// Has the model answer what is not recorded yet, and calls `each` with every row, in the documents' order.
    pub fn answer(
        &self,
        documents: &mut dyn Iterator<Item = Result<Document, Unreadable>>,
        ledger: &mut Ledger,
        stop: &AtomicBool,
        each: &mut dyn FnMut(Finished<'_>) -> Result<(), RowError>,
    ) -> Result<Report, Error> {
        let begun = Instant::now();
        let fail_on_error = self.settings.fail_on_error;
        let settings = answering::Settings { fail_on_error, ..answering::Settings::new(&self.session.name) };
        let mut memory = Memory::ledger(ledger, self.settings.retry_errors);
        let summary = answering::rows(&self.columns(), documents, &mut memory, &settings, stop, each)?;
        Ok(self.report(summary, begun.elapsed()))
    }

    /// The result, from what was counted.
    pub fn report(&self, summary: Summary, elapsed: Duration) -> Report {
        let servers = self.session.served.as_ref().map(|served| served.tallies()).unwrap_or_default();
        Report { summary, elapsed, servers }
    }

    fn columns(&self) -> Vec<Column<'_>> {
        let fingerprint = &self.session.fingerprint;
        let functions = self.functions.iter().map(|named| Column::of(&named.function, fingerprint));
        let questions = self.questions.as_ref().map(|questions| {
            let settings = function_settings(&self.session, self.settings.evidence);
            let make = move |question: &str| {
                Function::new(questions.task(question), Arc::clone(&self.session.model), settings.clone())
            };
            Column::of_questions(&questions.identity(&self.session, self.settings.evidence), fingerprint, make)
        });
        functions.chain(questions).collect()
    }

    /// The columns of the rows as they are written.
    pub fn outputs(&self) -> Vec<saydo_corpus::Column> {
        let function = |named: &NamedFunction| (named.name.clone(), named.function.spec().clone());
        let questions = self.questions.as_ref().map(|questions| (questions.name.clone(), questions.spec()));
        let columns = self.functions.iter().map(function).chain(questions);
        columns.map(|(name, spec)| saydo_corpus::Column { name, spec }).collect()
    }

    /// What is asked, a line for each column.
    pub fn descriptions(&self) -> Vec<String> {
        let describe =
            |named: &NamedFunction| named.function.task().definition.clone().unwrap_or_else(|| named.name.clone());
        let questions =
            self.questions.as_ref().map(|questions| format!("The questions in column `{}`", questions.name));
        self.functions.iter().map(describe).chain(questions).collect()
    }

    /// The functions, to be asked through files.
    pub fn parts(&self) -> Vec<Part<'_>> {
        self.functions.iter().map(|named| Part::of(&named.function, &self.session.fingerprint)).collect()
    }

    /// Where the run is recorded.
    pub fn path(&self) -> &Path {
        self.folder.path()
    }
}

fn function_settings(session: &Session, evidence: bool) -> saydo_function::Settings {
    saydo_function::Settings { evidence, ..session.settings.clone() }
}

impl Questions {
    /// What the answers look like, as far as one word can say it for all of them.
    pub fn spec(&self) -> AnswerSpec {
        self.spec.clone().unwrap_or(AnswerSpec { kind: AnswerKind::Text, na: None })
    }

    fn task(&self, question: &str) -> Task {
        let (id, definition) = (question.trim().to_owned(), Some(question.to_owned()));
        Task { id, definition, answer: self.spec.clone(), ..Task::default() }
    }

    /// All that answers depend on besides question, document and model.
    fn identity(&self, session: &Session, evidence: bool) -> Value {
        let settings = function_settings(session, evidence);
        json!({ "question_in_each_row": Function::identity_of(&self.task(PLACEHOLDER), &settings) })
    }
}

impl Report {
    /// Writes it for programs into the folder of the run.
    pub fn write(&self, run: &Run) -> Result<(), Error> {
        let name = match run.settings.shard {
            None => "summary.json".to_owned(),
            Some(shard) => format!("summary-{}-of-{}.json", shard.index(), shard.count()),
        };
        let path = run.path().join(name);
        saydo_file::write(&path, format!("{:#}\n", self.json(run)).as_bytes()).map_err(Error::write(&path))
    }

    fn json(&self, run: &Run) -> Value {
        let Self { summary, elapsed, servers } = self;
        let columns = run.outputs().into_iter().zip(&summary.columns).map(|(column, counts)| {
            json!({
                "name": column.name,
                "ok": counts.ok,
                "na": counts.na,
                "unparsable": counts.unparsable,
                "failed": counts.failed,
                "ungrounded": counts.ungrounded,
            })
        });
        let server = |tally: &Tally| {
            json!({
                "url": tally.url,
                "answered": tally.answered,
                "failed": tally.failed,
                "set_aside": tally.set_aside,
            })
        };
        json!({
            "rows": summary.rows,
            "rows_failed": summary.rows_failed,
            "computed": summary.computed,
            "interrupted": summary.interrupted,
            "seconds": (elapsed.as_secs_f64() * 1000.0).round() / 1000.0,
            "columns": columns.collect::<Vec<_>>(),
            "servers": servers.iter().map(server).collect::<Vec<_>>(),
        })
    }
}
