//! Reports of runs: what was run, its tables beside the papers' rows, plots, and every instance; of two runs, what
//! differs between them.
//!
//! Reading order: a [`Report`] is made of [`Run`]s that are read and scored. [`figure`] says what is plotted and
//! [`chart`] draws it; the charting library stays inside that module. [`html`], [`markdown`] and [`json`] write the same
//! report in three forms. [`training`] does the same for what `saydo train` logged.
//!
//! ```no_run
//! use saydo_protocol::score::Options;
//! use saydo_report::{Report, Run, html};
//! use std::path::Path;
//!
//! let run = Run::load(Path::new("runs/zest"), &Options::default())?;
//! std::fs::write("report.html", html::write(&Report::new(vec![run], 0)?))?;
//! # Ok::<(), Box<dyn std::error::Error>>(())
//! ```

pub mod chart;
mod difference;
mod error;
pub mod figure;
#[cfg(test)]
mod fixture;
mod headline;
pub mod html;
pub mod json;
pub mod markdown;
mod number;
pub mod plot;
mod published;
mod report;
mod run;
mod setting;
mod template;
pub mod training;

pub use error::Error;
pub use report::Report;
pub use run::Run;
