//! What is evaluated: tasks, cut down to a split or a list.

use super::{Settings, Watch};
use crate::Error;
use crate::job::turking as resources;
use saydo_protocol::Protocol;
use saydo_protocol::labelled::{LabelledRow, read_labelled};
use saydo_task::Task;
use saydo_task::dataset::Dataset;
use saydo_task::format::everyday;
use saydo_task::format::natural_instructions::{EVALUATION_TASKS, category_of, subtask_number};
use saydo_task::source::Source;
use saydo_task::split::{Split, TaskLists, TaskRef};
use saydo_task::turking::Options;
use serde::Deserialize;
use std::collections::HashMap;
use std::path::{Path, PathBuf};

/// A side of a split.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Default, Deserialize)]
#[serde(rename_all = "kebab-case")]
pub enum Side {
    /// What models are trained on.
    Seen,
    /// What they are tested on.
    #[default]
    Unseen,
    /// What trainings are validated on.
    Dev,
}

/// The tasks that a protocol is run on.
pub(super) fn tasks(args: &Settings, protocol: Protocol, watch: &mut Watch<'_>) -> Result<Vec<Task>, Error> {
    if args.data.is_empty() {
        let expected = format!("--data PATH; `saydo data pull {protocol}` fetches what is public");
        return Err(Error::unfit("no data", expected));
    }
    let mut tasks = match protocol {
        Protocol::Turking => turking(args, watch)?,
        Protocol::SuperNaturalInstructions => super_natural_instructions(args)?,
        Protocol::Zest | Protocol::NaturalInstructions | Protocol::Labelled | Protocol::Reading => load(&args.data)?,
    };
    let is_set = |task: &Task| task.origin.dataset.iter().any(|dataset| dataset == everyday::DATASET);
    if protocol == Protocol::Zest && tasks.iter().any(is_set) {
        let found = "everyday's lists are sets, where ZEST's are alternatives";
        return Err(Error::unfit(found, "`saydo eval everyday --data …`"));
    }
    if let Some(split) = &args.split {
        let side = on_side(&Split::named(split, &tasks)?, args.on)?;
        tasks.retain(|task| side.contains(&task.id));
    } else if protocol == Protocol::NaturalInstructions && args.tasks.is_empty() {
        // Where the paper's twelve evaluation tasks are, they are what is meant.
        let is_evaluation = |task: &Task| subtask_number(&task.id).is_some_and(|n| EVALUATION_TASKS.contains(&n));
        if tasks.iter().any(is_evaluation) {
            tasks.retain(is_evaluation);
        }
    }
    if !args.tasks.is_empty() {
        check_ids(&args.tasks, tasks.iter())?;
        tasks.retain(|task| args.tasks.iter().any(|wanted| task.id.starts_with(wanted.as_str())));
    }
    if let Some(count) = args.per_category {
        keep_of_each_category(&mut tasks, count);
    }
    if tasks.is_empty() {
        return Err(Error::unfit("no task is left to evaluate", "--tasks, --split and --data to have some in common"));
    }
    Ok(tasks)
}

/// Says which beginning of an id is that of no task.
pub(super) fn check_ids<'a>(wanted: &[String], tasks: impl Iterator<Item = &'a Task> + Clone) -> Result<(), Error> {
    let is_there = |wanted: &&String| tasks.clone().any(|task| task.id.starts_with(wanted.as_str()));
    if let Some(unknown) = wanted.iter().find(|wanted| !is_there(wanted)) {
        let known: Vec<&str> = tasks.map(|task| &*task.id).take(10).collect();
        let found = format!("--tasks {unknown} is the beginning of no task");
        return Err(Error::unfit(found, format!("some of {} …", known.join(", "))));
    }
    Ok(())
}

/// Keeps the first tasks of each category, by id; those without a category are one.
fn keep_of_each_category(tasks: &mut Vec<Task>, count: usize) {
    tasks.sort_by(|a, b| a.id.cmp(&b.id));
    let mut kept: HashMap<Option<String>, usize> = HashMap::new();
    tasks.retain(|task| {
        let kept = kept.entry(category_of(task).map(str::to_owned)).or_default();
        *kept += 1;
        *kept <= count
    });
}

/// The labelled rows of a user's own task; none if its own instances are meant.
pub(super) fn labelled(args: &Settings) -> Result<Option<Vec<LabelledRow>>, Error> {
    let mut rows = Vec::new();
    for path in &args.data {
        rows.extend(read_labelled(&Source::load(path)?, None)?);
    }
    Ok((!args.data.is_empty()).then_some(rows))
}

fn load(paths: &[PathBuf]) -> Result<Vec<Task>, Error> {
    let mut tasks = Vec::new();
    for path in paths {
        tasks.extend(Dataset::load(path)?.tasks.into_iter().map(|located| located.task));
    }
    Ok(tasks)
}

/// Resources make the tasks; a folder, or a file of tasks, holds them already made.
fn turking(args: &Settings, watch: &mut Watch<'_>) -> Result<Vec<Task>, Error> {
    let is_made = |path: &PathBuf| path.is_dir() || path.extension().is_some_and(|extension| extension == "toml");
    if args.data.iter().any(is_made) {
        return load(&args.data);
    }
    resources::tasks(&args.data, &Options { seed: args.model.seed, ..Options::default() }, watch)
}

/// In the published folder, the tasks of the default test list; elsewhere all tasks.
fn super_natural_instructions(args: &Settings) -> Result<Vec<Task>, Error> {
    let mut tasks = Vec::new();
    for path in &args.data {
        let lists = path.join("splits");
        if !lists.join("default/test_tasks.txt").is_file() {
            tasks.extend(load(std::slice::from_ref(path))?);
            continue;
        }
        let listed = TaskLists::load(&lists, "default")?;
        let folder = [path.join("test_tasks"), path.join("tasks")].into_iter().find(|folder| folder.is_dir());
        let folder = folder.ok_or_else(|| {
            let found = format!("{} has no folder of tasks", path.display());
            Error::unfit(found, "test_tasks or tasks in it")
        })?;
        let found = load(&[folder])?.into_iter().filter(|task| listed.test.contains(&task.id));
        tasks.extend(found);
    }
    Ok(tasks)
}

pub(super) fn on_side(split: &Split, side: Side) -> Result<Vec<String>, Error> {
    let tasks: &[TaskRef] = match side {
        Side::Seen => &split.seen,
        Side::Unseen => &split.unseen,
        Side::Dev => {
            let missing = || Error::unfit("the split has no dev side", "seen or unseen after --on");
            split.dev.as_deref().ok_or_else(missing)?
        }
    };
    Ok(tasks.iter().map(|task| task.id.clone()).collect())
}

/// Paths as they were named.
pub(super) fn names(paths: &[PathBuf]) -> Vec<String> {
    paths.iter().map(|path: &PathBuf| Path::display(path).to_string()).collect()
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn the_first_tasks_of_each_category_are_kept() {
        let task = |(id, category): (&str, &str)| {
            let mut task = Task { id: id.to_owned(), ..Task::default() };
            task.origin.category = vec![category.to_owned()];
            task
        };
        let mut tasks: Vec<Task> = [("b", "x"), ("c", "y"), ("a", "x"), ("d", "x")].map(task).to_vec();
        keep_of_each_category(&mut tasks, 1);
        assert_eq!(tasks.iter().map(|task| task.id.as_str()).collect::<Vec<_>>(), ["a", "c"]);
        keep_of_each_category(&mut tasks, 0);
        assert!(tasks.is_empty());
    }
}
