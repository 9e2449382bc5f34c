//! Where models, adapters and datasets come from. Knows files, and what is in them only where a model has to be converted.
//!
//! A [`Catalog`] says which models and datasets there are by name and where they come from, a [`Store`] is the folder they
//! are kept in, and [`pull()`] brings one there. [`hugging_face`] fetches models that users name themselves, [`Source`] is
//! what a user may write for a model, and [`adapter`] has the adapters inside the binary. Whatever arrives is a stranger's:
//! it is bounded in size, its paths cannot leave the folder, and nothing gets its final name that was not checked first.
//!
//! ```
//! use saydo_hub::{Catalog, Kind, Source, Store};
//!
//! let catalog = Catalog::built_in();
//! let store = Store::new("home-of-this-example");
//! let Source::Catalog(model) = Source::parse("smollm2-135m", &catalog)? else { unreachable!() };
//! assert_eq!(model.bytes, 98_362_432);
//! assert!(store.find(&*model).is_err(), "nothing was pulled");
//! assert_eq!(catalog.entry(Kind::Dataset, "zest")?.license(), "CC BY 4.0");
//! # Ok::<(), saydo_hub::Error>(())
//! ```

pub mod adapter;
mod catalog;
mod content;
mod convert;
mod download;
mod error;
pub mod hugging_face;
mod progress;
mod pull;
mod source;
mod store;
mod unpack;

pub use catalog::{Catalog, Dataset, Entry, Format, Kind, Measured, Model, Part};
pub use convert::{Conversion, Malformed};
pub use download::Transfer;
pub use error::Error;
pub use progress::{Progress, Stage};
pub use pull::{Mirror, Options, Origin, Pip, Pulled, pull};
pub use source::{Source, resolve};
pub use store::{FileRecord, Problem, Record, State, Store, Verification};

#[cfg(test)]
mod tests {
    pub(crate) mod fake_server;
}
