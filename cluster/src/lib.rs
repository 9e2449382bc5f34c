//! Functions over tables: SQL on one machine, and the same plans spread over many.
//!
//! DataFusion reads, plans and writes; Ballista carries plans to other machines. What is ours is the function that they
//! call ([`function`]), which finds an answer that was given before in a [`store`] or has the model give it
//! ([`answerer`]). Async stays inside; every call here blocks.
//!
//! Reading order: `answerer` answers texts, `form` says what the answers look like as values of a table, `function` is
//! both as a function of SQL, `table` opens files as tables, `bucket` where they lie, `session` puts these together; `query` runs SQL, `job`
//! runs tasks over tables; `scheduler` and `executor` are the processes of a cluster.

mod answerer;
mod bucket;
mod counter;
mod error;
mod executor;
mod form;
mod function;
mod job;
mod metrics;
mod output;
mod query;
mod runtime;
mod scheduler;
mod session;
mod store;
mod table;

pub use answerer::Answerer;
pub use counter::Counts;
pub use error::Error;
pub use executor::{ExecutorSettings, Told, run_executor};
pub use job::{Job, JobTask, run_job};
pub use output::Target;
pub use query::{Query, run_query};
pub use scheduler::{SchedulerSettings, run_scheduler};
pub use session::Place;
pub use store::Store;
