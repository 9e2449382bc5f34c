//! A stream that refuses to give more than so much between two marks, for parsers that would read without end.

use std::io::{self, Read};
use std::sync::Arc;
use std::sync::atomic::{AtomicU64, Ordering::Relaxed};

/// How much was read since the last mark.
#[derive(Clone, Default)]
pub struct Meter(Arc<AtomicU64>);

impl Meter {
    /// Starts again from nothing.
    pub fn mark(&self) {
        self.0.store(0, Relaxed);
    }
}

/// A stream with a meter.
pub struct Metered<R> {
    inner: R,
    meter: Meter,
    max: u64,
    refusal: String,
}

impl<R> Metered<R> {
    /// Fails with the refusal once more than `max` bytes were read since the last mark.
    pub fn new(inner: R, meter: Meter, max: u64, refusal: String) -> Metered<R> {
        Metered { inner, meter, max, refusal }
    }
}

impl<R: Read> Read for Metered<R> {
    fn read(&mut self, buffer: &mut [u8]) -> io::Result<usize> {
        if self.meter.0.load(Relaxed) > self.max {
            return Err(io::Error::new(io::ErrorKind::InvalidData, self.refusal.clone()));
        }
        let read = self.inner.read(buffer)?;
        self.meter.0.fetch_add(read as u64, Relaxed);
        Ok(read)
    }
}
