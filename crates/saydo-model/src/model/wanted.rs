//! Whether anybody still waits for a result. Work is worth stopping when whoever asked has gone.

use crate::Error;
use std::sync::Arc;

/// Says whether a result is still wanted. Cheap to ask, since models ask after every token.
#[derive(Clone)]
pub struct Wanted(Arc<dyn Fn() -> bool + Send + Sync>);

impl Wanted {
    /// Wanted for as long as `is_wanted` says so.
    pub fn new(is_wanted: impl Fn() -> bool + Send + Sync + 'static) -> Self {
        Self(Arc::new(is_wanted))
    }

    /// Whether it is now.
    pub fn is_wanted(&self) -> bool {
        (self.0)()
    }

    /// [`Error::Unwanted`] if nobody waits any more. Where nothing is known, somebody does.
    pub fn check(wanted: Option<&Self>) -> Result<(), Error> {
        match wanted {
            Some(wanted) if !wanted.is_wanted() => Err(Error::Unwanted),
            _ => Ok(()),
        }
    }
}

impl std::fmt::Debug for Wanted {
    fn fmt(&self, formatter: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        write!(formatter, "Wanted({})", self.is_wanted())
    }
}

impl PartialEq for Wanted {
    /// The same only if they ask the same.
    fn eq(&self, other: &Self) -> bool {
        Arc::ptr_eq(&self.0, &other.0)
    }
}
