//! What was collected, as tasks in their parts: in ZEST's format, Natural Instructions' and ours.

use super::question::Question;
use super::state::answered_items;
use crate::draft::DraftAnswer;
use crate::failure::{Answered, Failure};
use rusqlite::Connection;
use saydo_task::format::Format;
use saydo_task::{Generalization, Instance, Origin, Task};
use std::collections::{BTreeMap, HashSet};
use std::io::{Cursor, Write as _};
use zip::write::{SimpleFileOptions, ZipWriter};

/// The names of the parts, as ZEST's files have them.
pub(super) const PARTS: [&str; 3] = ["train", "dev", "test"];

/// What was collected.
pub(super) struct Collected {
    /// Every task that has an answered passage, in the order of their questions.
    pub(super) tasks: Vec<Task>,
    /// How many pieces of answers cannot be told from several, as no format here has a way to write them.
    pub(super) ambiguous: usize,
    /// The part of each task by its id.
    pub(super) parts: BTreeMap<String, String>,
    /// Passages that lack answers or a decision.
    pub(super) left_out: usize,
}

pub(super) fn collected(db: &Connection, project: i64) -> Answered<Collected> {
    let items = answered_items(db, project)?;
    let mut instances: BTreeMap<i64, Vec<Instance>> = BTreeMap::new();
    let (mut ambiguous, mut left_out) = (0, 0);
    for item in &items {
        let Some(outputs) = item.alternatives().filter(|_| item.is_complete()) else {
            left_out += 1;
            continue;
        };
        ambiguous += item.answer().map_or(0, |answer| answer.ambiguous());
        let all_answers = item.all_answers();
        let instance = Instance { outputs, all_answers, ..Instance::unlabelled(item.asked.passage.as_str()) };
        instances.entry(item.question).or_default().push(instance);
    }
    let questions = Question::active(db, project)?;
    let part = |question: &Question| Some((Question::task_id(question.id), question.part.clone()?));
    let parts = questions.iter().filter_map(part).collect();
    let known: HashSet<i64> = questions.iter().map(|question| question.id).collect();
    let task = |question: &Question| Some(task(question, instances.remove(&question.id)?, &known));
    let tasks = questions.iter().filter_map(task).collect::<Answered<_>>()?;
    Ok(Collected { tasks, ambiguous, parts, left_out })
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

/// The tasks as ZEST's files: train, dev and test; and all of them in one file.
pub(super) fn zest(collected: &Collected) -> Vec<File> {
    let lines = |of: &dyn Fn(&Task) -> bool| -> Vec<u8> {
        let tasks = collected.tasks.iter().filter(|task| of(task));
        tasks.map(|task| Format::Zest.write(task).text).collect::<String>().into_bytes()
    };
    let file = |part: &str| (format!("{part}.jsonl"), lines(&|task| collected.part(task) == Some(part)));
    let all = ("all.jsonl".to_owned(), lines(&|_| true));
    PARTS.into_iter().map(file).chain([all]).filter(|(_, bytes)| !bytes.is_empty()).collect()
}

/// A file for each task, in folders for the parts.
pub(super) fn files(collected: &Collected, format: Format) -> Vec<File> {
    let file = |task: &Task| {
        let part = collected.part(task).unwrap_or("all");
        (format!("{part}/{}.{}", task.id, format.extension()), format.write(task).text.into_bytes())
    };
    collected.tasks.iter().map(file).collect()
}

impl Collected {
    /// The part of a task.
    pub(super) fn part(&self, task: &Task) -> Option<&str> {
        self.parts.get(&task.id).map(String::as_str)
    }
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
