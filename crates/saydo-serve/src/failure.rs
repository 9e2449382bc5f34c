//! What a request gets when it gets nothing else: one type that becomes a response.

use axum::http::{HeaderValue, StatusCode, header};
use axum::response::{IntoResponse, Response};
use serde_json::json;

/// Why a request is not answered. The text is for whoever asked; nothing internal stands in it.
#[derive(Debug, Clone, PartialEq)]
pub(crate) enum Failure {
    /// The request makes no sense.
    Bad(String),
    /// Nobody is known to have sent it.
    Unknown,
    /// Whoever sent it may not.
    Forbidden(String),
    /// There is no such thing.
    Missing(String),
    /// It is too late, or the other way round.
    Conflict(String),
    /// The request is too large.
    TooLarge,
    /// The body is of another kind.
    Kind(String),
    /// Too much is asked at once; seconds to wait.
    Busy(u64),
    /// The request took too long to arrive.
    Late,
    /// It took too long.
    Slow,
    /// The disk is full.
    Full,
    /// The server cannot do its work: what is wrong, and the reason for whoever runs it.
    Unwell(String, String),
    /// Our fault.
    Internal(String),
}

/// What handlers return.
pub(crate) type Answered<T> = Result<T, Failure>;

impl Failure {
    pub(crate) fn bad(text: impl Into<String>) -> Self {
        Failure::Bad(text.into())
    }

    pub(crate) fn missing(what: impl std::fmt::Display) -> Self {
        Failure::Missing(format!("there is no such {what}"))
    }

    /// Something that should not happen; the text goes to the log only.
    pub(crate) fn internal(error: impl std::fmt::Display) -> Self {
        Failure::Internal(error.to_string())
    }

    pub(crate) fn status(&self) -> StatusCode {
        match self {
            Failure::Bad(_) => StatusCode::BAD_REQUEST,
            Failure::Unknown => StatusCode::UNAUTHORIZED,
            Failure::Forbidden(_) => StatusCode::FORBIDDEN,
            Failure::Missing(_) => StatusCode::NOT_FOUND,
            Failure::Conflict(_) => StatusCode::CONFLICT,
            Failure::TooLarge => StatusCode::PAYLOAD_TOO_LARGE,
            Failure::Kind(_) => StatusCode::UNSUPPORTED_MEDIA_TYPE,
            Failure::Busy(_) => StatusCode::TOO_MANY_REQUESTS,
            Failure::Late => StatusCode::REQUEST_TIMEOUT,
            Failure::Slow => StatusCode::GATEWAY_TIMEOUT,
            Failure::Full => StatusCode::INSUFFICIENT_STORAGE,
            Failure::Unwell(..) => StatusCode::SERVICE_UNAVAILABLE,
            Failure::Internal(_) => StatusCode::INTERNAL_SERVER_ERROR,
        }
    }

    /// What whoever asked is told.
    pub(crate) fn message(&self) -> String {
        match self {
            Failure::Bad(text)
            | Failure::Forbidden(text)
            | Failure::Missing(text)
            | Failure::Conflict(text)
            | Failure::Kind(text)
            | Failure::Unwell(text, _) => text.clone(),
            Failure::Unknown => "log in, open your link, or send a token".to_owned(),
            Failure::TooLarge => "the request is too large".to_owned(),
            Failure::Busy(seconds) => format!("too much is asked at once; try again in {seconds} s"),
            Failure::Late => "the request took too long to arrive".to_owned(),
            Failure::Slow => "it took too long; send less at once".to_owned(),
            Failure::Full => "the disk is full; nothing was saved".to_owned(),
            Failure::Internal(_) => "something went wrong here; the server's log says what".to_owned(),
        }
    }

    /// Why, for whoever runs the server: also what is not told to others.
    pub(crate) fn reason(&self) -> String {
        match self {
            Failure::Internal(reason) | Failure::Unwell(_, reason) => reason.clone(),
            other => other.message(),
        }
    }

    fn kind(&self) -> &'static str {
        match self {
            Failure::Unknown => "authentication_error",
            Failure::Forbidden(_) => "permission_error",
            Failure::Missing(_) => "not_found_error",
            Failure::Busy(_) => "rate_limit_error",
            Failure::Slow | Failure::Full | Failure::Unwell(..) | Failure::Internal(_) => "server_error",
            _ => "invalid_request_error",
        }
    }
}

impl IntoResponse for Failure {
    /// The error as OpenAI's API writes it, which clients of all kinds know to read. The failure itself rides along, for
    /// the log and for pages that show it as a page.
    fn into_response(self) -> Response {
        let body = json!({"error": {"message": self.message(), "type": self.kind()}});
        let mut response = (self.status(), axum::Json(body)).into_response();
        match self {
            Failure::Busy(seconds) => {
                response.headers_mut().insert(header::RETRY_AFTER, HeaderValue::from(seconds));
            }
            // What is left of the request is not waited for.
            Failure::Late | Failure::Slow => {
                response.headers_mut().insert(header::CONNECTION, HeaderValue::from_static("close"));
            }
            _ => {}
        }
        response.extensions_mut().insert(self);
        response
    }
}

impl From<rusqlite::Error> for Failure {
    fn from(error: rusqlite::Error) -> Self {
        // Where the shared memory of the log cannot grow, the disk is full, too.
        let extended = error.sqlite_error().map(|error| error.extended_code);
        match error.sqlite_error_code() {
            Some(rusqlite::ErrorCode::DiskFull) => Failure::Full,
            _ if extended == Some(rusqlite::ffi::SQLITE_IOERR_SHMSIZE) => Failure::Full,
            _ if matches!(error, rusqlite::Error::QueryReturnedNoRows) => Failure::missing("thing"),
            _ => Failure::internal(error),
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn internals_stay_inside() {
        let failure = Failure::internal("table item at /data/state.db");
        assert!(!failure.message().contains("state.db"));
        assert_eq!(failure.status(), 500);
    }

    #[test]
    fn a_full_queue_says_when_to_come_back() {
        let response = Failure::Busy(3).into_response();
        assert_eq!(response.status(), 429);
        assert_eq!(response.headers()["retry-after"], "3");
    }
}
