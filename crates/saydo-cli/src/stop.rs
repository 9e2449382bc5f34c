//! Ctrl-C: the first lets what is in flight finish, the second leaves at once. A scheduler's SIGTERM counts the same.

use crate::output;
use anyhow::{Context, Result};
use std::sync::atomic::{AtomicBool, Ordering};
use std::sync::{Arc, OnceLock};

/// The exit code of a process that Ctrl-C ended.
const INTERRUPTED: i32 = 130;

/// A switch that is turned on by Ctrl-C; the same one for everything this process does.
pub fn on_interrupt() -> Result<Arc<AtomicBool>> {
    static STOP: OnceLock<Arc<AtomicBool>> = OnceLock::new();
    if let Some(stop) = STOP.get() {
        return Ok(Arc::clone(stop));
    }
    let stop = STOP.get_or_init(Arc::default);
    ctrlc::set_handler(|| {
        if STOP.get_or_init(Arc::default).swap(true, Ordering::Relaxed) {
            std::process::exit(INTERRUPTED);
        }
        output::note("finishing what is in flight; Ctrl-C again leaves at once");
    })
    .context("cannot listen for Ctrl-C")?;
    Ok(Arc::clone(stop))
}
