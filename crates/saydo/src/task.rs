//! What a user may write for a task: a description in plain words, a task file, or a folder of them.

mod draft;
mod inferred;
pub mod overlap;
pub mod parts;
pub mod side_by_side;
pub mod templates;

pub use draft::{BadDraft, Draft, DraftKind, Drafted, draft};
pub use inferred::{Inferred, inferred};

use crate::Error;
use saydo_task::Task;
use saydo_task::dataset::Dataset;
use std::path::Path;

/// A task and the name of its column.
#[derive(Debug, Clone)]
pub struct Named {
    /// The title, or failing that the id; the words of a description.
    pub name: String,
    /// The task.
    pub task: Task,
}

impl Named {
    /// What a person calls the task: its title, or what it asks.
    pub fn said(&self) -> String {
        self.task.title.clone().or_else(|| self.task.definition.clone()).unwrap_or_else(|| self.name.clone())
    }
}

/// The tasks that a description, file or folder holds.
pub fn resolve(text: &str) -> Result<Vec<Named>, Error> {
    let path = Path::new(text);
    let is_file_name = [".toml", ".json", ".jsonl"].iter().any(|extension| text.ends_with(extension));
    if !text.is_empty() && (path.exists() || saydo_task::everyday::named(text).is_some()) {
        let dataset = Dataset::load(path)?;
        return Ok(dataset.tasks.into_iter().map(|located| named(located.task)).collect());
    }
    let is_in_folder = path.parent().is_some_and(|folder| !folder.as_os_str().is_empty() && folder.is_dir());
    if (is_file_name || is_in_folder) && !text.contains(char::is_whitespace) {
        return Err(Error::NoTaskFile { text: text.to_owned() });
    }
    if text.trim().is_empty() {
        return Err(Error::EmptyTask);
    }
    let task = Task { id: text.trim().to_owned(), definition: Some(text.to_owned()), ..Task::default() };
    Ok(vec![named(task)])
}

fn named(task: Task) -> Named {
    let name = task.title.clone().unwrap_or_else(|| task.id.clone());
    Named { name, task }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn words_that_are_no_file_are_a_description() {
        let named = resolve("List the hikes.").unwrap();
        assert_eq!(named[0].task.definition.as_deref(), Some("List the hikes."));
        assert!(resolve("no-such.toml").err().is_some_and(|error| error.to_string().contains("does not exist")));
        assert!(resolve(" ").err().is_some_and(|error| error.to_string().contains("is empty")));
    }
}
