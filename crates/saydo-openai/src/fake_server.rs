//! A server on loopback that does what a test's script says, request by request.

use serde_json::{Value, json};
use std::io::{BufRead, BufReader, Read, Write};
use std::net::{SocketAddr, TcpListener, TcpStream};
use std::sync::atomic::{AtomicBool, AtomicUsize, Ordering};
use std::sync::{Arc, Mutex};
use std::thread::{self, JoinHandle};

/// One request as the server saw it.
#[derive(Debug, Clone)]
pub(crate) struct Received {
    /// Method and target, as in `POST /v1/completions`.
    pub(crate) line: String,
    pub(crate) authorization: Option<String>,
    /// Null if there was none.
    pub(crate) body: Value,
}

/// What the server does with a request.
pub(crate) enum Action {
    Answer {
        status: u16,
        headers: Vec<(&'static str, String)>,
        body: String,
    },
    /// Announces the whole body, sends half of it and closes the connection.
    Truncate(String),
    /// Closes the connection without a word.
    Close,
    /// Never answers.
    Hang,
}

impl Action {
    pub(crate) fn ok(body: Value) -> Self {
        Self::status(200, body)
    }

    pub(crate) fn status(status: u16, body: Value) -> Self {
        Self::Answer { status, headers: Vec::new(), body: body.to_string() }
    }

    /// An error in OpenAI's form.
    pub(crate) fn error(status: u16, message: &str) -> Self {
        Self::status(status, json!({"error": {"message": message}}))
    }

    /// A chat reply without extras.
    pub(crate) fn chat(text: &str) -> Self {
        Self::ok(json!({"choices": [{"message": {"content": text}, "finish_reason": "stop"}]}))
    }
}

type Script = dyn Fn(&Received, usize) -> Action + Send + Sync;

struct Shared {
    script: Box<Script>,
    received: Mutex<Vec<Received>>,
    in_flight: AtomicUsize,
    peak: AtomicUsize,
    over: AtomicBool,
}

pub(crate) struct FakeServer {
    address: SocketAddr,
    shared: Arc<Shared>,
    listening: Option<JoinHandle<()>>,
}

impl FakeServer {
    /// Starts a server that answers each request by `script(request, how many came before it)`.
    pub(crate) fn start(script: impl Fn(&Received, usize) -> Action + Send + Sync + 'static) -> Self {
        let listener = TcpListener::bind("127.0.0.1:0").expect("loopback has a free port");
        let address = listener.local_addr().expect("a bound listener has an address");
        let shared = Arc::new(Shared {
            script: Box::new(script),
            received: Mutex::default(),
            in_flight: AtomicUsize::new(0),
            peak: AtomicUsize::new(0),
            over: AtomicBool::new(false),
        });
        let listening = thread::spawn({
            let shared = Arc::clone(&shared);
            move || listen(&listener, &shared)
        });
        Self { address, shared, listening: Some(listening) }
    }

    pub(crate) fn url(&self) -> String {
        format!("http://{}", self.address)
    }

    pub(crate) fn received(&self) -> Vec<Received> {
        self.shared.received.lock().expect("no handler panicked").clone()
    }

    /// The bodies of all requests so far.
    pub(crate) fn bodies(&self) -> Vec<Value> {
        self.received().into_iter().map(|received| received.body).collect()
    }

    /// The greatest number of requests that were in flight at once.
    pub(crate) fn peak(&self) -> usize {
        self.shared.peak.load(Ordering::SeqCst)
    }
}

impl Drop for FakeServer {
    fn drop(&mut self) {
        self.shared.over.store(true, Ordering::SeqCst);
        let _ = TcpStream::connect(self.address);
        if let Some(listening) = self.listening.take() {
            let _ = listening.join();
        }
    }
}

fn listen(listener: &TcpListener, shared: &Arc<Shared>) {
    for stream in listener.incoming().flatten() {
        if shared.over.load(Ordering::SeqCst) {
            return;
        }
        let shared = Arc::clone(shared);
        thread::spawn(move || handle(stream, &shared));
    }
}

/// Answers the one request of a connection. Errors are the client's to notice.
fn handle(mut stream: TcpStream, shared: &Shared) -> Option<()> {
    let received = read(&stream)?;
    let in_flight = shared.in_flight.fetch_add(1, Ordering::SeqCst) + 1;
    shared.peak.fetch_max(in_flight, Ordering::SeqCst);
    let before = {
        let mut all = shared.received.lock().expect("no handler panicked");
        all.push(received.clone());
        all.len() - 1
    };
    let action = (shared.script)(&received, before);
    // Counted as over before the client can know, so that its next request is not counted beside this one.
    shared.in_flight.fetch_sub(1, Ordering::SeqCst);
    match action {
        Action::Answer { status, headers, body } => {
            let headers: String = headers.iter().map(|(name, value)| format!("{name}: {value}\r\n")).collect();
            write!(stream, "{}{headers}\r\n{body}", head(status, body.len())).ok()
        }
        Action::Truncate(body) => write!(stream, "{}\r\n{}", head(200, body.len()), &body[..body.len() / 2]).ok(),
        Action::Close => None,
        Action::Hang => stream.read_to_end(&mut Vec::new()).ok().map(|_| ()),
    }
}

fn head(status: u16, length: usize) -> String {
    format!(
        "HTTP/1.1 {status} Scripted\r\ncontent-type: application/json\r\ncontent-length: {length}\r\nconnection: close\r\n"
    )
}

fn read(stream: &TcpStream) -> Option<Received> {
    let mut reader = BufReader::new(stream);
    let mut line = String::new();
    reader.read_line(&mut line).ok()?;
    let line = line.trim_end().strip_suffix(" HTTP/1.1")?.to_owned();
    let (mut authorization, mut length) = (None, 0);
    loop {
        let mut header = String::new();
        reader.read_line(&mut header).ok()?;
        let Some((name, value)) = header.trim_end().split_once(": ") else { break };
        match name.to_ascii_lowercase().as_str() {
            "authorization" => authorization = Some(value.to_owned()),
            "content-length" => length = value.parse().ok()?,
            _ => {}
        }
    }
    let mut body = vec![0; length];
    reader.read_exact(&mut body).ok()?;
    Some(Received { line, authorization, body: serde_json::from_slice(&body).unwrap_or_default() })
}
