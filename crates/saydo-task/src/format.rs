//! The formats tasks come in, one file each, and how a file's format is told.
//!
//! Every reader turns a [`Source`] into tasks and the list of problems it met; every writer turns a task into text
//! and says what the format could not hold.

pub mod everyday;
pub mod natural_instructions;
mod places;
pub mod super_natural_instructions;
pub mod toml;
pub mod zest;

pub use places::{Part, Places, Spot};

use crate::node::Node;
use crate::problem::{Code, Problem, Severity};
use crate::reader::{self, Reader};
use crate::source::Source;
use crate::{Error, FieldKind, Task, are_labels, output};
use std::collections::BTreeMap;
use std::io::Write as _;
use std::path::Path;

/// A format for tasks.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash, PartialOrd, Ord)]
pub enum Format {
    /// Saydo's own task file.
    Toml,
    /// Natural Instructions v1: a JSON file per task.
    NaturalInstructions,
    /// Super-NaturalInstructions: a JSON file per task.
    SuperNaturalInstructions,
    /// ZEST: JSON Lines, a task per line.
    Zest,
    /// Everyday: a JSON file per domain, all tasks over the same documents.
    Everyday,
}

/// The tasks of one file, and what was odd or wrong about them.
#[derive(Debug, Default)]
pub struct Reading {
    /// The tasks that could be read, each with the line it starts on.
    pub tasks: Vec<(usize, Task)>,
    /// Where the parts of each task stand, in the order of `tasks`.
    pub places: Vec<Places>,
    /// Every problem met, in the order of the file, up to a bound for each code.
    pub problems: Vec<Problem>,
    /// How many problems of a code are beyond that bound.
    pub unlisted: BTreeMap<Code, usize>,
}

impl Reading {
    /// The tasks, unless a problem makes the file unusable: then the first such problem.
    pub fn into_tasks(self) -> Result<Vec<Task>, Error> {
        match self.problems.into_iter().find(|problem| problem.severity() == Severity::Error) {
            Some(problem) => Err(problem.into()),
            None => Ok(self.tasks.into_iter().map(|(_, task)| task).collect()),
        }
    }
}

/// The reading of a format with one task per file, whose id is the file's stem.
fn one_task(mut reader: Reader<'_>, task: Option<Task>) -> Reading {
    let places = vec![reader.take_places(); usize::from(task.is_some())];
    let id = task_id(&reader.source.path);
    let tasks = task.map(|task| (1, Task { id, ..task })).into_iter().collect();
    Reading { tasks, places, unlisted: reader.unlisted(), problems: reader.problems }
}

/// A file's name without folders and extensions, which is the task's id where a format has none.
fn task_id(path: &std::path::Path) -> String {
    let name = path.file_name().unwrap_or_default().to_string_lossy();
    let name = name.strip_suffix(".gz").unwrap_or(&name);
    ["json", "jsonl", "toml"]
        .iter()
        .find_map(|extension| name.strip_suffix(extension)?.strip_suffix('.'))
        .unwrap_or(name)
        .to_owned()
}

/// Reports labels that are too few or repeat.
fn check_labels(reader: &mut Reader<'_>, labels: &[String], offset: usize, path: reader::Path<'_>) {
    if !are_labels(labels) {
        let distinct: std::collections::BTreeSet<_> = labels.iter().collect();
        let found = format!("{} labels, {} of them different", labels.len(), distinct.len());
        reader.report(Code::BadLabels, offset, path, found, "two or more different labels");
    }
}

/// A word for the kind, or the list of labels.
fn field_kind(reader: &mut Reader<'_>, node: &Node, path: reader::Path<'_>) -> Option<FieldKind> {
    if node.as_array().is_some() {
        let labels = reader.strings(node, path);
        check_labels(reader, &labels, node.offset, path);
        return Some(FieldKind::Label(labels));
    }
    let word = reader.string(node, path)?;
    let kind = FieldKind::named(&word);
    if kind.is_none() {
        let expected = "span, yes-no, text or a list of labels";
        reader.report(Code::UnknownWord, node.offset, path, format!("`{word}`"), expected);
    }
    kind
}

/// Adds `part` to the list of what a format cannot hold, if the task has it.
fn note_lost(lost: &mut Vec<String>, part: &str, has: bool) {
    if has {
        lost.push(part.to_owned());
    }
}

/// Adds what instances carry besides input and output to the list of what a format cannot hold.
fn note_lost_evidence(lost: &mut Vec<String>, task: &Task) {
    let any = |is_so: fn(&crate::Instance) -> bool| task.instances.iter().any(is_so);
    note_lost(lost, "evidence", any(|instance| instance.evidence.is_some()));
    note_lost(lost, "near misses", any(|instance| instance.is_near_miss));
}

/// The same for the answers of single annotators, which few formats have.
fn note_lost_answers(lost: &mut Vec<String>, task: &Task) {
    note_lost(lost, "all answers", task.instances.iter().any(|instance| !instance.all_answers.is_empty()));
}

/// The parts of a task's origin that are known, except those named in `held`.
fn lost_origin(task: &Task, held: &[&str]) -> Vec<String> {
    let origin = &task.origin;
    let lists = [
        ("dataset", &origin.dataset),
        ("category", &origin.category),
        ("domain", &origin.domain),
        ("derives from", &origin.derives_from),
        ("reasoning", &origin.reasoning),
        ("input language", &origin.input_language),
        ("output language", &origin.output_language),
        ("instruction language", &origin.instruction_language),
        ("contributors", &origin.contributors),
        ("url", &origin.url),
        ("license", &origin.license),
    ];
    let known = lists.into_iter().filter(|(_, list)| !list.is_empty()).map(|(name, _)| name);
    let generalization = origin.generalization.iter().map(|_| "generalization type");
    known.chain(generalization).filter(|name| !held.contains(name)).map(str::to_owned).collect()
}

