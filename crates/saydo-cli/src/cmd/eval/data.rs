//! What is evaluated: tasks from `--data`, cut down to a split or a list.

use super::Args;
use crate::task_split;
use anyhow::{Context, Result, bail};
use saydo_eval::labelled::{LabelledRow, read_labelled};
use saydo_protocol::Protocol;
use saydo_task::Task;
use saydo_task::dataset::Dataset;
use saydo_task::format::everyday;
use saydo_task::format::natural_instructions::{EVALUATION_TASKS, subtask_number};
use saydo_task::source::Source;
use saydo_task::split::{Split, TaskLists, TaskRef};
use saydo_task::turking::Options;
use std::path::{Path, PathBuf};

/// A side of a split.
#[derive(Clone, Copy, PartialEq, Eq, clap::ValueEnum)]
pub(super) enum Side {
    Seen,
    Unseen,
    Dev,
}

/// The tasks that a protocol is run on.
pub(super) fn tasks(args: &Args, protocol: Protocol) -> Result<Vec<Task>> {
    if args.data.is_empty() {
        bail!("no data, expected --data PATH; `saydo data pull {protocol}` fetches what is public");
    }
    let mut tasks = match protocol {
        Protocol::Turking => turking(args)?,
        Protocol::SuperNaturalInstructions => super_natural_instructions(args)?,
        Protocol::Zest | Protocol::NaturalInstructions | Protocol::Labelled | Protocol::Reading => load(&args.data)?,
    };
    let is_set = |task: &Task| task.origin.dataset.iter().any(|dataset| dataset == everyday::DATASET);
    if protocol == Protocol::Zest && tasks.iter().any(is_set) {
        bail!("everyday's lists are sets, where ZEST's are alternatives, expected `saydo eval everyday --data …`");
    }
    if let Some(split) = &args.split {
        let side = on_side(&task_split::load(split, &tasks)?, args.on)?;
        tasks.retain(|task| side.contains(&task.id));
    } else if protocol == Protocol::NaturalInstructions && args.tasks.is_empty() {
        // Where the paper's twelve evaluation tasks are, they are what is meant.
        let is_evaluation = |task: &Task| subtask_number(&task.id).is_some_and(|n| EVALUATION_TASKS.contains(&n));
        if tasks.iter().any(is_evaluation) {
            tasks.retain(is_evaluation);
        }
    }
    if !args.tasks.is_empty() {
        let is_there = |wanted: &&String| tasks.iter().any(|task| task.id.starts_with(wanted.as_str()));
        if let Some(unknown) = args.tasks.iter().find(|wanted| !is_there(wanted)) {
            let known: Vec<&str> = tasks.iter().map(|task| &*task.id).take(10).collect();
            bail!("--tasks {unknown} is the beginning of no task, expected some of {} …", known.join(", "));
        }
        tasks.retain(|task| args.tasks.iter().any(|wanted| task.id.starts_with(wanted.as_str())));
    }
    if tasks.is_empty() {
        bail!("no task is left to evaluate, expected --tasks, --split and --data to have some in common");
    }
    Ok(tasks)
}

/// The labelled rows of a user's own task; none if its own instances are meant.
pub(super) fn labelled(args: &Args) -> Result<Option<Vec<LabelledRow>>> {
    let mut rows = Vec::new();
    for path in &args.data {
        rows.extend(read_labelled(&Source::load(path)?, None)?);
    }
    Ok((!args.data.is_empty()).then_some(rows))
}

fn load(paths: &[PathBuf]) -> Result<Vec<Task>> {
    let mut tasks = Vec::new();
    for path in paths {
        tasks.extend(Dataset::load(path)?.tasks.into_iter().map(|located| located.task));
    }
    Ok(tasks)
}

/// Resources make the tasks; a folder, or a file of tasks, holds them already made.
fn turking(args: &Args) -> Result<Vec<Task>> {
    let is_made = |path: &PathBuf| path.is_dir() || path.extension().is_some_and(|extension| extension == "toml");
    if args.data.iter().any(is_made) {
        return load(&args.data);
    }
    crate::turking::tasks(&args.data, &Options { seed: args.model.seed(), ..Options::default() })
}

/// In the published folder, the tasks of the default test list; elsewhere all tasks.
fn super_natural_instructions(args: &Args) -> Result<Vec<Task>> {
    let mut tasks = Vec::new();
    for path in &args.data {
        let lists = path.join("splits");
        if !lists.join("default/test_tasks.txt").is_file() {
            tasks.extend(load(std::slice::from_ref(path))?);
            continue;
        }
        let listed = TaskLists::load(&lists, "default")?;
        let folder = [path.join("test_tasks"), path.join("tasks")].into_iter().find(|folder| folder.is_dir());
        let folder = folder.with_context(|| format!("{} has no folder of tasks", path.display()))?;
        let found = load(&[folder])?.into_iter().filter(|task| listed.test.contains(&task.id));
        tasks.extend(found);
    }
    Ok(tasks)
}

fn on_side(split: &Split, side: Side) -> Result<Vec<String>> {
    let tasks: &[TaskRef] = match side {
        Side::Seen => &split.seen,
        Side::Unseen => &split.unseen,
        Side::Dev => split.dev.as_deref().context("the split has no dev side, expected seen or unseen after --on")?,
    };
    Ok(tasks.iter().map(|task| task.id.clone()).collect())
}

/// Paths as they were named.
pub(super) fn names(paths: &[PathBuf]) -> Vec<String> {
    paths.iter().map(|path: &PathBuf| Path::display(path).to_string()).collect()
}
