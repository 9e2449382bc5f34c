//! Passages for questions: search over a project's own documents, by ZEST's rules.
//!
//! ZEST had a search engine find passages for each question: its stop words dropped, the paragraph of the hit taken, or, if
//! that is longer than 300 words, the sentence of the hit with up to three random ones around it; no entity (a park, a
//! president: here, a document) makes up more than a share of all passages. A crate of its own because the search engine is
//! a heavy dependency.
//!
//! ```
//! use saydo_search::{Document, Finder, Rules, choose};
//!
//! let documents = [
//!     Document { entity: "Yosemite".into(), text: "Dogs are not allowed on trails.\n\nThe falls are high.".into() },
//!     Document { entity: "Acadia".into(), text: "Leashed dogs may walk most trails.".into() },
//! ];
//! let finder = Finder::new(&documents)?;
//! let found = choose(&finder, &["Are dogs allowed on the trails?"], &Rules { per_question: 2, ..Rules::default() }, &mut |_| 0)?;
//! let entities: Vec<&str> = found[0].iter().map(|passage| passage.entity.as_str()).collect();
//! assert_eq!(found[0].len(), 2);
//! assert!(entities.contains(&"Yosemite") && entities.contains(&"Acadia"));
//! # Ok::<(), saydo_search::Error>(())
//! ```

mod choice;
mod error;
mod finder;
mod stop_word;

pub use choice::{Passage, Rules, choose};
pub use error::Error;
pub use finder::{Document, Finder};
