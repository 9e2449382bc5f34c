//! One file: read, then its tasks checked one by one.

use super::findings::Findings;
use super::{Options, description, instance};
use crate::Task;
use crate::format::{Format, Part, Places};
use crate::problem::{Code, Place, Severity};
use crate::source::Source;
use std::collections::HashSet;
use std::path::Path;

/// What is kept of a file: its problems, and what checks across files need.
#[derive(Debug)]
pub(super) struct LintedFile {
    pub(super) findings: Findings,
    pub(super) tasks: Vec<TaskNote>,
}

/// A task as other files may refer to it.
#[derive(Debug)]
pub(super) struct TaskNote {
    pub(super) id: String,
    pub(super) line: usize,
    pub(super) derives_from: Vec<String>,
    /// Where those ids stand, and what they are called there.
    pub(super) derives_from_at: (Place, &'static str),
}

impl LintedFile {
    /// A file that could not be read.
    pub(super) fn broken(findings: Findings) -> Self {
        LintedFile { findings, tasks: Vec::new() }
    }
}

/// A task under inspection, with everything a check needs to say where something stands.
pub(super) struct Inspected<'a> {
    pub(super) source: &'a Source,
    pub(super) format: Format,
    pub(super) task: &'a Task,
    pub(super) places: &'a Places,
    /// Elements in which the reader met an error: what seems missing there is only unreadable.
    spoiled: HashSet<&'a str>,
}

impl Inspected<'_> {
    /// The name of an element, such as `Instances[3]`.
    pub(super) fn element(&self, part: Part, position: usize) -> String {
        let index = self.places.of(part)[position].index;
        format!("{}[{index}]", self.format.part_name(part))
    }

    /// The byte offset of an element.
    pub(super) fn offset(&self, part: Part, position: usize) -> usize {
        self.places.of(part)[position].offset
    }

    /// Whether the reader met an error inside this element.
    pub(super) fn is_spoiled(&self, part: Part, position: usize) -> bool {
        !self.spoiled.is_empty() && self.spoiled.contains(self.element(part, position).as_str())
    }
}

/// Reads a file and checks every task in it.
pub(super) fn lint_file(path: &Path, is_given: bool, options: &Options) -> LintedFile {
    let mut findings = Findings::new(path, options.max_per_code);
    let read = Source::load(path).and_then(|source| Format::read_any(&source).map(|read| (source, read)));
    let (source, (format, reading)) = match read {
        Ok(read) => read,
        Err(error) => {
            findings.report_error(error, is_given);
            return LintedFile::broken(findings);
        }
    };
    if source.had_mark {
        findings.report_file(Code::ByteOrderMark, "a byte order mark", "none");
    }
    let mut tasks = Vec::with_capacity(reading.tasks.len());
    for ((line, task), places) in reading.tasks.into_iter().zip(&reading.places) {
        let here = |at: usize| at == line || !format.is_line_per_task();
        let reported = reading.problems.iter().filter(|problem| here(problem.place.line));
        let errors = reported.clone().filter(|problem| problem.severity() == Severity::Error);
        let spoiled = errors.filter_map(|problem| item(&problem.element)).collect();
        let has_description = reported.clone().all(|problem| problem.code != Code::NoDescription);
        let inspected = Inspected { source: &source, format, task: &task, places, spoiled };
        description::check(&inspected, has_description, &mut findings);
        instance::check(&inspected, &mut findings);
        let derives_from_at = derives_from_at(&inspected, line);
        tasks.push(TaskNote { id: task.id, line, derives_from: task.origin.derives_from, derives_from_at });
    }
    for problem in reading.problems {
        findings.push(problem);
    }
    for (code, count) in reading.unlisted {
        findings.count(code, count);
    }
    LintedFile { findings, tasks }
}

fn derives_from_at(inspected: &Inspected<'_>, line: usize) -> (Place, &'static str) {
    let Inspected { source, format, places, .. } = inspected;
    let offset = places.derives_from.unwrap_or(places.start);
    // In a file of many tasks the line is known, and counting to it again for each of them would take too long.
    if format.is_line_per_task() {
        let column = 1 + source.text[places.start..offset].chars().count();
        return (Place { file: source.path.clone(), line, column }, "type.derives_from");
    }
    (source.place(offset), "origin.derives-from")
}

/// The list element that an element path starts with: `Instances[3]` of `Instances[3].output`.
fn item(element: &str) -> Option<&str> {
    element.find(']').map(|end| &element[..=end])
}
