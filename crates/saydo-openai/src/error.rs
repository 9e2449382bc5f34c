//! What can go wrong with a served model. No variant holds a key, a password or a query.

use std::sync::Arc;

/// Why a server's model could not be used or a request was not answered.
///
/// It can be cloned, because what makes a whole call fail is also the answer to the requests that met it.
#[derive(Debug, Clone, thiserror::Error)]
#[non_exhaustive]
pub enum Error {
    /// A base URL cannot be used.
    #[error("cannot use {url:?} as a base URL: {reason}; expected something like http://127.0.0.1:8080/v1")]
    BaseUrl {
        /// The URL, without what it hides.
        url: String,
        /// What is wrong with it.
        reason: String,
    },
    /// A key cannot be sent.
    #[error("the key holds a character that cannot be sent in a header; expected visible ASCII without line breaks")]
    Key,
    /// A proxy cannot be used.
    #[error("cannot use the proxy, which is not shown because it may hold a password; expected a URL")]
    Proxy,
    /// A number in the settings is zero.
    #[error("{name} is 0, expected at least 1")]
    Zero {
        /// The setting.
        name: &'static str,
    },
    /// An additional field of the body is one that is set already.
    #[error("extra_body holds {name:?}, which is set from the request, expected other fields")]
    ExtraBody {
        /// The field.
        name: String,
    },
    /// The HTTP client could not be set up.
    #[error("cannot set up the HTTP client")]
    Client(#[source] Arc<reqwest::Error>),
    /// The thread that talks to the server could not be started.
    #[error("cannot start the thread that talks to the server")]
    Thread(#[source] Arc<std::io::Error>),
    /// Nothing listens at the address.
    #[error(
        "cannot connect to {url} ({}); start a server there, for example with \
         `llama-server -m MODEL.gguf --port 8080` or `ollama serve`, or correct the base URL",
        tried(*.attempts)
    )]
    Connect {
        /// The address.
        url: String,
        /// How often it was tried.
        attempts: u32,
        /// What the client said.
        source: Arc<reqwest::Error>,
    },
    /// The server wants a key, or another one.
    #[error("{url} refused the request (status 401: {message}); {}", key_advice(*.key_given))]
    Unauthorized {
        /// The address.
        url: String,
        /// Whether a key was sent.
        key_given: bool,
        /// The beginning of what the server said.
        message: String,
    },
    /// The server answered with an error.
    #[error("{url} answered with status {status} ({}): {message}", tried(*.attempts))]
    Status {
        /// The address.
        url: String,
        /// The HTTP status.
        status: u16,
        /// How often it was tried.
        attempts: u32,
        /// The beginning of what the server said.
        message: String,
    },
    /// The server took too long.
    #[error("{url} did not answer within {timeout_ms} ms ({})", tried(*.attempts))]
    Timeout {
        /// The address.
        url: String,
        /// How long each attempt waited.
        timeout_ms: u64,
        /// How often it was tried.
        attempts: u32,
    },
    /// The connection broke before the answer was complete.
    #[error("the connection to {url} broke ({})", tried(*.attempts))]
    Broken {
        /// The address.
        url: String,
        /// How often it was tried.
        attempts: u32,
        /// What the client said.
        source: Arc<reqwest::Error>,
    },
    /// The answer is longer than any that makes sense.
    #[error("{url} sent more than {limit} bytes")]
    TooLong {
        /// The address.
        url: String,
        /// The max length that is read.
        limit: usize,
    },
    /// The server said it succeeded, but its answer cannot be read.
    #[error("the answer of {url} lacks {missing} ({}): {message}", tried(*.attempts))]
    Malformed {
        /// The address.
        url: String,
        /// What was expected and not found.
        missing: String,
        /// How often it was tried.
        attempts: u32,
        /// The beginning of the answer.
        message: String,
    },
    /// The server suppressed the reply.
    #[error("the server withheld its reply, giving {reason:?} as the reason")]
    Withheld {
        /// The server's word for it.
        reason: String,
    },
    /// The server cannot do what was asked.
    #[error("{what} is not supported; {advice}")]
    Unsupported {
        /// What was asked.
        what: String,
        /// What to do instead.
        advice: String,
    },
    /// The task that held a request ended without answering it.
    #[error("the request was lost, because the task that held it panicked")]
    Lost,
    /// Nobody waits for the result any more.
    #[error("nobody waits for the result any more")]
    Unwanted,
}

fn tried(attempts: u32) -> String {
    format!("{attempts} attempt{}", if attempts == 1 { "" } else { "s" })
}

fn key_advice(key_given: bool) -> &'static str {
    if key_given { "check the key in OPENAI_API_KEY" } else { "set OPENAI_API_KEY to your key" }
}

impl Error {
    /// Whether no other request would fare better: nothing listens, or the key is wrong.
    pub(crate) fn is_hopeless(&self) -> bool {
        matches!(self, Self::Connect { .. } | Self::Unauthorized { .. })
    }

    /// Whether the server refused the request and named this word in its reason.
    pub(crate) fn refuses(&self, word: &str) -> bool {
        matches!(self, Self::Status { message, .. } if message.contains(word))
    }
}

impl From<Error> for saydo_model::Error {
    fn from(error: Error) -> Self {
        match error {
            Error::Unsupported { what, advice } => Self::Unsupported { what, advice },
            Error::Unwanted => Self::Unwanted,
            error => Self::Server(Box::new(error)),
        }
    }
}
