//! Long computations beside the interpreter: it is released, Ctrl-C is noticed, and progress is told.

use pyo3::prelude::*;
use std::panic::resume_unwind;
use std::sync::atomic::{AtomicBool, Ordering};
use std::sync::mpsc::{RecvTimeoutError, channel};
use std::thread;
use std::time::Duration;

/// How long Ctrl-C goes unnoticed at most.
const POLL: Duration = Duration::from_millis(50);

/// The main thread's usual stack, which threads do not have by themselves.
const STACK_BYTES: usize = 8 << 20;

/// What is called now and then while something is computed; an error ends the computation.
pub type Watch<'a> = &'a mut (dyn FnMut(Python<'_>) -> PyResult<()> + Send);

/// What `work` gives, computed in a thread of its own while this one waits without the interpreter.
///
/// On Ctrl-C, or if `watch` fails, `stop` is set and `work` is expected to end soon: what is in flight is finished. The error
/// is then given instead of the result.
pub fn interruptible<T: Send>(
    py: Python<'_>,
    stop: &AtomicBool,
    watch: Watch<'_>,
    work: impl FnOnce() -> T + Send,
) -> PyResult<T> {
    let mut failure = None;
    let failed = &mut failure;
    let result = py.detach(|| {
        thread::scope(|scope| {
            let (running, ended) = channel::<()>();
            let work = move || {
                // Dropped when the work ends, be it by a panic.
                let _running = running;
                work()
            };
            let worker = thread::Builder::new().stack_size(STACK_BYTES).spawn_scoped(scope, work)?;
            while ended.recv_timeout(POLL) == Err(RecvTimeoutError::Timeout) {
                if failed.is_none() {
                    *failed = Python::attach(|py| py.check_signals().and_then(|()| watch(py))).err();
                }
                if failed.is_some() {
                    stop.store(true, Ordering::Relaxed);
                }
            }
            worker.join().map_or_else(|panic| resume_unwind(panic), Ok::<_, std::io::Error>)
        })
    })?;
    match failure {
        Some(error) => Err(error),
        None => watch(py).map(|()| result),
    }
}
