//! A server on loopback that does what a test's script says, request by request.

use std::io::{BufRead, BufReader, Write};
use std::net::{SocketAddr, TcpListener, TcpStream};
use std::sync::atomic::{AtomicBool, Ordering};
use std::sync::{Arc, Mutex};
use std::thread::{self, JoinHandle};

/// One request as the server saw it.
#[derive(Debug, Clone, Default, PartialEq, Eq)]
pub(crate) struct Asked {
    pub(crate) path: String,
    pub(crate) range: Option<String>,
    pub(crate) if_range: Option<String>,
    pub(crate) authorization: Option<String>,
}

/// What the server answers.
#[derive(Debug, Clone)]
pub(crate) struct Answer {
    pub(crate) status: u16,
    pub(crate) headers: Vec<(&'static str, String)>,
    pub(crate) body: Vec<u8>,
    /// So many bytes are sent, then the connection is closed, whatever was announced.
    pub(crate) cut_after: Option<usize>,
    /// Says how long the body is.
    pub(crate) announced: bool,
}

impl Answer {
    pub(crate) fn new(status: u16, body: impl Into<Vec<u8>>) -> Self {
        Self { status, headers: Vec::new(), body: body.into(), cut_after: None, announced: true }
    }

    pub(crate) fn ok(body: impl Into<Vec<u8>>) -> Self {
        Self::new(200, body)
    }

    pub(crate) fn with(mut self, name: &'static str, value: impl Into<String>) -> Self {
        self.headers.push((name, value.into()));
        self
    }

    pub(crate) fn cut_after(mut self, bytes: usize) -> Self {
        self.cut_after = Some(bytes);
        self
    }

    /// As a server that knows ranges answers: the rest if that is asked for, on condition that the tag is still right.
    pub(crate) fn ranged(body: &[u8], etag: &str, asked: &Asked) -> Self {
        let is_same = asked.if_range.as_deref().is_none_or(|tag| tag == etag);
        let from =
            asked.range.as_deref().and_then(|range| range.strip_prefix("bytes=")?.strip_suffix('-')?.parse().ok());
        let size = body.len();
        let answer = match from.filter(|_| is_same) {
            None => Self::ok(body),
            Some(from) if from >= size => Self::new(416, "").with("Content-Range", format!("bytes */{size}")),
            Some(from) => {
                Self::new(206, &body[from..]).with("Content-Range", format!("bytes {from}-{}/{size}", size - 1))
            }
        };
        answer.with("ETag", etag)
    }
}

type Script = dyn Fn(&Asked, usize) -> Answer + Send + Sync;

struct Shared {
    script: Box<Script>,
    asked: Mutex<Vec<Asked>>,
    over: AtomicBool,
}

/// Runs until it is dropped.
pub(crate) struct FakeServer {
    address: SocketAddr,
    shared: Arc<Shared>,
    listening: Option<JoinHandle<()>>,
}

impl FakeServer {
    /// Starts a server that answers each request by `script(request, how many came before it)`.
    pub(crate) fn start(script: impl Fn(&Asked, usize) -> Answer + Send + Sync + 'static) -> Self {
        let listener = TcpListener::bind("127.0.0.1:0").expect("loopback has a free port");
        let address = listener.local_addr().expect("a bound listener has an address");
        let shared =
            Arc::new(Shared { script: Box::new(script), asked: Mutex::default(), over: AtomicBool::new(false) });
        let listening = thread::spawn({
            let shared = Arc::clone(&shared);
            move || {
                for stream in listener.incoming().map_while(Result::ok) {
                    if shared.over.load(Ordering::SeqCst) {
                        return;
                    }
                    // A client that goes away in the middle is part of some tests.
                    let _ = serve(stream, &shared);
                }
            }
        });
        Self { address, shared, listening: Some(listening) }
    }

    /// The address of a path on this server.
    pub(crate) fn at(&self, path: &str) -> String {
        format!("http://{}/{path}", self.address)
    }

    /// The requests so far.
    pub(crate) fn asked(&self) -> Vec<Asked> {
        self.shared.asked.lock().expect("no test panicked with it").clone()
    }
}

impl Drop for FakeServer {
    fn drop(&mut self) {
        self.shared.over.store(true, Ordering::SeqCst);
        // One more connection wakes the listener.
        let _ = TcpStream::connect(self.address);
        if let Some(listening) = self.listening.take() {
            let _ = listening.join();
        }
    }
}

fn serve(mut stream: TcpStream, shared: &Shared) -> std::io::Result<()> {
    let asked = read_request(&stream)?;
    let number = {
        let mut list = shared.asked.lock().expect("no test panicked with it");
        list.push(asked.clone());
        list.len() - 1
    };
    let answer = (shared.script)(&asked, number);
    let mut head = format!("HTTP/1.1 {} Words\r\nConnection: close\r\n", answer.status);
    if answer.announced {
        head += &format!("Content-Length: {}\r\n", answer.body.len());
    }
    for (name, value) in &answer.headers {
        head += &format!("{name}: {value}\r\n");
    }
    stream.write_all(format!("{head}\r\n").as_bytes())?;
    stream.write_all(&answer.body[..answer.cut_after.unwrap_or(answer.body.len())])
}

fn read_request(stream: &TcpStream) -> std::io::Result<Asked> {
    let mut lines = BufReader::new(stream).lines();
    let first = lines.next().transpose()?.unwrap_or_default();
    let path = first.split(' ').nth(1).unwrap_or_default().trim_start_matches('/').to_owned();
    let mut asked = Asked { path, ..Asked::default() };
    while let Some(line) = lines.next().transpose()?.filter(|line| !line.is_empty()) {
        let (name, value) = line.split_once(':').unwrap_or_default();
        match name.to_lowercase().as_str() {
            "range" => asked.range = Some(value.trim().to_owned()),
            "authorization" => asked.authorization = Some(value.trim().to_owned()),
            "if-range" => asked.if_range = Some(value.trim().to_owned()),
            _ => (),
        }
    }
    Ok(asked)
}
