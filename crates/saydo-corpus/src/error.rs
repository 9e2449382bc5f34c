//! What can go wrong with a whole corpus or a whole output, and what to do about it.
//!
//! What is wrong with one document is [`crate::Unreadable`].

use crate::Format;
use std::io;
use std::path::PathBuf;

/// Why a corpus could not be opened, or an output not be written.
#[derive(Debug, thiserror::Error)]
#[non_exhaustive]
pub enum Error {
    /// No input was named.
    #[error("no input was named, expected files, folders, patterns or `-` for standard input")]
    NoInput,
    /// A named file does not exist.
    #[error("{} does not exist, expected a file, a folder or a pattern", path.display())]
    NotFound {
        /// The file.
        path: PathBuf,
        /// A file in the same folder with nearly that name.
        near: Option<PathBuf>,
    },
    /// A pattern cannot be understood.
    #[error("`{pattern}` is not a pattern")]
    BadPattern {
        /// The pattern.
        pattern: String,
        /// What is wrong with it.
        source: glob::PatternError,
    },
    /// A pattern that no file matches.
    #[error("no file matches `{pattern}`, expected at least one")]
    NoMatch {
        /// The pattern.
        pattern: String,
    },
    /// A folder in which there is nothing to read.
    #[error("{} holds no text we read (other files: {skipped}), expected at least one", path.display())]
    NoTexts {
        /// The folder.
        path: PathBuf,
        /// How many files of other kinds there are.
        skipped: u64,
    },
    /// A named file whose extension says nothing.
    #[error("cannot tell the format of {} from its extension", path.display())]
    UnknownExtension {
        /// The file.
        path: PathBuf,
    },
    /// Standard input was named twice.
    #[error("`-` stands twice among the inputs, expected once: standard input can be read only once")]
    StdinTwice,
    /// One stream was named in two ways.
    #[error("{first} and {second} are the same stream, which can be read only once")]
    SameStream {
        /// One of its names.
        first: String,
        /// The other.
        second: String,
    },
    /// A fraction of a stream.
    #[error("the limit {fraction:?} is a fraction of {name}, a stream that cannot be counted beforehand")]
    FractionOfStream {
        /// The fraction.
        fraction: f64,
        /// The stream.
        name: String,
    },
    /// The system could not read a file or folder.
    #[error("cannot read {path}")]
    Read {
        /// The file or folder.
        path: String,
        /// What the system said.
        source: io::Error,
    },
    /// A file that is cut short or is not what its name says.
    #[error("{path} cannot be read: {reason}")]
    Damaged {
        /// The file.
        path: String,
        /// What was found.
        reason: String,
    },
    /// The column that was asked for is not there.
    #[error("{path} has no column `{column}`, expected one of: {}", list(columns))]
    NoColumn {
        /// The file.
        path: String,
        /// What was asked for.
        column: String,
        /// What is there.
        columns: Vec<String>,
    },
    /// A column of something that is no table.
    #[error("{path} is one text without columns, expected a table with a column `{column}`")]
    NoTable {
        /// The file.
        path: String,
        /// The column.
        column: String,
    },
    /// The column of the text was not said and cannot be found.
    #[error("cannot tell which column of {path} holds the text: {}", list(columns))]
    UndecidedColumn {
        /// The file.
        path: String,
        /// What is there.
        columns: Vec<String>,
    },
    /// The column does not hold text.
    #[error("column `{column}` of {path} holds {found}, expected text")]
    NotText {
        /// The file.
        path: String,
        /// The column.
        column: String,
        /// What it holds.
        found: String,
    },
    /// The system could not write a file.
    #[error("cannot write {}", path.display())]
    Write {
        /// The file.
        path: PathBuf,
        /// What the system said.
        source: io::Error,
    },
    /// An output file whose extension names no format we write.
    #[error("cannot tell the format of the output {} from its extension", path.display())]
    UnknownOutput {
        /// The file.
        path: PathBuf,
    },
}

