//! Fine-tuning: examples behind shared instructions, low-rank adapters or all weights, one loop.
//!
//! Reading order: [`Recipe`] and [`DataSettings`] are what a user says; [`Data`] makes [`Example`]s of tasks, which are
//! texts; [`Packer`] makes [`Pack`]s of them, in which the instances of one task stand behind a single copy of its
//! instruction. [`Learner`] is a network with the parameters that change; [`train`] is the loop. It knows nothing of
//! protocols: validation is a closure.

mod checkpoint;
pub mod data;
mod error;
mod example;
mod learner;
mod optimizer;
mod order;
mod pack;
mod parameter;
pub mod reading;
mod recipe;
mod schedule;
mod settings;
mod training;

pub use checkpoint::{Checkpoint, Damage};
pub use data::{Data, DataSettings, SeenTasks};
pub use error::Error;
pub use example::{Ending, Example, Most, Room, Tokens};
pub use learner::Learner;
pub use optimizer::{Optimizer, OptimizerKind};
pub use order::{Order, shuffle};
pub use pack::{Pack, Packer, Source};
pub use parameter::{Parameter, Parameters};
pub use recipe::{Labels, OptimizerName, Plan, Preset, Recipe};
pub use schedule::Schedule;
pub use settings::{Learned, Precision, Settings};
pub use training::{Event, Outcome, Update, Validate, train, update};
