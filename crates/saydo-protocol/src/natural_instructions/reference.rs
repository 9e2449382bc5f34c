//! The gold outputs of a task, by the number of their instance.
//!
//! Scoring needs nothing else of a task file, so the rest is read past. An instance's number is its position, unless
//! the instances carry an `index`: then the file holds a part of the published task, put together from other sources,
//! and what is not in it is unknown rather than wrong.

use super::pairing::base_name;
use super::prediction::index_of;
use super::quick::{self, Keep, Object};
use crate::text::rows;
use rustc_hash::FxHashMap;
use saydo_task::Error;
use saydo_task::format::Format;
use saydo_task::node::Node;
use saydo_task::problem::Code;
use saydo_task::reader::{Need, Path as At, Reader};
use saydo_task::source::Source;
use serde::de::MapAccess;

/// The outputs of every instance of a task.
#[derive(Debug)]
pub(super) struct References {
    outputs: Vec<Vec<String>>,
    /// The position of each numbered instance, if they are numbered.
    positions: Option<FxHashMap<usize, usize>>,
}

impl References {
    /// Reads the outputs of the task of a file.
    pub(super) fn parse(source: &Source, task: &str) -> Result<Self, Error> {
        if !base_name(&source.path).ends_with(".json") {
            return Self::of_task(source, task);
        }
        quick(&source.text).map_or_else(|| read(source), Ok)
    }

    /// Reads a task of any other format.
    fn of_task(source: &Source, task: &str) -> Result<Self, Error> {
        let (_, reading) = Format::read_any(source)?;
        let task = reading.into_tasks()?.into_iter().find(|found| found.id == task).unwrap_or_default();
        Ok(References {
            outputs: task.instances.into_iter().map(|instance| instance.outputs).collect(),
            positions: None,
        })
    }

    /// The outputs of instances that are numbered in their order.
    pub(super) fn of_outputs(outputs: Vec<Vec<String>>) -> Self {
        References { outputs, positions: None }
    }

    /// Whether only some instances of the task are known.
    pub(super) fn is_partial(&self) -> bool {
        self.positions.is_some()
    }

    /// How many instances there are.
    pub(super) fn len(&self) -> usize {
        self.outputs.len()
    }

    /// The outputs of an instance; none if there is no such instance.
    pub(super) fn of(&self, index: usize) -> Option<&[String]> {
        let position = match &self.positions {
            Some(positions) => *positions.get(&index)?,
            None => index,
        };
        self.outputs.get(position).map(Vec::as_slice)
    }
}

/// None if some instances are numbered and some are not, or two have the same number.
fn quick(text: &str) -> Option<References> {
    let instances = quick::read::<File>(text)?.instances?;
    let numbered =
        instances.iter().enumerate().filter_map(|(position, Object(instance))| Some((instance.index?, position)));
    let positions: FxHashMap<usize, usize> = numbered.collect();
    if !positions.is_empty() && positions.len() < instances.len() {
        return None;
    }
    let outputs = instances.into_iter().map(|Object(instance)| instance.output).collect::<Option<_>>()?;
    Some(References { outputs, positions: (!positions.is_empty()).then_some(positions) })
}

#[derive(Default)]
struct File {
    instances: Option<Vec<Object<Instance>>>,
}

#[derive(Default)]
struct Instance {
    index: Option<usize>,
    output: Option<Vec<String>>,
}

impl<'de> Keep<'de> for File {
    fn keep<A: MapAccess<'de>>(&mut self, key: &str, map: &mut A) -> Result<bool, A::Error> {
        match key {
            "Instances" => self.instances = Some(map.next_value()?),
            _ => return Ok(false),
        }
        Ok(true)
    }
}

