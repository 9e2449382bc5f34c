//! The rows of a file of predictions and references.

use super::rows;
use saydo_task::Error;
use saydo_task::node::Node;
use saydo_task::reader::{Need, Path as At, Reader};
use saydo_task::source::Source;

/// A prediction with its references.
#[derive(Debug, Clone, Default, PartialEq, Eq)]
pub struct Row {
    /// The row's own name, if it has one.
    pub id: Option<String>,
    /// The group it counts in, if it names one.
    pub group: Option<String>,
    /// What a model said.
    pub prediction: String,
    /// Every acceptable output, at least one.
    pub references: Vec<String>,
}

/// Reads every row; a source that holds something has at least one.
pub(super) fn read(source: &Source) -> Result<Vec<Row>, Error> {
    rows::read(source, row)
}

fn row(reader: &mut Reader<'_>, node: &Node, _line: usize) -> Option<Row> {
    let mut name = |key| match node.get(key) {
        Some(named) => rows::name(reader, named, At::Root.key(key)).map(Some),
        None => Some(None),
    };
    let (id, group, task) = (name("id")?, name("group")?, name("task")?);
    Some(Row {
        id,
        group: group.or(task),
        prediction: reader.text(node, At::Root, "prediction", Need::Required)?,
        references: references(reader, node)?,
    })
}

fn references(reader: &mut Reader<'_>, row: &Node) -> Option<Vec<String>> {
    let node = reader.field(row, At::Root, "references", Need::Required)?;
    match node.as_str() {
        Some(text) => Some(vec![text.to_owned()]),
        None => rows::references(reader, node, At::Root.key("references")),
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use proptest::prelude::*;
    use std::path::Path;

    fn read_text(text: &str) -> Result<Vec<Row>, String> {
        let source = Source::from_bytes(Path::new("r.jsonl"), text.as_bytes().to_vec());
        source.and_then(|source| read(&source)).map_err(|error| error.to_string())
    }

    #[test]
    fn references_are_a_list_or_one_string() {
        let rows = read_text(
            "{\"prediction\": \"a\", \"references\": \"b\", \"task\": 3}\n\
             {\"id\": \"x\", \"group\": \"g\", \"task\": \"t\", \"prediction\": \"\", \"references\": [\"c\", \"d\"], \"y\": 0}",
        );
        let rows = rows.unwrap();
        assert_eq!((rows[0].references.as_slice(), rows[0].group.as_deref()), (["b".to_owned()].as_slice(), Some("3")));
        assert_eq!((rows[1].references.len(), rows[1].group.as_deref()), (2, Some("g")));
        assert_eq!((rows[0].id.as_deref(), rows[1].id.as_deref()), (None, Some("x")));
    }

    #[test]
    fn what_is_wrong_is_placed() {
        let error = |text: &str| read_text(text).unwrap_err();
        assert_eq!(error("{\"references\": []}"), "r.jsonl:1:1: no `prediction`, expected this field");
        assert_eq!(error("{\"prediction\": \"\"}"), "r.jsonl:1:1: no `references`, expected this field");
        assert_eq!(
            error("{\"prediction\": \"\", \"references\": []}"),
            "r.jsonl:1:34: references: an empty list, expected a list of at least one string"
        );
        assert_eq!(
            error("{\"prediction\": \"\", \"references\": [\"a\", null]}"),
            "r.jsonl:1:40: references[1]: null, expected a string"
        );
        assert_eq!(
            error("{\"prediction\": 1, \"references\": \"a\"}"),
            "r.jsonl:1:16: prediction: a number, expected a string"
        );
        assert_eq!(
            error("{\"group\": [], \"prediction\": \"\", \"references\": \"a\"}"),
            "r.jsonl:1:11: group: a list, expected a string or a whole number"
        );
    }

    proptest! {
        #[test]
        fn any_row_is_read_or_refused(tail in "[\\[\\]{}\"a:,0 \n]{0,40}") {
            let _ = read_text(&format!("{{\"prediction\": \"x\", \"references\": {tail}"));
        }
    }
}
