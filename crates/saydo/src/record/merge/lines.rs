//! JSON lines: a line of each part in turn, byte for byte.

use super::rows::Check;
use crate::Error;
use crate::record::write_whole;
use serde::Deserialize;
use serde_json::Value;
use std::fs::File;
use std::io::{BufRead as _, BufReader, Write as _};
use std::path::{Path, PathBuf};

/// What tells one row from another.
#[derive(Deserialize)]
struct Head {
    #[serde(default)]
    id: Value,
    #[serde(default)]
    source: String,
}

pub(super) fn merge(parts: &[PathBuf], out: &Path) -> Result<u64, Error> {
    let open = |path: &PathBuf| File::open(path).map(BufReader::new).map_err(Error::read(path));
    let mut readers = parts.iter().map(open).collect::<Result<Vec<_>, _>>()?;
    let mut check = Check::new(parts);
    write_whole(out, |file| {
        let mut lines = vec![Vec::new(); parts.len()];
        loop {
            for ((reader, line), path) in readers.iter_mut().zip(&mut lines).zip(parts) {
                line.clear();
                reader.read_until(b'\n', line).map_err(Error::read(path))?;
            }
            let lengths: Vec<u64> = lines.iter().map(|line| u64::from(!line.is_empty())).collect();
            check.lengths(&lengths)?;
            if lengths.first() != Some(&1) {
                return check.finish();
            }
            for (part, line) in lines.iter().enumerate().filter(|(_, line)| !line.is_empty()) {
                let torn = || Error::TornOutput { path: parts[part].clone() };
                let line = line.strip_suffix(b"\n").ok_or_else(torn)?;
                let head: Head = serde_json::from_slice(line).map_err(|_| torn())?;
                check.row(part, &head.id.to_string(), &head.source)?;
                file.write_all(line).and_then(|()| file.write_all(b"\n")).map_err(Error::write(out))?;
            }
        }
    })
}
