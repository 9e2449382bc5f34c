//! From what was named on the command line to the places to read, in order.
//!
//! Only names, kinds and sizes are looked at here; nothing is read, and what is not a regular file is not even opened: a
//! pipe gives its bytes once, to whoever opens it first.

mod stream;
mod stream_id;
mod utf16;
mod walk;

pub(crate) use stream::{SharedInput, file_for_seeking, file_from_stream, raw_stream, sniff, text_stream};

use crate::error::nearest;
use crate::{Error, Format, Options};
use std::collections::{HashMap, HashSet};
use std::fs;
use std::io::{self, Read};
use std::path::{Path, PathBuf};

/// One file to read, or a stream.
#[derive(Debug, Clone, PartialEq)]
pub(crate) struct Place {
    /// Where its bytes come from.
    pub origin: Origin,
    /// How it is called in sources and messages.
    pub name: String,
    /// None: to be found by looking at the bytes (streams only).
    pub format: Option<Format>,
    /// The file's size; 0 for a stream.
    pub bytes: u64,
}

/// Where the bytes of a place come from.
#[derive(Debug, Clone, PartialEq)]
pub(crate) enum Origin {
    /// A regular file, which can be opened again.
    File(PathBuf),
    /// Anything else that has a path: a named pipe, `/dev/stdin`, what a shell puts for `<(command)`.
    Stream(PathBuf),
    /// Standard input.
    Stdin,
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
        found.places.retain(|place| place.origin == Origin::Stdin || seen.insert(place.name.clone()));
        match found.places.iter().filter(|place| place.origin == Origin::Stdin).count() {
            _ if inputs.is_empty() => return Err(Error::NoInput),
            0 | 1 => found.refuse_one_stream_by_two_names()?,
            _ => return Err(Error::StdinTwice),
        }
        Ok(found)
    }

    fn refuse_one_stream_by_two_names(&self) -> Result<(), Error> {
        let mut known: HashMap<stream_id::StreamId, &str> = HashMap::new();
        for place in self.places.iter().filter(|place| place.is_read_once()) {
            let Some(id) = stream_id::of(&place.origin) else { continue };
            if let Some(first) = known.insert(id, &place.name) {
                return Err(Error::SameStream { first: first.to_owned(), second: place.name.clone() });
            }
        }
        Ok(())
    }

    fn add(&mut self, input: &str, options: &Options) -> Result<(), Error> {
        if input == "-" {
            self.places.push(Place::stream(Origin::Stdin, "stdin".to_owned(), options.format));
            return Ok(());
        }
        match fs::metadata(input) {
            Ok(found) if found.is_dir() => self.add_folder(Path::new(input)),
            Ok(found) if found.is_file() => self.add_file(Path::new(input), found.len(), options),
            Ok(_) => {
                let format = Format::of(Path::new(input)).or(options.format);
                self.places.push(Place::stream(Origin::Stream(input.into()), input.to_owned(), format));
                Ok(())
            }
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
        Place { name: path.display().to_string(), origin: Origin::File(path), format: Some(format), bytes }
    }

    fn stream(origin: Origin, name: String, format: Option<Format>) -> Place {
        Place { origin, name, format, bytes: 0 }
    }

    /// Whether its bytes come only once, so that it can be neither looked at beforehand nor counted.
    pub fn is_read_once(&self) -> bool {
        !matches!(self.origin, Origin::File(_))
    }

    /// Opens it.
    pub fn open(&self, stdin: SharedInput) -> io::Result<Box<dyn Read + Send>> {
        match &self.origin {
            Origin::File(path) | Origin::Stream(path) => Ok(Box::new(fs::File::open(path)?)),
            Origin::Stdin => Ok(Box::new(stdin)),
        }
    }
}

/// The first of the inputs that gives its bytes only once: `-`, or a path that is neither a file nor a folder. Nothing is
/// opened to find out.
pub fn first_stream(inputs: &[String]) -> Option<&str> {
    let is_stream =
        |input: &str| input == "-" || fs::metadata(input).is_ok_and(|found| !found.is_file() && !found.is_dir());
    inputs.iter().map(String::as_str).find(|input| is_stream(input))
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
