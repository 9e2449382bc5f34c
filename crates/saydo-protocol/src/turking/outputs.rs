//! What a model wrote, from a file of predictions or from a run.
//!
//! A row of the file is `{"id": …, "prediction": …, "decoding": …}`. The prediction is a string, null where nothing was
//! generated, or a list of those. `decoding` names how it was decoded: one name for the row (a list then holds several
//! samples), or a list of names, one for each prediction. Without it the predictions of a row are called `1`, `2`, ….

use super::{Error, Gold};
use crate::text::rows;
use saydo_task::node::{Node, Value};
use saydo_task::problem::Code;
use saydo_task::reader::{Need, Path, Reader};
use saydo_task::source::Source;

/// One text a model wrote.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Output {
    /// How it was decoded.
    pub decoding: String,
    /// The text; none if nothing was generated.
    pub text: Option<String>,
}

/// What was written for each instance.
#[derive(Debug, Clone, Default)]
pub struct Outputs {
    by_item: Vec<Vec<Output>>,
    decodings: Vec<String>,
}

impl Outputs {
    /// No output yet for any instance.
    pub fn new(gold: &Gold) -> Outputs {
        Outputs { by_item: vec![Vec::new(); gold.items().len()], decodings: Vec::new() }
    }

    /// Adds an output for the instance at a place of [`Gold::items`].
    ///
    /// # Panics
    /// If the gold these outputs were made for has no such place.
    pub fn add(&mut self, position: usize, output: Output) {
        if !self.decodings.contains(&output.decoding) {
            self.decodings.push(output.decoding.clone());
        }
        self.by_item[position].push(output);
    }

    /// Reads a file of predictions. An id that the gold does not have is an error, and so is a second row for the same
    /// id and decoding; an instance without a row is not: the scorer counts it as missing.
    pub fn read(source: &Source, gold: &Gold) -> Result<Outputs, Error> {
        let mut outputs = Outputs::new(gold);
        rows::read(source, |reader, node, _| outputs.add_row(reader, node, gold))?;
        Ok(outputs)
    }

    /// Adds what a row holds; what is wrong with it goes to the reader.
    fn add_row(&mut self, reader: &mut Reader<'_>, node: &Node, gold: &Gold) -> Option<()> {
        let id_node = reader.field(node, Path::Root, "id", Need::Required)?;
        let path = Path::Root.key("id");
        let id = reader.string(id_node, path)?;
        let Some(position) = gold.position(&id) else {
            let expected = "the id of an instance of the gold tasks";
            reader.report(Code::UnknownWord, id_node.offset, path, format!("`{id}`"), expected);
            return None;
        };
        let row = row_outputs(reader, node)?;
        let is_there = |output: &&Output| self.of(position).iter().any(|old| old.decoding == output.decoding);
        if let Some(again) = row.iter().find(is_there) {
            let found = format!("`{id}` again under decoding `{}`", again.decoding);
            reader.report(Code::RepeatedId, id_node.offset, path, found, "one row, with several samples as a list");
            return None;
        }
        row.into_iter().for_each(|output| self.add(position, output));
        Some(())
    }

    /// The outputs of the instance at a place of [`Gold::items`].
    pub fn of(&self, position: usize) -> &[Output] {
        self.by_item.get(position).map_or(&[], Vec::as_slice)
    }

    /// The decodings, in the order of first appearance.
    pub fn decodings(&self) -> &[String] {
        &self.decodings
    }
}

fn row_outputs(reader: &mut Reader<'_>, node: &Node) -> Option<Vec<Output>> {
    let prediction = reader.field(node, Path::Root, "prediction", Need::Required)?;
    let path = Path::Root.key("prediction");
    let texts = match &prediction.value {
        Value::Array(items) => {
            items.iter().enumerate().map(|(i, item)| text(reader, item, path.index(i))).collect::<Option<Vec<_>>>()?
        }
        _ => vec![text(reader, prediction, path)?],
    };
    let names = decodings(reader, node, texts.len())?;
    Some(names.into_iter().zip(texts).map(|(decoding, text)| Output { decoding, text }).collect())
}

fn text(reader: &mut Reader<'_>, node: &Node, path: Path<'_>) -> Option<Option<String>> {
    match &node.value {
        Value::Null => Some(None),
        Value::String(text) => Some(Some(text.clone())),
        other => {
            let expected = "a string, null, or a list of those";
            reader.report(Code::WrongType, node.offset, path, other.kind(), expected);
            None
        }
    }
}

