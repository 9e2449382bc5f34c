//! Bytes as they are meant: counted, decompressed, without a byte order mark, in UTF-8.

use super::utf16::Utf16;
use super::{Origin, Place};
use crate::{Format, Progress};
use std::fs::File;
use std::io::{self, BufRead, BufReader, Read, Seek};
use std::sync::{Arc, Mutex, PoisonError};

/// What readers read from.
pub type Stream = Box<dyn BufRead + Send>;

const BUFFER_BYTES: usize = 64 * 1024;
const GZIP: &[u8] = &[0x1f, 0x8b];
const ZSTD: &[u8] = &[0x28, 0xb5, 0x2f, 0xfd];
const PARQUET: &[u8] = b"PAR1";
const UTF8_MARK: &[u8] = &[0xef, 0xbb, 0xbf];
const MARKS: [&[u8]; 3] = [UTF8_MARK, &[0xff, 0xfe], &[0xfe, 0xff]];

/// Standard input, or what stands for it in tests.
#[derive(Clone)]
pub struct SharedInput(Arc<Mutex<dyn Read + Send>>);

impl SharedInput {
    pub fn new(input: impl Read + Send + 'static) -> SharedInput {
        SharedInput(Arc::new(Mutex::new(input)))
    }
}

impl Read for SharedInput {
    fn read(&mut self, buffer: &mut [u8]) -> io::Result<usize> {
        self.0.lock().unwrap_or_else(PoisonError::into_inner).read(buffer)
    }
}

/// A place's bytes, counted as they come in, decompressed if their first bytes say that they are compressed.
pub fn raw_stream(place: &Place, stdin: SharedInput, progress: &Progress) -> io::Result<Stream> {
    let counted = Counted { inner: place.open(stdin)?, progress: progress.clone() };
    let (start, stream) = peek(BufReader::with_capacity(BUFFER_BYTES, counted), ZSTD.len())?;
    if is_cut_short(&place.name, &start) {
        return Err(io::ErrorKind::UnexpectedEof.into());
    }
    if start.starts_with(GZIP) {
        return Ok(buffered(flate2::bufread::MultiGzDecoder::new(stream)));
    }
    if start == ZSTD {
        return Ok(buffered(zstd::Decoder::with_buffer(stream)?));
    }
    Ok(Box::new(stream))
}

/// Whether a name promises compressed data and not even its first bytes are there. What has other first bytes is not
/// compressed, whatever its name says.
fn is_cut_short(name: &str, start: &[u8]) -> bool {
    let name = name.to_ascii_lowercase();
    let magic = if name.ends_with(".gz") {
        GZIP
    } else if name.ends_with(".zst") {
        ZSTD
    } else {
        return false;
    };
    start.len() < magic.len() && magic.starts_with(start)
}

/// The same text in UTF-8 without a byte order mark. What is not valid UTF-8 passes through, for the reader to refuse.
pub fn text_stream(stream: Stream) -> io::Result<Stream> {
    let (start, mut stream) = peek(stream, UTF8_MARK.len())?;
    match start.as_slice() {
        UTF8_MARK => {
            io::copy(&mut stream.by_ref().take(UTF8_MARK.len() as u64), &mut io::sink())?;
            Ok(Box::new(stream))
        }
        [0xff, 0xfe, ..] => Ok(buffered(Utf16::little_endian(stream))),
        [0xfe, 0xff, ..] => Ok(buffered(Utf16::big_endian(stream))),
        _ => Ok(Box::new(stream)),
    }
}

/// A file that can be read from any point: the place itself, or its decompressed bytes in a temporary file.
pub fn file_for_seeking(place: &Place, stdin: SharedInput, progress: &Progress) -> io::Result<File> {
    if let Origin::File(path) = &place.origin {
        let mut file = File::open(path)?;
        let mut start = Vec::new();
        file.by_ref().take(ZSTD.len() as u64).read_to_end(&mut start)?;
        if !start.starts_with(GZIP) && start != ZSTD && !is_cut_short(&place.name, &start) {
            file.rewind()?;
            return Ok(file);
        }
    }
    file_from_stream(raw_stream(place, stdin, progress)?)
}

/// A stream's bytes in a temporary file.
pub fn file_from_stream(mut stream: impl Read) -> io::Result<File> {
    let mut file = tempfile::tempfile()?;
    io::copy(&mut stream, &mut file)?;
    file.rewind()?;
    Ok(file)
}

/// The format of a stream without a name: Parquet by its first bytes, JSON Lines if the first byte that is not a space
/// is `{`, otherwise text.
pub fn sniff(mut stream: Stream) -> io::Result<(Format, Stream)> {
    let mut start = Vec::new();
    loop {
        let read = stream.by_ref().take(64).read_to_end(&mut start)?;
        let marked = MARKS.iter().find_map(|mark| start.strip_prefix(*mark)).unwrap_or(&start);
        // In UTF-16, half of every space is a zero.
        let first = marked.iter().find(|byte| !byte.is_ascii_whitespace() && **byte != 0).copied();
        if first.is_none() && read > 0 && start.len() < BUFFER_BYTES {
            continue;
        }
        let format = match first {
            _ if start.starts_with(PARQUET) => Format::Parquet,
            Some(b'{') => Format::JsonLines,
            _ => Format::Text,
        };
        return Ok((format, Box::new(io::Cursor::new(start).chain(stream))));
    }
}

/// A stream whose first bytes were looked at.
type Whole<R> = io::Chain<io::Cursor<Vec<u8>>, R>;

/// The first bytes of a stream, fewer only if it is shorter, and the stream with these still in it.
fn peek<R: BufRead>(mut stream: R, count: usize) -> io::Result<(Vec<u8>, Whole<R>)> {
    let mut start = Vec::with_capacity(count);
    stream.by_ref().take(count as u64).read_to_end(&mut start)?;
    Ok((start.clone(), io::Cursor::new(start).chain(stream)))
}

fn buffered(reader: impl Read + Send + 'static) -> Stream {
    Box::new(BufReader::with_capacity(BUFFER_BYTES, reader))
}

/// Adds every byte that passes to the progress.
struct Counted<R> {
    inner: R,
    progress: Progress,
}

impl<R: Read> Read for Counted<R> {
    fn read(&mut self, buffer: &mut [u8]) -> io::Result<usize> {
        let read = self.inner.read(buffer)?;
        self.progress.add_bytes(read as u64);
        Ok(read)
    }
}
