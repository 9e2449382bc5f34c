//! A server process, and a client that speaks just enough HTTP to it.

use serde_json::{Value, json};
use std::collections::BTreeSet;
use std::io::{BufRead as _, BufReader, Read as _, Write as _};
use std::net::TcpStream;
use std::path::{Path, PathBuf};
use std::process::{Child, Command, ExitStatus, Output, Stdio};

/// A running server.
pub(super) struct Server {
    child: Child,
    address: String,
    token: String,
    data: PathBuf,
}

/// Somebody who asks, with or without a session.
#[derive(Clone)]
pub(super) struct Client {
    address: String,
    token: String,
    cookie: String,
    csrf: String,
}

/// What came back.
pub(super) struct Got {
    pub(super) status: u16,
    pub(super) head: String,
    pub(super) text: String,
}

impl Got {
    pub(super) fn json(&self) -> Value {
        serde_json::from_str(&self.text).unwrap_or_else(|error| panic!("{error}: {}", self.text))
    }
}

fn command(folder: &Path, more: &[&str]) -> Command {
    let mut command = Command::new(env!("CARGO_BIN_EXE_saydo"));
    command.args(["serve", "--quiet", "--data"]).arg(folder.join("data")).args(more);
    command.env("SAYDO_HOME", folder.join("home")).env_remove("SAYDO_TOKEN");
    command
}

/// Runs `saydo serve` to its end, with this on standard input.
pub(super) fn saydo(folder: &Path, more: &[&str], input: &str) -> Output {
    let mut command = command(folder, more);
    let piped = command.stdin(Stdio::piped()).stdout(Stdio::piped()).stderr(Stdio::piped());
    let mut child = piped.spawn().expect("the binary starts");
    child.stdin.take().expect("standard input is piped").write_all(input.as_bytes()).expect("it takes input");
    child.wait_with_output().expect("it ends")
}

impl Server {
    /// Starts a server on a free port and waits until it takes requests.
    pub(super) fn start(folder: &Path) -> Self {
        Self::start_with(folder, &["--no-model"])
    }

    /// The same with further arguments.
    pub(super) fn start_with(folder: &Path, more: &[&str]) -> Self {
        let mut command = command(folder, &[&["--listen", "127.0.0.1:0"], more].concat());
        let mut child = command.stderr(Stdio::piped()).spawn().expect("the binary starts");
        let mut lines = BufReader::new(child.stderr.take().expect("stderr is piped")).lines();
        let first = lines.next().expect("it says where it serves").expect("in text");
        let link = first.strip_prefix("serving on http://").unwrap_or_else(|| panic!("{first}"));
        let (address, token) = link.split_once("/?token=").unwrap_or((link, ""));
        let (address, token) = (address.to_owned(), token.to_owned());
        // What it says later must be read, or it would wait for a reader.
        std::thread::spawn(move || lines.for_each(drop));
        Self { child, address, token, data: folder.join("data") }
    }

    /// Kills it as the system would: no handler runs.
    pub(super) fn kill(&mut self) {
        self.child.kill().expect("it can be killed");
        self.child.wait().expect("it is gone");
    }

    /// Asks it to stop and waits.
    pub(super) fn stop(&mut self) -> ExitStatus {
        let done = Command::new("kill").args(["-TERM", &self.child.id().to_string()]).status();
        assert!(done.expect("kill runs").success());
        self.child.wait().expect("it ends")
    }

    /// The owner, as a program: with the token that was printed, if one was.
    pub(super) fn client(&self) -> Client {
        Client { token: self.token.clone(), ..self.stranger() }
    }

    /// Somebody who shows nothing.
    pub(super) fn stranger(&self) -> Client {
        let nothing = String::new;
        Client { address: self.address.clone(), token: nothing(), cookie: nothing(), csrf: nothing() }
    }

    /// Somebody who goes in by a link.
    pub(super) fn join(&self, path: &str) -> Client {
        self.join_at(path, "/work")
    }

