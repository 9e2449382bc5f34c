//! A model on several servers: where requests go when one is slow, broken or gone.

use super::{chat, generate, impatient};
use crate::fake_server::{Action, FakeServer};
use crate::{OpenAiModel, Settings};
use saydo_model::Model;
use std::collections::HashMap;
use std::net::TcpListener;
use std::sync::atomic::{AtomicUsize, Ordering};
use std::sync::{Arc, Mutex};
use std::time::Duration;

type Pauses = Arc<Mutex<Vec<Duration>>>;

fn model_on(urls: &[String], change: impl FnOnce(&mut Settings)) -> (OpenAiModel, Pauses) {
    let mut settings = Settings::new(&urls[0], "tiny");
    settings.other_urls = urls[1..].to_vec();
    change(&mut settings);
    impatient(settings)
}

/// An address where nothing listens.
fn nowhere() -> String {
    let address = TcpListener::bind("127.0.0.1:0").expect("loopback has a free port").local_addr();
    format!("http://{}", address.expect("a bound listener has an address"))
}

/// How often each of these requests is answered with its own text.
fn answers(model: &OpenAiModel, count: usize) -> HashMap<usize, usize> {
    let mut answers = HashMap::new();
    let mut requests = (0..count).map(|number| chat(&number.to_string()));
    let mut done = |index: usize, result: Result<saydo_model::Reply, saydo_model::Error>| {
        assert_eq!(result.expect("every request is answered").text, index.to_string());
        *answers.entry(index).or_default() += 1;
    };
    model.generate_each(&mut requests, &mut done).expect("some server can be reached");
    answers
}

fn repeat(received: &crate::fake_server::Received) -> Action {
    Action::chat(received.body["messages"][0]["content"].as_str().unwrap_or_default())
}

#[test]
fn requests_are_spread_and_an_absent_server_costs_one_attempt_and_no_pause() {
    let servers =
        [FakeServer::start(|received, _| repeat(received)), FakeServer::start(|received, _| repeat(received))];
    let (model, pauses) = model_on(&[servers[0].url(), nowhere(), servers[1].url()], |settings| {
        settings.max_connections = 2;
        settings.max_retries = 0;
    });
    let answered = answers(&model, 60);
    assert!(answered.len() == 60 && answered.values().all(|times| *times == 1));
    let tallies = model.tallies();
    assert_eq!(tallies.iter().map(|tally| tally.answered).sum::<u64>(), 60);
    assert!(tallies[0].answered > 0 && tallies[2].answered > 0, "{tallies:?}");
    assert!(tallies[1].answered == 0 && tallies[1].set_aside >= 1, "{tallies:?}");
    assert!(pauses.lock().unwrap().is_empty());
    assert!(servers.iter().all(|server| server.peak() <= 2));
}

#[test]
fn what_failed_on_one_server_is_tried_on_another_before_there_is_a_pause() {
    let broken: [fn() -> Action; 4] = [
        || Action::error(500, "oops"),
        || Action::error(429, "slow down"),
        || Action::Close,
        || Action::error(401, "no such key"),
    ];
    for broken in broken {
        let bad = FakeServer::start(move |_, _| broken());
        let good = FakeServer::start(|received, _| repeat(received));
        let (model, pauses) = model_on(&[bad.url(), good.url()], |settings| settings.max_retries = 0);
        assert_eq!(generate(&model, chat("x")).unwrap().text, "x");
        let chats = |server: &FakeServer| server.received().iter().filter(|one| one.line.starts_with("POST")).count();
        assert_eq!((chats(&bad), chats(&good)), (1, 1));
        assert!(pauses.lock().unwrap().is_empty());
    }
}

#[test]
fn a_server_that_keeps_failing_is_set_aside_and_comes_back() {
    // The first three chats fail; then it is well, and its list of models can be had.
    let chats = AtomicUsize::new(0);
    let ill = FakeServer::start(move |received, _| match received.line.as_str() {
        "GET /v1/models" if chats.load(Ordering::SeqCst) < 3 => Action::error(503, "Loading model"),
        "GET /v1/models" => Action::ok(serde_json::json!({"data": []})),
        _ if chats.fetch_add(1, Ordering::SeqCst) < 3 => Action::error(500, "oops"),
        _ => repeat(received),
    });
    let well = FakeServer::start(|received, _| repeat(received));
    let (model, _) = model_on(&[ill.url(), well.url()], |settings| settings.max_connections = 1);
    let answered = answers(&model, 200);
    assert!(answered.len() == 200 && answered.values().all(|times| *times == 1));
    let tallies = model.tallies();
    assert_eq!((tallies[0].failed, tallies[0].set_aside), (3, 1), "{tallies:?}");
    assert!(tallies[0].answered > 0 && ill.received().iter().any(|received| received.line == "GET /v1/models"));
}

#[test]
fn only_when_no_server_can_be_reached_does_a_call_fail() {
    let (model, pauses) = model_on(&[nowhere(), nowhere()], |settings| settings.max_retries = 2);
    let error = model.generate(vec![chat("x")]).unwrap_err().to_string();
    assert!(error.starts_with("cannot connect to http://127.0.0.1:"), "{error}");
    assert_eq!(pauses.lock().unwrap().len(), 2);

    let ill = FakeServer::start(|_, _| Action::error(500, "oops"));
    let (model, _) = model_on(&[ill.url(), nowhere()], |settings| settings.max_retries = 1);
    let error = generate(&model, chat("x")).unwrap_err().to_string();
    assert!(error.contains("answered with status 500") && error.ends_with("oops"), "{error}");
}

#[test]
fn what_one_server_cannot_do_is_still_asked_of_the_other() {
    let plain = FakeServer::start(|received, _| match received.body.get("logprobs") {
        Some(_) => Action::error(400, "logprobs is not supported"),
        None => repeat(received),
    });
    let able = FakeServer::start(|received, _| repeat(received));
    let (model, _) = model_on(&[plain.url(), able.url()], |settings| settings.max_connections = 1);
    assert_eq!(answers(&model, 20).len(), 20);
    assert!(able.bodies().iter().all(|body| body.get("logprobs").is_some()));
    assert_eq!(model.notes(), [format!("{}/v1 gives no log-probabilities of replies", plain.url())]);
}

#[test]
fn an_overloaded_server_is_given_less() {
    let calls = AtomicUsize::new(0);
    let server = FakeServer::start(move |received, _| match calls.fetch_add(1, Ordering::SeqCst) < 12 {
        true => Action::error(429, "slow down"),
        false => repeat(received),
    });
    let (model, _) = model_on(&[server.url()], |settings| (settings.max_connections, settings.max_retries) = (4, 20));
    let replies = model.generate(vec![chat("0"), chat("1"), chat("2"), chat("3")]).unwrap();
    assert!(replies.iter().all(Result::is_ok));
    assert!(model.tallies()[0].limit < 4, "{:?}", model.tallies());
    assert_eq!(model.tallies()[0].set_aside, 0);
}
