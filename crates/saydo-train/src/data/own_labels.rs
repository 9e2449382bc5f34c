//! What the model itself says where a task asks for a label, learned in place of the gold label.
//!
//! A model that is too small to tell labels apart by reading learns from gold ones which label its prompt shows, and repeats
//! it on unseen tasks. Its own answers teach it nothing there; they hold it where it is while it learns from other tasks.

use super::{LabelSets, digest};
use crate::{Error, Example};
use saydo_file::disk;
use saydo_model::{Decoding, MaxTokens, Model, Request};
use serde::{Deserialize, Serialize};
use std::path::Path;
use std::sync::Arc;
use std::sync::atomic::{AtomicBool, Ordering};

/// The file that keeps what was said, since asking again takes minutes.
const FILE: &str = "own-labels.json";

/// Longer replies are no labels.
const MAX_TOKENS: usize = 16;

/// What the model said before its first update.
#[derive(Serialize, Deserialize)]
struct Said {
    /// The digest of the examples it was asked about.
    data: String,
    /// The first line of each reply, in the order of the examples of tasks with labels.
    replies: Vec<String>,
}

/// How far the model has been asked for labels.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum OwnLabels {
    /// So many of all that are asked for are answered; 0 before the first.
    Asked {
        /// Those that are answered.
        done: usize,
        /// All.
        all: usize,
    },
    /// So many of all replies are labels of their tasks and are learned.
    Learned {
        /// Those that are learned.
        labels: usize,
        /// All replies.
        all: usize,
    },
}

/// The examples, those of tasks with labels with the model's own answers. What it says that is no label of the task is left
/// out. Answers are kept in the folder for when training goes on; `model` is asked for only if they are not there.
pub fn with_own_labels(
    examples: &[Example],
    labels: &LabelSets,
    model: impl FnOnce() -> Result<Box<dyn Model>, Error>,
    folder: &Path,
    watch: &mut dyn FnMut(OwnLabels),
    stop: &AtomicBool,
) -> Result<Vec<Example>, Error> {
    let path = folder.join(FILE);
    let data = digest(examples);
    let asked: Vec<&Example> = examples.iter().filter(|example| labels.contains_key(&example.task)).collect();
    let said = match kept(&path)?.filter(|said| said.data == data && said.replies.len() == asked.len()) {
        Some(said) => said,
        None => {
            watch(OwnLabels::Asked { done: 0, all: asked.len() });
            let said = Said { data, replies: ask(&*model()?, &asked, watch, stop)? };
            keep(&said, folder, &path)?;
            said
        }
    };
    let all = asked.len();
    let own = replaced(examples, labels, said.replies);
    let labels = own.iter().filter(|example| labels.contains_key(&example.task)).count();
    watch(OwnLabels::Learned { labels, all });
    Ok(own)
}

fn ask(
    model: &dyn Model,
    examples: &[&Example],
    watch: &mut dyn FnMut(OwnLabels),
    stop: &AtomicBool,
) -> Result<Vec<String>, Error> {
    let decoding = Arc::new(Decoding {
        max_tokens: MaxTokens::Count(MAX_TOKENS),
        stop: vec!["\n".to_owned()],
        ..Decoding::default()
    });
    let mut requests = examples
        .iter()
        .map(|example| Request::new(example.prompt.clone(), Arc::clone(&decoding)))
        .take_while(|_| !stop.load(Ordering::Relaxed));
    let mut replies = vec![None; examples.len()];
    let mut done = 0;
    // A prompt that cannot be answered, one that is too long for instance, has no label.
    model.generate_each(&mut requests, &mut |number, reply| {
        done += 1;
        watch(OwnLabels::Asked { done, all: examples.len() });
        replies[number] = Some(reply.map_or_else(|_| String::new(), |reply| reply.text));
    })?;
    replies.into_iter().collect::<Option<_>>().ok_or(Error::InterruptedBefore)
}

/// The examples with replies in place of the outputs of tasks with labels, if they are labels.
fn replaced(examples: &[Example], labels: &LabelSets, replies: Vec<String>) -> Vec<Example> {
    let mut replies = replies.into_iter();
    let own = |example: &Example| match labels.get(&example.task) {
        None => Some(example.clone()),
        Some(labels) => {
            let reply = replies.next()?;
            let is_label = labels.iter().any(|label| plain(label) == plain(&reply));
            is_label.then(|| Example { output: reply.trim().to_owned(), ..example.clone() })
        }
    };
    examples.iter().filter_map(own).collect()
}

/// A label without case and the full stop that some tasks put behind it.
fn plain(label: &str) -> String {
    label.trim().trim_end_matches('.').to_lowercase()
}

fn kept(path: &Path) -> Result<Option<Said>, Error> {
    match std::fs::read(path) {
        // A file that is not whole is asked for again.
        Ok(bytes) => Ok(serde_json::from_slice(&bytes).ok()),
        Err(error) if error.kind() == std::io::ErrorKind::NotFound => Ok(None),
        Err(error) => Err(Error::file("read", path)(error)),
    }
}

fn keep(said: &Said, folder: &Path, path: &Path) -> Result<(), Error> {
    let text = serde_json::to_vec(said).expect("strings are JSON");
    disk::create_folders(folder).and_then(|()| saydo_file::write(path, &text)).map_err(Error::file("write", path))
}

#[cfg(test)]
mod tests {
    use super::*;
    use saydo_model::{Prompt, ScriptedModel};
    use saydo_task::seen::Trace;

    fn examples() -> Vec<Example> {
        let example = |(task, output): (usize, &str)| Example {
            task,
            prompt: Prompt::plain(format!("prompt of {task}")),
            output: output.to_owned(),
            told: None,
            trace: Trace::default(),
        };
        [(0, "Yes."), (1, "a long way"), (0, "No."), (0, "No.")].map(example).to_vec()
    }

    fn labels() -> LabelSets {
        LabelSets::from([(0, vec!["Yes.".to_owned(), "No.".to_owned()])])
    }

    #[test]
    fn labels_are_the_models_own_and_what_is_no_label_is_left_out() {
        let replies = [" no", "that depends", " Yes."].map(str::to_owned).to_vec();
        let own = replaced(&examples(), &labels(), replies);
        let outputs: Vec<&str> = own.iter().map(|example| &*example.output).collect();
        assert_eq!(outputs, ["no", "a long way", "Yes."]);
    }

    #[test]
    fn what_was_said_is_kept_for_the_same_examples_and_not_for_others() {
        let folder = tempfile::tempdir().unwrap();
        let stop = AtomicBool::new(false);
        let with = |examples: &[Example], model: &dyn Fn() -> Result<Box<dyn Model>, Error>| {
            with_own_labels(examples, &labels(), model, folder.path(), &mut |_| {}, &stop)
        };
        let says_no =
            || -> Result<Box<dyn Model>, Error> { Ok(Box::new(ScriptedModel::new(|_| " no\nmore".to_owned()))) };
        let nobody = || -> Result<Box<dyn Model>, Error> { Err(Error::NoExamples) };
        let first = with(&examples(), &says_no).unwrap();
        assert_eq!(first.iter().filter(|example| example.output == "no").count(), 3);
        assert_eq!(with(&examples(), &nobody).unwrap(), first);
        assert!(with(&examples()[1..], &nobody).is_err());
        stop.store(true, Ordering::Relaxed);
        let message = with(&examples()[1..], &says_no).expect_err("an error").to_string();
        assert!(message.contains("interrupted"), "{message}");
    }
}
