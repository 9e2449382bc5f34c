//! Requests that are given up when whoever asked has gone.

use crate::Error;
use saydo_model::Wanted;
use std::pin::pin;
use std::time::Duration;

/// How often it is looked whether somebody still waits.
const LOOK: Duration = Duration::from_millis(100);

/// What `work` gives, or [`Error::Unwanted`] once nobody waits for it any more. `work` is dropped then, and its connection
/// with it: that is how a server learns that it may stop.
pub(crate) async fn while_wanted<T>(
    wanted: Option<Wanted>,
    work: impl Future<Output = Result<T, Error>>,
) -> Result<T, Error> {
    let Some(wanted) = wanted else { return work.await };
    let mut work = pin!(work);
    while wanted.is_wanted() {
        if let Ok(result) = tokio::time::timeout(LOOK, &mut work).await {
            return result;
        }
    }
    Err(Error::Unwanted)
}
