//! A model's server on loopback that does what a test says with each request, and remembers what it was asked.

use serde_json::{Value, json};
use std::io::{BufRead as _, BufReader, Read as _, Write as _};
use std::net::{SocketAddr, TcpListener, TcpStream};
use std::sync::atomic::{AtomicBool, Ordering};
use std::sync::{Arc, Mutex};

/// What the server does with a request.
pub enum Action {
    /// A chat reply of this text.
    Say(String),
    /// A status with this message.
    Refuse(u16, &'static str),
    /// A good status with this body.
    Body(&'static str),
    /// Announces a reply, sends half of it and closes the connection.
    Truncate,
    /// Closes the connection without a word.
    Close,
    /// Never answers.
    Hang,
    /// Closes the connection and listens no more.
    Die,
}

type Script = dyn Fn(&str) -> Action + Send + Sync;

/// The server. It ends with the tests.
pub struct ModelServer {
    address: SocketAddr,
    asked: Arc<Mutex<Vec<String>>>,
}

impl ModelServer {
    /// Starts a server that answers each request by `script(what the user said)`. It lists no tokens:
    /// requests for a first token alone are answered plainly, and neither scripted nor remembered.
    pub fn start(script: impl Fn(&str) -> Action + Send + Sync + 'static) -> Self {
        let listener = TcpListener::bind("127.0.0.1:0").expect("loopback has a free port");
        let address = listener.local_addr().expect("a bound listener has an address");
        let asked = Arc::new(Mutex::new(Vec::new()));
        let (remembered, script, is_dead) = (Arc::clone(&asked), Arc::new(script), Arc::new(AtomicBool::new(false)));
        std::thread::spawn(move || {
            for stream in listener.incoming().flatten() {
                if is_dead.load(Ordering::SeqCst) {
                    return;
                }
                let (remembered, script, is_dead) =
                    (Arc::clone(&remembered), Arc::clone(&script), Arc::clone(&is_dead));
                std::thread::spawn(move || {
                    if answer(&stream, &*script, &remembered).is_none() {
                        is_dead.store(true, Ordering::SeqCst);
                        // Wakes the listener, which then ends.
                        let _ = TcpStream::connect(address);
                    }
                });
            }
        });
        Self { address, asked }
    }

    pub fn url(&self) -> String {
        format!("http://{}", self.address)
    }

    /// What the user said in each request so far; those before are forgotten.
    pub fn take_asked(&self) -> Vec<String> {
        std::mem::take(&mut self.asked.lock().expect("no handler panicked"))
    }
}

/// Answers the one request of a connection; none if the server is to end.
fn answer(mut stream: &TcpStream, script: &Script, asked: &Mutex<Vec<String>>) -> Option<()> {
    let Some(body) = read(stream) else { return Some(()) };
    let said = body.pointer("/messages/0/content").and_then(Value::as_str).unwrap_or_default().to_owned();
    let action = match body["max_tokens"] == 1 || said.is_empty() {
        true => Action::Say("yes".to_owned()),
        false => {
            asked.lock().expect("no handler panicked").push(said.clone());
            script(&said)
        }
    };
    let (status, body, sent) = match action {
        Action::Say(text) => {
            let body = json!({"choices": [{"message": {"content": text}, "finish_reason": "stop"}]}).to_string();
            (200, body, usize::MAX)
        }
        Action::Refuse(status, message) => (status, json!({"error": {"message": message}}).to_string(), usize::MAX),
        Action::Body(body) => (200, body.to_owned(), usize::MAX),
        Action::Truncate => (200, json!({"choices": [{"message": {"content": "lost"}}]}).to_string(), 20),
        Action::Close => return Some(()),
        Action::Hang => return stream.read_to_end(&mut Vec::new()).map(|_| ()).ok().or(Some(())),
        Action::Die => return None,
    };
    let head = "content-type: application/json\r\nconnection: close\r\nretry-after: 0\r\n";
    let (length, sent) = (body.len(), sent.min(body.len()));
    let _ = write!(stream, "HTTP/1.1 {status} x\r\n{head}content-length: {length}\r\n\r\n{}", &body[..sent]);
    Some(())
}

/// The body of a request; an empty object if it has none.
fn read(stream: &TcpStream) -> Option<Value> {
    let mut reader = BufReader::new(stream);
    let mut length = 0;
    loop {
        let mut header = String::new();
        reader.read_line(&mut header).ok().filter(|bytes| *bytes > 0)?;
        match header.trim_end().split_once(": ") {
            Some((name, value)) if name.eq_ignore_ascii_case("content-length") => length = value.parse().ok()?,
            None if header.trim_end().is_empty() => break,
            _ => {}
        }
    }
    let mut body = vec![0; length];
    reader.read_exact(&mut body).ok()?;
    Some(serde_json::from_slice(&body).unwrap_or_else(|_| json!({})))
}
