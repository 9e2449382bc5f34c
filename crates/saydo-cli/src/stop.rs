//! Ctrl-C: the first lets what is in flight finish, the second leaves at once. A scheduler's SIGTERM counts the same.

use crate::output;
use anyhow::{Context, Result};
use std::sync::Arc;
use std::sync::atomic::{AtomicBool, Ordering};

/// The exit code of a process that Ctrl-C ended.
const INTERRUPTED: i32 = 130;

/// A switch that is turned on by Ctrl-C.
pub fn on_interrupt() -> Result<Arc<AtomicBool>> {
    let stop = Arc::new(AtomicBool::new(false));
    let switch = Arc::clone(&stop);
    ctrlc::set_handler(move || {
        if switch.swap(true, Ordering::Relaxed) {
            std::process::exit(INTERRUPTED);
        }
        output::note("finishing the rows in flight; Ctrl-C again leaves at once");
    })
    .context("cannot listen for Ctrl-C")?;
    Ok(stop)
}
