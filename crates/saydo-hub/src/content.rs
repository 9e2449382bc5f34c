//! What a fetched file is by its first bytes. Servers answer with pages where a file should be: a login, a notice that
//! the site has moved.

use crate::catalog::Format;
use crate::error::Error;
use std::fs::File;
use std::io::Read;
use std::path::Path;

/// Fails unless the file can be what the entry says it is. `address` is where it came from.
pub(crate) fn check(path: &Path, format: Format, address: &str) -> Result<(), Error> {
    let mut start = Vec::new();
    File::open(path).and_then(|file| file.take(512).read_to_end(&mut start)).map_err(Error::read(path))?;
    let found = describe(&start);
    let is_right = match format {
        Format::Zip => found == ZIP,
        Format::TarGz | Format::Gz => found == GZIP,
        Format::File => ![NOTHING, PAGE, ZIP, GZIP].contains(&found),
    };
    if is_right {
        return Ok(());
    }
    let expected = match format {
        Format::Zip => ZIP,
        Format::TarGz | Format::Gz => GZIP,
        Format::File => "the data themselves",
    };
    Err(Error::Content { address: address.to_owned(), found, expected })
}

const NOTHING: &str = "nothing";
const PAGE: &str = "a web page";
const ZIP: &str = "a zip archive";
const GZIP: &str = "a file in gzip";

fn describe(start: &[u8]) -> &'static str {
    let text = String::from_utf8_lossy(start).trim_start_matches('\u{feff}').trim_start().to_ascii_lowercase();
    match start {
        [] => NOTHING,
        [b'P', b'K', 3, 4, ..] | [b'P', b'K', 5, 6, ..] => ZIP,
        [0x1f, 0x8b, ..] => GZIP,
        _ if text.starts_with("<!doctype html") || text.starts_with("<html") => PAGE,
        _ => "something else",
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn kinds_are_told_by_their_first_bytes() {
        let cases: [(&[u8], &str); 7] = [
            (b"", NOTHING),
            (b"PK\x03\x04rest", ZIP),
            (b"\x1f\x8b\x08", GZIP),
            (b"  \n<!DOCTYPE HTML><title>", PAGE),
            ("\u{feff}<html lang=en>".as_bytes(), PAGE),
            (b"{\"data\": []}", "something else"),
            (b"PK", "something else"),
        ];
        for (start, expected) in cases {
            assert_eq!(describe(start), expected, "{start:?}");
        }
    }
}
