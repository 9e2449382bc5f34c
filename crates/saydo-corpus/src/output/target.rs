//! A temporary file beside the one that is to be, compressed if its name says so.

use std::io::{self, BufWriter, Write};
use std::path::Path;
use tempfile::NamedTempFile;

/// Where an output is written. Dropped, it leaves nothing.
pub struct Target(Writer);

type File = BufWriter<NamedTempFile>;

enum Writer {
    Plain(File),
    Gzip(flate2::write::GzEncoder<File>),
    Zstd(zstd::Encoder<'static, File>),
}

impl Target {
    /// Begins a file in the folder of the path.
    pub fn create(path: &Path) -> io::Result<Target> {
        if path.is_dir() {
            return Err(io::Error::from(io::ErrorKind::IsADirectory));
        }
        let folder = path.parent().filter(|folder| !folder.as_os_str().is_empty()).unwrap_or(Path::new("."));
        let mut builder = tempfile::Builder::new();
        builder.prefix(".saydo-").suffix(".part");
        #[cfg(unix)]
        {
            use std::os::unix::fs::PermissionsExt;
            // What a new file gets: the user's mask still applies.
            builder.permissions(std::fs::Permissions::from_mode(0o666));
        }
        let file = BufWriter::new(builder.tempfile_in(folder)?);
        Ok(Target(match path.extension().and_then(|extension| extension.to_str()) {
            Some(gz) if gz.eq_ignore_ascii_case("gz") => {
                Writer::Gzip(flate2::write::GzEncoder::new(file, flate2::Compression::default()))
            }
            Some(zst) if zst.eq_ignore_ascii_case("zst") => Writer::Zstd(zstd::Encoder::new(file, 0)?),
            _ => Writer::Plain(file),
        }))
    }

    /// Writes what is left and gives the file its name.
    pub fn finish(self, path: &Path) -> io::Result<()> {
        let file = match self.0 {
            Writer::Plain(file) => file,
            Writer::Gzip(encoder) => encoder.finish()?,
            Writer::Zstd(encoder) => encoder.finish()?,
        };
        let file = file.into_inner().map_err(io::IntoInnerError::into_error)?;
        file.as_file().sync_all()?;
        file.persist(path).map_err(|error| error.error)?;
        Ok(())
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
