//! One connection: requests in, responses out, and patience that ends. A client may be as slow as it likes, but not for
//! longer than this.

use crate::App;
use crate::door::Place;
use crate::failure::Failure;
use axum::Router;
use axum::extract::ConnectInfo;
use axum::response::IntoResponse as _;
use hyper_util::rt::{TokioIo, TokioTimer};
use std::convert::Infallible;
use std::future::{Future as _, poll_fn};
use std::net::SocketAddr;
use std::pin::{Pin, pin};
use std::task::{Context, Poll, ready};
use std::time::Duration;
use tokio::io::{AsyncRead, AsyncWrite, ReadBuf};
use tokio::net::TcpStream;
use tokio::sync::watch;
use tokio::time::Sleep;
use tower::ServiceExt as _;

/// The most that the head of a request may take.
const HEAD_BYTES: usize = 64 << 10;
/// How long a connection for `/healthz` alone may take to ask.
const RESERVE_TIME: Duration = Duration::from_secs(2);
/// The one path that is answered however full it is.
const HEALTH: &str = "/healthz";

/// Answers a connection until it ends, has to go, or is told to stop.
pub(crate) async fn answer(
    app: App,
    router: Router,
    stream: TcpStream,
    peer: SocketAddr,
    place: Place,
    mut stop: watch::Receiver<bool>,
) {
    let limits = &app.config().limits;
    let (visit, is_reserve) = (place.visit(), place.is_reserve());
    let service = hyper::service::service_fn(move |mut request: hyper::Request<hyper::body::Incoming>| {
        visit.asked();
        request.extensions_mut().insert(ConnectInfo(peer));
        let router = router.clone();
        async move {
            if is_reserve && request.uri().path() != HEALTH {
                return Ok::<_, Infallible>(Failure::Busy(1).into_response());
            }
            router.oneshot(request.map(axum::body::Body::new)).await
        }
    });
    let mut builder = hyper::server::conn::http1::Builder::new();
    builder
        .timer(TokioTimer::new())
        .header_read_timeout(if is_reserve { RESERVE_TIME } else { limits.head_time })
        .max_buf_size(HEAD_BYTES)
        .keep_alive(!is_reserve);
    let stream = Patient::new(stream, limits.stall_time);
    let mut connection = pin!(builder.serve_connection(TokioIo::new(stream), service));
    let mut stopped = pin!(async move {
        // If whoever tells it to stop is gone, so is the server.
        let _ = stop.wait_for(|stop| *stop).await;
    });
    let visit = place.visit();
    let mut sent_off = pin!(visit.until_sent_off());
    let (mut is_sent_off, mut is_told) = (false, false);
    poll_fn(|context| {
        if !is_sent_off && sent_off.as_mut().poll(context).is_ready() {
            is_sent_off = true;
            // Whoever asked in the very moment is still answered.
            if !visit.has_asked() {
                return Poll::Ready(());
            }
        }
        if !is_told && stopped.as_mut().poll(context).is_ready() {
            is_told = true;
            connection.as_mut().graceful_shutdown();
        }
        // Why a connection broke is the client's business.
        connection.as_mut().poll(context).map(|_| ())
    })
    .await;
    drop(place);
}

/// A stream whose other end has to take what is written, some of it at least, every so often. Without this a client that
/// asks for much and reads nothing would hold its connection for good.
struct Patient<T> {
    stream: T,
    patience: Duration,
    /// Runs while nothing that is to be written is taken.
    stalled: Option<Pin<Box<Sleep>>>,
}

impl<T: AsyncRead + AsyncWrite + Unpin> Patient<T> {
    fn new(stream: T, patience: Duration) -> Self {
        Self { stream, patience, stalled: None }
    }

    /// What came of writing; an error once that has stalled for too long.
    fn within<R>(&mut self, wrote: Poll<std::io::Result<R>>, context: &mut Context<'_>) -> Poll<std::io::Result<R>> {
        if wrote.is_ready() {
            self.stalled = None;
            return wrote;
        }
        let patience = self.patience;
        let stalled = self.stalled.get_or_insert_with(|| Box::pin(tokio::time::sleep(patience)));
        ready!(stalled.as_mut().poll(context));
        Poll::Ready(Err(std::io::ErrorKind::TimedOut.into()))
    }
}

impl<T: AsyncRead + Unpin> AsyncRead for Patient<T> {
    fn poll_read(
        mut self: Pin<&mut Self>,
        context: &mut Context<'_>,
        into: &mut ReadBuf<'_>,
    ) -> Poll<std::io::Result<()>> {
        Pin::new(&mut self.stream).poll_read(context, into)
    }
}

impl<T: AsyncRead + AsyncWrite + Unpin> AsyncWrite for Patient<T> {
    fn poll_write(mut self: Pin<&mut Self>, context: &mut Context<'_>, bytes: &[u8]) -> Poll<std::io::Result<usize>> {
        let wrote = Pin::new(&mut self.stream).poll_write(context, bytes);
        self.within(wrote, context)
    }

    fn poll_write_vectored(
        mut self: Pin<&mut Self>,
        context: &mut Context<'_>,
        pieces: &[std::io::IoSlice<'_>],
    ) -> Poll<std::io::Result<usize>> {
        let wrote = Pin::new(&mut self.stream).poll_write_vectored(context, pieces);
        self.within(wrote, context)
    }

    fn is_write_vectored(&self) -> bool {
        self.stream.is_write_vectored()
    }

    fn poll_flush(mut self: Pin<&mut Self>, context: &mut Context<'_>) -> Poll<std::io::Result<()>> {
        let flushed = Pin::new(&mut self.stream).poll_flush(context);
        self.within(flushed, context)
    }

    fn poll_shutdown(mut self: Pin<&mut Self>, context: &mut Context<'_>) -> Poll<std::io::Result<()>> {
        let closed = Pin::new(&mut self.stream).poll_shutdown(context);
        self.within(closed, context)
    }
}
