//! A model on a server of this machine.

use super::{QUESTION, Scratch, parse};
use serde_json::json;
use std::io::{BufRead as _, BufReader, Read as _, Write as _};
use std::net::{TcpListener, TcpStream};

/// Starts a server that answers every chat with `yes`, and gives its address. It ends with the tests.
fn serve() -> String {
    let listener = TcpListener::bind("127.0.0.1:0").expect("loopback has a free port");
    let address = listener.local_addr().expect("a bound listener has an address");
    std::thread::spawn(move || {
        for stream in listener.incoming().flatten() {
            std::thread::spawn(move || answer(&stream));
        }
    });
    format!("http://{address}")
}

/// Answers the one request of a connection.
fn answer(mut stream: &TcpStream) -> Option<()> {
    let mut reader = BufReader::new(stream);
    let mut length = 0;
    loop {
        let mut header = String::new();
        reader.read_line(&mut header).ok()?;
        match header.trim_end().split_once(": ") {
            Some((name, value)) if name.eq_ignore_ascii_case("content-length") => length = value.parse().ok()?,
            None if header.trim_end().is_empty() => break,
            _ => {}
        }
    }
    reader.read_exact(&mut vec![0; length]).ok()?;
    let body = json!({"choices": [{"message": {"content": "yes"}, "finish_reason": "stop"}]}).to_string();
    let length = body.len();
    let head = "HTTP/1.1 200 OK\r\ncontent-type: application/json\r\nconnection: close\r\n";
    write!(stream, "{head}content-length: {length}\r\n\r\n{body}").ok()
}

#[test]
fn a_served_model_answers_and_is_not_asked_again() {
    let scratch = Scratch::new(12);
    let url = serve();
    let arguments = ["run", QUESTION, "docs.jsonl", "-m", "openai:tiny", "--base-url", &url, "-j", "3"];
    let outcome = scratch.saydo(&arguments);
    assert_eq!(outcome.code, 0, "{}", outcome.stderr);
    let rows = parse(&outcome.stdout);
    assert!(rows.len() == 12 && rows.iter().all(|row| row["answer"] == "yes"), "{rows:?}");
    let again = scratch.saydo(&arguments);
    assert!(again.stderr.contains("12 answers not computed anew"), "{}", again.stderr);
}

#[test]
fn a_server_that_is_not_there_stops_the_run() {
    let scratch = Scratch::new(3);
    let address = TcpListener::bind("127.0.0.1:0").unwrap().local_addr().unwrap();
    let url = format!("http://{address}");
    let arguments = ["run", QUESTION, "docs.jsonl", "-m", "openai:tiny", "--base-url", &url, "--max-retries", "0"];
    let outcome = scratch.saydo(&arguments);
    assert_eq!((outcome.code, outcome.stdout.as_str()), (2, ""), "{}", outcome.stderr);
    assert!(outcome.stderr.contains(&format!("cannot connect to {url}")), "{}", outcome.stderr);
}
