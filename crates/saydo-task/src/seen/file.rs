//! The record as a file: a line that names the format, a byte that says whether it is complete, two counts, and the
//! fingerprints in ascending order, all little-endian.

use super::Seen;
use crate::Error;
use std::collections::BTreeSet;
use std::path::Path;

/// The file's name in the folder of an adapter, checkpoint or model. PEFT and Hugging Face ignore it there.
pub const FILE_NAME: &str = "saydo_seen.bin";

const MAGIC: &[u8] = b"saydo seen 1\n";

impl Seen {
    /// The record that a folder carries; none if it carries none.
    pub fn load(folder: &Path) -> Result<Option<Self>, Error> {
        let path = folder.join(FILE_NAME);
        match std::fs::read(&path) {
            Ok(bytes) => Self::parse(&bytes).map(Some).ok_or(Error::BadSeen { path }),
            Err(error) if error.kind() == std::io::ErrorKind::NotFound => Ok(None),
            Err(source) => Err(Error::Read { path, source }),
        }
    }

    /// Writes the record into a folder, which is made if it is not there; the file appears when it is whole.
    pub fn save(&self, folder: &Path) -> Result<(), Error> {
        let path = folder.join(FILE_NAME);
        let write = || {
            saydo_file::disk::create_folders(folder)?;
            saydo_file::write(&path, &self.bytes())
        };
        write().map_err(|source| Error::Write { path: path.clone(), source })
    }

    /// The file's bytes.
    pub fn bytes(&self) -> Vec<u8> {
        let mut bytes = MAGIC.to_vec();
        bytes.push(u8::from(self.is_complete));
        for count in self.counts() {
            bytes.extend((count as u64).to_le_bytes());
        }
        bytes.extend(self.tasks.iter().chain(&self.inputs).flat_map(|print| print.to_le_bytes()));
        bytes
    }

    /// Reads a file's bytes; none if they are not a record.
    pub fn parse(bytes: &[u8]) -> Option<Self> {
        let (complete, rest) = bytes.strip_prefix(MAGIC)?.split_first()?;
        let (words, []) = rest.as_chunks::<8>() else { return None };
        let words: Vec<u64> = words.iter().map(|word| u64::from_le_bytes(*word)).collect();
        let [tasks, inputs, prints @ ..] = &words[..] else { return None };
        let tasks = usize::try_from(*tasks).ok()?;
        if *complete > 1 || tasks > prints.len() || (prints.len() - tasks) as u64 != *inputs {
            return None;
        }
        let set = |prints: &[u64]| -> Option<BTreeSet<u64>> {
            prints.is_sorted_by(|a, b| a < b).then(|| prints.iter().copied().collect())
        };
        Some(Self { tasks: set(&prints[..tasks])?, inputs: set(&prints[tasks..])?, is_complete: *complete == 1 })
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::Task;
    use crate::seen::Trace;
    use proptest::prelude::*;

    fn record() -> Seen {
        let mut seen = Seen::default();
        for input in ["a", "b", "c"] {
            seen.add(&Trace::of(&Task { definition: Some("Name it.".into()), ..Task::default() }, input));
        }
        seen
    }

    #[test]
    fn a_record_reads_back_from_its_folder_and_none_from_another() {
        let folder = tempfile::tempdir().unwrap();
        let mut seen = record();
        seen.inherit(None);
        seen.save(&folder.path().join("new")).unwrap();
        assert_eq!(Seen::load(&folder.path().join("new")).unwrap(), Some(seen));
        assert_eq!(Seen::load(folder.path()).unwrap(), None);
    }

    #[test]
    fn damaged_files_are_refused() {
        let folder = tempfile::tempdir().unwrap();
        let whole = record().bytes();
        let swapped = [&whole[..whole.len() - 16], &whole[whole.len() - 8..], &whole[whole.len() - 16..][..8]].concat();
        for bytes in [&whole[1..], &whole[..whole.len() - 1], &whole[..whole.len() - 8], &swapped] {
            std::fs::write(folder.path().join(FILE_NAME), bytes).unwrap();
            assert!(matches!(Seen::load(folder.path()), Err(Error::BadSeen { .. })));
        }
    }

    proptest! {
        #[test]
        fn any_bytes_are_read_without_panic(bytes in prop::collection::vec(any::<u8>(), 0..64)) {
            let _ = Seen::parse(&[MAGIC, &bytes].concat());
        }
    }
}
