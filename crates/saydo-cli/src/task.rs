//! The flags that name tasks.

mod args;

pub use args::TaskArgs;
pub use saydo::task::Named;
