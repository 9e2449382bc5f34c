//! The two kinds of archive, member by member.

use super::sink::Sink;
use crate::error::Error;
use std::io::{BufRead, Read, Seek};
use tar::EntryType;
use zip::ZipArchive;

/// Unpacks a zip archive. The CRC-32 of each member is checked on the way.
pub(super) fn zip(input: impl BufRead + Seek, sink: &mut Sink<'_>) -> Result<(), Error> {
    let mut archive = ZipArchive::new(input).map_err(|error| sink.bad(error))?;
    for index in 0..archive.len() {
        let mut member = archive.by_index(index).map_err(|error| sink.bad(error))?;
        let name = String::from_utf8_lossy(member.name_raw()).into_owned();
        match sink.place(&name)? {
            Some(_) if member.is_dir() => (),
            Some(_) if member.is_symlink() => return Err(link(&name, sink)),
            Some(path) => sink.write(&path, &mut member)?,
            None => (),
        }
    }
    Ok(())
}

/// Unpacks a tar archive.
pub(super) fn tar(input: impl Read, sink: &mut Sink<'_>) -> Result<(), Error> {
    let mut archive = tar::Archive::new(input);
    for member in archive.entries().map_err(|error| sink.bad(error))? {
        let mut member = member.map_err(|error| sink.bad(error))?;
        let name = String::from_utf8_lossy(&member.path_bytes()).into_owned();
        sink.pass(member.size())?;
        match (sink.place(&name)?, member.header().entry_type()) {
            (None, _) | (_, EntryType::Directory | EntryType::XGlobalHeader | EntryType::XHeader) => (),
            (Some(path), EntryType::Regular | EntryType::Continuous) => sink.write(&path, &mut member)?,
            (Some(_), _) => return Err(link(&name, sink)),
        }
    }
    Ok(())
}

fn link(name: &str, sink: &Sink<'_>) -> Error {
    sink.bad(format!("its member `{}` is a link or a device, expected a file", name.escape_default()))
}
