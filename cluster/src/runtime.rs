//! The threads that async code runs on. Callers of this crate need none.

use crate::Error;
use std::future::Future;
use tokio::runtime::Builder;

/// Plans are trees that the engine walks by recursion; its own programs ask for as much.
const STACK_BYTES: usize = 32 << 20;

/// Runs async code to its end.
pub(crate) fn block_on<T>(future: impl Future<Output = Result<T, Error>>) -> Result<T, Error> {
    let runtime = Builder::new_multi_thread().enable_all().thread_stack_size(STACK_BYTES).build();
    let runtime = runtime.map_err(|error| Error::Process { part: "start of threads", reason: error.to_string() })?;
    runtime.block_on(future)
}
