//! What can go wrong in this crate, and what to do about it.

use std::io;
use std::path::{Path, PathBuf};

/// Why a dataset could not be found, fetched, unpacked or checked.
#[derive(Debug, thiserror::Error)]
#[non_exhaustive]
pub enum Error {
    /// A lock could not be taken, or a file not be summed up.
    #[error(transparent)]
    Hub(#[from] saydo_hub::Error),
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
    /// An entry of a catalog cannot be used.
    #[error("catalog entry `{name}`: {problem}")]
    Entry {
        /// The entry.
        name: String,
        /// What is wrong with it.
        problem: String,
    },
    /// A name that stands in no catalog.
    #[error("no dataset is named `{name}`, expected {}", alternatives(if closest.is_empty() { known } else { closest }))]
    UnknownDataset {
        /// The name as given.
        name: String,
        /// Names that resemble it, the nearest first.
        closest: Vec<String>,
        /// All names.
        known: Vec<String>,
    },
    /// An address that is none.
    #[error("`{address}` is no address to fetch from, expected one that starts with http:// or https://")]
    Address {
        /// The text as given.
        address: String,
    },
    /// A dataset that is known but was not pulled.
    #[error("the dataset `{name}` is not there yet, expected it at {}", path.display())]
    Absent {
        /// The dataset.
        name: String,
        /// Where it would be.
        path: PathBuf,
    },
    /// A dataset whose files are not those that were pulled.
    #[error("the dataset `{name}` at {} is damaged: {problem}", path.display())]
    Damaged {
        /// The dataset.
        name: String,
        /// Where it is.
        path: PathBuf,
        /// The first thing that is wrong.
        problem: String,
    },
    /// A dataset that another process is pulling.
    #[error("`{name}` is being pulled by another process")]
    Busy {
        /// The dataset.
        name: String,
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
    /// A file with other bytes than those of the catalog.
    #[error("{address} gave a file with SHA-256 {found}, expected {expected}; nothing was put in place")]
    Checksum {
        /// Where it came from.
        address: String,
        /// What was fetched.
        found: String,
        /// What the catalog says.
        expected: String,
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
    /// No address gave the file.
    #[error("none of {} addresses gave it{}", failures.len(), indented(failures))]
    Nowhere {
        /// Why, for each.
        failures: Vec<Error>,
    },
    /// A pull that stopped; what it has fetched is kept.
    #[error("cannot pull `{name}`{}", kept(*kept_bytes))]
    Pull {
        /// The dataset.
        name: String,
        /// How many bytes are there and kept.
        kept_bytes: u64,
        /// A page that may say where the data are now.
        homepage: String,
        /// Why it stopped.
        source: Box<Error>,
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
            Self::Absent { name, .. } => {
                Some(format!("saydo data pull {name}, or pass --data PATH to a copy you have"))
            }
            Self::Damaged { name, .. } => Some(format!("saydo data pull --force {name} fetches it again")),
            Self::Pull { homepage, kept_bytes, source, .. } => Some(after_pull(source, homepage, *kept_bytes)),
            _ => None,
        }
    }
}

/// What to do after a pull that failed.
fn after_pull(source: &Error, homepage: &str, kept_bytes: u64) -> String {
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
        _ => format!("running it again goes on where it stopped\nor {advice}"),
    }
}

/// What an interrupted pull has, if it has anything.
fn kept(bytes: u64) -> String {
    if bytes == 0 { String::new() } else { format!(", {bytes} bytes are there and kept") }
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
fn indented(failures: &[Error]) -> String {
    failures.iter().map(|failure| format!("\n    {failure}")).collect()
}
