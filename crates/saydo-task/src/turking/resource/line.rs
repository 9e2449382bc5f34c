//! Going through a file of JSON objects, one on each line.

use crate::node::Node;
use crate::reader::{Path, Reader};

/// Calls `keep` with every line that holds an object; other lines are problems.
pub(in crate::turking) fn each_object(reader: &mut Reader<'_>, mut keep: impl FnMut(&mut Reader<'_>, &Node)) {
    for line in reader.source.lines() {
        let (offset, text) = match line {
            Ok(line) => line,
            Err(problem) => return reader.problems.push(problem),
        };
        let Some(node) = reader.starting_at(offset).json(text) else { continue };
        if reader.object(&node, Path::Root).is_some() {
            keep(reader, &node);
        }
    }
}
