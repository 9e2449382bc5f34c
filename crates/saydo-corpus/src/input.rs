//! From what was named on the command line to the places to read, in order.
//!
//! Only names and sizes are looked at here; nothing is read.

mod stream;
mod utf16;
mod walk;

pub(crate) use stream::{SharedInput, file_for_seeking, file_from_stream, raw_stream, sniff, text_stream};

use crate::error::nearest;
use crate::{Error, Format, Options};
use std::collections::HashSet;
use std::fs;
use std::io::{self, Read};
use std::path::{Path, PathBuf};

/// One file to read, or standard input.
#[derive(Debug, Clone, PartialEq)]
pub(crate) struct Place {
    /// The file; none for standard input.
    pub path: Option<PathBuf>,
    /// How it is called in sources and messages.
    pub name: String,
    /// None: to be found by looking at the bytes (standard input only).
    pub format: Option<Format>,
    /// The file's size.
    pub bytes: u64,
}

/// Every place to read, and how many files of other kinds stand in the folders.
#[derive(Debug, Default)]
pub(crate) struct Places {
    pub places: Vec<Place>,
    pub skipped: u64,
}

impl Places {
    /// Finds what the inputs stand for. A file that is named twice is read once.
    pub fn find(inputs: &[String], options: &Options) -> Result<Places, Error> {
        let mut found = Places::default();
        for input in inputs {
            found.add(input, options)?;
        }
        let mut seen = HashSet::new();
        found.places.retain(|place| place.path.is_none() || seen.insert(place.name.clone()));
        match found.places.iter().filter(|place| place.path.is_none()).count() {
            _ if inputs.is_empty() => Err(Error::NoInput),
            0 | 1 => Ok(found),
            _ => Err(Error::StdinTwice),
        }
    }

    fn add(&mut self, input: &str, options: &Options) -> Result<(), Error> {
        if input == "-" {
            self.places.push(Place { path: None, name: "stdin".to_owned(), format: options.format, bytes: 0 });
            return Ok(());
        }
        match fs::metadata(input) {
            Ok(found) if found.is_dir() => self.add_folder(Path::new(input)),
            Ok(found) => self.add_file(Path::new(input), found.len(), options),
            Err(_) if input.contains(['*', '?', '[']) => self.add_pattern(input),
            Err(error) if error.kind() == io::ErrorKind::NotFound => Err(not_found(input)),
            Err(source) => Err(Error::Read { path: input.to_owned(), source }),
        }
    }

    /// A file that was named itself has to be readable.
    fn add_file(&mut self, path: &Path, bytes: u64, options: &Options) -> Result<(), Error> {
        let format = Format::of(path).or(options.format);
        let format = format.ok_or_else(|| Error::UnknownExtension { path: path.to_owned() })?;
        fs::File::open(path).map_err(|source| Error::Read { path: path.display().to_string(), source })?;
        self.places.push(Place::file(path.to_owned(), format, bytes));
        Ok(())
    }

    fn add_folder(&mut self, folder: &Path) -> Result<(), Error> {
        let (places, skipped) = walk::files(folder)?;
        self.skipped += skipped;
        if places.is_empty() {
            return Err(Error::NoTexts { path: folder.to_owned(), skipped });
        }
        self.places.extend(places);
        Ok(())
    }

    fn add_pattern(&mut self, pattern: &str) -> Result<(), Error> {
        let options = glob::MatchOptions { require_literal_leading_dot: true, ..Default::default() };
        let paths = glob::glob_with(pattern, options)
            .map_err(|source| Error::BadPattern { pattern: pattern.to_owned(), source })?;
        let before = self.places.len();
        let mut skipped = 0;
        for path in paths.filter_map(Result::ok) {
            match fs::metadata(&path) {
                Ok(found) if found.is_file() => match Format::of(&path) {
                    Some(format) => self.places.push(Place::file(path, format, found.len())),
                    None => skipped += 1,
                },
                _ => {}
            }
        }
        self.skipped += skipped;
        if self.places.len() == before {
            return Err(Error::NoMatch { pattern: pattern.to_owned() });
        }
        Ok(())
    }
}

impl Place {
    fn file(path: PathBuf, format: Format, bytes: u64) -> Place {
        Place { name: path.display().to_string(), path: Some(path), format: Some(format), bytes }
    }

    /// Opens it.
    pub fn open(&self, stdin: SharedInput) -> io::Result<Box<dyn Read + Send>> {
        match &self.path {
            Some(path) => Ok(Box::new(fs::File::open(path)?)),
            None => Ok(Box::new(stdin)),
        }
    }
}

fn not_found(input: &str) -> Error {
    let path = PathBuf::from(input);
    let folder = path.parent().filter(|folder| !folder.as_os_str().is_empty());
    let entries = fs::read_dir(folder.unwrap_or(Path::new("."))).into_iter().flatten().filter_map(Result::ok);
    let names: Vec<String> = entries.filter_map(|entry| entry.file_name().into_string().ok()).collect();
    let wanted = path.file_name().and_then(|name| name.to_str()).unwrap_or_default();
    let near = nearest(wanted, &names).map(|name| path.with_file_name(name));
    Error::NotFound { path, near }
}
