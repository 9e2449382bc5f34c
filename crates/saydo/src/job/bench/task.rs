//! The tasks that benchmarks run: the built-in one, or the user's.

use crate::Error;
use saydo_task::Task;
use saydo_task::dataset::Dataset;
use saydo_task::format::Format;
use saydo_task::source::Source;
use std::path::Path;

const WORKLOAD: &str = include_str!("workload.toml");

/// The tasks of a file or folder, or the built-in task; at least one.
pub(super) fn tasks(path: Option<&Path>) -> Result<Vec<Task>, Error> {
    let Some(path) = path else {
        let source = Source::from_bytes(Path::new("workload.toml"), WORKLOAD.into())?;
        return Ok(Format::Toml.read(&source).into_tasks()?);
    };
    let tasks: Vec<Task> = Dataset::load(path)?.tasks.into_iter().map(|located| located.task).collect();
    if tasks.is_empty() {
        return Err(Error::unfit(format!("{} holds no task", path.display()), "one"));
    }
    Ok(tasks)
}
