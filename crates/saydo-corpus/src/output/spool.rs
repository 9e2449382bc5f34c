//! Part of a page that is kept on disk until what stands before it is known.

use std::fs::File;
use std::io::{self, BufWriter, Seek, Write};

/// A temporary file without a name.
pub struct Spool(BufWriter<File>);

impl Spool {
    pub fn new() -> io::Result<Spool> {
        Ok(Spool(BufWriter::new(tempfile::tempfile()?)))
    }

    pub fn push(&mut self, text: &str) -> io::Result<()> {
        self.0.write_all(text.as_bytes())
    }

    /// Copies everything to where it belongs.
    pub fn pour(self, out: &mut impl Write) -> io::Result<()> {
        let mut file = self.0.into_inner().map_err(io::IntoInnerError::into_error)?;
        file.rewind()?;
        io::copy(&mut file, out)?;
        Ok(())
    }
}
