//! The GLUE diagnostic set: a table with tabs and a header, whose premises and hypotheses are the sentences.
//!
//! A double quote means nothing special here: some cells begin with one that no other closes.

use super::ResourceReading;
use crate::problem::Code;
use crate::reader::{Path, Reader};
use crate::source::Source;

/// The columns with sentences: as in the full file, or as in the file for submissions.
const COLUMNS: [[&str; 2]; 2] = [["Premise", "Hypothesis"], ["sentence1", "sentence2"]];

/// Every distinct sentence in the order of first appearance, row by row, the premise first.
pub(super) fn read(source: &Source) -> ResourceReading {
    let mut reader = Reader::new(source);
    let mut rows = Vec::new();
    for line in source.lines() {
        match line {
            Ok((offset, text)) => rows.push((offset, text.split('\t').collect::<Vec<_>>())),
            Err(problem) => {
                reader.problems.push(problem);
                break;
            }
        }
    }
    let resources = match rows.split_first() {
        Some(((_, header), rows)) => sentences(&mut reader, header, rows),
        None => Vec::new(),
    };
    ResourceReading { seen: resources.len(), resources, problems: reader.problems }
}

fn sentences(reader: &mut Reader<'_>, header: &[&str], rows: &[(usize, Vec<&str>)]) -> Vec<String> {
    let place = |name: &str| header.iter().position(|column| column.trim() == name);
    let Some(columns) = COLUMNS.into_iter().find_map(|[left, right]| Some([place(left)?, place(right)?])) else {
        let expected = "`Premise` and `Hypothesis`, or `sentence1` and `sentence2`, between tabs";
        reader.report(Code::MissingField, 0, Path::Root, "a header without the columns of sentences", expected);
        return Vec::new();
    };
    let mut seen = std::collections::HashSet::new();
    let mut sentences = Vec::new();
    for (offset, cells) in rows {
        if cells.len() != header.len() {
            let expected = format!("{} as in the header", header.len());
            reader.report(Code::Syntax, *offset, Path::Root, format!("{} cells", cells.len()), expected);
            continue;
        }
        for column in columns {
            let sentence = cells[column].trim();
            if sentence.is_empty() {
                let path = Path::Root.key(header[column].trim());
                reader.report(Code::EmptyInput, *offset, path, "an empty cell", "a sentence");
            } else if seen.insert(sentence) {
                sentences.push(sentence.to_owned());
            }
        }
    }
    sentences
}
