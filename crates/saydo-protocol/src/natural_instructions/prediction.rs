//! Prediction files: `{"predictions": [{"index", "output"}]}`.
//!
//! The published files are mostly prompts, which are read past.

use super::quick::{self, Keep, Object};
use crate::text::rows;
use saydo_task::Error;
use saydo_task::node::{Node, Value};
use saydo_task::problem::{Code, Place};
use saydo_task::reader::{Need, Path as At, Reader};
use saydo_task::source::Source;
use serde::de::MapAccess;
use std::path::Path;

/// What a model said for one instance.
#[derive(Debug, Clone, PartialEq, Eq)]
pub(super) struct Prediction {
    pub(super) index: usize,
    pub(super) output: String,
}

/// Reads a prediction file.
pub(super) fn load(path: &Path) -> Result<Vec<Prediction>, Error> {
    let source = Source::load(path)?;
    quick(&source.text).map_or_else(|| parse(&source), Ok)
}

fn quick(text: &str) -> Option<Vec<Prediction>> {
    let file = quick::read::<File>(text)?;
    file.predictions?
        .into_iter()
        .map(|Object(item)| Some(Prediction { index: item.index?, output: item.output? }))
        .collect()
}

#[derive(Default)]
struct File {
    predictions: Option<Vec<Object<Item>>>,
}

#[derive(Default)]
struct Item {
    index: Option<usize>,
    output: Option<String>,
}

impl<'de> Keep<'de> for File {
    fn keep<A: MapAccess<'de>>(&mut self, key: &str, map: &mut A) -> Result<bool, A::Error> {
        match key {
            "predictions" => self.predictions = Some(map.next_value()?),
            _ => return Ok(false),
        }
        Ok(true)
    }
}

impl<'de> Keep<'de> for Item {
    fn keep<A: MapAccess<'de>>(&mut self, key: &str, map: &mut A) -> Result<bool, A::Error> {
        match key {
            "index" => self.index = Some(map.next_value()?),
            "output" => self.output = Some(map.next_value()?),
            _ => return Ok(false),
        }
        Ok(true)
    }
}

/// Reads what the strict parser refused: either the file uses Python's freedom, or this gives the error.
fn parse(source: &Source) -> Result<Vec<Prediction>, Error> {
    let mut reader = Reader::new(source);
    let root = reader.json(&source.text);
    rows::settle(&mut reader)?;
    let root = root.expect("text that does not parse was settled as an error");
    let items = reader.list(&root, At::Root, "predictions", Need::Required);
    rows::settle(&mut reader)?;
    let mut predictions = Vec::with_capacity(items.len());
    for (i, node) in items.iter().enumerate() {
        predictions.extend(prediction(&mut reader, node, At::Root.key("predictions").index(i)));
        rows::settle(&mut reader)?;
    }
    Ok(predictions)
}

fn prediction(reader: &mut Reader<'_>, node: &Node, path: At<'_>) -> Option<Prediction> {
    reader.object(node, path)?;
    let index = reader.field(node, path, "index", Need::Required)?;
    Some(Prediction {
        index: index_of(reader, index, path.key("index"))?,
        output: reader.text(node, path, "output", Need::Required)?,
    })
}

/// An instance's number, from 0. Python would count a negative one from the end, which no published file does.
pub(super) fn index_of(reader: &mut Reader<'_>, node: &Node, path: At<'_>) -> Option<usize> {
    let (index, found) = match &node.value {
        Value::Integer(digits) => (digits.parse().ok(), digits.as_str()),
        Value::Float(_) => (None, "a fraction"),
        other => (None, other.kind()),
    };
    if index.is_none() {
        reader.report(Code::WrongType, node.offset, path, found, "a whole number from 0");
    }
    index
}

/// Where the index of a prediction stands; only asked when something is wrong with it, so the file is read again.
pub(super) fn place_of(path: &Path, item: usize) -> Place {
    let find = || {
        let source = Source::load(path).ok()?;
        let root = saydo_task::json::parse(&source.text).ok()?.root;
        let offset = root.get("predictions")?.as_array()?.get(item)?.get("index")?.offset;
        Some(source.place(offset))
    };
    // The file may have changed or gone since it was read.
    find().unwrap_or_else(|| Place { file: path.to_owned(), line: 1, column: 1 })
}

#[cfg(test)]
mod tests {
    use super::*;
    use proptest::prelude::*;

