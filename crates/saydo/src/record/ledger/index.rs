//! Where each entry stands: a few dozen bytes of memory for each, whatever the length of the answers.

use crate::record::Key;
use rustc_hash::FxHashMap;
use saydo_corpus::Status;

/// Which entry a key has.
#[derive(Debug, Default)]
pub(super) struct Index {
    places: FxHashMap<Key, Packed>,
}

/// Where an entry stands, and how it went.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(super) struct Place {
    /// The number of the ledger.
    pub(super) file: usize,
    /// The byte its line starts at.
    pub(super) offset: u64,
    /// How it went.
    pub(super) status: Status,
}

/// A place in eight bytes: 46 bits of offset, 16 of the file's number, 2 of status.
#[derive(Debug, Clone, Copy)]
struct Packed(u64);

const STATUSES: [Status; 4] = [Status::Ok, Status::Na, Status::Unparsable, Status::Failed];

impl Index {
    pub(super) fn insert(&mut self, key: Key, place: Place) {
        self.places.insert(key, Packed::new(place));
    }

    pub(super) fn place(&self, key: Key) -> Option<Place> {
        self.places.get(&key).map(|packed| packed.place())
    }

    pub(super) fn forget(&mut self, key: Key) {
        self.places.remove(&key);
    }

    /// All entries, in the order they stand in.
    pub(super) fn in_order(&self) -> Vec<(Key, Place)> {
        let mut entries: Vec<(Key, Place)> = self.places.iter().map(|(key, packed)| (*key, packed.place())).collect();
        entries.sort_by_key(|(_, place)| (place.file, place.offset));
        entries
    }

    pub(super) fn len(&self) -> usize {
        self.places.len()
    }
}

impl Packed {
    fn new(place: Place) -> Self {
        let status = STATUSES.iter().position(|status| *status == place.status).expect("all statuses are listed");
        Self(place.offset << 18 | (place.file as u64 & 0xffff) << 2 | status as u64)
    }

    fn place(self) -> Place {
        let status = STATUSES[(self.0 & 3) as usize];
        Place { file: (self.0 >> 2 & 0xffff) as usize, offset: self.0 >> 18, status }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_packed_place_is_the_same_place() {
        for status in STATUSES {
            let place = Place { file: 0xfffe, offset: (1 << 46) - 1, status };
            assert_eq!(Packed::new(place).place(), place);
        }
        assert_eq!(size_of::<(Key, Packed)>(), 24);
    }
}
