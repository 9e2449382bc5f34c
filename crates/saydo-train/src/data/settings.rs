//! Which tasks are learned from, in which layouts, and which are held back.

use super::Mixture;
use saydo_task::Ablation;
use serde::{Deserialize, Deserializer, Serialize, Serializer, de};
use std::path::PathBuf;
use std::str::FromStr;

/// What is learned from: tasks, questions over documents, or both.
#[derive(Debug, Clone, PartialEq, Serialize, Deserialize)]
#[serde(default, deny_unknown_fields, rename_all = "kebab-case")]
pub struct DataSettings {
    /// Files or folders of tasks to learn from. Default: none.
    pub data: Vec<PathBuf>,
    /// The split whose seen side is learned from, as [`saydo_task::split::Split::named`] reads it. Default: all tasks but the
    /// evaluation tasks of Natural Instructions.
    pub split: Option<String>,
    /// The id, or its beginning, of the one task to learn, from instances that are not measured. Default: none.
    pub upper_bound: Option<String>,
    /// Names of prompt layouts, in turn for each bundle. Default: none, which means [`DataSettings::LAYOUT`].
    pub layout: Vec<String>,
    /// Part of the input that is kept, in learning and validation. Default: all of it.
    pub ablation: Option<Ablation>,
    /// Files or folders of tasks that must stay unseen, as must their inputs elsewhere. Default: none.
    pub unseen: Vec<PathBuf>,
    /// Whether the examples in prompts are drawn anew for each bundle. Default: no.
    pub draw_examples: bool,
    /// Learn also from exercises over the inputs of tasks, with so many instances each. Default: no exercises.
    pub exercises: Option<usize>,
    /// Files of questions over documents, or parts of the data set everyday. Default: none.
    pub reading: Vec<PathBuf>,
    /// Max questions of each entry of `reading`: one number for all, or one for each. Default: no limit.
    pub reading_cap: Vec<usize>,
    /// Max instances of each task: one number for all entries of `data`, or one for each. Default: 100.
    pub per_task_cap: Vec<usize>,
    /// Max instances of each task with labels, if lower than `per_task_cap`. Default: no other limit.
    pub label_cap: Option<usize>,
    /// At which rates several sources (`data` and `reading`) are learned from. Default: as many examples as each has.
    pub mixture: Mixture,
    /// Number of random training tasks; a larger number includes the tasks of a smaller one. Default: all.
    pub seen_tasks: SeenTasks,
    /// Tasks to validate on. Default: the split's dev side; without one, [`DataSettings::DEV_TASKS`] are held back.
    pub dev_tasks: Option<usize>,
    /// Instances of each of them. Default: 16.
    pub dev_limit: usize,
}

impl DataSettings {
    /// The layout where nobody says: the paper's best for models of this size.
    pub const LAYOUT: &str = "ni-full-no-negative";

    /// Tasks that are held back to validate on where nobody says.
    pub const DEV_TASKS: usize = 6;

    /// Instances of a task that come together where nobody says.
    pub const BUNDLE: usize = 8;

    /// The name of the first layout.
    pub fn first_layout(&self) -> &str {
        self.layout.first().map_or(Self::LAYOUT, String::as_str)
    }
}

impl Default for DataSettings {
    fn default() -> Self {
        Self {
            data: Vec::new(),
            split: None,
            upper_bound: None,
            layout: Vec::new(),
            ablation: None,
            unseen: Vec::new(),
            draw_examples: false,
            exercises: None,
            reading: Vec::new(),
            reading_cap: Vec::new(),
            per_task_cap: vec![100],
            label_cap: None,
            mixture: Mixture::AsIs,
            seen_tasks: SeenTasks::All,
            dev_tasks: None,
            dev_limit: 16,
        }
    }
}

/// How many tasks are learned from: `all`, or a number.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum SeenTasks {
    /// Every one.
    All,
    /// So many, drawn by the seed.
    Some(usize),
}

impl FromStr for SeenTasks {
    type Err = &'static str;

    fn from_str(text: &str) -> Result<Self, Self::Err> {
        match text {
            "all" => Ok(Self::All),
            _ => text.parse().map(Self::Some).map_err(|_| "expected a number or all"),
        }
    }
}

impl Serialize for SeenTasks {
    fn serialize<S: Serializer>(&self, serializer: S) -> Result<S::Ok, S::Error> {
        match self {
            Self::All => serializer.serialize_str("all"),
            Self::Some(count) => serializer.serialize_u64(*count as u64),
        }
    }
}

impl<'de> Deserialize<'de> for SeenTasks {
    fn deserialize<D: Deserializer<'de>>(deserializer: D) -> Result<Self, D::Error> {
        struct Visitor;
        impl de::Visitor<'_> for Visitor {
            type Value = SeenTasks;

            fn expecting(&self, formatter: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
                formatter.write_str("a number or \"all\"")
            }

            fn visit_str<E: de::Error>(self, text: &str) -> Result<SeenTasks, E> {
                text.parse().map_err(E::custom)
            }

            fn visit_u64<E: de::Error>(self, count: u64) -> Result<SeenTasks, E> {
                Ok(SeenTasks::Some(count as usize))
            }

            fn visit_i64<E: de::Error>(self, count: i64) -> Result<SeenTasks, E> {
                u64::try_from(count).map_err(E::custom).and_then(|count| self.visit_u64(count))
            }
        }
        deserializer.deserialize_any(Visitor)
    }
}
