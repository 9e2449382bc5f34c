//! The server as a process: what it promises when it is killed, and how it starts.

mod client;
mod collection;
mod disk;

use client::{Client, Server};
use serde_json::{Value, json};
use std::collections::BTreeSet;
use std::sync::Mutex;
use std::sync::atomic::{AtomicUsize, Ordering};
use std::time::{Duration, Instant};

/// How often the server is killed.
const KILLS: usize = 20;
/// Answers that are acknowledged before each kill.
const ANSWERS_PER_KILL: usize = 15;

/// A project with so many items to answer once each, and people who can.
fn project(server: &Server, items: usize, people: usize) -> (String, Vec<Client>) {
    let owner = server.client();
    let settings = json!({"domains": ["d"], "annotators": 1, "passages": 20, "entity_share": 1.0});
    let made = owner.post("/v1/projects", &json!({"name": "P", "kind": "zest", "settings": settings}));
    let project = format!("/v1/projects/{}", made.json()["id"]);
    let document = |n: usize| json!({"entity": format!("e{n}"), "text": format!("Dogs may walk trail {n} here.")});
    let documents: Vec<Value> = (0..20).map(document).collect();
    owner.post(&format!("{project}/documents"), &json!({"documents": documents}));
    for number in 0..items / 20 {
        let text = format!("Are dogs allowed on trail {number} of these?");
        owner.post(&format!("{project}/questions"), &json!({"domain": "d", "text": text}));
    }
    let found = owner.post(&format!("{project}/passages"), &json!({})).json();
    assert_eq!(found["passages"], items, "{found}");
    let names: Vec<String> = (0..people).map(|n| format!("person {n}")).collect();
    let links = owner.post(&format!("{project}/annotators"), &json!({"names": names})).json();
    let join = |one: &Value| server.join(one["path"].as_str().expect("a link has a path"));
    let clients = links["annotators"].as_array().expect("annotators are listed").iter().map(join).collect();
    (project, clients)
}

#[test]
fn what_was_acknowledged_is_there_after_every_kill_and_no_item_has_two_holders() {
    let folder = tempfile::tempdir().unwrap();
    let mut server = Server::start(folder.path());
    let (project, people) = project(&server, 600, 8);
    let kept: Mutex<BTreeSet<i64>> = Mutex::default();
    for kill in 0..KILLS {
        let count = AtomicUsize::new(0);
        std::thread::scope(|scope| {
            for person in &people {
                let (person, count, kept) = (person.at(&server), &count, &kept);
                // Each works until the server is gone.
                scope.spawn(move || {
                    while let Some(next) = person.try_post("/v1/work/next", &json!({})) {
                        let Some(id) = next.json()["item"]["id"].as_i64() else { break };
                        let answer = json!({"value": {"is": "yes"}});
                        let Some(got) = person.try_post(&format!("/v1/work/{id}"), &answer) else { break };
                        // 409: it was kept, but the server died before it could say so.
                        assert!([200, 409].contains(&got.status), "{}", got.text);
                        if got.status == 200 {
                            assert!(kept.lock().unwrap().insert(id), "item {id} was answered twice");
                            count.fetch_add(1, Ordering::Relaxed);
                        }
                    }
                });
            }
            while count.load(Ordering::Relaxed) < ANSWERS_PER_KILL {
                std::thread::yield_now();
            }
            server.kill();
        });
        server = Server::start(folder.path());
        let stored = server.answered_items();
        let kept = kept.lock().unwrap();
        let lost: Vec<&i64> = kept.iter().filter(|id| !stored.contains(id)).collect();
        assert!(lost.is_empty(), "kill {kill}: {} acknowledged answers are gone: {lost:?}", lost.len());
    }
    assert!(kept.lock().unwrap().len() >= KILLS * ANSWERS_PER_KILL);
    let state = server.client().get(&project).json();
    assert_eq!(state["steps"][0]["answers"].as_u64(), Some(server.answered_items().len() as u64));
}

/// The figures of docs/performance.md: fifty annotators who answer at once, then 200 requests to the API at once.
#[test]
#[ignore = "measures: cargo test --release -p saydo-cli --test suite -- --ignored --nocapture fifty_annotators"]
fn fifty_annotators_and_two_hundred_requests_at_once() {
    let folder = tempfile::tempdir().unwrap();
    let server = Server::start_with(folder.path(), &["--model", "scripted", "--queue", "64"]);
    let (project, people) = project(&server, 1000, 50);
    let times: Mutex<Vec<(u16, Duration)>> = Mutex::default();
    let timed = |person: &Client, path: &str, body: &Value| {
        let begun = Instant::now();
        let got = person.post(path, body);
        times.lock().unwrap().push((got.status, begun.elapsed()));
        got
    };
    std::thread::scope(|scope| {
        for person in &people {
            scope.spawn(|| {
                while let Some(id) = timed(person, "/v1/work/next", &json!({})).json()["item"]["id"].as_i64() {
                    timed(person, &format!("/v1/work/{id}"), &json!({"value": {"is": "yes"}}));
                }
            });
        }
    });
    report("50 annotators", &std::mem::take(&mut *times.lock().unwrap()), &[200]);
    assert_eq!(server.client().get(&project).json()["steps"][0]["answers"], 1000);
    let owner = server.client();
    std::thread::scope(|scope| {
        for number in 0..200 {
            let (timed, owner) = (&timed, &owner);
            scope.spawn(move || {
                let ask = json!({"description": "Are dogs allowed?", "texts": [format!("Text {number}.")]});
                timed(owner, "/v1/run", &ask)
            });
        }
    });
    report("200 requests to /v1/run", &std::mem::take(&mut *times.lock().unwrap()), &[200, 429]);
    for _ in 0..500 {
        let begun = Instant::now();
        let status = owner.get("/").status;
        times.lock().unwrap().push((status, begun.elapsed()));
    }
    report("the playground's page", &times.lock().unwrap(), &[200]);
}

