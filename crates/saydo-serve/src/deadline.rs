//! A body that has to have arrived by some time.

use axum::body::{Body, BodyDataStream, Bytes, HttpBody as _};
use futures_core::Stream;
use std::future::Future as _;
use std::pin::Pin;
use std::task::{Context, Poll};
use std::time::Duration;
use tokio::time::Sleep;

/// A body did not arrive in time.
#[derive(Debug, thiserror::Error)]
#[error("the body took too long to arrive")]
pub(crate) struct Late;

/// The same body, which breaks off with [`Late`] after this time.
pub(crate) fn within(time: Duration, body: Body) -> Body {
    if body.is_end_stream() {
        return body;
    }
    Body::from_stream(Timed { body: body.into_data_stream(), end: Box::pin(tokio::time::sleep(time)) })
}

/// Whether a body broke off because it was late.
pub(crate) fn is_late(error: &(dyn std::error::Error + 'static)) -> bool {
    std::iter::successors(Some(error), |error| error.source()).any(|error| error.is::<Late>())
}

struct Timed {
    body: BodyDataStream,
    end: Pin<Box<Sleep>>,
}

impl Stream for Timed {
    type Item = Result<Bytes, axum::BoxError>;

    fn poll_next(mut self: Pin<&mut Self>, context: &mut Context<'_>) -> Poll<Option<Self::Item>> {
        if self.end.as_mut().poll(context).is_ready() {
            return Poll::Ready(Some(Err(Late.into())));
        }
        Pin::new(&mut self.body).poll_next(context).map(|piece| Some(piece?.map_err(Into::into)))
    }
}