impl Error {
    /// What to do about it, where that is known.
    pub fn hint(&self) -> Option<String> {
        match self {
            Error::NotFound { near: Some(near), .. } => Some(format!("did you mean {}?", near.display())),
            Error::BadPattern { .. } | Error::NoMatch { .. } => {
                Some("`*` stands for a part of one name, `**` for any folders between".to_owned())
            }
            Error::NoTexts { .. } => Some(format!("these are read: {}", Format::extensions())),
            Error::UnknownExtension { .. } => Some(format!(
                "these are read: {}; anything else can be piped in with `-` for the input",
                Format::extensions()
            )),
            Error::SameStream { .. } => Some("leave one of the two out".to_owned()),
            Error::FractionOfStream { .. } => Some("give a count, such as --limit 100, or name a file".to_owned()),
            Error::Read { source, .. } if source.kind() == io::ErrorKind::PermissionDenied => {
                Some("its permissions do not let you read it".to_owned())
            }
            Error::Damaged { .. } => Some("get the file again, or leave it out".to_owned()),
            Error::NoColumn { column, columns, .. } => Some(match nearest(column, columns) {
                Some(near) => format!("did you mean --column {near}?"),
                None => "name the column with --column NAME".to_owned(),
            }),
            Error::UndecidedColumn { .. } | Error::NotText { .. } => {
                Some("name the column that holds the text with --column NAME".to_owned())
            }
            Error::Write { source, .. } => write_hint(source.kind()),
            Error::UnknownOutput { .. } => Some(
                "these are written: .jsonl .csv .tsv (each also with .gz or .zst behind it) .parquet .md .html"
                    .to_owned(),
            ),
            _ => None,
        }
    }
}

fn write_hint(kind: io::ErrorKind) -> Option<String> {
    let hint = match kind {
        io::ErrorKind::NotFound => "make its folder first",
        io::ErrorKind::PermissionDenied => "its folder's permissions do not let you write there",
        io::ErrorKind::StorageFull => "the disk is full: make room, or write elsewhere",
        io::ErrorKind::IsADirectory => "a folder has that name: choose another",
        _ => return None,
    };
    Some(hint.to_owned())
}

/// The name most like the wanted one, if one is like it at all.
pub(crate) fn nearest<'a>(wanted: &str, names: impl IntoIterator<Item = &'a String>) -> Option<&'a String> {
    let likeness = |name: &String| strsim::jaro_winkler(&wanted.to_lowercase(), &name.to_lowercase());
    let scored = names.into_iter().map(|name| (likeness(name), name));
    let (likeness, name) = scored.max_by(|a, b| a.0.total_cmp(&b.0))?;
    (likeness > 0.84).then_some(name)
}

/// Names for a message, at most twenty of them.
fn list(names: &[String]) -> String {
    if names.is_empty() {
        return "there are none".to_owned();
    }
    let shown: Vec<&str> = names.iter().take(20).map(String::as_str).collect();
    let more = if names.len() > shown.len() { format!(", … ({} in all)", names.len()) } else { String::new() };
    format!("{}{more}", shown.join(", "))
}

#[cfg(test)]
mod tests {
    use super::*;

    fn said(error: Error) -> String {
        let source = std::error::Error::source(&error).map(|source| format!("\nbecause: {source}")).unwrap_or_default();
        format!("{error}{source}\nhint: {}", error.hint().unwrap_or_default())
    }

    #[test]
    fn what_the_system_refuses_is_said_with_the_fix() {
        let source = || io::Error::from(io::ErrorKind::PermissionDenied);
        insta::assert_snapshot!(said(Error::Read { path: "a.txt".to_owned(), source: source() }), @r"
        cannot read a.txt
        because: permission denied
        hint: its permissions do not let you read it
        ");
        insta::assert_snapshot!(said(Error::Write { path: "out.csv".into(), source: source() }), @r"
        cannot write out.csv
        because: permission denied
        hint: its folder's permissions do not let you write there
        ");
        insta::assert_snapshot!(said(Error::Write { path: "out.csv".into(), source: io::ErrorKind::StorageFull.into() }), @r"
        cannot write out.csv
        because: no storage space
        hint: the disk is full: make room, or write elsewhere
        ");
        let pattern = glob::Pattern::new("a/***").expect_err("no pattern");
        insta::assert_snapshot!(said(Error::BadPattern { pattern: "a/***".to_owned(), source: pattern }), @r"
        `a/***` is not a pattern
        because: Pattern syntax error near position 4: wildcards are either regular `*` or recursive `**`
        hint: `*` stands for a part of one name, `**` for any folders between
        ");
    }

    #[test]
    fn long_lists_of_columns_are_cut() {
        let columns = (0..30).map(|number| format!("c{number}")).collect();
        let error = Error::UndecidedColumn { path: "t.csv".to_owned(), columns };
        assert!(error.to_string().ends_with("c18, c19, … (30 in all)"), "{error}");
    }
}