/// A name for each of a row's predictions.
fn decodings(reader: &mut Reader<'_>, node: &Node, count: usize) -> Option<Vec<String>> {
    let Some(decoding) = node.get("decoding") else { return Some((1..=count).map(|n| n.to_string()).collect()) };
    let path = Path::Root.key("decoding");
    if let Some(name) = decoding.as_str() {
        return Some(vec![name.to_owned(); count]);
    }
    match decoding.as_array() {
        Some(items) if items.len() == count => {
            items.iter().enumerate().map(|(i, item)| reader.string(item, path.index(i))).collect()
        }
        items => {
            let found = items.map_or(decoding.value.kind().to_owned(), |items| format!("{} names", items.len()));
            let expected = format!("a name, or a list of {count}, one for each prediction");
            reader.report(Code::WrongType, decoding.offset, path, found, expected);
            None
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use proptest::prelude::*;
    use saydo_task::{Instance, Task};

    fn gold() -> Gold {
        let input = "List all the nouns of the sentence \"Cats sleep.\".".to_owned();
        let instance = |id: &str| Instance {
            id: Some(id.to_owned()),
            outputs: vec!["Cats".to_owned()],
            ..Instance::unlabelled(input.as_str())
        };
        Gold::new(&[Task { instances: vec![instance("a"), instance("b")], ..Task::default() }]).unwrap()
    }

    fn read(text: &str) -> Result<[Vec<Output>; 2], String> {
        let source = Source::from_bytes(std::path::Path::new("p.jsonl"), text.as_bytes().to_vec());
        let outputs = Outputs::read(&source.map_err(|error| error.to_string())?, &gold());
        let outputs = outputs.map_err(|error| error.to_string())?;
        Ok([0, 1].map(|position| outputs.of(position).to_vec()))
    }

    fn output(decoding: &str, text: Option<&str>) -> Output {
        Output { decoding: decoding.to_owned(), text: text.map(str::to_owned) }
    }

    fn named(pairs: &[(&str, &str)]) -> Vec<Output> {
        pairs.iter().map(|(decoding, text)| output(decoding, Some(text))).collect()
    }

    #[test]
    fn rows_hold_one_prediction_or_several() {
        let file =
            "{\"id\": \"a\", \"prediction\": [\"x\", \"y\"]}\n{\"id\": \"b\", \"prediction\": \"z\", \"more\": 1}\n";
        assert_eq!(read(file).unwrap(), [named(&[("1", "x"), ("2", "y")]), named(&[("1", "z")])]);
    }

    #[test]
    fn decodings_are_named_for_a_row_or_for_each_prediction() {
        let file = "{\"id\": \"a\", \"prediction\": [\"x\", \"y\"], \"decoding\": \"nucleus\"}\n\
                    {\"id\": \"a\", \"prediction\": \"z\", \"decoding\": \"greedy\"}\n\
                    {\"id\": \"b\", \"prediction\": [\"v\", \"w\"], \"decoding\": [\"greedy\", \"nucleus\"]}\n";
        let first = named(&[("nucleus", "x"), ("nucleus", "y"), ("greedy", "z")]);
        assert_eq!(read(file).unwrap(), [first, named(&[("greedy", "v"), ("nucleus", "w")])]);
    }

    #[test]
    fn null_is_an_output_without_text() {
        assert_eq!(read("{\"id\": \"a\", \"prediction\": null}").unwrap()[0], [output("1", None)]);
    }

    #[test]
    fn wrong_rows_are_placed() {
        let cases = [
            ("{\"id\": \"c\", \"prediction\": \"\"}", "1:8: id: `c`, expected the id of an instance of the gold tasks"),
            ("{\"id\": 1, \"prediction\": \"\"}", "1:8: id: a number, expected a string"),
            ("\n{\"id\": \"a\"}", "2:1: no `prediction`, expected this field"),
            (
                "{\"id\": \"a\", \"prediction\": [{}]}",
                "1:28: prediction[0]: an object, expected a string, null, or a list of those",
            ),
            (
                "{\"id\": \"a\", \"prediction\": \"x\", \"decoding\": []}",
                "1:44: decoding: 0 names, expected a name, or a list of 1, one for each prediction",
            ),
            (
                "{\"id\": \"a\", \"prediction\": \"x\"}\n{\"id\": \"a\", \"prediction\": \"y\"}",
                "2:8: id: `a` again under decoding `1`, expected one row, with several samples as a list",
            ),
        ];
        for (file, message) in cases {
            assert_eq!(read(file).unwrap_err(), format!("p.jsonl:{message}"));
        }
    }

    proptest! {
        #[test]
        fn any_file_is_read_or_refused(
            text in prop_oneof![any::<String>(), "(\\{\"id\": ?\"[ab]\", ?\"prediction\": ?[\\[\\]n\"x,1]{0,5}\\}\n?){1,3}"],
        ) {
            let _ = read(&text);
        }
    }
}
