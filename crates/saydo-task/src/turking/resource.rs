//! The texts that instructions are about, and where they are found.
//!
//! Four public datasets give four kinds of resource. Each reader goes through a whole file, keeps what the paper keeps
//! and lists every problem with its line.

mod glue;
mod highlights;
mod line;
mod snli;
mod squad;

pub use highlights::MIN_ANSWERABLE;
pub(super) use line::each_object;
pub use squad::MIN_QUESTIONS;

use crate::Error;
use crate::problem::{Problem, Severity};
use crate::source::Source;

/// A kind of resource, by the dataset it is read from.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash, PartialOrd, Ord)]
pub enum ResourceKind {
    /// Sentences of the GLUE diagnostic set, a table with tabs.
    Sentences,
    /// SNLI captions, JSON Lines.
    Captions,
    /// SQuAD paragraphs, JSON.
    Paragraphs,
    /// Highlights of news stories, JSON Lines.
    Highlights,
}

/// The resources of one file, and what was odd or wrong about it.
#[derive(Debug, Default)]
pub struct ResourceReading {
    /// The resources the paper's rules keep, in the order of the file.
    pub resources: Vec<String>,
    /// How many sentences, captions, paragraphs or stories the file has, kept or not.
    pub seen: usize,
    /// Every problem met.
    pub problems: Vec<Problem>,
}

impl ResourceReading {
    /// The resources, unless a problem makes the file unusable: then the first such problem.
    pub fn into_resources(self) -> Result<Vec<String>, Error> {
        match self.problems.into_iter().find(|problem| problem.severity() == Severity::Error) {
            Some(problem) => Err(problem.into()),
            None => Ok(self.resources),
        }
    }
}

impl ResourceKind {
    /// Every kind, in the order messages list them.
    pub const ALL: [ResourceKind; 4] =
        [ResourceKind::Sentences, ResourceKind::Captions, ResourceKind::Paragraphs, ResourceKind::Highlights];

    /// The word for this kind on the command line.
    pub fn name(self) -> &'static str {
        match self {
            ResourceKind::Sentences => "sentences",
            ResourceKind::Captions => "captions",
            ResourceKind::Paragraphs => "paragraphs",
            ResourceKind::Highlights => "highlights",
        }
    }

    /// Reads the resources of a file.
    pub fn read(self, source: &Source) -> ResourceReading {
        match self {
            ResourceKind::Sentences => glue::read(source),
            ResourceKind::Captions => snli::read(source),
            ResourceKind::Paragraphs => squad::read(source),
            ResourceKind::Highlights => highlights::read(source),
        }
    }
}

/// Everything tasks are generated from. A list may be empty: the tasks that need it are then left out.
#[derive(Debug, Clone, PartialEq, Eq, Default)]
pub struct Resources {
    /// Sentences, for nouns, words and characters.
    pub sentences: Vec<String>,
    /// Captions.
    pub captions: Vec<String>,
    /// Paragraphs.
    pub paragraphs: Vec<String>,
    /// Highlights, a story's lines each with a bullet.
    pub highlights: Vec<String>,
}

impl Resources {
    /// The list of a kind.
    pub fn of(&self, kind: ResourceKind) -> &[String] {
        match kind {
            ResourceKind::Sentences => &self.sentences,
            ResourceKind::Captions => &self.captions,
            ResourceKind::Paragraphs => &self.paragraphs,
            ResourceKind::Highlights => &self.highlights,
        }
    }

    /// Adds resources to the list of a kind, those it has already left out.
    pub fn add(&mut self, kind: ResourceKind, resources: Vec<String>) {
        let list = match kind {
            ResourceKind::Sentences => &mut self.sentences,
            ResourceKind::Captions => &mut self.captions,
            ResourceKind::Paragraphs => &mut self.paragraphs,
            ResourceKind::Highlights => &mut self.highlights,
        };
        let mut known: std::collections::HashSet<String> = list.iter().cloned().collect();
        list.extend(resources.into_iter().filter(|resource| known.insert(resource.clone())));
    }
}

#[cfg(test)]
mod tests;
