//! The server with its socket, and clients that do not behave.

use crate::{App, Clock, Config, Engine, Limits, LocalOwner, Log, serve};
use saydo::Session;
use saydo_model::ScriptedModel;
use serde_json::json;
use std::io::{Read as _, Write as _};
use std::net::{SocketAddr, TcpStream};
use std::sync::atomic::{AtomicBool, AtomicUsize, Ordering};
use std::sync::{Arc, Condvar, Mutex, mpsc};
use std::thread::JoinHandle;
use std::time::Duration;

/// Long enough that only what is broken takes longer.
const PATIENCE: Duration = Duration::from_secs(20);
/// How long to wait before looking again.
const LOOK: Duration = Duration::from_millis(10);
/// A limit that is soon over.
const SOON: Duration = Duration::from_millis(300);

/// What the model waits for before it says anything.
#[derive(Default)]
struct Gate {
    is_open: Mutex<bool>,
    opened: Condvar,
}

impl Gate {
    fn pass(&self) {
        let is_open = self.is_open.lock().unwrap();
        drop(self.opened.wait_while(is_open, |is_open| !*is_open).unwrap());
    }

    fn open(&self) {
        *self.is_open.lock().unwrap() = true;
        self.opened.notify_all();
    }
}

struct Listening {
    address: SocketAddr,
    gate: Arc<Gate>,
    /// How often the model was asked.
    calls: Arc<AtomicUsize>,
    stop: Arc<AtomicBool>,
    thread: Option<JoinHandle<()>>,
    _folder: tempfile::TempDir,
}

impl Listening {
    fn start(limits: Limits) -> Self {
        let folder = tempfile::tempdir().unwrap();
        let gate = Arc::new(Gate::default());
        let calls = Arc::new(AtomicUsize::new(0));
        let (waiting, asked) = (Arc::clone(&gate), Arc::clone(&calls));
        let model = ScriptedModel::new(move |_| {
            asked.fetch_add(1, Ordering::Relaxed);
            waiting.pass();
            "park".to_owned()
        });
        let session = Session::new(Arc::new(model), "scripted", "scripted");
        let engine = Engine::start(session, limits.queue).unwrap();
        let listen = SocketAddr::from(([127, 0, 0, 1], 0));
        let config = Config { listen, limits, owner: LocalOwner::Anyone, ..Config::new(folder.path().join("data")) };
        let app = App::new(config, vec![engine], Clock::system(), Log::new(|_| ())).unwrap();
        let stop = Arc::new(AtomicBool::new(false));
        let (sender, receiver) = mpsc::channel();
        let told = Arc::clone(&stop);
        let thread = std::thread::spawn(move || serve(app, &told, |address| sender.send(address).unwrap()).unwrap());
        let address = receiver.recv().unwrap();
        Self { address, gate, calls, stop, thread: Some(thread), _folder: folder }
    }

    /// A connection on which this was sent.
    fn connect(&self, text: &str) -> TcpStream {
        let mut stream = TcpStream::connect(self.address).unwrap();
        stream.set_read_timeout(Some(PATIENCE)).unwrap();
        stream.write_all(text.as_bytes()).unwrap();
        stream
    }

    fn get(&self, path: &str) -> String {
        rest(self.connect(&format!("GET {path} HTTP/1.1\r\nhost: localhost\r\nconnection: close\r\n\r\n")))
    }

    /// How often the model was asked.
    fn calls(&self) -> usize {
        self.calls.load(Ordering::Relaxed)
    }

    /// How many requests wait for the model.
    fn waiting(&self) -> u64 {
        self.metric("saydo_queue_requests{model=\"scripted\"}")
    }

    /// How many rows were given.
    fn rows(&self) -> u64 {
        self.metric("saydo_rows_total")
    }

    fn metric(&self, name: &str) -> u64 {
        let metrics = self.get("/metrics");
        let value = metrics.lines().find_map(|line| line.strip_prefix(name)?.strip_prefix(' ')?.parse().ok());
        value.unwrap_or_else(|| panic!("no {name} in {metrics}"))
    }

    /// A connection whose request waits for the model.
    fn complete(&self) -> TcpStream {
        self.post("/v1/completions", "{\"prompt\": \"x\"}")
    }

    /// A connection on which a body was sent.
    fn post(&self, path: &str, body: &str) -> TcpStream {
        let length = body.len();
        self.connect(&format!(
            "POST {path} HTTP/1.1\r\nhost: localhost\r\ncontent-type: application/json\r\ncontent-length: {length}\r\n\r\n{body}"
        ))
    }
}

impl Drop for Listening {
    fn drop(&mut self) {
        self.gate.open();
        self.stop.store(true, Ordering::Relaxed);
        if let Some(thread) = self.thread.take() {
            thread.join().unwrap();
        }
    }
}

/// Waits for something to come true.
fn until(is_true: impl Fn() -> bool) {
    let looks = PATIENCE.as_millis() / LOOK.as_millis();
    assert!(
        (0..looks).any(|_| is_true() || {
            std::thread::sleep(LOOK);
            false
        }),
        "it never comes true"
    );
}

