//! The web page and HTTP API of Saydo: playground, collection of tasks and answers, judging; one process, one folder.
//!
//! Reading order: [`Config`] says where it listens and what it allows, [`store`](crate::Store) keeps the state, `identity`
//! says who asks, `route` holds every route with who may use it (the router, the OpenAPI document and the tests of roles are
//! all made from that one list), `inference` keeps the model off the threads that serve requests. The rest are the pages
//! and the API, a file for each. Async and web types stay in this crate.

mod access;
mod api;
mod app;
mod clock;
mod collect;
mod compute;
mod config;
mod connection;
mod deadline;
mod door;
mod draft;
mod error;
mod failure;
mod identity;
mod inference;
mod input;
mod limit;
mod lock;
mod log;
mod metrics;
mod middleware;
mod openapi;
mod page;
mod password;
mod project;
mod route;
mod runs;
mod schema;
mod secret;
mod server;
mod store;
mod work;

pub use access::Access;
pub use app::App;
pub use clock::Clock;
pub use config::{Config, Limits, LocalOwner};
pub use error::Error;
pub use inference::Engine;
pub use log::Log;
pub use route::{Route, router, routes};
pub use server::serve;
pub use store::Store;

#[cfg(test)]
mod testing;
