//! A format of documents of one's own.

use crate::Error;
use crate::answering::RowError;
use saydo_corpus::{Document, Unreadable};
use std::ffi::OsStr;
use std::fs::{self, File};
use std::io::{BufRead, BufReader};
use std::path::{Path, PathBuf};

/// The texts of a file, one after the other. An error stands for one text; the next one may be right.
pub type Texts<'a> = Box<dyn Iterator<Item = Result<String, RowError>> + 'a>;

/// Reads the documents of a format that [`saydo_corpus::Corpus`] does not know.
///
/// An implementation reads as it goes, so that a file may be larger than memory, and gives the same texts for the same bytes.
/// It never panics on bytes of strangers: what is wrong becomes an error in place of the text.
///
/// ```
/// use saydo::reader::{Reader, Texts, documents};
/// use std::io::BufRead;
///
/// /// Texts with lines of `%%` between them.
/// struct Fortunes;
///
/// impl Reader for Fortunes {
///     fn extensions(&self) -> &[&str] {
///         &["fortune"]
///     }
///
///     fn texts<'a>(&'a self, mut file: Box<dyn BufRead + 'a>) -> Texts<'a> {
///         let next = move || -> Option<Result<String, saydo::answering::RowError>> {
///             let mut text = String::new();
///             loop {
///                 let begun = text.len();
///                 match file.read_line(&mut text) {
///                     Ok(0) if text.is_empty() => return None,
///                     Ok(_) if text.len() == begun || text[begun..].trim_end() == "%%" => {
///                         text.truncate(begun);
///                         return Some(Ok(text));
///                     }
///                     Ok(_) => {}
///                     Err(error) => return Some(Err(error.into())),
///                 }
///             }
///         };
///         Box::new(std::iter::from_fn(next).fuse())
///     }
/// }
///
/// let folder = tempfile::tempdir()?;
/// std::fs::write(folder.path().join("a.fortune"), "Dogs are welcome.\n%%\nDogs must stay at home.\n")?;
/// let rows = saydo::open("scripted")?
///     .function("Are dogs allowed?")?
///     .over(documents(&Fortunes, &[folder.path()])?)
///     .rows()?;
/// assert_eq!(rows.len(), 2);
/// assert!(rows[1].source.ends_with("a.fortune:2"));
/// # Ok::<(), Box<dyn std::error::Error>>(())
/// ```
pub trait Reader {
    /// The extensions of its files, in lower case and without a dot.
    fn extensions(&self) -> &[&str];

    /// The texts of a file.
    fn texts<'a>(&'a self, file: Box<dyn BufRead + 'a>) -> Texts<'a>;
}

/// The documents of files, and of all files in folders and the folders below whose extension is one of the reader's, by name.
/// The source of a document is its file and its number there. A file that cannot be opened is one unreadable document.
pub fn documents<'a>(
    reader: &'a dyn Reader,
    paths: &[impl AsRef<Path>],
) -> Result<impl Iterator<Item = Result<Document, Unreadable>> + 'a, Error> {
    let mut files = Vec::new();
    for path in paths {
        find(reader, path.as_ref(), true, &mut files)?;
    }
    Ok(files.into_iter().flat_map(move |path| of_file(reader, path)))
}

fn find(reader: &dyn Reader, path: &Path, is_named: bool, files: &mut Vec<PathBuf>) -> Result<(), Error> {
    let kind = fs::metadata(path).map_err(Error::read(path))?;
    if !kind.is_dir() {
        let extension = path.extension().and_then(OsStr::to_str).map(str::to_lowercase).unwrap_or_default();
        if is_named || reader.extensions().contains(&extension.as_str()) {
            files.push(path.to_owned());
        }
        return Ok(());
    }
    let entries = fs::read_dir(path).and_then(Iterator::collect::<Result<Vec<_>, _>>).map_err(Error::read(path))?;
    let is_hidden = |name: &OsStr| name.as_encoded_bytes().starts_with(b".");
    let mut below: Vec<PathBuf> =
        entries.into_iter().filter(|entry| !is_hidden(&entry.file_name())).map(|entry| entry.path()).collect();
    below.sort();
    below.iter().try_for_each(|path| find(reader, path, false, files))
}

fn of_file<'a>(reader: &'a dyn Reader, path: PathBuf) -> impl Iterator<Item = Result<Document, Unreadable>> + 'a {
    let name = path.display().to_string();
    let texts: Texts<'a> = match File::open(&path) {
        Ok(file) => reader.texts(Box::new(BufReader::new(file))),
        Err(error) => Box::new(std::iter::once(Err(RowError::from(error)))),
    };
    (1_u64..).zip(texts).map(move |(number, text)| {
        let source = format!("{name}:{number}");
        let id = source.as_str().into();
        match text {
            Ok(text) => Ok(Document { id, source, text, question: None }),
            Err(error) => Err(Unreadable { id, source, reason: error.to_string() }),
        }
    })
}

#[cfg(test)]
mod tests {
    use super::*;

    /// A text for each line; lines that begin with `!` are wrong.
    struct Lines;

    impl Reader for Lines {
        fn extensions(&self) -> &[&str] {
            &["lines"]
        }

        fn texts<'a>(&'a self, file: Box<dyn BufRead + 'a>) -> Texts<'a> {
            let text = |line: std::io::Result<String>| match line? {
                line if line.starts_with('!') => Err("it begins with !".into()),
                line => Ok(line),
            };
            Box::new(file.lines().map(text))
        }
    }

    #[test]
    fn folders_are_read_by_name_and_a_bad_text_stops_nothing() {
        let folder = tempfile::tempdir().unwrap();
        let write = |name: &str, text: &str| fs::write(folder.path().join(name), text).unwrap();
        fs::create_dir(folder.path().join("b")).unwrap();
        write("b/2.lines", "three\n");
        write("a.LINES", "one\n!\ntwo\n");
        write("other.txt", "not read");
        write(".hidden.lines", "not read");
        let found: Vec<_> = documents(&Lines, &[folder.path()]).unwrap().collect();
        let texts = |found: &Result<Document, Unreadable>| match found {
            Ok(document) => document.text.clone(),
            Err(unreadable) => unreadable.reason.clone(),
        };
        assert_eq!(found.iter().map(texts).collect::<Vec<_>>(), ["one", "it begins with !", "two", "three"]);
        assert!(documents(&Lines, &[folder.path().join("missing")]).is_err());
    }
}
