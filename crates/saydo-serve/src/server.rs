//! The socket: listening, and stopping when told to.

use crate::door::Door;
use crate::{App, Error, connection, router};
use serde_json::json;
use std::net::SocketAddr;
use std::sync::Arc;
use std::sync::atomic::{AtomicBool, Ordering};
use std::time::{Duration, Instant};
use tokio::net::TcpListener;
use tokio::sync::watch;

/// How often it is looked whether to stop.
const LOOK: Duration = Duration::from_millis(100);
/// How long requests in flight may take to end after that.
const GRACE: Duration = Duration::from_secs(10);
/// The pause after a connection could not be taken, as when there are no file descriptors left.
const PAUSE: Duration = Duration::from_millis(50);

/// Serves until `stop` is set; requests in flight are finished, for ten seconds at most, and the file of the state then
/// holds everything by itself. `ready` is called with the address once requests are taken.
pub fn serve(app: App, stop: &Arc<AtomicBool>, ready: impl FnOnce(SocketAddr)) -> Result<(), Error> {
    let state = app.clone();
    let runtime = tokio::runtime::Builder::new_multi_thread().enable_all().build().map_err(Error::Stopped)?;
    let served = runtime.block_on(async {
        let address = app.config().listen;
        let listen = |source| Error::Listen { address, source };
        let listener = TcpListener::bind(address).await.map_err(listen)?;
        ready(listener.local_addr().map_err(listen)?);
        let (told, telling) = watch::channel(false);
        let accepting = tokio::spawn(accept(app, listener, telling));
        until(stop).await;
        accepting.abort();
        // If there are no connections, nobody is there to be told.
        let _ = told.send(true);
        let _ = tokio::time::timeout(GRACE, told.closed()).await;
        Ok(())
    });
    runtime.shutdown_timeout(Duration::from_secs(1));
    if let Err(failure) = state.store().checkpoint() {
        state.log().event(state.now(), "checkpoint", json!({"error": failure.reason()}));
    }
    served
}

/// Takes connections for as long as it is let.
async fn accept(app: App, listener: TcpListener, stop: watch::Receiver<bool>) {
    let router = router(app.clone());
    let limits = &app.config().limits;
    let door = Arc::new(Door::new(limits.connections, limits.silent_time));
    loop {
        let Ok((stream, peer)) = listener.accept().await else {
            tokio::time::sleep(PAUSE).await;
            continue;
        };
        // Without a place the stream is dropped, which closes it.
        if let Some(place) = door.enter(Instant::now()) {
            let _ = stream.set_nodelay(true);
            tokio::spawn(connection::answer(app.clone(), router.clone(), stream, peer, place, stop.clone()));
        }
    }
}

async fn until(stop: &AtomicBool) {
    while !stop.load(Ordering::Relaxed) {
        tokio::time::sleep(LOOK).await;
    }
}

#[cfg(test)]
mod tests;