/// What comes until the server closes the connection.
fn rest(mut stream: TcpStream) -> String {
    let mut bytes = Vec::new();
    match stream.read_to_end(&mut bytes) {
        Err(error) if error.kind() != std::io::ErrorKind::ConnectionReset => {
            panic!("the connection stays open: {error}")
        }
        _ => String::from_utf8_lossy(&bytes).into_owned(),
    }
}

#[test]
fn half_sent_requests_keep_nobody_out() {
    let server = Listening::start(Limits { connections: 8, silent_time: Duration::ZERO, ..Limits::default() });
    let _half: Vec<TcpStream> = (0..100).map(|_| server.connect("GET / HTTP/1.1\r\nhost: local")).collect();
    for path in ["/healthz", "/assets/app.css"] {
        let got = server.get(path);
        assert!(got.starts_with("HTTP/1.1 200"), "{path}: {got}");
    }
}

#[test]
fn heads_and_idle_connections_have_their_time() {
    let server = Listening::start(Limits { head_time: SOON, ..Limits::default() });
    rest(server.connect("GET / HTTP/1.1\r\nhost: local"));
    rest(server.connect(""));
    let idle = rest(server.connect("GET /healthz HTTP/1.1\r\nhost: localhost\r\n\r\n"));
    assert!(idle.starts_with("HTTP/1.1 200"), "{idle}");
}

#[test]
fn bodies_have_their_time_and_the_connection_is_closed() {
    let server = Listening::start(Limits { body_time: SOON, ..Limits::default() });
    let got = rest(server.connect(
        "POST /v1/login HTTP/1.1\r\nhost: localhost\r\ncontent-type: application/json\r\ncontent-length: 100\r\n\r\n{",
    ));
    assert!(got.starts_with("HTTP/1.1 408"), "{got}");
}

#[test]
fn what_takes_too_long_is_closed_after_it_was_said() {
    let server = Listening::start(Limits { request_time: SOON, ..Limits::default() });
    let got = rest(server.complete());
    assert!(got.starts_with("HTTP/1.1 504") && got.contains("connection: close"), "{got}");
}

#[test]
fn responses_that_nobody_reads_are_given_up() {
    let server = Listening::start(Limits { stall_time: SOON, rate: 1e6, burst: 1e6, ..Limits::default() });
    let mut stream = server.connect("");
    stream.set_write_timeout(Some(PATIENCE)).unwrap();
    let request = "GET /openapi.json HTTP/1.1\r\nhost: localhost\r\n\r\n";
    // Each is answered with tens of kilobytes, none of which is read: sooner or later nothing is taken any more.
    let sent = (0..100_000).take_while(|_| stream.write_all(request.as_bytes()).is_ok()).count();
    assert!(sent < 100_000, "the server goes on reading");
}

#[test]
fn a_full_server_still_says_how_it_is() {
    let server = Listening::start(Limits { connections: 2, ..Limits::default() });
    let busy = [server.complete(), server.complete()];
    // Both have been taken once the third is told so.
    let refused = std::iter::repeat_with(|| server.get("/assets/app.css")).find(|got| got.starts_with("HTTP/1.1 429"));
    assert!(refused.unwrap().contains("retry-after: 1"));
    let got = server.get("/healthz");
    assert!(got.starts_with("HTTP/1.1 200"), "{got}");
    server.gate.open();
    for mut stream in busy {
        let mut start = [0; 12];
        stream.read_exact(&mut start).unwrap();
        assert_eq!(&start, b"HTTP/1.1 200");
    }
}

#[test]
fn work_that_nobody_waits_for_is_not_done() {
    let server = Listening::start(Limits::default());
    let first = server.complete();
    until(|| server.calls() == 1);
    // The model has the first one in hand; the others wait.
    let others: Vec<TcpStream> = (0..5).map(|_| server.complete()).collect();
    until(|| server.waiting() == 5);
    drop(others);
    until(|| server.waiting() == 0);
    server.gate.open();
    let mut start = [0; 12];
    (&first).read_exact(&mut start).unwrap();
    assert_eq!((&start, server.calls()), (b"HTTP/1.1 200", 1));
}

#[test]
fn texts_of_a_client_that_has_left_are_not_answered() {
    for stream in [false, true] {
        let server = Listening::start(Limits::default());
        let ask =
            |count: usize| json!({"description": "List the places.", "texts": vec!["a park"; count], "stream": stream});
        let leaving = server.post("/v1/run", &ask(40).to_string());
        until(|| server.calls() == 1);
        // The model has all forty in hand and is asked about the first. Of clients that leave one after the other, the
        // last one's going is seen in the queue.
        let last = server.complete();
        until(|| server.waiting() == 1);
        drop(leaving);
        std::thread::sleep(10 * LOOK);
        drop(last);
        until(|| server.waiting() == 0);
        let staying = server.post("/v1/run", &ask(2).to_string());
        until(|| server.waiting() == 1);
        server.gate.open();
        let mut start = [0; 12];
        (&staying).read_exact(&mut start).unwrap();
        assert_eq!(&start, b"HTTP/1.1 200");
        until(|| server.rows() == 2);
        assert_eq!(server.calls(), 1 + 2, "the one text in hand, and two of the client that stays");
    }
}
