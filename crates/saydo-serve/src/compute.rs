//! Computing off the threads that serve requests: whatever takes longer than a moment for the largest request that is
//! taken.

use crate::failure::{Answered, Failure};

/// What `work` gives, computed on a thread that may be busy.
pub(crate) async fn compute<T: Send + 'static>(work: impl FnOnce() -> Answered<T> + Send + 'static) -> Answered<T> {
    tokio::task::spawn_blocking(work).await.map_err(Failure::internal)?
}
