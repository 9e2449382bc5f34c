//! One line of a ledger.

use crate::Key;
use saydo_corpus::{Cell, Status};

const BEFORE_KEY: &[u8] = b"{\"key\":\"";
const BEFORE_STATUS: &[u8] = b"\",\"status\":\"";
/// Where the word of the status starts.
const STATUS_AT: usize = BEFORE_KEY.len() + Key::DIGITS + BEFORE_STATUS.len();

/// The line of an entry, its line end included, in place of what `line` held.
pub(super) fn write(key: Key, cell: &Cell, line: &mut Vec<u8>) {
    line.clear();
    line.extend_from_slice(BEFORE_KEY);
    line.extend_from_slice(&key.digits());
    line.extend_from_slice(b"\",");
    let before = line.len();
    serde_json::to_writer(&mut *line, cell).expect("a cell is JSON, and memory takes it");
    // The cell's own brace goes: the key was put in front of its fields.
    line.remove(before);
    line.push(b'\n');
}

/// Key and status of a line without its line end; none if it is no entry. Only their places are looked at.
pub(super) fn head(line: &[u8]) -> Option<(Key, Status)> {
    let rest = line.strip_prefix(BEFORE_KEY)?;
    let key = Key::parse(rest.get(..Key::DIGITS)?)?;
    rest.get(Key::DIGITS..)?.strip_prefix(BEFORE_STATUS)?;
    let word = line.get(STATUS_AT..)?;
    let statuses: [(&[u8], Status); 4] = [
        (b"ok\"", Status::Ok),
        (b"na\"", Status::Na),
        (b"unparsable\"", Status::Unparsable),
        (b"failed\"", Status::Failed),
    ];
    let (_, status) = statuses.into_iter().find(|(name, _)| word.starts_with(name))?;
    line.ends_with(b"}").then_some((key, status))
}

/// The cell of a line with its line end; none if the line is damaged or another key's.
pub(super) fn read(line: &[u8], key: Key) -> Option<Cell> {
    let line = line.strip_suffix(b"\n")?;
    let (found, _) = head(line)?;
    (found == key).then(|| serde_json::from_slice(line).ok())?
}

#[cfg(test)]
mod tests {
    use super::super::tests::{cell, key};
    use super::*;

    #[test]
    fn key_and_status_stand_in_front() {
        let mut line = Vec::new();
        write(key(1), &Cell { ms: 3, ..cell(Status::Ok, "yes") }, &mut line);
        let text = String::from_utf8(line).unwrap().replace(&key(1).to_string(), "KEY");
        insta::assert_snapshot!(text, @r#"{"key":"KEY","status":"ok","answer":"yes","spans":[],"confidence":0.1,"windows":1,"ms":3}"#);
    }

    #[test]
    fn every_status_reads_back() {
        for status in [Status::Ok, Status::Na, Status::Unparsable, Status::Failed] {
            let mut line = Vec::new();
            write(key(2), &cell(status, "a\n\"}"), &mut line);
            assert_eq!(head(&line[..line.len() - 1]), Some((key(2), status)));
            assert_eq!(read(&line, key(2)), Some(cell(status, "a\n\"}")));
            assert_eq!(read(&line, key(3)), None);
        }
    }

    #[test]
    fn what_is_no_entry_is_told() {
        let mut line = Vec::new();
        write(key(2), &cell(Status::Ok, "yes"), &mut line);
        line.pop();
        for length in 0..line.len() {
            assert_eq!(head(&line[..length]), None, "{length}");
        }
        assert_eq!(head(b"{}"), None);
        let odd = String::from_utf8(line).unwrap().replace("\"ok\"", "\"fine\"");
        assert_eq!(head(odd.as_bytes()), None);
    }
}
