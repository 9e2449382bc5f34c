//! The Turking Test (2020) as data: seven tasks made from four public resources.
//!
//! Readers find the resources ([`ResourceKind`]), [`Instruction`] writes the paper's templates around them and reads
//! them back, and [`generate`] draws the instances. Every instance's input is the whole instruction, so a generated task
//! is a plain [`crate::Task`] that any format can hold. Nouns come in through a closure, because the tagger is another
//! crate. Paper: sections 3 to 5 and the appendix.

mod ask;
mod condition;
mod element;
mod generate;
mod instruction;
mod kind;
mod ordinal;
mod random;
mod resource;
mod template;

pub use ask::Ask;
pub use condition::{Case, Condition, Number, Sound};
pub use element::{MAX_CHARACTER, MAX_WORD, nth_character, nth_word};
pub use generate::{Noun, Options, generate};
pub use instruction::Instruction;
pub use kind::Kind;
pub use ordinal::Ordinal;
pub(crate) use random::Random;
pub use resource::{MIN_ANSWERABLE, MIN_QUESTIONS, ResourceKind, ResourceReading, Resources};
pub use template::{Template, from_template};