/// Prints how long requests took and what came of them; fails on any other status than those expected.
fn report(name: &str, times: &[(u16, Duration)], expected: &[u16]) {
    let mut all: Vec<Duration> = times.iter().map(|(_, time)| *time).collect();
    all.sort_unstable();
    let at = |share: f64| all[((all.len() - 1) as f64 * share) as usize].as_secs_f64() * 1e3;
    let refused = times.iter().filter(|(status, _)| *status == 429).count();
    println!("{name}: {} requests, {refused} refused, p50 {:.1} ms, p99 {:.1} ms", all.len(), at(0.5), at(0.99));
    assert!(times.iter().all(|(status, _)| expected.contains(status)));
}

#[test]
fn it_stops_when_told_to() {
    let folder = tempfile::tempdir().unwrap();
    let mut server = Server::start(folder.path());
    assert_eq!(server.client().get("/healthz").status, 200);
    assert!(server.stop().success());
}

#[test]
fn other_addresses_need_a_password_first() {
    let folder = tempfile::tempdir().unwrap();
    let output = client::saydo(folder.path(), &["--no-model", "--listen", "0.0.0.0:0"], "");
    assert_eq!(output.status.code(), Some(2));
    let text = String::from_utf8_lossy(&output.stderr);
    assert!(text.contains("can be reached from other machines") && text.contains("--set-password"), "{text}");
    assert_eq!(client::saydo(folder.path(), &["--set-password"], "short\n").status.code(), Some(2));
    assert!(client::saydo(folder.path(), &["--set-password"], "correct horse\n").status.success());
    let server = Server::start(folder.path());
    assert_eq!(server.client().get("/v1/projects").status, 401);
}

/// How many projects a file of the state holds by itself.
fn projects_in(file: &std::path::Path) -> i64 {
    let db = rusqlite::Connection::open(file).expect("the state opens");
    db.query_row("SELECT count(*) FROM project", [], |row| row.get(0)).expect("projects are a table")
}

#[test]
fn a_clean_stop_and_a_backup_each_leave_one_whole_file() {
    let folder = tempfile::tempdir().unwrap();
    let mut server = Server::start(folder.path());
    for name in ["A", "B"] {
        server.client().post("/v1/projects", &json!({"name": name, "kind": "zest"}));
    }
    let copy = folder.path().join("copy.db");
    let backup = || client::saydo(folder.path(), &["--backup", copy.to_str().expect("a plain path")], "");
    let output = backup();
    assert!(output.status.success(), "{}", String::from_utf8_lossy(&output.stderr));
    assert_eq!(projects_in(&copy), 2);
    assert_eq!(backup().status.code(), Some(2), "a backup replaces no file");
    assert!(server.stop().success());
    let alone = folder.path().join("alone.db");
    std::fs::copy(folder.path().join("data/saydo.db"), &alone).unwrap();
    assert_eq!(projects_in(&alone), 2);
}

#[test]
fn a_folder_has_one_server_at_a_time() {
    let folder = tempfile::tempdir().unwrap();
    let mut server = Server::start(folder.path());
    let output = client::saydo(folder.path(), &["--no-model", "--listen", "127.0.0.1:0"], "");
    let text = String::from_utf8_lossy(&output.stderr);
    assert_eq!((output.status.code(), text.contains("another server uses the folder")), (Some(2), true), "{text}");
    server.kill();
    assert_eq!(Server::start(folder.path()).client().get("/healthz").status, 200);
}

#[test]
fn only_who_has_the_token_is_the_owner() {
    let folder = tempfile::tempdir().unwrap();
    let server = Server::start(folder.path());
    assert_eq!((server.client().get("/v1/projects").status, server.stranger().get("/v1/projects").status), (200, 401));
    // A new password counts at once, on a server that is running.
    assert!(client::saydo(folder.path(), &["--set-password"], "correct horse\n").status.success());
    assert_eq!(server.client().get("/v1/projects").status, 401);
    drop(server);
    let folder = tempfile::tempdir().unwrap();
    let file = folder.path().join("token");
    let more = ["--no-model", "--token-file", file.to_str().expect("a plain path")];
    let token = |server: Server| {
        let token = std::fs::read_to_string(&file).expect("the file was made").trim().to_owned();
        assert_eq!(server.client().with_token(&token).get("/v1/projects").status, 200);
        token
    };
    let first = token(Server::start_with(folder.path(), &more));
    assert_eq!(token(Server::start_with(folder.path(), &more)), first);
    let open = Server::start_with(folder.path(), &["--no-model", "--no-token"]);
    assert_eq!(open.stranger().get("/v1/projects").status, 200);
}

#[test]
fn https_needs_a_password() {
    let folder = tempfile::tempdir().unwrap();
    let output = client::saydo(folder.path(), &["--no-model", "--https", "--listen", "127.0.0.1:0"], "");
    let text = String::from_utf8_lossy(&output.stderr);
    assert_eq!((output.status.code(), text.contains("--set-password")), (Some(2), true), "{text}");
}
