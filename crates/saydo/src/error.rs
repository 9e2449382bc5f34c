//! What can go wrong with a model or a run as a whole. What goes wrong with one document becomes its row.

use crate::answering::{FailOnError, RowError};
use crate::nearest::{nearest, nearest_file};
use std::io;
use std::path::{Path, PathBuf};

/// Why there is no model, or why a run could not start or had to stop. What was recorded before stays.
#[derive(Debug, thiserror::Error)]
#[non_exhaustive]
pub enum Error {
    /// The system could not read a file.
    #[error("cannot read {}", path.display())]
    Read {
        /// The file.
        path: PathBuf,
        /// What the system said.
        source: io::Error,
    },
    /// The system could not write a file.
    #[error("cannot write {}", path.display())]
    Write {
        /// The file.
        path: PathBuf,
        /// What the system said.
        source: io::Error,
    },
    /// Another process writes the ledger.
    #[error("another process is writing {}", ledger.display())]
    Busy {
        /// The ledger.
        ledger: PathBuf,
    },
    /// The folder belongs to another run.
    #[error("{} holds a run of {found}, expected {expected}", folder.display())]
    OtherRun {
        /// The folder.
        folder: PathBuf,
        /// What it is a run of.
        found: String,
        /// What was to be run.
        expected: String,
    },
    /// A folder without a run.
    #[error("{} holds no run, expected a run.json in it", folder.display())]
    NoRun {
        /// The folder.
        folder: PathBuf,
    },
    /// A file without results of a batch.
    #[error("{} holds no results of a batch that was exported here (other lines: {lines})", path.display())]
    NoResults {
        /// The file.
        path: PathBuf,
        /// How many lines of something else it has.
        lines: u64,
    },
    /// An output of a kind that cannot be joined.
    #[error("{} cannot be joined, expected .jsonl, .csv, .tsv, .parquet or the folder of a run", path.display())]
    Unmergeable {
        /// The file.
        path: PathBuf,
    },
    /// Outputs of several formats.
    #[error("{} has another format than {}, expected the same", part.display(), out.display())]
    MixedFormats {
        /// The file to be written.
        out: PathBuf,
        /// The file to be read.
        part: PathBuf,
    },
    /// An output with other columns.
    #[error("{} has other columns than the first file, expected outputs of the same tasks", part.display())]
    OtherColumns {
        /// The file.
        part: PathBuf,
    },
    /// An output that was not written to its end.
    #[error("{} does not end with a whole row", path.display())]
    TornOutput {
        /// The file.
        path: PathBuf,
    },
    /// A document that two outputs have.
    #[error("{} holds a row for {source_name} again, expected each document once", part.display())]
    Overlap {
        /// The file that has it again.
        part: PathBuf,
        /// The document.
        source_name: String,
    },
    /// Outputs whose lengths are not those of all shards in their order.
    #[error("the parts have {} rows or more, which are not those of all shards in their order", list(lengths))]
    Lengths {
        /// How many rows each has, as far as they were read.
        lengths: Vec<u64>,
    },
    /// Fewer outputs than shards.
    #[error("{found} parts were given, but their rows stand {expected} apart in the input, expected {expected} parts")]
    MissingParts {
        /// How many there are.
        found: u64,
        /// How many there must be.
        expected: u64,
    },
    /// Shards without a ledger.
    #[error("of {count} shards these are missing: {}", list(missing))]
    MissingShards {
        /// Those that are missing.
        missing: Vec<u64>,
        /// How many there must be.
        count: u64,
    },
    /// A shard with two ledgers.
    #[error("shard {shard} is there twice, expected each shard once")]
    RepeatedShard {
        /// The shard.
        shard: String,
    },
    /// A function could not go on.
    #[error(transparent)]
    Function(saydo_function::Error),
    /// Whoever was given a row could not take it.
    #[error("cannot hand on a row")]
    Row(#[source] RowError),
    /// More rows failed than may fail.
    #[error("{failed} of {rows} rows failed, expected at most {bound}")]
    TooManyFailed {
        /// How many failed.
        failed: u64,
        /// How many there were so far.
        rows: u64,
        /// How many may fail.
        bound: FailOnError,
    },
    /// A task file that is not there.
    #[error("{text} does not exist, expected a task file; a description in plain words needs no file")]
    NoTaskFile {
        /// What was written.
        text: String,
    },
    /// A description without words.
    #[error("the description is empty; say what to do, as in: saydo run \"Are dogs allowed?\" trails/")]
    EmptyTask,
    /// One task was expected.
    #[error("{text} holds {found} tasks, expected one")]
    SeveralTasks {
        /// What was written.
        text: String,
        /// How many there are.
        found: usize,
    },
    /// A task that no function can be made of.
    #[error("cannot make a function of `{name}`")]
    NoFunction {
        /// The task.
        name: String,
        /// Why.
        source: saydo_function::Error,
    },
    /// Evidence was asked for.
    #[error(
        "--evidence needs a model that has learned to show it, and {model} has not; `saydo models list` says which have"
    )]
    NoEvidence {
        /// The model.
        model: String,
    },
    /// Nothing to compute with.
    #[error("0 threads, expected at least 1")]
    NoThreads,
    /// A temperature that is none.
    #[error("the temperature is {found}, expected 0 or more")]
    Temperature {
        /// What was asked for.
        found: f64,
    },
    /// An adapter for a model that does not run here.
    #[error("--adapter with {model}, expected a model that runs here")]
    AdapterElsewhere {
        /// The model.
        model: String,
    },
    /// Weights were needed, and a server has them.
    #[error("openai:{model} runs on a server, expected a model that runs here")]
    NotLocal {
        /// Its name there.
        model: String,
    },
    /// A scripted model whose delay is no number.
    #[error("`{name}` is no model, expected scripted or scripted:MILLISECONDS")]
    NoScript {
        /// What was written.
        name: String,
    },
    /// A served model without an address.
    #[error(
        "openai:{model} needs the address of its server; give --base-url http://127.0.0.1:8080 or set OPENAI_BASE_URL \
         (or OPENAI_API_KEY for OpenAI itself)"
    )]
    NoServer {
        /// Its name there.
        model: String,
    },
    /// Servers of one model that would need several proxies.
    #[error("the environment has different proxies for the addresses of {model}, expected one; NO_PROXY excepts hosts")]
    SeveralProxies {
        /// Its name there.
        model: String,
    },
    /// A timeout that is none.
    #[error("the timeout is {seconds} seconds, expected more than 0")]
    Timeout {
        /// What was asked for.
        seconds: f64,
    },
    /// The weights could not be loaded.
    #[error("cannot load the model {model}")]
    LoadModel {
        /// As it was named.
        model: String,
        /// Why.
        source: saydo_model::Error,
    },
    /// An adapter that ships with Saydo is damaged.
    #[error("cannot read the adapter that ships for {model}")]
    ShippedAdapter {
        /// The model.
        model: String,
        /// Why.
        source: Box<dyn std::error::Error + Send + Sync>,
    },
    /// What an adapter has learned of functions cannot be read.
    #[error("cannot read {}", path.display())]
    BadTrained {
        /// The file.
        path: PathBuf,
        /// Why.
        source: serde_json::Error,
    },
    /// An adapter that learned prompts of another version.
    #[error(
        "the adapter of {} learned wording {learned}, and this version of saydo asks in wording {current}; train it anew, \
         or pass --adapter none", path.display()
    )]
    OtherWording {
        /// The adapter's file.
        path: PathBuf,
        /// What it learned.
        learned: u32,
        /// What is asked now.
        current: u32,
    },
    /// The platform has no cache folder for this user.
    #[error("no cache folder was found; SAYDO_HOME can name a folder for models, data and runs")]
    NoHome,
    /// The platform has no home folder for this user.
    #[error("no home folder was found; HF_HOME can name a folder for Hugging Face's cache")]
    NoHuggingFaceHome,
    /// The model is not there, or cannot be found.
    #[error(transparent)]
    Hub(#[from] saydo_hub::Error),
    /// The model cannot be used.
    #[error(transparent)]
    Model(#[from] saydo_model::Error),
    /// The server cannot be used.
    #[error(transparent)]
    Server(#[from] saydo_openai::Error),
    /// Documents cannot be read, or rows cannot be written.
    #[error(transparent)]
    Corpus(#[from] saydo_corpus::Error),
    /// A file of tasks cannot be used.
    #[error(transparent)]
    Task(#[from] saydo_task::Error),
    /// A protocol that cannot be run or scored.
    #[error(transparent)]
    Protocol(Box<saydo_protocol::Error>),
    /// Prompts that cannot be made.
    #[error(transparent)]
    Encode(#[from] saydo_encode::Error),
    /// A training that cannot start or go on.
    #[error(transparent)]
    Train(#[from] saydo_train::Error),
    /// A model that cannot be trained.
    #[error("cannot train {model}")]
    Untrainable {
        /// As it was named.
        model: String,
        /// Why.
        source: Box<saydo_train::Error>,
    },
    /// A protocol that is not known, and no task file.
    #[error("{name} is no protocol and no task file, expected {} or a path", known.join(", "))]
    NoProtocol {
        /// What was named.
        name: String,
        /// Those that are known.
        known: Vec<&'static str>,
    },
    /// Settings or data that do not fit a job.
    #[error("{found}, expected {expected}")]
    Unfit {
        /// What there is.
        found: String,
        /// What there should be.
        expected: String,
    },
    /// A job was told to stop before its end.
    #[error("interrupted with {left} {unit} left; the same command goes on from there")]
    Interrupted {
        /// How many are left.
        left: usize,
        /// What is counted.
        unit: &'static str,
    },
    /// A training was told to stop before its end.
    #[error("interrupted after step {step} of {steps}; the same command goes on from there")]
    TrainingInterrupted {
        /// The last step.
        step: usize,
        /// All steps.
        steps: usize,
    },
    /// No row to check a task on.
    #[error("there are no labelled rows, expected at least one")]
    NoLabelledRows,
    /// Too few rows.
    #[error("{found} labelled rows, expected at least {expected} to put into two parts")]
    TooFewRows {
        /// How many there are.
        found: usize,
        /// How many are needed.
        expected: usize,
    },
    /// Tasks without labelled instances, and no rows beside them.
    #[error("{task} holds no labelled instances; name a file of labelled rows after it")]
    NoInstances {
        /// The first task.
        task: String,
    },
    /// Rows that the model was trained on.
    #[error(
        "the model was trained on {learned} of {rows} rows of {name}; use --adapter none or other rows, or pass \
         --allow-seen to count them, marked as seen"
    )]
    LearnedRows {
        /// How many of them.
        learned: usize,
        /// How many rows there are.
        rows: usize,
        /// The task.
        name: String,
    },
    /// Samples that the model was trained on.
    #[error("{found}; use --adapter none or other data, or pass --allow-seen to score them, marked as seen")]
    LearnedSamples {
        /// Which, and how many.
        found: String,
    },
    /// A threshold of NA for a task that has none.
    #[error("--calibrate finds where NA begins, but the task has no NA")]
    NoNa,
    /// A model that gives no scores.
    #[error("--calibrate needs scores of given answers, which this model does not give; try a local model")]
    NoScores,
    /// Resources of which no task can be made.
    #[error(
        "no Turking Test task can be made of these resources, expected sentences, captions, paragraphs or highlights"
    )]
    NoTurkingTask,
    /// A script that could not be run, or not be spoken with.
    #[error("cannot {doing} the script of another engine")]
    Script {
        /// `run`, `write to` or `read from`.
        doing: &'static str,
        /// What the system said.
        source: io::Error,
    },
    /// A machine on which a time says nothing.
    #[error("{tokens} more tokens took no longer in {attempts} attempts; the machine is too busy to measure")]
    TooBusy {
        /// How many tokens.
        tokens: usize,
        /// How often it was tried.
        attempts: usize,
    },
    /// A file of settings that is not TOML, or lacks something.
    #[error("{} is no {what}", path.display())]
    BadSettings {
        /// The file.
        path: PathBuf,
        /// What it should be.
        what: &'static str,
        /// Why.
        source: Box<toml::de::Error>,
    },
    /// Settings with a value of another type.
    #[error("a value is wrong among {keys}")]
    BadValue {
        /// The keys.
        keys: String,
        /// Why.
        source: Box<toml::de::Error>,
    },
    /// A key that no settings have.
    #[error("`{key}` is no setting{}", nearest.as_ref().map_or_else(|| format!(", expected some of {}", known.join(", ")), |near| format!("; did you mean `{near}`?")))]
    UnknownSetting {
        /// The key.
        key: String,
        /// What may be meant.
        nearest: Option<String>,
        /// Every key.
        known: Vec<&'static str>,
    },
    /// A cell of an experiment.
    #[error("cell {name}")]
    Cell {
        /// The cell.
        name: String,
        /// Why.
        source: Box<Error>,
    },
    /// The description of a run cannot be understood.
    #[error("{} does not describe a run: {reason}", path.display())]
    BadRecord {
        /// The file.
        path: PathBuf,
        /// What is wrong with it.
        reason: String,
    },
}

impl From<saydo_protocol::Error> for Error {
    fn from(error: saydo_protocol::Error) -> Self {
        Self::Protocol(Box::new(error))
    }
}

impl Error {
    pub(crate) fn read(path: &Path) -> impl FnOnce(io::Error) -> Self + '_ {
        |source| Self::Read { path: path.to_owned(), source }
    }

    /// The error of a file that could not be written.
    pub fn write(path: &Path) -> impl FnOnce(io::Error) -> Self + '_ {
        |source| Self::Write { path: path.to_owned(), source }
    }

    pub(crate) fn unfit(found: impl Into<String>, expected: impl Into<String>) -> Self {
        Self::Unfit { found: found.into(), expected: expected.into() }
    }

    /// What to do about it, where that is known.
    pub fn hint(&self) -> Option<String> {
        Some(match self {
            Self::Write { source, .. } => match source.kind() {
                io::ErrorKind::StorageFull | io::ErrorKind::QuotaExceeded => {
                    "the disk is full; make space and run the same command again: what was recorded stays".to_owned()
                }
                io::ErrorKind::PermissionDenied | io::ErrorKind::ReadOnlyFilesystem => {
                    "choose a folder that can be written to with --run DIR".to_owned()
                }
                _ => return None,
            },
            Self::Busy { .. } => "wait for it to end, give this run its own folder with --run DIR, or split the work \
                                  between processes with --shard 1/2 and --shard 2/2"
                .to_owned(),
            Self::OtherRun { .. } => "choose another folder with --run DIR, or leave --run out".to_owned(),
            Self::BadRecord { .. } => "choose another folder with --run DIR, or remove the file".to_owned(),
            Self::TooManyFailed { .. } => "the rows say what went wrong; --retry-errors tries them again, and \
                                           --fail-on-error sets how many may fail"
                .to_owned(),
            Self::NoResults { .. } => {
                "give the file of results that the server wrote, not the file of requests".to_owned()
            }
            Self::Overlap { .. } | Self::RepeatedShard { .. } => "name each shard once".to_owned(),
            Self::Lengths { .. } => {
                "name the outputs of all shards, finished, in their order: 1/3, then 2/3, then 3/3".to_owned()
            }
            Self::TornOutput { .. } | Self::MissingShards { .. } => "run the shard again: it resumes".to_owned(),
            Self::MissingParts { .. } => "name the outputs of all shards, in their order".to_owned(),
            Self::Task(saydo_task::Error::Read { path, source }) | Self::Read { path, source }
                if source.kind() == io::ErrorKind::NotFound =>
            {
                format!("did you mean {}?", nearest_file(path)?.display())
            }
            Self::NoTaskFile { text } => format!("did you mean {}?", nearest_file(Path::new(text))?.display()),
            Self::NoProtocol { name, known } => {
                format!("did you mean {}?", nearest(name, known.iter().copied())?)
            }
            Self::Hub(error) => return error.hint(),
            Self::Corpus(error) => return error.hint(),
            _ => return None,
        })
    }
}

fn list(numbers: &[u64]) -> String {
    numbers.iter().map(u64::to_string).collect::<Vec<_>>().join(", ")
}
