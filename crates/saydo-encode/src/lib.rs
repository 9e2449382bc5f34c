//! Task and instance to prompt text, one file per prompt layout.
//!
//! A [`Layout`] says which parts of a task go into a prompt and how they are written; the papers call it an encoding.
//! An [`Encoder`] prepares one task under one layout, and gives each input its [`Prompt`]; a [`FittingEncoder`] does so within
//! what a model reads, which is how models are trained and evaluated. Everything here is text:
//! token counts come in as closures ([`Tokens`]), so no tokenizer or model is known to this crate.
//!
//! ```
//! use saydo_encode::{EncodeOptions, Layout, encode_task};
//! use saydo_task::{Instance, Task};
//!
//! let task = Task {
//!     prompt: Some("Name the animal.".into()),
//!     instances: vec![Instance::unlabelled("A fox ran by.")],
//!     ..Task::default()
//! };
//! let prompts = encode_task(&task, &Layout::named("ni-prompt")?, &EncodeOptions::default())?;
//! assert_eq!(prompts[0].1.text(), "Prompt: Name the animal.\ninput: A fox ran by.\noutput:");
//! # Ok::<(), saydo_encode::Error>(())
//! ```

mod batch;
mod beginning;
mod element;
mod encoder;
mod error;
mod fit;
mod layout;
mod packing;
mod prompt;
mod selection;
mod strip;
pub mod training_file;

pub use batch::{EncodeOptions, encode_task};
pub use beginning::beginning;
pub use element::Element;
pub use encoder::Encoder;
pub use error::Error;
pub use fit::{DROP_ORDER, Dropped, FittingEncoder};
pub use layout::{Layout, NamedLayout, NaturalInstructions, TkInstruct};
pub use packing::largest_num_examples;
pub use prompt::{Prompt, Tokens};
pub use selection::{RESERVED_INSTANCES, select_instances};

/// What this crate's functions return.
type Result<T, E = Error> = std::result::Result<T, E>;

#[cfg(test)]
mod tests;
