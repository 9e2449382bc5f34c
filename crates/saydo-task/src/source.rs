//! A text read from disk, with its name and its lines: where every reader starts.
//!
//! Files are untrusted: they are bounded in size, gzip included, and checked to be UTF-8 with the place of the first
//! bad byte, before any format looks at them.

use crate::Error;
use crate::problem::{Code, Place, Problem};
use std::fs::File;
use std::io::Read;
use std::path::{Path, PathBuf};

/// No file larger than this is read whole, before or after unpacking.
pub const MAX_FILE_BYTES: u64 = 1 << 30;

/// No line of a line-by-line format may be longer.
pub const MAX_LINE_BYTES: usize = 64 << 20;

/// A file's text without its byte order mark.
#[derive(Debug, Clone)]
pub struct Source {
    /// The file, as the user named it.
    pub path: PathBuf,
    /// Its text.
    pub text: String,
    /// Whether a byte order mark was removed.
    pub had_mark: bool,
}

impl Source {
    /// Reads a file, unpacking it if its name ends in `.gz`.
    pub fn load(path: &Path) -> Result<Source, Error> {
        Source::from_bytes(path, load_bytes(path)?)
    }

    /// Checks bytes that came from elsewhere; `path` is only a name for messages.
    pub fn from_bytes(path: &Path, bytes: Vec<u8>) -> Result<Source, Error> {
        let mut text = String::from_utf8(bytes).map_err(|error| invalid_utf8(path, &error))?;
        let had_mark = text.starts_with('\u{feff}');
        if had_mark {
            text.drain(..'\u{feff}'.len_utf8());
        }
        let source = Source { path: path.to_owned(), text, had_mark };
        if source.text.trim().is_empty() {
            let found = if source.text.is_empty() { "an empty file" } else { "nothing but white space" };
            return Err(source.problem(Code::EmptyFile, 0, "", found, "some content").into());
        }
        Ok(source)
    }

    /// The place of a byte offset.
    pub fn place(&self, offset: usize) -> Place {
        let before = &self.text.as_bytes()[..offset.min(self.text.len())];
        let line_start = memchr::memrchr(b'\n', before).map_or(0, |newline| newline + 1);
        let line = 1 + memchr::memchr_iter(b'\n', before).count();
        let column = 1 + String::from_utf8_lossy(&before[line_start..]).chars().count();
        Place { file: self.path.clone(), line, column }
    }

    /// A problem at a byte offset.
    pub fn problem(
        &self,
        code: Code,
        offset: usize,
        element: &str,
        found: impl Into<String>,
        expected: impl Into<String>,
    ) -> Problem {
        let place = self.place(offset);
        Problem { code, place, element: element.to_owned(), found: found.into(), expected: expected.into() }
    }

    /// The lines that hold something, each with the offset of its start. Line ends are LF or CRLF.
    pub fn lines(&self) -> impl Iterator<Item = Result<(usize, &str), Problem>> {
        let mut start = 0;
        self.text.split_inclusive('\n').filter_map(move |raw| {
            let offset = start;
            start += raw.len();
            let line = raw.strip_suffix('\n').unwrap_or(raw);
            let line = line.strip_suffix('\r').unwrap_or(line);
            if line.trim().is_empty() {
                return None;
            }
            if line.len() > MAX_LINE_BYTES {
                let found = format!("a line of {} MB", line.len() / 1_000_000);
                let expected = format!("at most {} MB", MAX_LINE_BYTES / 1_000_000);
                return Some(Err(self.problem(Code::LineTooLong, offset, "", found, expected)));
            }
            Some(Ok((offset, line)))
        })
    }
}

/// Reads a file's bytes, unpacked if its name ends in `.gz`.
pub fn load_bytes(path: &Path) -> Result<Vec<u8>, Error> {
    let io = |source| Error::Read { path: path.to_owned(), source };
    let file = File::open(path).map_err(io)?;
    let size = file.metadata().map_err(io)?.len();
    let mut bytes = Vec::new();
    if path.extension().is_some_and(|extension| extension == "gz") {
        // Ten times the packed size is the usual ratio for JSON; the bound below holds whatever the file claims.
        bytes.reserve((size.min(MAX_FILE_BYTES / 10) * 10) as usize);
        flate2::read::MultiGzDecoder::new(file).take(MAX_FILE_BYTES + 1).read_to_end(&mut bytes).map_err(io)?;
    } else {
        bytes.reserve(size.min(MAX_FILE_BYTES) as usize + 1);
        file.take(MAX_FILE_BYTES + 1).read_to_end(&mut bytes).map_err(io)?;
    }
    if bytes.len() as u64 > MAX_FILE_BYTES {
        return Err(Error::TooLarge { path: path.to_owned() });
    }
    Ok(bytes)
}

fn invalid_utf8(path: &Path, error: &std::string::FromUtf8Error) -> Error {
    let at = error.utf8_error().valid_up_to();
    let (valid, rest) = error.as_bytes().split_at(at);
    let text = String::from_utf8_lossy(valid).into_owned();
    let source = Source { path: path.to_owned(), text, had_mark: false };
    source.problem(Code::InvalidUtf8, at, "", format!("byte 0x{:02X}", rest[0]), "UTF-8 text").into()
}

#[cfg(test)]
mod tests {
    use super::*;

    fn error(bytes: &[u8]) -> String {
        Source::from_bytes(Path::new("a.json"), bytes.to_vec()).unwrap_err().to_string()
    }

    #[test]
    fn bad_bytes_are_placed() {
        assert_eq!(error(b"ok\nh\xC3\xA9l\xFFo"), "a.json:2:4: byte 0xFF, expected UTF-8 text");
        assert_eq!(error(b""), "a.json:1:1: an empty file, expected some content");
        assert_eq!(error(b" \n\t"), "a.json:1:1: nothing but white space, expected some content");
    }

    #[test]
    fn lines_keep_their_offsets() {
        let source = Source::from_bytes(Path::new("a"), b"\xEF\xBB\xBFone\r\n\ntwo".to_vec()).unwrap();
        assert!(source.had_mark);
        let lines: Vec<_> = source.lines().map(Result::unwrap).collect();
        assert_eq!(lines, [(0, "one"), (6, "two")]);
        assert_eq!(source.place(6).line, 3);
    }

    #[test]
    fn a_missing_file_is_named() {
        let error = Source::load(Path::new("no/such/file.json")).unwrap_err();
        assert_eq!(error.to_string(), "cannot read no/such/file.json");
    }
}
