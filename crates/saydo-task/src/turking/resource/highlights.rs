//! News highlights: JSON Lines, a story on each with its `highlights` as a list.
//!
//! The paper takes stories with at least six answerable questions in NewsQA (section 3.2). Where a line says how many its
//! story has, as a number or a list under `answerable_questions`, those with fewer are left out; a story without it is kept.

use super::ResourceReading;
use super::line::each_object;
use crate::node::{Node, Value};
use crate::problem::Code;
use crate::reader::{Need, Path, Reader};
use crate::source::Source;

const BULLET: &str = "• ";
/// The paper takes stories with at least this many answerable questions.
pub const MIN_ANSWERABLE: usize = 6;

/// The highlights of every story, a bullet before each line.
pub(super) fn read(source: &Source) -> ResourceReading {
    let mut reader = Reader::new(source);
    let mut reading = ResourceReading::default();
    each_object(&mut reader, |reader, node| {
        reading.seen += 1;
        let highlights = reader.texts(node, Path::Root, "highlights", Need::Required);
        let bulleted = bulleted(&highlights);
        if answerable(reader, node).is_some_and(|count| count < MIN_ANSWERABLE) {
            return;
        }
        if !bulleted.is_empty() {
            reading.resources.push(bulleted);
        } else if let Some(list) = node.get("highlights").filter(|list| list.as_array().is_some()) {
            let path = Path::Root.key("highlights");
            reader.report(Code::EmptyInput, list.offset, path, "no highlight", "at least one");
        }
    });
    ResourceReading { problems: reader.problems, ..reading }
}

/// How many answerable questions a story has; none if the line does not say.
fn answerable(reader: &mut Reader<'_>, node: &Node) -> Option<usize> {
    const KEY: &str = "answerable_questions";
    let value = node.get(KEY)?;
    match &value.value {
        Value::Integer(digits) if digits.parse::<usize>().is_ok() => digits.parse().ok(),
        Value::Array(questions) => Some(questions.len()),
        other => {
            let found = if matches!(other, Value::Integer(_)) { "a negative number" } else { other.kind() };
            reader.report(Code::WrongType, value.offset, Path::Root.key(KEY), found, "a count or a list of questions");
            None
        }
    }
}

/// A line for each highlight; line ends inside one become spaces.
fn bulleted(highlights: &[String]) -> String {
    let words = |highlight: &String| highlight.split_whitespace().collect::<Vec<_>>().join(" ");
    let lines = highlights.iter().map(words).filter(|line| !line.is_empty()).map(|line| BULLET.to_owned() + &line);
    lines.collect::<Vec<_>>().join("\n")
}
