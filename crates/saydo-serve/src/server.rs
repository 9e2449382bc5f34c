//! The socket: listening, and stopping when told to.

use crate::{App, Error, router};
use std::future::Future as _;
use std::net::SocketAddr;
use std::sync::Arc;
use std::sync::atomic::{AtomicBool, Ordering};
use std::time::Duration;

/// How often it is looked whether to stop.
const LOOK: Duration = Duration::from_millis(100);
/// How long requests in flight may take to end after that.
const GRACE: Duration = Duration::from_secs(10);

/// Serves until `stop` is set; requests in flight are finished, for ten seconds at most. `ready` is called with the address
/// once requests are taken.
pub fn serve(app: App, stop: &Arc<AtomicBool>, ready: impl FnOnce(SocketAddr)) -> Result<(), Error> {
    let runtime = tokio::runtime::Builder::new_multi_thread().enable_all().build().map_err(Error::Stopped)?;
    let served = runtime.block_on(async {
        let address = app.config().listen;
        let listen = |source| Error::Listen { address, source };
        let listener = tokio::net::TcpListener::bind(address).await.map_err(listen)?;
        ready(listener.local_addr().map_err(listen)?);
        let service = router(app).into_make_service_with_connect_info::<SocketAddr>();
        let told = Arc::clone(stop);
        let serving = axum::serve(listener, service).with_graceful_shutdown(async move { until(&told).await });
        let end = async {
            until(stop).await;
            tokio::time::sleep(GRACE).await;
        };
        // Whichever is first: everything is finished, or patience is.
        let mut serving = std::pin::pin!(std::future::IntoFuture::into_future(serving));
        let mut end = std::pin::pin!(end);
        std::future::poll_fn(|context| {
            if let std::task::Poll::Ready(served) = serving.as_mut().poll(context) {
                return std::task::Poll::Ready(served.map_err(Error::Stopped));
            }
            end.as_mut().poll(context).map(Ok)
        })
        .await
    });
    runtime.shutdown_timeout(Duration::from_secs(1));
    served
}

async fn until(stop: &AtomicBool) {
    while !stop.load(Ordering::Relaxed) {
        tokio::time::sleep(LOOK).await;
    }
}
