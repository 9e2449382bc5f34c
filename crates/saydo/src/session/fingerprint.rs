//! What tells one set of weights from another, without reading gigabytes at every start.

use crate::Error;
use saydo_file::digest::Sum;
use saydo_hub::Source;
use saydo_task::seen::FILE_NAME;
use std::fs::{self, File};
use std::io::{Read as _, Seek as _, SeekFrom};
use std::path::{Path, PathBuf};

/// How much of each end of a file counts.
const END_BYTES: u64 = 1 << 20;

/// The fingerprint of a model's files: the SHA-256 the catalog states, or else one over the names and lengths of the
/// files and the first and last MiB of each. Weights that differ only in between are taken for the same.
pub(super) fn of(source: &Source, path: &Path) -> Result<String, Error> {
    if let Source::Catalog(entry) = source {
        return Ok(format!("sha256:{}", entry.sha256));
    }
    let mut files: Vec<PathBuf> = if path.is_dir() {
        let entries = fs::read_dir(path).map_err(Error::read(path))?;
        let paths = entries.map(|entry| entry.map(|entry| entry.path()));
        paths.collect::<Result<Vec<_>, _>>().map_err(Error::read(path))?
    } else {
        vec![path.to_owned()]
    };
    // What was learned says nothing of how a model replies, and may be declared later.
    files.retain(|file| file.is_file() && !file.ends_with(FILE_NAME));
    files.sort();
    let mut state = Sum::default();
    for file in &files {
        if path.is_dir() {
            state.update(file.file_name().unwrap_or_default().as_encoded_bytes());
        }
        add(&mut state, file).map_err(Error::read(file))?;
    }
    Ok(format!("ends:{}", state.hex()))
}

/// The fingerprint of an adapter: SHA-256 over its two files, the settings first.
pub(super) fn of_adapter(files: [&[u8]; 2]) -> String {
    let mut state = Sum::default();
    for bytes in files {
        state.update((bytes.len() as u64).to_le_bytes());
        state.update(bytes);
    }
    format!("adapter:{}", state.hex())
}

fn add(state: &mut Sum, path: &Path) -> std::io::Result<()> {
    let mut file = File::open(path)?;
    let length = file.metadata()?.len();
    state.update(length.to_le_bytes());
    let mut end = Vec::new();
    file.by_ref().take(END_BYTES).read_to_end(&mut end)?;
    state.update(&end);
    end.clear();
    file.seek(SeekFrom::Start(length.saturating_sub(END_BYTES)))?;
    file.take(END_BYTES).read_to_end(&mut end)?;
    state.update(&end);
    Ok(())
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn lengths_ends_and_names_count() {
        let folder = tempfile::tempdir().unwrap();
        let of = |name: &str, bytes: &[u8]| {
            let path = folder.path().join(name);
            fs::write(&path, bytes).unwrap();
            super::of(&Source::Path(path.clone()), &path).unwrap()
        };
        let long = vec![1; 3 << 20];
        let changed_at = |at: usize| {
            let mut bytes = long.clone();
            bytes[at] = 2;
            bytes
        };
        let whole = of("a", &long);
        assert_eq!(of("b", &long), whole, "a file's own name does not count");
        assert_ne!(of("a", &changed_at(0)), whole);
        assert_ne!(of("a", &changed_at(long.len() - 1)), whole);
        assert_ne!(of("a", &long[1..]), whole);
        assert_eq!(of("a", &changed_at(3 << 19)), whole, "the middle is not read");
        let together = || super::of(&Source::Path(folder.path().to_owned()), folder.path()).unwrap();
        let before = together();
        fs::rename(folder.path().join("a"), folder.path().join("c")).unwrap();
        assert_ne!(together(), before);
    }
}
