//! News highlights: JSON Lines, a story on each with its `highlights` as a list.
//!
//! The paper takes stories with at least six answerable questions in NewsQA; a file of highlights does not say how many
//! a story has, so every story is kept.

use super::ResourceReading;
use super::line::each_object;
use crate::problem::Code;
use crate::reader::{Need, Path, Reader};
use crate::source::Source;

const BULLET: &str = "• ";

/// The highlights of every story, a bullet before each line.
pub(super) fn read(source: &Source) -> ResourceReading {
    let mut reader = Reader::new(source);
    let mut reading = ResourceReading::default();
    each_object(&mut reader, |reader, node| {
        reading.seen += 1;
        let highlights = reader.texts(node, Path::Root, "highlights", Need::Required);
        let bulleted = bulleted(&highlights);
        if !bulleted.is_empty() {
            reading.resources.push(bulleted);
        } else if let Some(list) = node.get("highlights").filter(|list| list.as_array().is_some()) {
            let path = Path::Root.key("highlights");
            reader.report(Code::EmptyInput, list.offset, path, "no highlight", "at least one");
        }
    });
    ResourceReading { problems: reader.problems, ..reading }
}

/// A line for each highlight; line ends inside one become spaces.
fn bulleted(highlights: &[String]) -> String {
    let words = |highlight: &String| highlight.split_whitespace().collect::<Vec<_>>().join(" ");
    let lines = highlights.iter().map(words).filter(|line| !line.is_empty()).map(|line| BULLET.to_owned() + &line);
    lines.collect::<Vec<_>>().join("\n")
}