impl<'de> Keep<'de> for Instance {
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
fn read(source: &Source) -> Result<References, Error> {
    let mut reader = Reader::new(source);
    let root = reader.json(&source.text);
    rows::settle(&mut reader)?;
    let root = root.expect("text that does not parse was settled as an error");
    let nodes = reader.list(&root, At::Root, "Instances", Need::Required);
    let is_numbered = nodes.iter().any(|node| node.get("index").is_some());
    let mut outputs = Vec::with_capacity(nodes.len());
    let mut positions = FxHashMap::default();
    let list = At::Root.key("Instances");
    for (i, node) in nodes.iter().enumerate() {
        let path = list.index(i);
        reader.object(node, path);
        outputs.push(reader.texts(node, path, "output", Need::Required));
        if is_numbered {
            number(&mut reader, node, path, &mut positions);
        }
        rows::settle(&mut reader)?;
    }
    rows::settle(&mut reader)?;
    Ok(References { outputs, positions: is_numbered.then_some(positions) })
}

/// Takes in the number of the next instance.
fn number(reader: &mut Reader<'_>, node: &Node, path: At<'_>, positions: &mut FxHashMap<usize, usize>) {
    let Some(index_node) = reader.field(node, path, "index", Need::Required) else { return };
    let Some(index) = index_of(reader, index_node, path.key("index")) else { return };
    let position = positions.len();
    if positions.insert(index, position).is_some() {
        reader.report(Code::RepeatedId, index_node.offset, path, format!("index {index} again"), "each index once");
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use proptest::prelude::*;
    use std::path::Path;

    fn source(name: &str, text: &str) -> Source {
        Source::from_bytes(Path::new(name), text.as_bytes().to_vec()).unwrap()
    }

    fn error(text: &str) -> String {
        References::parse(&source("t.json", text), "t").unwrap_err().to_string()
    }

    #[test]
    fn an_instance_is_found_by_its_position() {
        let source =
            source("t.json", r#"{"Title": "x", "Instances": [{"input": "i", "output": ["a", "b"]}, {"output": []}]}"#);
        let references = References::parse(&source, "t").unwrap();
        assert_eq!(references.of(0).unwrap(), ["a", "b"]);
        assert!(references.of(1).unwrap().is_empty() && references.of(2).is_none() && !references.is_partial());
    }

    #[test]
    fn numbered_instances_are_found_by_their_number() {
        for extra in ["", r#", "x": NaN"#] {
            let text =
                format!(r#"{{"Instances": [{{"index": 60, "output": ["a"]}}, {{"index": 7, "output": []}}]{extra}}}"#);
            let source = source("t.json", &text);
            let references = References::parse(&source, "t").unwrap();
            assert_eq!(references.of(60).unwrap(), ["a"]);
            assert!(references.of(7).unwrap().is_empty() && references.of(0).is_none() && references.is_partial());
        }
    }

    #[test]
    fn a_lone_output_counts_as_a_list_of_one() {
        let source = source("t.json", r#"{"Instances": [{"output": "a"}]}"#);
        assert_eq!(References::parse(&source, "t").unwrap().of(0).unwrap(), ["a"]);
    }

    #[test]
    fn what_is_wrong_is_placed() {
        assert_eq!(error("{}"), "t.json:1:1: no `Instances`, expected this field");
        assert_eq!(
            error(r#"{"Instances": [{"output": ["a", 3]}]}"#),
            "t.json:1:33: Instances[0].output[1]: a number, expected a string"
        );
        assert_eq!(
            error(r#"{"Instances": [{"index": 1, "output": ["a"]}, {"output": ["a"]}]}"#),
            "t.json:1:47: Instances[1]: no `index`, expected this field"
        );
        assert_eq!(
            error(r#"{"Instances": [{"index": 1, "output": ["a"]}, {"index": 1, "output": ["a"]}]}"#),
            "t.json:1:57: Instances[1]: index 1 again, expected each index once"
        );
        assert_eq!(error(r#"{"Instances": [3]}"#), "t.json:1:16: Instances[0]: a number, expected an object");
    }

    #[test]
    fn a_task_in_our_own_format_has_references_too() {
        let folder = tempfile::tempdir().unwrap();
        let path = folder.path().join("wet.toml");
        std::fs::write(&path, "definition = \"Is it wet?\"\n[[instance]]\ninput = \"rain\"\noutput = \"yes\"\n")
            .unwrap();
        let source = Source::load(&path).unwrap();
        assert_eq!(References::parse(&source, "wet").unwrap().of(0).unwrap(), ["yes"]);
    }

    proptest! {
        #[test]
        fn any_text_is_read_or_refused(text in r#"[\[\]{}",:a0 ]{1,40}"#) {
            let text = format!(r#"{{"Instances": [{{"output": {text}"#);
            let _ = References::parse(&source("t.json", &text), "t");
        }
    }
}
