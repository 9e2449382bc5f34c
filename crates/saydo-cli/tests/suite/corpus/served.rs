//! A model on servers of this machine: good ones, broken ones, and ones that go away.

use super::model_server::{Action, ModelServer};
use super::{QUESTION, Scratch, parse};
use serde_json::{Value, json};
use std::collections::{BTreeMap, HashMap};
use std::net::TcpListener;
use std::sync::atomic::{AtomicBool, AtomicUsize, Ordering};
use std::sync::{Arc, Mutex};

/// A server that says yes.
fn yes() -> ModelServer {
    ModelServer::start(|_| Action::Say("yes".to_owned()))
}

/// The number of the trail that a prompt is about.
fn trail(prompt: &str) -> usize {
    let number = prompt.split("Trail ").nth(1).and_then(|rest| rest.split(' ').next());
    number.and_then(|number| number.parse().ok()).expect("every document is about a trail")
}

#[test]
fn a_served_model_answers_and_is_not_asked_again() {
    let scratch = Scratch::new(12);
    let server = yes();
    let arguments = ["run", QUESTION, "docs.jsonl", "-m", "openai:tiny", "--base-url", &server.url(), "-j", "3"];
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

#[test]
fn among_all_kinds_of_faults_nothing_is_lost_or_doubled_and_only_failures_are_tried_again() {
    let scratch = Scratch::new(27);
    let is_healed = Arc::new(AtomicBool::new(false));
    let (healed, tries) = (Arc::clone(&is_healed), Mutex::new(HashMap::<usize, u32>::new()));
    let server = ModelServer::start(move |prompt| {
        let number = trail(prompt);
        let mut tries = tries.lock().expect("no handler panicked");
        let before = tries.entry(number).or_default();
        *before += 1;
        match (number % 9, *before) {
            _ if healed.load(Ordering::SeqCst) => Action::Say("no".to_owned()),
            (1, 1) => Action::Refuse(429, "slow down"),
            (2, 1) => Action::Refuse(500, "oops"),
            (3, 1) => Action::Close,
            (4, 1) => Action::Hang,
            (5, 1) => Action::Truncate,
            (6, 1) => Action::Body("<html>hello</html>"),
            (7, _) => Action::Refuse(400, "never"),
            (8, _) => Action::Say("perhaps".to_owned()),
            _ => Action::Say("yes".to_owned()),
        }
    });
    let url = server.url();
    let arguments = ["run", QUESTION, "docs.jsonl", "-m", "openai:tiny", "--base-url", &url, "-j", "4"];
    let arguments = [&arguments[..], &["--timeout", "5", "--retry-errors"]].concat();
    let first = scratch.saydo(&arguments);
    assert_eq!(first.code, 1, "{}", first.stderr);
    assert!(first.stderr.contains("27 rows: 21 ok, 0 na, 3 unparsable, 3 failed"), "{}", first.stderr);
    let rows = parse(&first.stdout);
    for (number, row) in rows.iter().enumerate() {
        assert_eq!(row["id"], format!("t{number}"));
        let expected = match number % 9 {
            7 => "failed",
            8 => "unparsable",
            _ => "ok",
        };
        assert_eq!(row["status"], expected, "{row}");
    }
    assert_eq!(rows.len(), 27);
    let mut asked = BTreeMap::<usize, u32>::new();
    server.take_asked().iter().for_each(|prompt| *asked.entry(trail(prompt)).or_default() += 1);
    assert!(asked.iter().all(|(number, times)| *times == 1 + u32::from((1..7).contains(&(number % 9)))), "{asked:?}");

    is_healed.store(true, Ordering::SeqCst);
    let second = scratch.saydo(&arguments);
    assert_eq!(second.code, 0, "{}", second.stderr);
    let mut asked: Vec<usize> = server.take_asked().iter().map(|prompt| trail(prompt)).collect();
    asked.sort_unstable();
    assert_eq!(asked, [7, 8, 16, 17, 25, 26]);
    for (before, after) in rows.iter().zip(parse(&second.stdout)) {
        if before["status"] == "ok" { assert_eq!(*before, after) } else { assert_eq!(after["answer"], "no") }
    }
}

#[test]
fn a_server_that_dies_on_the_way_changes_no_row() {
    let alone = Scratch::new(40);
    let server = yes();
    let run = ["run", QUESTION, "docs.jsonl", "-m", "openai:tiny", "--base-url"];
    let expected = parse(&alone.saydo(&[&run[..], &[&server.url()]].concat()).stdout);
    assert_eq!(expected.len(), 40);

    let scratch = Scratch::new(40);
    let answered = AtomicUsize::new(0);
    let dying = ModelServer::start(move |_| match answered.fetch_add(1, Ordering::SeqCst) < 6 {
        true => Action::Say("yes".to_owned()),
        false => Action::Die,
    });
    let both = format!("{},{}", dying.url(), server.url());
    let arguments = [&run[..], &[&both, "--max-retries", "1"]].concat();
    let outcome = scratch.saydo(&arguments);
    assert_eq!(outcome.code, 0, "{}", outcome.stderr);
    assert_eq!(parse(&outcome.stdout), expected);
    let summary: Value =
        serde_json::from_str(&std::fs::read_to_string(scratch.in_run("summary.json")).unwrap()).unwrap();
    let servers = summary["servers"].as_array().expect("a list of servers");
    assert!(servers.len() == 2 && servers[0]["failed"].as_u64() > Some(0), "{summary}");
    // Servers may come in any order and number the next time: what is known stays known.
    let again = scratch.saydo(&[&run[..], &[&server.url()]].concat());
    assert!(again.stderr.contains("40 answers not computed anew"), "{}", again.stderr);
}

#[test]
fn text_that_the_document_does_not_hold_is_left_out_and_counted() {
    let scratch = Scratch::new(4);
    let server = ModelServer::start(|prompt| match trail(prompt) {
        0 => Action::Say("Unicorns".to_owned()),
        1 => Action::Say("Not stated".to_owned()),
        _ => Action::Say("a leash; Unicorns; Dragons".to_owned()),
    });
    let run = ["run", "What must dogs be on?", "docs.jsonl", "--kind", "spans", "-m", "openai:tiny"];
    let outcome = scratch.saydo(&[&run[..], &["--base-url", &server.url()]].concat());
    let answers: Vec<Value> = parse(&outcome.stdout).into_iter().map(|mut row| row["answer"].take()).collect();
    assert_eq!(answers, [Value::Null, Value::Null, json!(["a leash"]), json!(["a leash"])], "{}", outcome.stderr);
    let said = "5 pieces of replies were left out because their document does not hold them";
    assert!(outcome.stderr.contains(said), "{}", outcome.stderr);
    let summary: Value =
        serde_json::from_str(&std::fs::read_to_string(scratch.in_run("summary.json")).unwrap()).unwrap();
    assert_eq!((&summary["columns"][0]["ungrounded"], &summary["rows"]), (&json!(5), &json!(4)), "{summary}");
}
