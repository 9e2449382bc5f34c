//! How much a template may make: every text, list and map it puts together is measured and paid for.
//!
//! Steps alone do not bound memory, because one step can double a text. Nor does a value's size in memory bound the work
//! on it: a list that holds another list twice, sixty levels deep, is small in memory and endless to walk. So what counts
//! is the size of a value written out, and how deep it goes.

use minijinja::value::ValueKind;
use minijinja::{Error, ErrorKind, Value};
use std::sync::atomic::{AtomicU64, Ordering::Relaxed};

/// How deep lists and maps may lie in each other.
const MAX_NESTING: usize = 32;
/// What an element costs besides what it holds.
const ELEMENT_BYTES: u64 = 16;

/// What one rendering may use.
#[derive(Debug)]
pub(super) struct Budget {
    /// The most for one value.
    pub value_bytes: u64,
    /// What is left for all of them.
    left: AtomicU64,
}

impl Budget {
    pub(super) fn new(value_bytes: u64, bytes: u64) -> Self {
        Self { value_bytes, left: AtomicU64::new(bytes) }
    }

    /// Pays for something of a known size before it is made.
    pub(super) fn charge(&self, bytes: u64) -> Result<(), Error> {
        if bytes > self.value_bytes {
            return Err(refused(format!("it makes a value of more than {} bytes", self.value_bytes)));
        }
        match self.left.fetch_update(Relaxed, Relaxed, |left| left.checked_sub(bytes)) {
            Ok(_) => Ok(()),
            Err(_) => Err(refused("it makes too many values")),
        }
    }

    /// Pays for a value; its size.
    pub(super) fn charge_value(&self, value: &Value) -> Result<u64, Error> {
        let size = self.size(value)?;
        self.charge(size)?;
        Ok(size)
    }

    /// The size of a value written out.
    fn size(&self, value: &Value) -> Result<u64, Error> {
        let mut left = self.value_bytes;
        self.measure(value, 0, &mut left)?;
        Ok(self.value_bytes - left)
    }

    fn measure(&self, value: &Value, depth: usize, left: &mut u64) -> Result<(), Error> {
        if depth > MAX_NESTING {
            return Err(refused(format!("it nests values more than {MAX_NESTING} deep")));
        }
        // A namespace can be changed later, so that a value with one inside could come to hold itself.
        if depth > 0 && is_namespace(value) {
            return Err(refused("it puts a namespace into another value"));
        }
        let own = value.as_str().map(str::len).or_else(|| value.as_bytes().map(<[u8]>::len)).unwrap_or(0);
        let cost = if depth == 0 { own as u64 } else { own as u64 + ELEMENT_BYTES };
        let rest = left.checked_sub(cost);
        *left = rest.ok_or_else(|| refused(format!("it makes a value of more than {} bytes", self.value_bytes)))?;
        match value.kind() {
            ValueKind::Seq | ValueKind::Iterable => {
                for item in value.try_iter()? {
                    self.measure(&item, depth + 1, left)?;
                }
            }
            ValueKind::Map => {
                for key in value.try_iter()? {
                    self.measure(&key, depth + 1, left)?;
                    self.measure(&value.get_item(&key)?, depth + 1, left)?;
                }
            }
            _ => {}
        }
        Ok(())
    }
}

/// Whether a value is what `namespace()` makes; the type itself is not ours to name.
pub(super) fn is_namespace(value: &Value) -> bool {
    value.as_object().is_some_and(|object| object.type_name().ends_with("::Namespace"))
}

pub(super) fn refused(what: impl Into<String>) -> Error {
    Error::new(ErrorKind::InvalidOperation, format!("the template goes beyond its limits: {}", what.into()))
}