/// A task as text in some format, and the parts of it that the format cannot hold.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Written {
    /// The text.
    pub text: String,
    /// What was left out: `emphasis`, `negative[0].suggestion`, …
    pub lost: Vec<String>,
}

impl Format {
    /// Every format, in the order messages list them.
    pub const ALL: [Format; 5] =
        [Format::Toml, Format::NaturalInstructions, Format::SuperNaturalInstructions, Format::Zest, Format::Everyday];

    /// The word for this format on the command line.
    pub fn name(self) -> &'static str {
        match self {
            Format::Toml => "toml",
            Format::NaturalInstructions => "natural-instructions",
            Format::SuperNaturalInstructions => "super-natural-instructions",
            Format::Zest => "zest",
            Format::Everyday => "everyday",
        }
    }

    /// The extension of its files.
    pub fn extension(self) -> &'static str {
        match self {
            Format::Toml => "toml",
            Format::NaturalInstructions | Format::SuperNaturalInstructions | Format::Everyday => "json",
            Format::Zest => "jsonl",
        }
    }

    /// Whether one file holds several tasks, a line each.
    pub fn is_line_per_task(self) -> bool {
        self == Format::Zest
    }

    /// Reads the tasks of a file whose format is told by its extension and, for JSON, by the keys it has.
    pub fn read_any(source: &Source) -> Result<(Format, Reading), Error> {
        let name = source.path.to_string_lossy();
        let name = name.strip_suffix(".gz").unwrap_or(&name);
        match name.rsplit_once('.').map(|(_, extension)| extension) {
            Some("toml") => Ok((Format::Toml, toml::read(source))),
            Some("jsonl") => Format::read_any_lines(source),
            Some("json") => Format::read_any_json(source),
            _ => Err(unknown_format(source, "a file named .toml, .json or .jsonl")),
        }
    }

    fn read_any_json(source: &Source) -> Result<(Format, Reading), Error> {
        let mut reader = Reader::new(source);
        let Some(root) = reader.json(&source.text) else {
            return Ok((Format::NaturalInstructions, one_task(reader, None)));
        };
        let has = |key| root.get(key).is_some();
        if has("Examples") {
            let task = natural_instructions::task(&mut reader, &root);
            Ok((Format::NaturalInstructions, one_task(reader, task)))
        } else if has("Positive Examples") || has("Categories") || has("Instances") {
            let task = super_natural_instructions::task(&mut reader, &root);
            Ok((Format::SuperNaturalInstructions, one_task(reader, task)))
        } else if has("documents") && has("tasks") {
            Ok((Format::Everyday, everyday::tasks(reader, &root)))
        } else {
            let expected = "an object with `Examples` and `Instances` (natural-instructions), `Positive Examples` and \
                            `Instances` (super-natural-instructions) or `documents` and `tasks` (everyday)";
            Err(unknown_format(source, expected))
        }
    }

    /// Many things come as JSON Lines; those whose first line has no part of a ZEST task are something else.
    fn read_any_lines(source: &Source) -> Result<(Format, Reading), Error> {
        let first = source.lines().next().and_then(Result::ok);
        let is_task = first.and_then(|(_, line)| crate::json::parse(line).ok()).is_none_or(|parsed| {
            let has = |key| parsed.root.get(key).is_some();
            has("question") || has("id") && has("examples")
        });
        if !is_task {
            return Err(unknown_format(source, "lines with `id`, `question` and `examples` (zest)"));
        }
        Ok((Format::Zest, zest::read(source)))
    }

    /// Reads the tasks of a file in this format.
    pub fn read(self, source: &Source) -> Reading {
        match self {
            Format::Toml => toml::read(source),
            Format::NaturalInstructions => natural_instructions::read(source),
            Format::SuperNaturalInstructions => super_natural_instructions::read(source),
            Format::Zest => zest::read(source),
            Format::Everyday => everyday::read(source),
        }
    }

    /// Writes one task in this format. A line-per-task format gives one line, with its line end.
    pub fn write(self, task: &Task) -> Written {
        let mut written = match self {
            Format::Toml => return toml::write(task),
            Format::NaturalInstructions => natural_instructions::write(task),
            Format::SuperNaturalInstructions => super_natural_instructions::write(task),
            Format::Zest => zest::write(task),
            Format::Everyday => everyday::write(task),
        };
        // No published format has a place for these.
        note_lost(&mut written.lost, "metric and level", !task.criterion.is_empty());
        note_lost(&mut written.lost, "raw instructions", task.raw.is_some());
        written
    }

    /// Writes one task into a file of its own, whole or not at all. A file that is there is replaced only with
    /// `overwrite`.
    pub fn save(self, task: &Task, path: &Path, overwrite: bool) -> Result<(), Error> {
        output::write_whole(path, overwrite, |file| file.write_all(self.write(task).text.as_bytes()))
    }
}

fn unknown_format(source: &Source, expected: &str) -> Error {
    Error::UnknownFormat { path: source.path.clone(), expected: expected.to_owned() }
}

impl std::str::FromStr for Format {
    type Err = String;

    fn from_str(name: &str) -> Result<Self, Self::Err> {
        Format::ALL.into_iter().find(|format| format.name() == name).ok_or_else(|| {
            let known: Vec<_> = Format::ALL.iter().map(|format| format.name()).collect();
            format!("found `{name}`, expected one of {}", known.join(", "))
        })
    }
}

#[cfg(test)]
mod tests;
