//! A server of files on loopback that can break off, wait in the middle, and do without ranges.

use std::collections::{BTreeMap, BTreeSet};
use std::io::{BufRead, BufReader, Write};
use std::net::{SocketAddr, TcpListener, TcpStream};
use std::sync::{Arc, Condvar, Mutex, MutexGuard};
use std::thread;
use std::time::Duration;

/// What the server has and how it behaves.
#[derive(Default)]
pub struct Behavior {
    pub files: BTreeMap<String, Vec<u8>>,
    /// Paths whose next transfer breaks off in the middle.
    pub breaking: BTreeSet<String>,
    /// Every transfer waits in the middle as long as this is set.
    pub holding: bool,
    pub knows_no_ranges: bool,
    /// The requests so far: the target, and the range if one was asked for.
    pub asked: Vec<String>,
}

type Shared = Arc<(Mutex<Behavior>, Condvar)>;

/// Answers until the tests' process ends.
pub struct Server {
    address: SocketAddr,
    shared: Shared,
}

impl Server {
    pub fn start() -> Self {
        let listener = TcpListener::bind("127.0.0.1:0").expect("loopback has a free port");
        let address = listener.local_addr().expect("a bound listener has an address");
        let shared = Shared::default();
        thread::spawn({
            let shared = Arc::clone(&shared);
            move || {
                for stream in listener.incoming().map_while(Result::ok) {
                    let shared = Arc::clone(&shared);
                    // A client that is killed in the middle is part of some tests.
                    thread::spawn(move || drop(serve(stream, &shared)));
                }
            }
        });
        Self { address, shared }
    }

    /// The address of a path on this server.
    pub fn at(&self, path: &str) -> String {
        format!("http://{}/{path}", self.address)
    }

    /// What the server has and how it behaves, to be changed.
    pub fn behavior(&self) -> MutexGuard<'_, Behavior> {
        self.shared.1.notify_all();
        self.shared.0.lock().expect("no test panicked with it")
    }

    pub fn put(&self, path: &str, body: impl Into<Vec<u8>>) {
        self.behavior().files.insert(path.to_owned(), body.into());
    }

    pub fn asked(&self) -> Vec<String> {
        self.behavior().asked.clone()
    }
}

fn serve(mut stream: TcpStream, (behavior, changed): &(Mutex<Behavior>, Condvar)) -> std::io::Result<()> {
    let (target, range) = read_request(&stream)?;
    // A proxy is asked for whole addresses.
    let path = target.rsplit_once("://").map_or(&*target, |(_, rest)| rest.split_once('/').unwrap_or_default().1);
    let path = path.trim_start_matches('/').to_owned();
    let (head, body, is_breaking) = {
        let mut behavior = behavior.lock().expect("no test panicked with it");
        behavior.asked.push(format!("{target}{}", range.map(|from| format!(" from {from}")).unwrap_or_default()));
        let from = range.filter(|_| !behavior.knows_no_ranges).unwrap_or(0);
        match behavior.files.get(&path) {
            None => ("404 Not Found".to_owned(), b"no such file".to_vec(), false),
            Some(file) => {
                let body = file[from..].to_vec();
                let status = match from {
                    0 => "200 OK".to_owned(),
                    _ => format!("206 Rest\r\nContent-Range: bytes {from}-{}/{}", file.len() - 1, file.len()),
                };
                (format!("{status}\r\nETag: \"1\""), body, behavior.breaking.remove(&path))
            }
        }
    };
    write!(stream, "HTTP/1.1 {head}\r\nContent-Length: {}\r\nConnection: close\r\n\r\n", body.len())?;
    let (first, second) = body.split_at(body.len() / 2);
    stream.write_all(first)?;
    let mut waiting = behavior.lock().expect("no test panicked with it");
    while waiting.holding {
        (waiting, _) = changed.wait_timeout(waiting, Duration::from_millis(20)).expect("no test panicked with it");
    }
    drop(waiting);
    if is_breaking { Ok(()) } else { stream.write_all(second) }
}

/// What is asked for, and from which byte on.
fn read_request(stream: &TcpStream) -> std::io::Result<(String, Option<usize>)> {
    let mut lines = BufReader::new(stream).lines();
    let first = lines.next().transpose()?.unwrap_or_default();
    let target = first.split(' ').nth(1).unwrap_or_default().to_owned();
    let mut range = None;
    while let Some(line) = lines.next().transpose()?.filter(|line| !line.is_empty()) {
        if let Some(value) = line.to_lowercase().strip_prefix("range: bytes=") {
            range = value.trim_end_matches('-').parse().ok();
        }
    }
    Ok((target, range))
}
