//! Where weights come from: the catalog, pulling, checking. Knows files, never models.
//!
//! A [`Catalog`] says which models there are by name, a [`Store`] is the folder they are kept in, [`pull`] brings one
//! there, [`hugging_face`] fetches what users name themselves, and [`Source`] is what a user may write for a model.
//!
//! ```
//! use saydo_hub::{Catalog, Source, Store};
//!
//! let catalog = Catalog::built_in();
//! let store = Store::new("models-of-this-example");
//! let Source::Catalog(entry) = Source::parse("smollm2-135m", &catalog)? else { unreachable!() };
//! assert_eq!(entry.bytes, 98_362_432);
//! assert!(store.find(&entry).is_err(), "nothing was pulled");
//! # Ok::<(), saydo_hub::Error>(())
//! ```

pub mod catalog;
mod error;
pub mod hugging_face;
mod progress;
pub mod pull;
mod source;
pub mod store;

pub use catalog::{Catalog, Entry, Measured};
pub use error::Error;
pub use progress::{Progress, Stage};
pub use source::{Source, resolve};
pub use store::{Lock, Store};
