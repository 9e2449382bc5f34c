//! How far a long job is. Jobs report through a callback; drawing is the caller's business.

/// One report.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct Progress<'a> {
    /// What is being done.
    pub stage: Stage<'a>,
    /// Bytes that are there, or checked.
    pub done: u64,
    /// Bytes in all; 0 where that is not known.
    pub total: u64,
}

/// What is being done.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Stage<'a> {
    /// Another process works on the same thing.
    Waiting,
    /// Bytes that are there are read and hashed.
    Checking,
    /// A package or a file is on its way.
    Fetching {
        /// Which one.
        what: &'a str,
        /// Its number, from 1.
        number: usize,
        /// How many there are.
        of: usize,
    },
    /// A package is taken apart.
    Unpacking {
        /// Which one.
        what: &'a str,
    },
    /// What was fetched becomes the files that are put in place.
    Converting,
}

/// Passes reports of `done` and `total` on as those of a stage. Bytes arrive in small pieces; a report for every 256 KiB is
/// enough.
pub(crate) fn sparsely<'p>(
    stage: Stage<'p>,
    progress: &'p mut dyn FnMut(Progress<'_>),
) -> impl FnMut(u64, u64) + use<'p> {
    const STEP: u64 = 1 << 18;
    let mut next = 0;
    move |done, total| {
        if done >= next || done + STEP < next {
            next = done + STEP;
            progress(Progress { stage, done, total });
        }
    }
}
