//! The HTTP API, a file for each thing it is about.

mod account;
mod completion;
mod health;
mod preview;
mod run;
mod task;

pub(crate) use task::load as load_task;

use crate::Route;

/// Every route of the API.
pub(crate) fn routes() -> Vec<Route> {
    [health::routes(), run::routes(), task::routes(), completion::routes(), preview::routes(), account::routes()]
        .into_iter()
        .flatten()
        .collect()
}

#[cfg(test)]
mod tests;
