//! All documents of the inputs, one after the other.

#[cfg(test)]
mod properties;
#[cfg(all(test, unix))]
mod streams;
#[cfg(test)]
mod tests;
mod until;

pub use until::Until;

use crate::input::{Place, Places, SharedInput};
use crate::read::{self, Documents};
use crate::{Document, Error, Limit, Options, Progress, Unreadable};
use std::ops::Range;
use std::sync::Arc;
use std::sync::atomic::AtomicBool;
use std::{fmt, io, vec};

/// The documents of some files, folders, patterns and streams: an iterator that reads as it goes.
///
/// What is held is one document, or some rows of a Parquet file, and the names of the files.
pub struct Corpus {
    places: vec::IntoIter<Place>,
    current: Option<Documents>,
    stdin: SharedInput,
    options: Options,
    /// Numbers of the documents to give out, before the shard.
    range: Range<u64>,
    /// The number of the next document, counted over everything there is.
    number: u64,
    skipped: u64,
    progress: Progress,
}

impl Corpus {
    /// Finds the files and looks at the first row of every table, so that what is wrong with an input as a whole is known
    /// before the first document is given out. `-` is standard input. Whatever is not a regular file is opened once, when it
    /// is its turn.
    pub fn open(inputs: &[String], options: &Options) -> Result<Corpus, Error> {
        Corpus::open_with(inputs, options, SharedInput::new(io::stdin()))
    }

    fn open_with(inputs: &[String], options: &Options, stdin: SharedInput) -> Result<Corpus, Error> {
        let Places { places, skipped } = Places::find(inputs, options)?;
        if let Some(column) = options.question.clone()
            && let Some(text) = places.iter().find(|place| place.format.is_some_and(|format| format.is_one_document()))
        {
            return Err(Error::NoTable { path: text.name.clone(), column });
        }
        let unread = Progress::default();
        for place in places.iter().filter(|place| place.is_worth_a_look()) {
            drop(read::documents(place, options, stdin.clone(), &unread)?);
        }
        let range = selected(&places, options, &stdin)?;
        let is_from_files = !places.iter().any(Place::is_read_once);
        let bytes_total = is_from_files.then(|| places.iter().map(|place| place.bytes).sum());
        let progress = Progress::new(bytes_total, at_most(&places, &range, options));
        let mut corpus = Corpus {
            places: places.into_iter(),
            current: None,
            stdin,
            options: options.clone(),
            range,
            number: 0,
            skipped,
            progress,
        };
        // A stream can be read only once: if one comes first, it is opened now, to find its faults now. Later ones wait for
        // their turn, because whoever writes two named pipes may write them one after the other.
        if corpus.places.as_slice().first().is_some_and(Place::is_read_once) {
            corpus.open_next()?;
        }
        Ok(corpus)
    }

    /// How many files in the folders (or matching the patterns) are of a kind that is not read.
    pub fn skipped(&self) -> u64 {
        self.skipped
    }

    /// How far the reading is; can be kept and looked at from another thread.
    pub fn progress(&self) -> Progress {
        self.progress.clone()
    }

    /// The documents until `stop` is set; see [`Until`].
    pub fn until(self, stop: Arc<AtomicBool>) -> Until {
        Until::new(self, stop)
    }

    fn is_selected(&self, number: u64) -> bool {
        self.range.contains(&number) && self.options.shard.is_none_or(|shard| shard.has(number))
    }

    /// Opens the next place; none after the last.
    fn open_next(&mut self) -> Result<Option<()>, Error> {
        let Some(place) = self.places.next() else { return Ok(None) };
        if place.format.is_some_and(|format| format.is_one_document()) && !self.is_selected(self.number) {
            self.progress.add_bytes(place.bytes);
            self.number += 1;
            return Ok(Some(()));
        }
        self.current = Some(read::documents(&place, &self.options, self.stdin.clone(), &self.progress)?);
        Ok(Some(()))
    }

    /// The next document of all, selected or not.
    fn advance(&mut self) -> Option<Result<Document, Unreadable>> {
        loop {
            if let Some(document) = self.current.as_mut().and_then(Iterator::next) {
                return Some(document);
            }
            self.current = None;
            let name = self.places.as_slice().first()?.name.clone();
            match self.open_next() {
                Ok(opened) => opened?,
                Err(error) => return Some(Err(Unreadable::new(name, reason(&error)))),
            }
            if self.number >= self.range.end {
                return None;
            }
        }
    }
}

impl Iterator for Corpus {
    type Item = Result<Document, Unreadable>;

    fn next(&mut self) -> Option<Self::Item> {
        while self.number < self.range.end {
            let document = self.advance()?;
            let number = self.number;
            self.number += 1;
            if self.is_selected(number) {
                self.progress.add_document();
                return Some(document);
            }
        }
        None
    }
}

impl fmt::Debug for Corpus {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.debug_struct("Corpus").field("places", &self.places).field("progress", &self.progress).finish_non_exhaustive()
    }
}

impl Place {
    /// Tables are looked at before work begins.
    fn is_worth_a_look(&self) -> bool {
        !self.is_read_once() && self.format.is_some_and(|format| !format.is_one_document())
    }
}

/// The numbers of the documents to read; all places are counted if that depends on how many there are.
fn selected(places: &[Place], options: &Options, stdin: &SharedInput) -> Result<Range<u64>, Error> {
    let documents = match options.limit {
        Some(Limit::Fraction(fraction)) => match places.iter().find(|place| place.is_read_once()) {
            Some(stream) => return Err(Error::FractionOfStream { fraction, name: stream.name.clone() }),
            None => count(places, options, stdin)?,
        },
        _ => 0,
    };
    Ok(options.limit.map_or(0..u64::MAX, |limit| limit.range(documents)))
}

fn count(places: &[Place], options: &Options, stdin: &SharedInput) -> Result<u64, Error> {
    let unread = Progress::default();
    let mut documents = 0;
    for place in places {
        documents += match place.format {
            Some(format) if format.is_one_document() => 1,
            _ => read::documents(place, options, stdin.clone(), &unread)?.count() as u64,
        };
    }
    Ok(documents)
}

/// How many documents there can be, where the limit or the files say so.
fn at_most(places: &[Place], range: &Range<u64>, options: &Options) -> Option<u64> {
    let is_one = |place: &Place| place.format.is_some_and(|format| format.is_one_document());
    let files = places.iter().all(is_one).then_some(places.len() as u64);
    let end = files.unwrap_or(u64::MAX).min(range.end);
    let count = |end: u64| match options.shard {
        Some(shard) => {
            let below = |bound: u64| bound.saturating_add(shard.count() - shard.index()) / shard.count();
            below(end) - below(range.start.min(end))
        }
        None => end.saturating_sub(range.start),
    };
    (end < u64::MAX).then(|| count(end))
}

/// What is wrong with a place, without its name, which the row has already.
fn reason(error: &Error) -> String {
    match error {
        Error::Damaged { reason, .. } => reason.clone(),
        Error::Read { source, .. } => source.to_string(),
        other => other.to_string(),
    }
}
