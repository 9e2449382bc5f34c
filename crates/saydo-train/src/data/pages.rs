//! Questions over documents to learn from, out of files.
//!
//! A file holds either tasks, each asked of several documents (everyday, ZEST), or rows with a question each. Tasks have
//! sides in a split as those of `--data` do; rows are only kept from texts that must stay unseen.

use super::draw::generator;
use super::named;
use crate::reading::{Page, add_near_misses};
use crate::{Error, shuffle};
use saydo_function::infer::infer_task;
use saydo_task::dataset::Dataset;
use saydo_task::reading::{self, sets};
use saydo_task::source::Source;
use saydo_task::split::TaskRef;
use saydo_task::{Ablation, Task, everyday};
use std::collections::HashSet;
use std::path::{Path, PathBuf};

/// A set without a single question that its text leaves open gets near misses: every so many questions, one.
const NEAR_MISS_EVERY: usize = 2;

/// The questions of a file.
pub(super) struct Questions {
    path: PathBuf,
    tasks: Vec<Task>,
    /// Whether the file holds tasks rather than rows.
    of_tasks: bool,
}

impl Questions {
    /// Reads a file, or a part of the data set that ships. Of rows, what `saydo eval suite` asks is left out.
    pub fn load(path: &Path) -> Result<Self, Error> {
        let is_everyday = path.to_str().is_some_and(everyday::is_name);
        let dataset = Dataset::load(path);
        let (tasks, of_tasks) = match dataset {
            Ok(dataset) => (dataset.tasks.into_iter().map(|located| located.task).collect(), true),
            Err(error) if is_everyday || path.is_dir() => return Err(error.into()),
            Err(_) => {
                (sets::left(path, reading::read(&Source::load(path)?)?).tasks(&path.display().to_string()), false)
            }
        };
        Ok(Self { path: path.to_owned(), tasks, of_tasks })
    }

    /// Its tasks; none if it holds rows.
    pub fn tasks(&self) -> &[Task] {
        if self.of_tasks { &self.tasks } else { &[] }
    }

    /// Keeps the tasks of a side.
    pub fn keep(&mut self, side: &[TaskRef]) {
        if self.of_tasks {
            self.tasks = named(&self.tasks, side);
        }
    }

    /// Keeps the tasks with these ids, and of each the first instances: tasks over the same documents keep the same.
    pub fn keep_some(&mut self, ids: &HashSet<String>, instances: usize) {
        if self.of_tasks {
            self.tasks.retain(|task| ids.contains(&task.id));
            self.tasks.iter_mut().for_each(|task| task.instances.truncate(instances));
        }
    }
}

/// The pages of each file, shuffled by the seed and cut off where its questions reach the cap. Texts that must stay
/// unseen are left out.
pub(super) fn pages(
    files: Vec<Questions>,
    caps: &[usize],
    seed: u64,
    ablation: Option<Ablation>,
    is_unseen: &dyn Fn(&str) -> bool,
) -> Result<Vec<Vec<Page>>, Error> {
    if caps.len() > 1 && caps.len() != files.len() {
        return Err(Error::Caps { caps: "--reading-cap", given: caps.len(), of: "--reading", files: files.len() });
    }
    let mut all = Vec::new();
    for (number, Questions { path, mut tasks, of_tasks }) in files.into_iter().enumerate() {
        if of_tasks {
            // ZEST's questions say by their words what kind of answer they ask for.
            for task in tasks.iter_mut().filter(|task| task.answer.is_none()) {
                task.answer = Some(infer_task(task).spec);
            }
        }
        let mut pages = Page::of_tasks(&tasks);
        pages.retain(|page| !page.asked.is_empty() && !is_unseen(&page.document));
        if pages.iter().flat_map(|page| &page.asked).all(|asked| !asked.is_na()) {
            add_near_misses(&mut pages, NEAR_MISS_EVERY);
        }
        shuffle(&mut pages, &mut generator(&path.display().to_string(), 0, seed));
        let cap = caps.get(number).or(caps.last()).copied().unwrap_or(usize::MAX);
        let mut count = 0;
        pages.retain(|page| {
            let is_in = count < cap;
            count += page.asked.len();
            is_in
        });
        if pages.is_empty() {
            return Err(Error::NoQuestions { path });
        }
        if let Some(ablation) = ablation {
            pages.iter_mut().for_each(|page| page.ablate(ablation));
        }
        all.push(pages);
    }
    Ok(all)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn tasks_have_sides_and_rows_have_none() {
        let folder = tempfile::tempdir().unwrap();
        let zest = folder.path().join("zest.jsonl");
        let line = |id: &str, question: &str| {
            let kind = r#"{"generalization_type": "normal", "derives_from": [], "domain": "dogs"}"#;
            let example = r#"{"context": "A husky likes snow.", "answer": "yes"}"#;
            format!(r#"{{"id": "{id}", "type": {kind}, "question": "{question}", "examples": [{example}]}}"#)
        };
        let text = format!("{}\n{}\n", line("1", "Does it like snow?"), line("2", "Is it a dog?"));
        std::fs::write(&zest, text).unwrap();
        let rows = folder.path().join("rows.jsonl");
        std::fs::write(&rows, "{\"question\": \"wet?\", \"passage\": \"It rains.\", \"answer\": true}\n").unwrap();
        let mut tasks = Questions::load(&zest).unwrap();
        assert_eq!(tasks.tasks().len(), 2);
        let second = TaskRef::new(&tasks.tasks()[1]);
        tasks.keep(&[second]);
        assert_eq!(tasks.tasks()[0].id, "2");
        let mut rows = Questions::load(&rows).unwrap();
        assert!(rows.tasks().is_empty());
        rows.keep(&[]);
        let pages = pages(vec![tasks, rows], &[], 0, None, &|_| false).unwrap();
        let replies: Vec<&str> =
            pages.iter().flatten().flat_map(|page| &page.asked).map(|asked| &*asked.reply).collect();
        assert_eq!(replies, ["yes", "yes"], "ZEST's kinds of answer are inferred");
    }
}
