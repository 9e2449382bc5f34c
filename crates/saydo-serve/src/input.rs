//! The body and the path of a request as values, or the reason why they are none, said as every other failure is.

use crate::deadline;
use crate::failure::Failure;
use axum::body::Bytes;
use axum::extract::{FromRequest, FromRequestParts, Request};
use axum::http::header;
use axum::http::request::Parts;
use serde::de::DeserializeOwned;

/// A JSON body. Unknown fields are refused where the type says so; a wrong body is the client's fault and says why.
pub(crate) struct Input<T>(pub(crate) T);

impl<T: DeserializeOwned, S: Send + Sync> FromRequest<S> for Input<T> {
    type Rejection = Failure;

    async fn from_request(request: Request, state: &S) -> Result<Self, Failure> {
        let kind = request.headers().get(header::CONTENT_TYPE).and_then(|kind| kind.to_str().ok()).unwrap_or_default();
        let kind = kind.split(';').next().unwrap_or_default().trim().to_ascii_lowercase();
        if kind != "application/json" {
            return Err(Failure::Kind(format!("the body is {kind:?}, expected application/json")));
        }
        let bytes =
            Bytes::from_request(request, state).await.map_err(|rejection| match rejection.status().as_u16() {
                413 => Failure::TooLarge,
                _ if deadline::is_late(&rejection) => Failure::Late,
                _ => Failure::bad("the body broke off"),
            })?;
        let value = serde_json::from_slice(&bytes);
        value.map(Input).map_err(|error| Failure::bad(format!("the body does not fit: {error}")))
    }
}

/// The parameters of a path.
pub(crate) struct Path<T>(pub(crate) T);

impl<T: DeserializeOwned + Send, S: Send + Sync> FromRequestParts<S> for Path<T> {
    type Rejection = Failure;

    async fn from_request_parts(parts: &mut Parts, state: &S) -> Result<Self, Failure> {
        let path = axum::extract::Path::<T>::from_request_parts(parts, state).await;
        path.map(|path| Path(path.0)).map_err(|rejection| Failure::bad(rejection.body_text()))
    }
}
