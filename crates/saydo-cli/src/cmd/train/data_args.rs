//! Flags that say which tasks are learned from: for `saydo train`, `saydo export sft` and `saydo models seen` alike.

use crate::schema::named;
use saydo_task::Ablation;
use saydo_train::data::Mixture;
use saydo_train::{DataSettings, SeenTasks};
use std::path::PathBuf;

/// What is learned from.
#[derive(clap::Args)]
pub struct DataArgs {
    /// Tasks to learn from: files or folders. May be given several times
    #[arg(long, required_unless_present = "reading", value_name = "PATH")]
    data: Vec<PathBuf>,

    /// Split file of `saydo split`, whose seen side is learned from, or natural-instructions, leave-one-category:NAME,
    /// leave-one-dataset:NAME, leave-one-task:ID
    #[arg(long, value_name = "SPLIT")]
    split: Option<String>,

    /// Learn one task, by id or its beginning, from the instances that `saydo eval natural-instructions` does not measure: what
    /// a model reaches that has seen the very task
    #[arg(long, value_name = "TASK", conflicts_with = "split")]
    upper_bound: Option<String>,

    /// Layouts of prompts, in turn for each bundle (default: ni-full-no-negative; a preset's own)
    #[arg(long, value_name = "NAME", value_delimiter = ',')]
    layout: Vec<String>,

    /// Learn with part of the input left out, and validate so (ZEST's Table 5)
    #[arg(long, value_parser = named::<Ablation>())]
    ablation: Option<Ablation>,

    /// Tasks that must stay unseen: files or folders. They are never learned from, nor is any instance whose input is one
    /// of theirs. May be given several times
    #[arg(long, value_name = "PATH")]
    unseen: Vec<PathBuf>,

    /// Draw the examples anew for each bundle, from the task's examples and instances, so that they do not give the answer
    /// away
    #[arg(long)]
    draw_examples: bool,

    /// Learn also from exercises: plain orders over the inputs of tasks ("Write the longest word of the question"), so that
    /// what is told counts and not what the input looks like; with so many instances each
    #[arg(long, value_name = "N", num_args = 0..=1, default_missing_value = "4")]
    exercises: Option<usize>,

    /// Learn to answer functions: questions over documents, asked as `saydo run` asks them. everyday:learn, files in SQuAD's
    /// format, or JSON Lines with a question, a passage and an answer (see docs/training.md). May be given several times
    #[arg(long, value_name = "FILE|everyday:learn")]
    reading: Vec<PathBuf>,

    /// Max questions of each --reading: one number, or one for each, which sets the mixture
    #[arg(long, value_name = "N", value_delimiter = ',', requires = "reading", default_value = "1000000")]
    reading_cap: Vec<usize>,

    /// Instances of each task at most: one number, or one for each --data, which gives the mixture its rates
    #[arg(long, value_name = "N", value_delimiter = ',', default_value = "100")]
    per_task_cap: Vec<usize>,

    /// Instances of each task with labels at most, if fewer than --per-task-cap
    #[arg(long, value_name = "N")]
    label_cap: Option<usize>,

    /// At which rates several --data and --reading are learned from: as many examples as each has, or equally often, so that the
    /// bundles of smaller ones come again
    #[arg(long, value_parser = named::<Mixture>(), default_value = "as-is")]
    mixture: Mixture,

    /// Learn from so many tasks only, drawn by the seed; more tasks have fewer among them
    #[arg(long, value_name = "N|all", default_value = "all")]
    seen_tasks: SeenTasks,

    /// Tasks to validate on (default: the split's dev side; without one, 6 of the tasks to learn from are held back)
    #[arg(long, value_name = "N")]
    dev_tasks: Option<usize>,

    /// Instances of each of them
    #[arg(long, value_name = "N", default_value_t = 16)]
    dev_limit: usize,
}

impl From<DataArgs> for DataSettings {
    fn from(args: DataArgs) -> Self {
        Self {
            data: args.data,
            split: args.split,
            upper_bound: args.upper_bound,
            layout: args.layout,
            ablation: args.ablation,
            unseen: args.unseen,
            draw_examples: args.draw_examples,
            exercises: args.exercises,
            reading: args.reading,
            reading_cap: args.reading_cap,
            per_task_cap: args.per_task_cap,
            label_cap: args.label_cap,
            mixture: args.mixture,
            seen_tasks: args.seen_tasks,
            dev_tasks: args.dev_tasks,
            dev_limit: args.dev_limit,
        }
    }
}
