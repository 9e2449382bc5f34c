//! Where the server listens, what it keeps and how much it takes.

use std::net::{IpAddr, SocketAddr};
use std::path::PathBuf;
use std::time::Duration;

/// Who the owner is as long as there is no password.
#[derive(Debug, Clone, Default, PartialEq, Eq)]
pub enum LocalOwner {
    /// Whoever shows a token that is made when the server starts.
    #[default]
    NewToken,
    /// Whoever shows this token: at least 16 letters, digits, hyphens and underscores.
    Token(String),
    /// Whoever can reach the server, which is everyone who has an account on this machine.
    Anyone,
}

/// The settings of a server.
#[derive(Debug, Clone)]
pub struct Config {
    /// The address to listen on. Any but a loopback address needs an owner's password.
    pub listen: SocketAddr,
    /// Folder of the state; made if it is not there.
    pub data: PathBuf,
    /// Folders whose runs are shown.
    pub runs: Vec<PathBuf>,
    /// Whether browsers reach the server through HTTPS (a proxy's), which needs an owner's password; cookies are then kept
    /// off plain HTTP.
    pub https: bool,
    /// Who the owner is as long as there is no password.
    pub owner: LocalOwner,
    /// Machines whose `X-Forwarded-For` is believed, beside this one.
    pub proxies: Vec<IpAddr>,
    /// How much the server takes.
    pub limits: Limits,
}

impl Config {
    /// The defaults, with the state in this folder: 127.0.0.1:8008, no runs.
    pub fn new(data: impl Into<PathBuf>) -> Self {
        Self {
            listen: SocketAddr::from(([127, 0, 0, 1], 8008)),
            data: data.into(),
            runs: Vec::new(),
            https: false,
            owner: LocalOwner::default(),
            proxies: Vec::new(),
            limits: Limits::default(),
        }
    }

    /// Whether only this machine can reach the server, and no proxy passes on what others ask.
    pub fn is_local(&self) -> bool {
        self.listen.ip().is_loopback() && !self.https
    }
}

/// How much the server takes.
#[derive(Debug, Clone)]
pub struct Limits {
    /// Bytes of a request. Default: 8 MiB.
    pub body_bytes: usize,
    /// Connections at once. Default: 512.
    pub connections: usize,
    /// How long a connection that has not asked for anything keeps its place when all are taken. Default: one second.
    pub silent_time: Duration,
    /// How long the head of a request may take to arrive, and how long a connection may wait for its next request.
    /// Default: 20 seconds.
    pub head_time: Duration,
    /// How long the body of a request may take to arrive. Default: 30 seconds.
    pub body_time: Duration,
    /// How long a client may leave a response unread. Default: 30 seconds.
    pub stall_time: Duration,
    /// How long a request may take. Default: two minutes.
    pub request_time: Duration,
    /// Requests that may wait for the model. Default: 256.
    pub queue: usize,
    /// Texts of one request. Default: 1,000.
    pub texts: usize,
    /// Requests of one address in a second, on average. Default: 500.
    pub rate: f64,
    /// Requests of one address at once. Default: 2,000.
    pub burst: f64,
    /// Attempts to log in from one address in a minute. Default: 10.
    pub logins_per_minute: f64,
    /// The same from a proxy that does not say for whom it asks, so that a stranger locks nobody out. Default: 60.
    pub shared_logins_per_minute: f64,
    /// How long an item is kept for the annotator who was given it. Default: half an hour.
    pub lease: Duration,
}

impl Default for Limits {
    fn default() -> Self {
        Self {
            body_bytes: 8 << 20,
            connections: 512,
            silent_time: Duration::from_secs(1),
            head_time: Duration::from_secs(20),
            body_time: Duration::from_secs(30),
            stall_time: Duration::from_secs(30),
            request_time: Duration::from_secs(120),
            queue: 256,
            texts: 1000,
            rate: 500.0,
            burst: 2000.0,
            logins_per_minute: 10.0,
            shared_logins_per_minute: 60.0,
            lease: Duration::from_secs(1800),
        }
    }
}
