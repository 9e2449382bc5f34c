//! A text that refuses to grow beyond a limit.

use std::io::{self, Write};

/// Collects what is written until the limit is reached.
#[derive(Debug)]
pub(super) struct Limited {
    bytes: Vec<u8>,
    limit: usize,
}

impl Limited {
    pub(super) fn new(limit: usize) -> Self {
        Self { bytes: Vec::new(), limit }
    }

    pub(super) fn into_text(self) -> String {
        String::from_utf8(self.bytes).expect("templates write text")
    }
}

impl Write for Limited {
    fn write(&mut self, bytes: &[u8]) -> io::Result<usize> {
        if bytes.len() > self.limit - self.bytes.len() {
            let message = format!("the prompt is longer than {} bytes", self.limit);
            return Err(io::Error::new(io::ErrorKind::FileTooLarge, message));
        }
        self.bytes.extend_from_slice(bytes);
        Ok(bytes.len())
    }

    fn flush(&mut self) -> io::Result<()> {
        Ok(())
    }
}
