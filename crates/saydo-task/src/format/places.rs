//! Where the parts of a task stand in its file, so that what is found later can still name a line.
//!
//! Kept beside the tasks and not in them: a task is the same whatever file it came from.

use super::Format;

/// A part of a task of which there can be many.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Part {
    /// The positive examples.
    Positive,
    /// The negative examples.
    Negative,
    /// The instances.
    Instance,
}

/// One element of a list: its position there, and its byte offset in the source.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct Spot {
    /// Position in the list of the file, from 0. It runs ahead of the task's own list where an element could not be
    /// read.
    pub index: usize,
    /// Byte offset of the element in the source.
    pub offset: usize,
}

/// The spots of everything that was read into one task, in the order of the task's own lists.
#[derive(Debug, Clone, Default, PartialEq, Eq)]
pub struct Places {
    /// Byte offset at which the task starts.
    pub start: usize,
    /// The positive examples.
    pub positive: Vec<Spot>,
    /// The negative examples.
    pub negative: Vec<Spot>,
    /// The instances.
    pub instances: Vec<Spot>,
    /// Byte offset of the ids this task derives from, where the file has them.
    pub derives_from: Option<usize>,
}

impl Places {
    /// The spots of one part.
    pub fn of(&self, part: Part) -> &[Spot] {
        match part {
            Part::Positive => &self.positive,
            Part::Negative => &self.negative,
            Part::Instance => &self.instances,
        }
    }

    pub(crate) fn push(&mut self, part: Part, spot: Spot) {
        match part {
            Part::Positive => self.positive.push(spot),
            Part::Negative => self.negative.push(spot),
            Part::Instance => self.instances.push(spot),
        }
    }
}

impl Format {
    /// What a part is called in files of this format; ZEST has no examples beside its instances.
    pub fn part_name(self, part: Part) -> &'static str {
        match (self, part) {
            (Format::Toml, Part::Positive) => "positive",
            (Format::Toml, Part::Negative) => "negative",
            (Format::Toml, Part::Instance) => "instance",
            (Format::NaturalInstructions, Part::Positive) => "Examples.Positive Examples",
            (Format::NaturalInstructions, Part::Negative) => "Examples.Negative Examples",
            (Format::SuperNaturalInstructions, Part::Positive) => "Positive Examples",
            (Format::SuperNaturalInstructions, Part::Negative) => "Negative Examples",
            (Format::NaturalInstructions | Format::SuperNaturalInstructions, Part::Instance) => "Instances",
            (Format::Zest, _) => "examples",
            (Format::Everyday, _) => "tasks.answers",
        }
    }
}
