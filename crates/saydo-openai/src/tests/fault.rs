//! Servers that fail: what is tried again, what is not, and what is said in the end.

use super::{chain, chat, generate, impatient, model, model_with};
use crate::Settings;
use crate::fake_server::{Action, FakeServer};
use saydo_model::{Error, Model, Request, Wanted};
use serde_json::json;
use std::collections::HashMap;
use std::net::TcpListener;
use std::sync::atomic::{AtomicUsize, Ordering};
use std::sync::{Arc, Mutex};
use std::time::Duration;

/// Serves these actions in order, then good replies.
fn scripted(actions: Vec<Action>) -> FakeServer {
    let actions = Mutex::new(actions.into_iter());
    FakeServer::start(move |_, _| {
        actions.lock().expect("no handler panicked").next().unwrap_or_else(|| Action::chat("fine"))
    })
}

fn busy(headers: Vec<(&'static str, String)>) -> Action {
    Action::Answer { status: 429, headers, body: json!({"error": {"message": "slow down"}}).to_string() }
}

#[test]
fn waits_as_long_as_the_server_asks() {
    let date = |time: &str| format!("Sun, 06 Nov 1994 {time} GMT");
    let server = scripted(vec![
        busy(vec![("retry-after", "7".to_owned())]),
        busy(vec![("date", date("08:49:30")), ("retry-after", date("08:49:51"))]),
        busy(vec![("retry-after", "86400".to_owned())]),
    ]);
    let (model, pauses) = model_with(&server, |_| {});
    assert_eq!(generate(&model, chat("x")).unwrap().text, "fine");
    assert_eq!(*pauses.lock().unwrap(), [7, 21, 60].map(Duration::from_secs));
}

#[test]
fn passing_faults_are_survived_with_growing_pauses() {
    let whole = json!({"choices": [{"message": {"content": "lost"}}]}).to_string();
    let server = scripted(vec![
        Action::error(500, "oops"),
        Action::error(503, "Loading model"),
        Action::Close,
        Action::Truncate(whole),
        Action::error(408, "too slow"),
    ]);
    let (model, pauses) = model_with(&server, |settings| settings.jitter_seed = 3);
    assert_eq!(generate(&model, chat("x")).unwrap().text, "fine");
    let expected: Vec<Duration> = (0..5).map(|retry| crate::backoff::pause(3, 0, retry, None)).collect();
    assert_eq!(*pauses.lock().unwrap(), expected);
    assert!(server.bodies().windows(2).all(|pair| pair[0] == pair[1]));
}

#[test]
fn gives_up_after_the_retries_and_says_what_happened() {
    let server = FakeServer::start(|_, _| Action::error(500, "the\nGPU  is on fire"));
    let (model, _) = model_with(&server, |settings| settings.max_retries = 3);
    let error = generate(&model, chat("x")).unwrap_err();
    assert_eq!(server.received().len(), 4);
    insta::assert_snapshot!(chain(&error, &server), @"http://SERVER/v1/chat/completions answered with status 500 (4 attempts): the GPU is on fire");
}

#[test]
fn lasting_faults_are_not_tried_again() {
    for status in [400, 403, 404, 422, 501] {
        let server = FakeServer::start(move |_, _| Action::error(status, "no such model"));
        let error = generate(&model(&server), chat("x")).unwrap_err();
        let expected = format!("status {status} (1 attempt): no such model");
        assert!(error.to_string().ends_with(&expected), "{error}");
        assert_eq!(server.received().len(), 1);
    }
    let server = FakeServer::start(|_, _| Action::error(429, "you have insufficient_quota"));
    generate(&model(&server), chat("x")).unwrap_err();
    assert_eq!(server.received().len(), 1);
}

#[test]
fn redirects_are_shown_and_not_followed() {
    let headers = vec![("location", "https://elsewhere/v1".to_owned())];
    let server = scripted(vec![Action::Answer { status: 301, headers, body: String::new() }]);
    let error = generate(&model(&server), chat("x")).unwrap_err();
    insta::assert_snapshot!(chain(&error, &server), @"http://SERVER/v1/chat/completions answered with status 301 (1 attempt): redirects are not followed; this one leads to https://elsewhere/v1");
}

#[test]
fn a_silent_server_is_left_and_asked_again() {
    let server = scripted(vec![Action::Hang]);
    let (model, pauses) = model_with(&server, |settings| settings.timeout_ms = 400);
    assert_eq!(generate(&model, chat("x")).unwrap().text, "fine");
    assert!(!pauses.lock().unwrap().is_empty());
}

#[test]
fn a_server_that_stays_silent_is_given_up() {
    let server = FakeServer::start(|_, _| Action::Hang);
    let (model, _) = model_with(&server, |settings| (settings.timeout_ms, settings.max_retries) = (50, 1));
    let error = generate(&model, chat("x")).unwrap_err();
    insta::assert_snapshot!(chain(&error, &server), @"http://SERVER/v1/chat/completions did not answer within 50 ms (2 attempts)");
}

#[test]
fn an_unusable_answer_is_asked_for_once_more() {
    let html = || Action::Answer { status: 200, headers: Vec::new(), body: "<html>hello</html>".to_owned() };
    let server = scripted(vec![html()]);
    assert_eq!(generate(&model(&server), chat("x")).unwrap().text, "fine");

    let server = FakeServer::start(move |_, _| html());
    let error = generate(&model(&server), chat("x")).unwrap_err();
    assert_eq!(server.received().len(), 2);
    insta::assert_snapshot!(chain(&error, &server), @"the answer of http://SERVER/v1/chat/completions lacks valid JSON (2 attempts): <html>hello</html>");

    let server = FakeServer::start(|_, _| Action::ok(json!({"error": {"message": "upstream is down"}})));
    let error = generate(&model(&server), chat("x")).unwrap_err();
    insta::assert_snapshot!(chain(&error, &server), @"the answer of http://SERVER/v1/chat/completions lacks choices[0] (2 attempts): upstream is down");
}

#[test]
fn a_withheld_reply_is_an_error() {
    let choice = json!({"message": {"content": ""}, "finish_reason": "content_filter"});
    let server = FakeServer::start(move |_, _| Action::ok(json!({"choices": [choice]})));
    let error = generate(&model(&server), chat("x")).unwrap_err();
    assert_eq!(server.received().len(), 1);
    insta::assert_snapshot!(error, @r#"the server withheld its reply, giving "content_filter" as the reason"#);
}

#[test]
fn a_call_fails_as_a_whole_if_nothing_listens_and_still_answers_what_it_took() {
    let address = TcpListener::bind("127.0.0.1:0").unwrap().local_addr().unwrap();
    let mut settings = Settings::new(format!("http://{address}"), "tiny");
    (settings.max_connections, settings.max_retries) = (3, 2);
    let (model, pauses) = impatient(settings);
    let mut taken = 0;
    let mut requests = std::iter::from_fn(|| {
        taken += 1;
        (taken <= 100).then(|| chat("x"))
    });
    let mut answered = Vec::new();
    let error = model.generate_each(&mut requests, &mut |index, result| answered.push((index, result.is_err())));
    answered.sort_unstable();
    assert_eq!(answered, [(0, true), (1, true), (2, true)]);
    assert_eq!((taken, pauses.lock().unwrap().len()), (3, 6));
    let error = error.unwrap_err().to_string().replace(&address.to_string(), "SERVER");
    insta::assert_snapshot!(error, @"cannot connect to http://SERVER/v1/chat/completions (3 attempts); start a server there, for example with `llama-server -m MODEL.gguf --port 8080` or `ollama serve`, or correct the base URL");
}

#[test]
fn nothing_is_lost_or_doubled_among_random_faults() {
    // Each request's fate is drawn from its number; most fail a few times, some for good.
    let tries: Mutex<HashMap<String, u32>> = Mutex::default();
    let server = FakeServer::start(move |received, _| {
        let text = received.body["messages"][0]["content"].as_str().expect("chat requests only").to_owned();
        let number: u32 = text.parse().expect("requests are numbers");
        let mut tries = tries.lock().expect("no handler panicked");
        let before = tries.entry(text.clone()).or_default();
        *before += 1;
        if number % 10 == 9 {
            return Action::error(400, "never");
        }
        if *before > number % 4 {
            return Action::chat(&text);
        }
        match (number / 4 + *before) % 5 {
            0 => Action::error(500, "oops"),
            1 => busy(vec![("retry-after", "1".to_owned())]),
            2 => Action::Close,
            3 => Action::Truncate(json!({"choices": [{"message": {"content": "half"}}]}).to_string()),
            _ => Action::error(502, "bad gateway"),
        }
    });
    let (model, _) = model_with(&server, |settings| settings.max_connections = 6);
    // The iterator has nothing for the moment every third time it is asked.
    let (mut asked, mut next) = (0, 0);
    let mut requests = std::iter::from_fn(|| {
        asked += 1;
        (asked % 3 != 0 && next < 200).then(|| {
            next += 1;
            chat(&(next - 1).to_string())
        })
    });
    let mut answers: HashMap<usize, Vec<Result<String, String>>> = HashMap::new();
    let mut done = |index, result: Result<saydo_model::Reply, saydo_model::Error>| {
        let answer = result.map(|reply| reply.text).map_err(|error| error.to_string());
        answers.entry(index).or_default().push(answer);
    };
    model.generate_each(&mut requests, &mut done).unwrap();
    assert_eq!(answers.len(), 200);
    for (index, answers) in answers {
        assert_eq!(answers.len(), 1);
        match &answers[0] {
            Ok(text) => assert_eq!(*text, index.to_string()),
            Err(error) => assert!(index % 10 == 9 && error.ends_with("never"), "{index}: {error}"),
        }
    }
    assert!(server.peak() <= 6, "{} at once", server.peak());
}

#[test]
fn a_request_that_nobody_waits_for_is_given_up() {
    let server = FakeServer::start(|_, _| Action::Hang);
    for (times, sent) in [(0, 0), (2, 1)] {
        let left = Arc::new(AtomicUsize::new(times));
        let wanted =
            move || left.fetch_update(Ordering::Relaxed, Ordering::Relaxed, |left| left.checked_sub(1)).is_ok();
        let request = Request { wanted: Some(Wanted::new(wanted)), ..chat("Name one.") };
        assert!(matches!(generate(&model(&server), request), Err(Error::Unwanted)));
        assert_eq!(server.received().len(), sent);
    }
}
