//! What was collected, as tasks: split as ZEST's were, in ZEST's format, Natural Instructions' and ours.

use super::question::Question;
use super::state::answered_items;
use crate::draft::DraftAnswer;
use crate::failure::{Answered, Failure};
use crate::project::Project;
use rusqlite::Connection;
use saydo_task::dataset::{Dataset, LocatedTask};
use saydo_task::format::Format;
use saydo_task::split::{Split, TaskRef};
use saydo_task::{Generalization, Instance, Origin, Task};
use std::collections::{BTreeMap, HashSet};
use std::io::{Cursor, Write as _};
use zip::write::{SimpleFileOptions, ZipWriter};

/// The names of the parts, as ZEST's files have them.
const PARTS: [&str; 3] = ["train", "dev", "test"];

/// What was collected.
pub(super) struct Collected {
    /// Every task that has an answered passage, in the order of their questions.
    pub(super) tasks: Vec<Task>,
    /// How many pieces of answers cannot be told from several, as no format here has a way to write them.
    pub(super) ambiguous: usize,
}

pub(super) fn collected(db: &Connection, project: i64) -> Answered<Collected> {
    let items = answered_items(db, project)?;
    let mut instances: BTreeMap<i64, Vec<Instance>> = BTreeMap::new();
    let mut ambiguous = 0;
    for item in items.iter().filter(|item| item.is_complete()) {
        if let Some(answer) = item.answer() {
            ambiguous += answer.ambiguous();
            let instance =
                Instance { outputs: vec![answer.text()], ..Instance::unlabelled(item.asked.passage.as_str()) };
            instances.entry(item.question).or_default().push(instance);
        }
    }
    let questions = Question::active(db, project)?;
    let known: HashSet<i64> = questions.iter().map(|question| question.id).collect();
    let task = |question: &Question| Some(task(question, instances.remove(&question.id)?, &known));
    let tasks = questions.iter().filter_map(task).collect::<Answered<_>>()?;
    Ok(Collected { tasks, ambiguous })
}

fn task(question: &Question, instances: Vec<Instance>, known: &HashSet<i64>) -> Answered<Task> {
    let answer = DraftAnswer { kind: question.kind.clone(), fields: question.fields.clone(), ..DraftAnswer::default() };
    let derives_from = question.derives_from.iter().filter(|id| known.contains(id)).map(|id| Question::task_id(*id));
    Ok(Task {
        id: Question::task_id(question.id),
        definition: Some(question.text.clone()),
        answer: Some(answer.spec()?),
        origin: Origin {
            domain: vec![question.domain.clone()],
            generalization: Some(Generalization::from_key(&question.generalization)),
            derives_from: derives_from.collect(),
            ..Origin::default()
        },
        instances,
        ..Task::default()
    })
}

/// A file of an export: its name and its bytes.
pub(super) type File = (String, Vec<u8>);

/// The tasks as ZEST's files: train, dev and test, half of the base tasks to test, derived ones with their base; and all of
/// them in one file.
pub(super) fn zest(project: &Project, tasks: &[Task]) -> Vec<File> {
    let parts = split(project, tasks);
    let lines = |of: &dyn Fn(&Task) -> bool| -> Vec<u8> {
        tasks.iter().filter(|task| of(task)).map(|task| Format::Zest.write(task).text).collect::<String>().into_bytes()
    };
    let file = |part: &str| (format!("{part}.jsonl"), lines(&|task| parts.get(&task.id) == Some(&part)));
    let all = ("all.jsonl".to_owned(), lines(&|_| true));
    PARTS.into_iter().map(file).chain([all]).filter(|(_, bytes)| !bytes.is_empty()).collect()
}

/// A file for each task, in folders for the parts.
pub(super) fn files(project: &Project, tasks: &[Task], format: Format) -> Vec<File> {
    let parts = split(project, tasks);
    let file = |task: &Task| {
        let part = parts.get(&task.id).copied().unwrap_or("all");
        (format!("{part}/{}.{}", task.id, format.extension()), format.write(task).text.into_bytes())
    };
    tasks.iter().map(file).collect()
}

/// The part of each task by id; empty where there is too little to split.
fn split(project: &Project, tasks: &[Task]) -> BTreeMap<String, &'static str> {
    let located = |task: &Task| LocatedTask { path: "export".into(), line: 1, task: task.clone() };
    let dataset = Dataset { tasks: tasks.iter().map(located).collect(), ..Dataset::default() };
    let Ok(split) = Split::zest(&dataset, u64::from(project.settings.seed)) else { return BTreeMap::new() };
    let sides = [&split.seen[..], split.dev.as_deref().unwrap_or_default(), &split.unseen[..]];
    let part =
        |(side, name): (&[TaskRef], &'static str)| side.iter().map(|task| (task.id.clone(), name)).collect::<Vec<_>>();
    sides.into_iter().zip(PARTS).flat_map(part).collect()
}

/// Files as one archive.
pub(crate) fn archive(files: &[File]) -> Answered<Vec<u8>> {
    let mut archive = ZipWriter::new(Cursor::new(Vec::new()));
    for (name, bytes) in files {
        archive.start_file(name, SimpleFileOptions::default()).map_err(Failure::internal)?;
        archive.write_all(bytes).map_err(Failure::internal)?;
    }
    Ok(archive.finish().map_err(Failure::internal)?.into_inner())
}
