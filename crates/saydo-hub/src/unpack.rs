//! A fetched file becomes a folder of data: archives are unpacked, as far as the entry keeps what is in them. Archives
//! come from strangers, so paths are checked before anything is written, links are refused and sizes are bounded.

mod archive;
mod member;
mod sink;

use crate::catalog::{Dataset, Format};
use crate::error::Error;
use crate::store::FileRecord;
use flate2::read::MultiGzDecoder;
use sink::Sink;
use std::fs::File;
use std::io::BufReader;
use std::path::Path;

/// Unpacks `file` into `folder`, which is empty. `report` is told how many bytes were written. Returns the files in the
/// order of their paths.
pub(crate) fn unpack(
    dataset: &Dataset,
    file: &Path,
    folder: &Path,
    report: &mut dyn FnMut(u64, u64),
) -> Result<Vec<FileRecord>, Error> {
    let input = BufReader::new(File::open(file).map_err(Error::read(file))?);
    let mut sink = Sink::new(dataset, folder, report);
    match dataset.format {
        Format::Zip => archive::zip(input, &mut sink)?,
        Format::TarGz => archive::tar(MultiGzDecoder::new(input), &mut sink)?,
        Format::Gz => {
            let name = dataset.file.strip_suffix(".gz").unwrap_or(&dataset.file);
            sink.write(name, &mut MultiGzDecoder::new(input))?;
        }
        Format::File => sink.write(&dataset.file, &mut { input })?,
    }
    let files = sink.finish()?;
    let is_there = |path: &String| files.iter().any(|file| file.path == *path && file.bytes > 0);
    match dataset.expect.iter().find(|path| !is_there(path)) {
        Some(member) => Err(Error::Missing { file: dataset.file.clone(), member: member.clone() }),
        None => Ok(files),
    }
}

#[cfg(test)]
pub(crate) mod tests;
