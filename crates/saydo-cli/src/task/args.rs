//! What the words on the command line mean: tasks and inputs.

use anyhow::{Result, bail};
use saydo::task::{Named, resolve};
use saydo_task::{AnswerKind, AnswerSpec};
use std::collections::HashSet;

/// Kinds of answers that need no more than their name, or labels.
#[derive(Debug, Clone, Copy, PartialEq, Eq, clap::ValueEnum)]
enum Kind {
    /// Yes or no
    YesNo,
    /// One of the labels
    Label,
    /// Pieces of the document
    Spans,
    /// Free text
    Text,
}

/// Tasks and the inputs they are applied to.
#[derive(Clone, clap::Args)]
pub struct TaskArgs {
    /// The task, in plain words or as a task file or folder, then the inputs; with --task, only inputs
    #[arg(required = true, value_name = "TASK INPUT")]
    words: Vec<String>,

    /// A description, task file or folder; repeat for several columns
    #[arg(long, short, value_name = "TASK")]
    task: Vec<String>,

    /// Kind of answer (default: inferred from the description)
    #[arg(long, value_enum)]
    kind: Option<Kind>,

    /// An allowed label, with --kind label; give at least two
    #[arg(long, value_name = "LABEL")]
    label: Vec<String>,
}

impl TaskArgs {
    /// All words as inputs, where the task stands elsewhere.
    pub(crate) fn inputs(&self) -> Vec<String> {
        self.words.clone()
    }

    /// The kind of answer that flags ask for.
    pub(crate) fn spec(&self) -> Result<Option<AnswerSpec>> {
        spec(self)
    }

    /// The tasks, each under its own name, and the inputs.
    pub fn tasks_and_inputs(&self) -> Result<(Vec<Named>, Vec<String>)> {
        let (tasks, inputs) = match self.task.as_slice() {
            [] => self.words.split_at(1),
            tasks => (tasks, self.words.as_slice()),
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
        for named in &mut named {
            // Tasks of a dataset bring their own inputs; here they meet others.
            named.task.instances.clear();
        }
        if let Some(spec) = spec(self)? {
            named.iter_mut().for_each(|named| named.task.answer = Some(spec.clone()));
        }
        make_names_unique(&mut named);
        Ok((named, inputs.to_vec()))
    }
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
fn spec(args: &TaskArgs) -> Result<Option<AnswerSpec>> {
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
    fn equal_names_get_numbers() {
        let task = || resolve("Is it wet?").unwrap().remove(0);
        let mut tasks = [task(), task(), task()];
        make_names_unique(&mut tasks);
        assert_eq!(tasks.map(|named| named.name), ["Is it wet?", "Is it wet? (2)", "Is it wet? (3)"]);
    }
}