    fn read(text: &[u8]) -> Result<Vec<Prediction>, String> {
        let folder = tempfile::tempdir().unwrap();
        let path = folder.path().join("p.json");
        std::fs::write(&path, text).unwrap();
        load(&path).map_err(|error| error.to_string().replace(&format!("{}/", folder.path().display()), ""))
    }

    fn error(text: &str) -> String {
        read(text.as_bytes()).unwrap_err()
    }

    #[test]
    fn inputs_and_other_fields_are_read_past() {
        let read = read(br#"{"model": {"x": [1]}, "predictions": [{"index": 3, "output": "a\nb", "input": "long"}]}"#);
        assert_eq!(read, Ok(vec![Prediction { index: 3, output: "a\nb".into() }]));
    }

    #[test]
    fn the_dialect_of_python_is_read_too() {
        let text = r#"{"predictions": [{"score": NaN, "output": "old", "output": "\ud800x", "index": 0}]}"#;
        assert_eq!(read(text.as_bytes()), Ok(vec![Prediction { index: 0, output: "\u{10d800}x".into() }]));
    }

    #[test]
    fn what_is_wrong_is_placed() {
        assert_eq!(error(""), "p.json:1:1: an empty file, expected some content");
        assert_eq!(error("[]"), "p.json:1:1: no `predictions`, expected this field");
        assert_eq!(error(r#"{"predictions": [[0, "a"]]}"#), "p.json:1:18: predictions[0]: a list, expected an object");
        assert_eq!(error(r#"{"predictions": 1}"#), "p.json:1:17: predictions: a number, expected a list");
        assert_eq!(
            error("{\"predictions\": [\n{\"index\": 0}]}"),
            "p.json:2:1: predictions[0]: no `output`, expected this field"
        );
        assert_eq!(
            error("{\"predictions\": [{\"index\": \"0\", \"output\": \"\"}]}"),
            "p.json:1:28: predictions[0].index: a string, expected a whole number from 0"
        );
        assert_eq!(
            error("{\"predictions\": [{\"index\": -1, \"output\": \"\"}]}"),
            "p.json:1:28: predictions[0].index: -1, expected a whole number from 0"
        );
        assert_eq!(
            error("{\"predictions\": [{\"index\": 1, \"output\": \"abc"),
            "p.json:1:41: the end of the text inside a string, expected a closing `\"`"
        );
        assert_eq!(read(b"{\"a\xFF").unwrap_err(), "p.json:1:4: byte 0xFF, expected UTF-8 text");
    }

    #[test]
    fn warnings_do_not_hide_a_later_error() {
        let repeated = "\"a\": 0, ".repeat(2_000);
        let text = format!("{{{repeated}\"predictions\": [{{\"index\": 0, \"output\": 5}}]}}");
        assert!(error(&text).ends_with("predictions[0].output: a number, expected a string"));
    }

    #[test]
    fn a_torn_packed_file_is_named() {
        use std::io::Write as _;
        let folder = tempfile::tempdir().unwrap();
        let path = folder.path().join("p.json.gz");
        let mut packer = flate2::write::GzEncoder::new(Vec::new(), flate2::Compression::fast());
        packer.write_all(br#"{"predictions": [{"index": 0, "output": "yes"}]}"#).unwrap();
        let bytes = packer.finish().unwrap();
        std::fs::write(&path, &bytes).unwrap();
        assert_eq!(load(&path).unwrap().len(), 1);
        std::fs::write(&path, &bytes[..bytes.len() - 9]).unwrap();
        assert!(matches!(load(&path), Err(Error::Read { path: found, .. }) if found == path));
    }

    proptest! {
        #[test]
        fn any_text_is_read_or_refused(text in r#"[\[\]{}",:a0\\ ]{0,40}"#) {
            let _ = read(text.as_bytes());
        }

        #[test]
        fn any_bytes_after_a_good_start_are_read_or_refused(bytes in prop::collection::vec(any::<u8>(), 0..40)) {
            let _ = read(&[br#"{"predictions": [{"index": 0, "output": ""#.as_slice(), &bytes].concat());
        }

        #[test]
        fn both_readers_agree(outputs in prop::collection::vec(any::<String>(), 0..6)) {
            let items: Vec<_> =
                outputs.iter().enumerate().map(|(i, output)| serde_json::json!({"index": i, "output": output})).collect();
            let text = serde_json::json!({ "predictions": items }).to_string();
            let source = Source::from_bytes(Path::new("p.json"), text.clone().into_bytes()).unwrap();
            prop_assert_eq!(read(text.as_bytes()).unwrap(), parse(&source).unwrap());
        }
    }
}
