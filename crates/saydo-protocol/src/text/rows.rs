//! JSON Lines read row by row up to the first error.
//!
//! The readers of task files collect every problem; a scorer needs only to know whether the file can be used, and if
//! not, the first reason.

use saydo_task::Error;
use saydo_task::node::{Node, Value};
use saydo_task::problem::{Code, Severity};
use saydo_task::reader::{Path, Reader};
use saydo_task::source::Source;

/// Reads each line that holds something as an object. `read` gets it with the number of its line; what it misses it
/// reports to the reader, and gives nothing.
pub(crate) fn read<T>(
    source: &Source,
    mut read: impl FnMut(&mut Reader<'_>, &Node, usize) -> Option<T>,
) -> Result<Vec<T>, Error> {
    let mut reader = Reader::new(source);
    let mut rows = Vec::new();
    let (mut number, mut counted) = (1, 0);
    for line in source.lines() {
        let (offset, line) = line?;
        number += source.text[counted..offset].matches('\n').count();
        counted = offset;
        reader.starting_at(offset);
        if let Some(node) = reader.json(line)
            && reader.object(&node, Path::Root).is_some()
        {
            rows.extend(read(&mut reader, &node, number));
        }
        settle(&mut reader)?;
    }
    Ok(rows)
}

/// Gives the first problem that makes the file unusable and forgets warnings, so that they cannot crowd out errors.
pub(crate) fn settle(reader: &mut Reader<'_>) -> Result<(), Error> {
    let problems = std::mem::take(&mut reader.problems);
    match problems.into_iter().find(|problem| problem.severity() == Severity::Error) {
        Some(problem) => Err(problem.into()),
        None => Ok(()),
    }
}

/// The name of something, which may be written as a string or a whole number: 7 and "7" are the same name.
pub(crate) fn name(reader: &mut Reader<'_>, node: &Node, path: Path<'_>) -> Option<String> {
    match &node.value {
        Value::String(text) => Some(text.clone()),
        Value::Integer(digits) => Some(digits.clone()),
        other => {
            reader.report(Code::WrongType, node.offset, path, other.kind(), "a string or a whole number");
            None
        }
    }
}

/// A list of at least one string: the best score over no references is undefined.
pub(crate) fn references(reader: &mut Reader<'_>, node: &Node, path: Path<'_>) -> Option<Vec<String>> {
    match node.as_array() {
        Some(items @ [_, ..]) => items.iter().enumerate().map(|(i, item)| reader.string(item, path.index(i))).collect(),
        items => {
            let found = items.map_or(node.value.kind(), |_| "an empty list");
            reader.report(Code::WrongType, node.offset, path, found, "a list of at least one string");
            None
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use proptest::prelude::*;
    use saydo_task::reader::Need;

    fn ids(text: &[u8]) -> Result<Vec<(usize, String)>, String> {
        let source = Source::from_bytes(std::path::Path::new("r.jsonl"), text.to_vec()).map_err(|e| e.to_string())?;
        let id = |reader: &mut Reader<'_>, node: &Node, line: usize| {
            let id = reader.field(node, Path::Root, "id", Need::Required)?;
            Some((line, name(reader, id, Path::Root.key("id"))?))
        };
        read(&source, id).map_err(|error| error.to_string())
    }

    #[test]
    fn rows_come_in_order_and_empty_lines_do_not_count() {
        assert_eq!(
            ids(b"{\"id\": \"a\"}\r\n\n{\"id\": 7, \"x\": NaN}"),
            Ok(vec![(1, "a".to_owned()), (3, "7".to_owned())])
        );
    }

    #[test]
    fn the_first_error_is_placed() {
        let good = "{\"id\": 1}\n".repeat(3);
        let error = |bad: &str| ids(format!("{good}{bad}\n{{\"id\": {{}}}}").as_bytes()).unwrap_err();
        assert_eq!(error("[1]"), "r.jsonl:4:1: a list, expected an object");
        assert_eq!(error("{}"), "r.jsonl:4:1: no `id`, expected this field");
        assert_eq!(error("{\"id\": null}"), "r.jsonl:4:8: id: null, expected a string or a whole number");
        assert_eq!(error("{\"id\": 1"), "r.jsonl:4:9: the end of the text, expected `,` or `}` in an object");
    }

    #[test]
    fn a_line_beyond_all_measure_is_refused() {
        let long = format!("{{\"id\": \"{}\"}}", "x".repeat(saydo_task::source::MAX_LINE_BYTES));
        assert!(ids(long.as_bytes()).unwrap_err().contains("a line of 67 MB, expected at most 67 MB"));
    }

    proptest! {
        #[test]
        fn any_bytes_are_read_or_refused(bytes in prop::collection::vec(any::<u8>(), 0..60)) {
            let _ = ids(&bytes);
        }

        #[test]
        fn any_json_like_text_is_read_or_refused(text in "[\\[\\]{}\"id:,0 \n]{0,60}") {
            let _ = ids(text.as_bytes());
        }
    }
}
