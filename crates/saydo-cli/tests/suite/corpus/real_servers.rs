//! Two real servers of one model, one of which is killed on the way. The caller says how a server is started, and in
//! `SAYDO_TEST_MODEL` what it calls its model if that matters.

use super::{QUESTION, Scratch, parse};
use serde_json::Value;
use std::net::{TcpListener, TcpStream};
use std::process::{Child, Command, Stdio};
use std::time::{Duration, Instant};

/// How long a server may take to load its model.
const PATIENCE: Duration = Duration::from_secs(120);

/// A server that ends with its test.
struct Server {
    child: Child,
    url: String,
}

impl Server {
    /// Starts `SAYDO_TEST_SERVER`, in which `{port}` stands for a free port.
    fn start() -> Self {
        let port =
            TcpListener::bind("127.0.0.1:0").and_then(|listener| listener.local_addr()).expect("a free port").port();
        let command = std::env::var("SAYDO_TEST_SERVER").expect("SAYDO_TEST_SERVER is a command with {port} in it");
        let command = command.replace("{port}", &port.to_string());
        let mut words = command.split_whitespace();
        let mut command = Command::new(words.next().expect("the command has a name"));
        let child = command.args(words).stdout(Stdio::null()).stderr(Stdio::null()).spawn().expect("it starts");
        let begun = Instant::now();
        while TcpStream::connect(("127.0.0.1", port)).is_err() {
            assert!(begun.elapsed() < PATIENCE, "nothing listens at {port}");
            std::thread::sleep(Duration::from_millis(200));
        }
        Self { child, url: format!("http://127.0.0.1:{port}") }
    }

    fn kill(&mut self) {
        self.child.kill().expect("it can be killed");
        self.child.wait().expect("it ends");
    }
}

impl Drop for Server {
    fn drop(&mut self) {
        let _ = self.child.kill();
        let _ = self.child.wait();
    }
}

/// Rows without how sure the model is: servers round differently from batch to batch.
fn answers(lines: &str) -> Vec<Value> {
    let mut rows = parse(lines);
    for row in &mut rows {
        row.as_object_mut().expect("a row is an object").remove("confidence");
    }
    rows
}

#[test]
#[ignore = "needs a server: SAYDO_TEST_SERVER='python -m llama_cpp.server --model MODEL.gguf --port {port}' cargo test -p saydo-cli -- --ignored real_servers"]
fn a_real_server_that_is_killed_changes_no_row() {
    let (mut first, second) = (Server::start(), Server::start());
    let model = format!("openai:{}", std::env::var("SAYDO_TEST_MODEL").unwrap_or("any".to_owned()));
    let run = ["run", QUESTION, "docs.jsonl", "-m", &model, "-j", "4", "--max-retries", "2"];
    let alone = Scratch::new(60);
    let outcome = alone.saydo(&[&run[..], &["--base-url", &second.url]].concat());
    let expected = answers(&outcome.stdout);
    assert_eq!(expected.len(), 60, "{}", outcome.stderr);

    let scratch = Scratch::new(60);
    let both = [&run[..], &["--base-url", &first.url, "--base-url", &second.url]].concat();
    let mut command = scratch.command(&both);
    let child = command.stdout(Stdio::piped()).stderr(Stdio::piped()).spawn().expect("it starts");
    let begun = Instant::now();
    let recorded = || {
        std::fs::read_dir(scratch.at("home/runs")).is_ok() && {
            std::fs::read_to_string(scratch.in_run("ledger.jsonl")).is_ok_and(|text| text.lines().count() >= 5)
        }
    };
    while !recorded() && begun.elapsed() < PATIENCE {
        std::thread::sleep(Duration::from_millis(5));
    }
    first.kill();
    let output = child.wait_with_output().expect("it ends");
    let stderr = String::from_utf8_lossy(&output.stderr);
    println!("{stderr}");
    assert_eq!(output.status.code(), Some(0), "{stderr}");
    assert_eq!(answers(&String::from_utf8_lossy(&output.stdout)), expected);
}
