//! The published lists of Super-NaturalInstructions: `splits/<track>/{train,test,excluded}_tasks.txt`, an id a line.

use super::{Kind, Split, ids_but, tasks};
use crate::dataset::Dataset;
use crate::source::Source;
use crate::{Error, Task};
use std::collections::{HashMap, HashSet};
use std::path::Path;

/// The three lists of one track.
#[derive(Debug, Clone, PartialEq, Eq, Default)]
pub struct TaskLists {
    /// The track's name: the name of its folder.
    pub track: String,
    /// Tasks to train on.
    pub train: Vec<String>,
    /// Tasks to test on.
    pub test: Vec<String>,
    /// Tasks to use for neither.
    pub excluded: Vec<String>,
}

impl TaskLists {
    /// Reads the lists of a track from a folder of tracks (`splits`). A track need not have a list of excluded tasks.
    pub fn load(splits: &Path, track: &str) -> Result<TaskLists, Error> {
        let folder = splits.join(track);
        let list = |name: &str| load_list(&folder.join(format!("{name}_tasks.txt")));
        let excluded = match list("excluded") {
            Err(Error::Read { source, .. }) if source.kind() == std::io::ErrorKind::NotFound => Vec::new(),
            other => other?,
        };
        Ok(TaskLists { track: track.to_owned(), train: list("train")?, test: list("test")?, excluded })
    }
}

fn load_list(path: &Path) -> Result<Vec<String>, Error> {
    let text = Source::load(path)?.text;
    Ok(text.lines().map(str::trim).filter(|line| !line.is_empty()).map(str::to_owned).collect())
}

impl Split {
    /// Splits a dataset by published lists, in their order. Listed tasks that the dataset lacks are `absent`; tasks of
    /// the dataset that are excluded or on no list are `left_out`.
    pub fn by_lists(dataset: &Dataset, lists: &TaskLists) -> Result<Split, Error> {
        let by_id: HashMap<&str, &Task> = tasks(dataset).map(|task| (task.id.as_str(), task)).collect();
        let present = |ids: &[String]| ids.iter().filter_map(|id| by_id.get(id.as_str()).copied()).collect::<Vec<_>>();
        let kind = Kind::SuperNaturalInstructions { track: lists.track.clone() };
        let mut split = Split::in_order(kind, &present(&lists.train), &present(&lists.test))?;
        let listed = || lists.train.iter().chain(&lists.test);
        split.absent = listed().filter(|id| !by_id.contains_key(id.as_str())).cloned().collect();
        let used: HashSet<&str> = listed().map(String::as_str).collect();
        split.left_out = ids_but(dataset, &used);
        Ok(split)
    }
}
