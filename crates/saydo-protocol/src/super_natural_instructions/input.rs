//! The two files of an evaluation: references and predictions, a JSON object per line.

use super::error::Error;
use crate::text::rows;
use rustc_hash::FxHashMap;
use saydo_task::node::Node;
use saydo_task::problem::Place;
use saydo_task::reader::{Need, Path as At, Reader};
use saydo_task::source::Source;
use serde::Serialize;
use std::fmt;
use std::path::Path;

/// A half of the benchmark, with its own tokens for ROUGE.
#[derive(Debug, Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Serialize)]
#[serde(rename_all = "lowercase")]
pub enum Track {
    /// English: stemmed words.
    Default,
    /// Other languages: tokens of GPT-2.
    Xlingual,
}

impl Track {
    /// Both tracks, in the order they are reported.
    pub const ALL: [Track; 2] = [Track::Default, Track::Xlingual];

    /// The track's name in files and keys.
    pub fn name(self) -> &'static str {
        match self {
            Track::Default => "default",
            Track::Xlingual => "xlingual",
        }
    }
}

impl fmt::Display for Track {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str(self.name())
    }
}

/// One instance to be scored.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Reference {
    /// The instance's id.
    pub id: String,
    /// Every acceptable output, at least one.
    pub references: Vec<String>,
    /// The task it belongs to.
    pub task: Option<String>,
    /// The category of that task.
    pub category: Option<String>,
    /// Its track; none if the file names one the evaluator does not know, which it passes over.
    pub track: Option<Track>,
    /// Where it stands.
    pub place: Place,
}

/// The instances to be scored, each id once.
#[derive(Debug, Clone, Default, PartialEq, Eq)]
pub struct References {
    /// The instances, in order.
    pub instances: Vec<Reference>,
    /// How many times an id came again. It kept its place and took the later content.
    pub repeated: usize,
    positions: FxHashMap<String, usize>,
}

impl References {
    /// Reads a file of `{"id", "references", "task_id"?, "task_category"?, "track"?}`.
    pub fn load(path: &Path) -> Result<References, Error> {
        References::parse(&Source::load(path)?)
    }

    /// Reads the text of such a file.
    pub fn parse(source: &Source) -> Result<References, Error> {
        Ok(rows::read(source, reference)?.into_iter().collect())
    }

    /// Whether there is an instance with this id.
    pub fn contains(&self, id: &str) -> bool {
        self.positions.contains_key(id)
    }

    fn insert(&mut self, reference: Reference) {
        match self.positions.get(&reference.id) {
            Some(&position) => {
                self.repeated += 1;
                self.instances[position] = reference;
            }
            None => {
                self.positions.insert(reference.id.clone(), self.instances.len());
                self.instances.push(reference);
            }
        }
    }
}

impl FromIterator<Reference> for References {
    fn from_iter<I: IntoIterator<Item = Reference>>(references: I) -> Self {
        let mut all = References::default();
        references.into_iter().for_each(|reference| all.insert(reference));
        all
    }
}

/// What a model said, by instance.
#[derive(Debug, Clone, Default, PartialEq, Eq)]
pub struct Predictions {
    /// The prediction for each id; of several the last.
    pub by_id: FxHashMap<String, String>,
    /// How many predictions were replaced by a later one.
    pub repeated: usize,
}

impl Predictions {
    /// Reads a file of `{"id", "prediction"}`.
    pub fn load(path: &Path) -> Result<Predictions, Error> {
        Predictions::parse(&Source::load(path)?)
    }

    /// Reads the text of such a file.
    pub fn parse(source: &Source) -> Result<Predictions, Error> {
        let mut predictions = Predictions::default();
        for (id, prediction) in rows::read(source, prediction)? {
            predictions.repeated += usize::from(predictions.by_id.insert(id, prediction).is_some());
        }
        Ok(predictions)
    }
}

fn prediction(reader: &mut Reader<'_>, row: &Node, _line: usize) -> Option<(String, String)> {
    let id = name(reader, row, "id", Need::Required)?;
    Some((id, reader.text(row, At::Root, "prediction", Need::Required)?))
}

fn reference(reader: &mut Reader<'_>, row: &Node, line: usize) -> Option<Reference> {
    let track = match row.get("track") {
        Some(node) => {
            let name = reader.string(node, At::Root.key("track"))?;
            Track::ALL.into_iter().find(|track| track.name() == name)
        }
        None => Some(Track::Default),
    };
    Some(Reference {
        id: name(reader, row, "id", Need::Required)?,
        references: references(reader, row)?,
        task: name(reader, row, "task_id", Need::Optional),
        category: reader.text(row, At::Root, "task_category", Need::Optional),
        track,
        place: Place { file: reader.source.path.clone(), line, column: 1 },
    })
}

fn references(reader: &mut Reader<'_>, row: &Node) -> Option<Vec<String>> {
    let node = reader.field(row, At::Root, "references", Need::Required)?;
    rows::references(reader, node, At::Root.key("references"))
}

fn name(reader: &mut Reader<'_>, row: &Node, key: &str, need: Need) -> Option<String> {
    let node = reader.field(row, At::Root, key, need)?;
    rows::name(reader, node, At::Root.key(key))
}
