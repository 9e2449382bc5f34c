//! Flags that say which tasks are learned from: for `saydo train`, `saydo export sft` and `saydo models seen` alike.

use crate::flags::named;
use saydo_task::Ablation;
use saydo_train::data::Mixture;
use saydo_train::{DataSettings, SeenTasks};
use std::path::PathBuf;

/// What is learned from.
#[derive(clap::Args)]
pub struct DataArgs {
    /// Training tasks: files or folders; repeatable
    #[arg(long, required_unless_present = "reading", value_name = "PATH", help_heading = "Training data")]
    data: Vec<PathBuf>,

    /// Train on the seen side of this split: a file of `saydo split`, natural-instructions, leave-one-category:NAME,
    /// leave-one-dataset:NAME or leave-one-task:ID
    #[arg(long, value_name = "SPLIT", help_heading = "Training data")]
    split: Option<String>,

    /// Train on this task alone (id or its beginning), on instances that `saydo eval natural-instructions` does not score:
    /// the upper bound of a model that has seen the task
    #[arg(long, value_name = "TASK", conflicts_with = "split", help_heading = "Training data", hide_short_help = true)]
    upper_bound: Option<String>,

    /// Prompt layouts, in turn per bundle (default: ni-full-no-negative, or the preset's)
    #[arg(long, value_name = "NAME", value_delimiter = ',', help_heading = "Training data")]
    layout: Vec<String>,

    /// Train and validate with part of the input removed (ZEST's Table 5)
    #[arg(long, value_parser = named::<Ablation>(), help_heading = "Training data", hide_short_help = true)]
    ablation: Option<Ablation>,

    /// Tasks to keep out of training, with every instance that shares an input with them: files or folders; repeatable
    #[arg(long, value_name = "PATH", help_heading = "Training data")]
    unseen: Vec<PathBuf>,

    /// Draw new examples for each bundle from the task's examples and instances
    #[arg(long, help_heading = "Training data", hide_short_help = true)]
    draw_examples: bool,

    /// Also train on exercises: simple orders over task inputs ("Write the longest word of the question"), N instances each,
    /// so that the instruction counts and not the look of the input
    #[arg(long, value_name = "N", num_args = 0..=1, default_missing_value = "4", help_heading = "Training data", hide_short_help = true)]
    exercises: Option<usize>,

    /// Train on questions over documents, worded as `saydo run` asks them: everyday:learn, a file in SQuAD's format, or JSON
    /// Lines with a question, a passage and an answer (see docs/training.md); repeatable
    #[arg(long, value_name = "FILE|everyday:learn", help_heading = "Training data")]
    reading: Vec<PathBuf>,

    /// Max questions from each --reading: one number for all, or one for each
    #[arg(
        long,
        value_name = "N",
        value_delimiter = ',',
        requires = "reading",
        default_value = "1000000",
        help_heading = "Training data",
        hide_short_help = true
    )]
    reading_cap: Vec<usize>,

    /// Max instances per task: one number for all, or one for each --data
    #[arg(
        long,
        value_name = "N",
        value_delimiter = ',',
        default_value = "100",
        help_heading = "Training data",
        hide_short_help = true
    )]
    per_task_cap: Vec<usize>,

    /// Max instances per task with labels, if below --per-task-cap
    #[arg(long, value_name = "N", help_heading = "Training data", hide_short_help = true)]
    label_cap: Option<usize>,

    /// Sampling rates of several --data and --reading: by size, or equal, which repeats smaller sets
    #[arg(long, value_parser = named::<Mixture>(), default_value = "as-is", help_heading = "Training data", hide_short_help = true)]
    mixture: Mixture,

    /// Train on N random tasks; a larger N includes the tasks of a smaller one
    #[arg(long, value_name = "N|all", default_value = "all", help_heading = "Training data", hide_short_help = true)]
    seen_tasks: SeenTasks,

    /// Number of validation tasks (default: the split's dev side, or else 6 held-out training tasks)
    #[arg(long, value_name = "N", help_heading = "Training data", hide_short_help = true)]
    dev_tasks: Option<usize>,

    /// Instances per validation task
    #[arg(long, value_name = "N", default_value_t = 16, help_heading = "Training data", hide_short_help = true)]
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
