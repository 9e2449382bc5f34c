//! Where answers are found again, and kept.

use crate::Error;
use crate::record::{Key, Ledger};
use rustc_hash::FxHashSet;
use saydo_corpus::{Cell, Status};

type Find<'a> = dyn FnMut(Key) -> Option<Cell> + 'a;
type Keep<'a> = dyn FnMut(Key, &Cell) -> Result<(), Error> + 'a;

/// Where answers are found again, and kept.
pub struct Memory<'a>(Kind<'a>);

enum Kind<'a> {
    Nothing,
    Ledger {
        ledger: &'a mut Ledger,
        retry_errors: bool,
        /// Keys that failed now: they are not tried twice.
        failed: FxHashSet<Key>,
    },
    Other {
        find: Box<Find<'a>>,
        keep: Box<Keep<'a>>,
    },
}

impl<'a> Memory<'a> {
    /// Nothing is found and nothing is kept.
    pub fn nothing() -> Self {
        Self(Kind::Nothing)
    }

    /// The answers of a ledger. With `retry_errors`, what failed or could not be parsed before is not found.
    pub fn ledger(ledger: &'a mut Ledger, retry_errors: bool) -> Self {
        Self(Kind::Ledger { ledger, retry_errors, failed: FxHashSet::default() })
    }

    /// Answers that are kept in a way of the caller's own.
    pub fn new(
        find: impl FnMut(Key) -> Option<Cell> + 'a,
        keep: impl FnMut(Key, &Cell) -> Result<(), Error> + 'a,
    ) -> Self {
        Self(Kind::Other { find: Box::new(find), keep: Box::new(keep) })
    }

    /// The answer of a key, if one is known that fits.
    pub(super) fn find(&mut self, key: Key, fits: impl Fn(&Cell) -> bool) -> Option<Cell> {
        match &mut self.0 {
            Kind::Nothing => None,
            Kind::Other { find, .. } => find(key).filter(fits),
            Kind::Ledger { ledger, retry_errors, failed } => {
                let has_failed = matches!(ledger.status(key), Some(Status::Unparsable | Status::Failed));
                if has_failed && *retry_errors && !failed.contains(&key) {
                    return None;
                }
                let cell = ledger.read(key)?;
                if fits(&cell) {
                    return Some(cell);
                }
                ledger.reject(key);
                None
            }
        }
    }

    pub(super) fn keep(&mut self, key: Key, cell: &Cell) -> Result<(), Error> {
        match &mut self.0 {
            Kind::Nothing => Ok(()),
            Kind::Other { keep, .. } => keep(key, cell),
            Kind::Ledger { ledger, failed, .. } => {
                if matches!(cell.status, Status::Unparsable | Status::Failed) {
                    failed.insert(key);
                }
                ledger.record(key, cell)
            }
        }
    }

    /// Has everything that was kept put on the disk.
    pub(super) fn sync(&mut self) -> Result<(), Error> {
        match &mut self.0 {
            Kind::Ledger { ledger, .. } => ledger.sync(),
            Kind::Nothing | Kind::Other { .. } => Ok(()),
        }
    }
}