    /// Somebody who goes in by a link and whose page is this one.
    pub(super) fn join_at(&self, path: &str, page: &str) -> Client {
        let token = path.rsplit('/').next().expect("a link ends in a token");
        let got = self.stranger().post("/v1/join", &json!({"token": token}));
        let cookie =
            got.head.lines().find_map(|line| line.strip_prefix("set-cookie: ")).expect("a session is a cookie");
        let cookie = cookie.split(';').next().expect("a cookie has a value").to_owned();
        let mut client = Client { cookie, ..self.stranger() };
        let page = client.get(page).text;
        let csrf = page.split("name=\"csrf\" content=\"").nth(1).and_then(|rest| rest.split('"').next());
        client.csrf = csrf.expect("pages carry a token").to_owned();
        client
    }

    /// The items that have an answer, by the state itself.
    pub(super) fn answered_items(&self) -> BTreeSet<i64> {
        let flags = rusqlite::OpenFlags::SQLITE_OPEN_READ_ONLY;
        let db = rusqlite::Connection::open_with_flags(self.data.join("saydo.db"), flags).expect("the state opens");
        let mut statement = db.prepare("SELECT item FROM answer").expect("answers are a table");
        let rows = statement.query_map([], |row| row.get(0)).expect("they can be read");
        let items: Vec<i64> = rows.collect::<Result<_, _>>().expect("each has an item");
        let distinct: BTreeSet<i64> = items.iter().copied().collect();
        assert_eq!(distinct.len(), items.len(), "an item that one person was wanted for has two answers");
        distinct
    }
}

impl Drop for Server {
    fn drop(&mut self) {
        let _ = self.child.kill();
        let _ = self.child.wait();
    }
}

impl Client {
    /// The same person at a server that may have moved.
    pub(super) fn at(&self, server: &Server) -> Self {
        Self { address: server.address.clone(), ..self.clone() }
    }

    /// The same person with a token.
    pub(super) fn with_token(self, token: &str) -> Self {
        Self { token: token.to_owned(), ..self }
    }

    pub(super) fn get(&self, path: &str) -> Got {
        self.send("GET", path, "").unwrap_or_else(|| panic!("no answer to {path}"))
    }

    /// The body of a response that is no text.
    pub(super) fn bytes(&self, path: &str) -> Vec<u8> {
        let mut stream = TcpStream::connect(&self.address).expect("the server is there");
        let (address, token, cookie) = (&self.address, &self.token, &self.cookie);
        let request = format!(
            "GET {path} HTTP/1.1\r\nhost: {address}\r\nauthorization: Bearer {token}\r\ncookie: {cookie}\r\n\
             connection: close\r\n\r\n"
        );
        stream.write_all(request.as_bytes()).expect("it takes a request");
        let mut response = Vec::new();
        stream.read_to_end(&mut response).expect("it answers");
        let at = response.windows(4).position(|four| four == b"\r\n\r\n").expect("a response has a head");
        assert!(response.starts_with(b"HTTP/1.1 200"), "{}", String::from_utf8_lossy(&response));
        response.split_off(at + 4)
    }

    pub(super) fn post(&self, path: &str, body: &Value) -> Got {
        self.try_post(path, body).unwrap_or_else(|| panic!("no answer to {path}"))
    }

    /// None if the server went away before it answered.
    pub(super) fn try_post(&self, path: &str, body: &Value) -> Option<Got> {
        self.send("POST", path, &body.to_string())
    }

    fn send(&self, method: &str, path: &str, body: &str) -> Option<Got> {
        let mut stream = TcpStream::connect(&self.address).ok()?;
        let (address, cookie, csrf, length) = (&self.address, &self.cookie, &self.csrf, body.len());
        let token =
            if self.token.is_empty() { String::new() } else { format!("authorization: Bearer {}\r\n", self.token) };
        let request = format!(
            "{method} {path} HTTP/1.1\r\nhost: {address}\r\n{token}cookie: {cookie}\r\nx-csrf-token: {csrf}\r\n\
             content-type: application/json\r\ncontent-length: {length}\r\nconnection: close\r\n\r\n{body}"
        );
        stream.write_all(request.as_bytes()).ok()?;
        let mut response = String::new();
        stream.read_to_string(&mut response).ok()?;
        let (head, text) = response.split_once("\r\n\r\n")?;
        let length =
            head.lines().find_map(|line| line.strip_prefix("content-length: "))?.trim().parse::<usize>().ok()?;
        // Half an answer is none.
        (text.len() == length).then(|| Got {
            status: head.split(' ').nth(1).and_then(|status| status.parse().ok()).unwrap_or(0),
            head: head.to_owned(),
            text: text.to_owned(),
        })
    }
}
