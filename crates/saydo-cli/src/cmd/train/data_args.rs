//! Which tasks are learned from, in which layouts, and which are held back: for `saydo train` and `saydo export sft` alike.

use crate::ablation::AblationArg;
use std::path::PathBuf;

/// The layout where nobody says: the paper's best for models of this size.
pub const LAYOUT: &str = "ni-full-no-negative";

/// Tasks that are held back to validate on where nobody says.
pub const DEV_TASKS: usize = 6;

/// Instances of a task that come together where nobody says.
pub const BUNDLE: usize = 8;

/// What is learned from.
#[derive(clap::Args)]
pub struct DataArgs {
    /// Tasks to learn from: files or folders. May be given several times
    #[arg(long, required_unless_present = "reading", value_name = "PATH")]
    pub data: Vec<PathBuf>,

    /// Split file of `saydo split`, whose seen side is learned from, or natural-instructions, leave-one-category:NAME,
    /// leave-one-dataset:NAME, leave-one-task:ID
    #[arg(long, value_name = "SPLIT")]
    pub split: Option<String>,

    /// Learn one task, by id or its beginning, from the instances that `saydo eval natural-instructions` does not measure: what
    /// a model reaches that has seen the very task
    #[arg(long, value_name = "TASK", conflicts_with = "split")]
    pub upper_bound: Option<String>,

    /// Layouts of prompts, in turn for each bundle (default: ni-full-no-negative; a preset's own)
    #[arg(long, value_name = "NAME", value_delimiter = ',')]
    pub layout: Vec<String>,

    /// Learn with part of the input left out, and validate so (ZEST's Table 5)
    #[arg(long, value_enum)]
    pub ablation: Option<AblationArg>,

    /// Tasks that must stay unseen: files or folders. They are never learned from, nor is any instance whose input is one
    /// of theirs. May be given several times
    #[arg(long, value_name = "PATH")]
    pub unseen: Vec<PathBuf>,

    /// Draw the examples anew for each bundle, from the task's examples and instances, so that they do not give the answer
    /// away
    #[arg(long)]
    pub draw_examples: bool,

    /// Learn also from exercises: plain orders over the inputs of tasks ("Write the longest word of the question"), so that
    /// what is told counts and not what the input looks like; with so many instances each
    #[arg(long, value_name = "N", num_args = 0..=1, default_missing_value = "4")]
    pub exercises: Option<usize>,

    /// Learn to answer functions: questions over documents, asked as `saydo run` asks them. everyday:learn, files in SQuAD's
    /// format, or JSON Lines with a question, a passage and an answer (see docs/training.md). May be given several times
    #[arg(long, value_name = "FILE|everyday:learn")]
    pub reading: Vec<PathBuf>,

    /// Max questions of each --reading: one number, or one for each, which sets the mixture
    #[arg(long, value_name = "N", value_delimiter = ',', requires = "reading", default_value = "1000000")]
    pub reading_cap: Vec<usize>,

    /// Instances of each task at most: one number, or one for each --data, which gives the mixture its rates
    #[arg(long, value_name = "N", value_delimiter = ',', default_value = "100")]
    pub per_task_cap: Vec<usize>,

    /// Instances of each task with labels at most, if fewer than --per-task-cap
    #[arg(long, value_name = "N")]
    pub label_cap: Option<usize>,

    /// Learn from so many tasks only, drawn by the seed; more tasks have fewer among them
    #[arg(long, value_name = "N|all", default_value = "all", value_parser = seen_tasks)]
    pub seen_tasks: SeenTasks,

    /// Tasks to validate on (default: the split's dev side; without one, 6 of the tasks to learn from are held back)
    #[arg(long, value_name = "N")]
    pub dev_tasks: Option<usize>,

    /// Instances of each of them
    #[arg(long, value_name = "N", default_value_t = 16)]
    pub dev_limit: usize,
}

/// How many tasks are learned from.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum SeenTasks {
    All,
    Some(usize),
}

fn seen_tasks(text: &str) -> Result<SeenTasks, String> {
    match text {
        "all" => Ok(SeenTasks::All),
        _ => text.parse().map(SeenTasks::Some).map_err(|_| "expected a number or all".to_owned()),
    }
}
