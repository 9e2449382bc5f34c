//! What the words on the command line mean: tasks and inputs.

use super::Args;
use anyhow::{Result, bail};
use saydo_task::dataset::Dataset;
use saydo_task::{AnswerKind, AnswerSpec, Task};
use std::collections::HashSet;
use std::path::Path;

/// A task and the name of its column.
pub(super) struct Named {
    pub(super) name: String,
    pub(super) task: Task,
}

/// Kinds of answers that need no more than their name, or labels.
#[derive(Debug, Clone, Copy, PartialEq, Eq, clap::ValueEnum)]
pub(super) enum Kind {
    /// Yes or no
    YesNo,
    /// One of the labels
    Label,
    /// Pieces of the document
    Spans,
    /// Free text
    Text,
}

/// The tasks, each under its own name, and the inputs.
pub(super) fn tasks_and_inputs(args: &Args) -> Result<(Vec<Named>, Vec<String>)> {
    let (tasks, inputs) = match args.task.as_slice() {
        [] => args.words.split_at(1),
        tasks => (tasks, args.words.as_slice()),
    };
    if inputs.is_empty() {
        bail!(
            "no input was named after the task `{}`; give files, folders, patterns, or `-` for standard input",
            tasks.join(" ")
        );
    }
    let mut named = Vec::new();
    for text in tasks {
        named.extend(resolve(text)?);
    }
    if let Some(spec) = spec(args)? {
        named.iter_mut().for_each(|named| named.task.answer = Some(spec.clone()));
    }
    make_names_unique(&mut named);
    Ok((named, inputs.to_vec()))
}

/// The tasks that a description, file or folder holds.
fn resolve(text: &str) -> Result<Vec<Named>> {
    let path = Path::new(text);
    let is_file_name = [".toml", ".json", ".jsonl"].iter().any(|extension| text.ends_with(extension));
    if !text.is_empty() && path.exists() {
        let dataset = Dataset::load(path)?;
        return Ok(dataset.tasks.into_iter().map(|located| named(located.task)).collect());
    }
    if is_file_name && !text.contains(char::is_whitespace) {
        bail!("{text} does not exist, expected a task file; a description in plain words needs no file");
    }
    if text.trim().is_empty() {
        bail!("the description is empty; say what to do, as in: saydo run \"Are dogs allowed?\" trails/");
    }
    let task = Task { id: text.trim().to_owned(), definition: Some(text.to_owned()), ..Task::default() };
    Ok(vec![named(task)])
}

fn named(task: Task) -> Named {
    let name = task.title.clone().unwrap_or_else(|| task.id.clone());
    Named { name, task: Task { instances: Vec::new(), ..task } }
}

/// Rows name answers by their task, so equal names get numbers.
fn make_names_unique(named: &mut [Named]) {
    let mut taken = HashSet::new();
    for named in named {
        let base = named.name.clone();
        let mut number = 2;
        while !taken.insert(named.name.clone()) {
            named.name = format!("{base} ({number})");
            number += 1;
        }
    }
}

/// The kind of answer that was asked for by flags.
fn spec(args: &Args) -> Result<Option<AnswerSpec>> {
    let kind = match args.kind {
        None if args.label.is_empty() => return Ok(None),
        None | Some(Kind::Label) => match args.label.len() {
            0 | 1 => bail!("--kind label with {} labels, expected at least two: --label A --label B", args.label.len()),
            _ => AnswerKind::Label(args.label.clone()),
        },
        Some(kind) if !args.label.is_empty() => {
            bail!("--label with --kind {}, expected --kind label", name(kind))
        }
        Some(Kind::YesNo) => AnswerKind::YesNo,
        Some(Kind::Spans) => AnswerKind::Spans,
        Some(Kind::Text) => AnswerKind::Text,
    };
    Ok(Some(AnswerSpec { kind, na: None }))
}

fn name(kind: Kind) -> &'static str {
    match kind {
        Kind::YesNo => "yes-no",
        Kind::Label => "label",
        Kind::Spans => "spans",
        Kind::Text => "text",
    }
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

    #[test]
    fn equal_names_get_numbers() {
        let task = || resolve("Is it wet?").unwrap().remove(0);
        let mut tasks = [task(), task(), task()];
        make_names_unique(&mut tasks);
        assert_eq!(tasks.map(|named| named.name), ["Is it wet?", "Is it wet? (2)", "Is it wet? (3)"]);
    }
}
