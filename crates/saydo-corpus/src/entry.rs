//! A key with its cell, as a line of a ledger: written by runs, read by whoever scores or reports them.

use crate::{Cell, Key, Status};
use serde::de::IgnoredAny;
use std::borrow::Cow;
use std::collections::BTreeMap;

const BEFORE_KEY: &[u8] = b"{\"key\":\"";
const BEFORE_STATUS: &[u8] = b"\",\"status\":\"";
/// Where the word of the status starts.
const STATUS_AT: usize = BEFORE_KEY.len() + Key::DIGITS + BEFORE_STATUS.len();
const BEFORE_CHECKSUM: &[u8] = b",\"crc32\":\"";
const AFTER_CHECKSUM: &[u8] = b"\"}";
/// Bytes from the comma before the checksum to the end of the line.
const CHECKSUM_BYTES: usize = BEFORE_CHECKSUM.len() + 8 + AFTER_CHECKSUM.len();

/// The line of an entry, its line end included, in place of what `line` held.
pub fn write(key: Key, cell: &Cell, line: &mut Vec<u8>) {
    line.clear();
    line.extend_from_slice(BEFORE_KEY);
    line.extend_from_slice(&key.digits());
    line.extend_from_slice(b"\",");
    let before = line.len();
    serde_json::to_writer(&mut *line, cell).expect("a cell is JSON, and memory takes it");
    // The cell's own brace goes: the key was put in front of its fields.
    line.remove(before);
    // And the brace at its end, for the checksum goes behind the last field.
    line.pop();
    let checksum = crc32fast::hash(line);
    line.extend_from_slice(BEFORE_CHECKSUM);
    line.extend_from_slice(format!("{checksum:08x}").as_bytes());
    line.extend_from_slice(AFTER_CHECKSUM);
    line.push(b'\n');
}

/// Whether a line without its line end has the checksum it says; none if it says none, as lines of Saydo 0.1 do not.
fn is_sound(line: &[u8]) -> Option<bool> {
    let (fields, end) = line.split_at_checked(line.len().checked_sub(CHECKSUM_BYTES)?)?;
    let digits = end.strip_prefix(BEFORE_CHECKSUM)?.strip_suffix(AFTER_CHECKSUM)?;
    Some(digits == format!("{:08x}", crc32fast::hash(fields)).as_bytes())
}

/// Key and status of a line without its line end; none if it is no entry, or its checksum is wrong. Nothing is parsed.
pub fn head(line: &[u8]) -> Option<(Key, Status)> {
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
    (line.ends_with(b"}") && is_sound(line) != Some(false)).then_some((key, status))
}

/// The cell of a line with its line end; none if the line is damaged or another key's.
pub fn read(line: &[u8], key: Key) -> Option<Cell> {
    parse(line.strip_suffix(b"\n")?).filter(|(found, _)| *found == key).map(|(_, cell)| cell)
}

/// The entry of a line without its line end; none if it is damaged.
pub fn parse(line: &[u8]) -> Option<(Key, Cell)> {
    let (key, _) = head(line)?;
    if is_sound(line).is_none() && has_foreign_fields(line) {
        return None;
    }
    Some((key, serde_json::from_slice(line).ok()?))
}

/// Whether a line without a checksum has other fields than a cell: then it had one, and that is what was damaged.
fn has_foreign_fields(line: &[u8]) -> bool {
    const FIELDS: [&str; 9] =
        ["key", "status", "answer", "spans", "confidence", "windows", "ms", "ungrounded", "error"];
    serde_json::from_slice::<BTreeMap<Cow<'_, str>, IgnoredAny>>(line)
        .map_or(true, |fields| fields.keys().any(|name| !FIELDS.contains(&name.as_ref())))
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::Keys;
    use serde_json::{Value, json};

    fn key(number: usize) -> Key {
        Keys::new(&json!("task"), "model").of(&number.to_string())
    }

    fn cell(status: Status, answer: &str) -> Cell {
        let answer = Value::from(answer);
        Cell {
            status,
            answer,
            spans: Vec::new(),
            confidence: Some(0.1),
            windows: 1,
            ms: 0,
            ungrounded: 0,
            na_log_odds: None,
            error: None,
        }
    }

    #[test]
    fn key_and_status_stand_in_front() {
        let mut line = Vec::new();
        write(key(1), &Cell { ms: 3, ..cell(Status::Ok, "yes") }, &mut line);
        let text = String::from_utf8(line).unwrap().replace(&key(1).to_string(), "KEY");
        insta::assert_snapshot!(text, @r#"{"key":"KEY","status":"ok","answer":"yes","spans":[],"confidence":0.1,"windows":1,"ms":3,"crc32":"d1f66722"}"#);
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
    fn a_line_of_saydo_0_1_has_no_checksum_and_reads() {
        let old = format!(
            r#"{{"key":"{}","status":"ok","answer":"yes","spans":[],"confidence":0.1,"windows":1,"ms":3}}"#,
            key(1)
        );
        assert_eq!(parse(old.as_bytes()), Some((key(1), Cell { ms: 3, ..cell(Status::Ok, "yes") })));
    }

    #[test]
    fn no_changed_byte_goes_unnoticed() {
        let mut line = Vec::new();
        write(key(2), &cell(Status::Ok, "yes"), &mut line);
        line.pop();
        let whole = line.clone();
        for place in 0..line.len() {
            for change in [1, 2, 4, 8, 16, 32, 64, 128] {
                line[place] ^= change;
                assert_eq!(parse(&line), None, "{:?}", String::from_utf8_lossy(&line));
                line[place] = whole[place];
            }
        }
        assert!(parse(&whole).is_some());
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
