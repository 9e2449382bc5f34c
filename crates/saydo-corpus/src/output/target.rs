//! A draft of the file that is to be, compressed if its name says so.

use saydo_file::Draft;
use std::io::{self, Write};
use std::path::Path;

/// Where an output is written. Dropped, it leaves nothing.
pub struct Target(Writer);

enum Writer {
    Plain(Draft),
    Gzip(flate2::write::GzEncoder<Draft>),
    Zstd(zstd::Encoder<'static, Draft>),
}

impl Target {
    /// Begins a file.
    pub fn create(path: &Path) -> io::Result<Target> {
        let file = Draft::create(path)?;
        Ok(Target(match path.extension().and_then(|extension| extension.to_str()) {
            Some(gz) if gz.eq_ignore_ascii_case("gz") => {
                Writer::Gzip(flate2::write::GzEncoder::new(file, flate2::Compression::default()))
            }
            Some(zst) if zst.eq_ignore_ascii_case("zst") => Writer::Zstd(zstd::Encoder::new(file, 0)?),
            _ => Writer::Plain(file),
        }))
    }

    /// Writes what is left and gives the file its name.
    pub fn finish(self) -> io::Result<()> {
        match self.0 {
            Writer::Plain(file) => file,
            Writer::Gzip(encoder) => encoder.finish()?,
            Writer::Zstd(encoder) => encoder.finish()?,
        }
        .commit()
    }
}

impl Write for Target {
    fn write(&mut self, bytes: &[u8]) -> io::Result<usize> {
        match &mut self.0 {
            Writer::Plain(file) => file.write(bytes),
            Writer::Gzip(encoder) => encoder.write(bytes),
            Writer::Zstd(encoder) => encoder.write(bytes),
        }
    }

    fn flush(&mut self) -> io::Result<()> {
        match &mut self.0 {
            Writer::Plain(file) => file.flush(),
            Writer::Gzip(encoder) => encoder.flush(),
            Writer::Zstd(encoder) => encoder.flush(),
        }
    }
}
