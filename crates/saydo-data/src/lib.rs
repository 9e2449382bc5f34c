//! Where datasets come from: the catalog, downloads that resume, unpacking, checking. Knows files, never tasks.
//!
//! A [`Catalog`] says which datasets there are by name and where their public homes are, a [`Store`] is the folder they
//! are kept in, and [`pull()`] brings one there. Whatever arrives is a stranger's: it is bounded in size, its paths cannot
//! leave the folder, and nothing stands under a dataset's name that was not checked first.
//!
//! ```
//! use saydo_data::{Catalog, Store};
//!
//! let catalog = Catalog::built_in();
//! let store = Store::new("home-of-this-example");
//! let zest = catalog.entry("zest")?;
//! assert_eq!(zest.license, "CC BY 4.0");
//! assert!(store.find(zest).is_err(), "nothing was pulled");
//! # Ok::<(), saydo_data::Error>(())
//! ```

pub mod catalog;
mod content;
mod download;
mod error;
#[cfg(test)]
mod fake_server;
pub mod pull;
mod record;
pub mod store;
mod unpack;

pub use catalog::{Catalog, Entry, Format};
pub use error::Error;
pub use pull::{Mirror, Options, Pulled, pull};
pub use record::{FileRecord, Record};
pub use store::Store;
