//! Keys: sent when given, asked for when missing, never seen.

use super::{chain, chat, generate, impatient, model_with};
use crate::fake_server::{Action, FakeServer};
use crate::{OpenAiModel, Secret, Settings};
use saydo_model::Model;
use serde_json::json;

const KEY: &str = "sk-very-secret";

#[test]
fn a_key_is_sent_as_a_bearer_token() {
    let server = FakeServer::start(|_, _| Action::chat("fine"));
    let (model, _) = model_with(&server, |settings| settings.api_key = Some(Secret::new(KEY)));
    generate(&model, chat("x")).unwrap();
    assert_eq!(server.received()[0].authorization.as_deref(), Some("Bearer sk-very-secret"));
    assert!(model.notes().is_empty());
}

#[test]
fn a_missing_or_wrong_key_fails_the_call_and_says_what_to_set() {
    let server =
        FakeServer::start(|received, _| Action::error(401, &format!("bad credentials: {:?}", received.authorization)));
    let mut seen = Vec::new();
    for key in [None, Some(Secret::new(KEY))] {
        let (model, _) = model_with(&server, |settings| (settings.api_key, settings.max_connections) = (key, 1));
        let mut answered = 0;
        let mut requests = std::iter::repeat_with(|| chat("x")).take(5);
        let error = model.generate_each(&mut requests, &mut |_, _| answered += 1).unwrap_err();
        assert_eq!(answered, 1);
        seen.push(chain(&error, &server));
    }
    insta::assert_snapshot!(seen.join("\n"), @r#"
    http://SERVER/v1/chat/completions refused the request (status 401: bad credentials: None); set OPENAI_API_KEY to your key
    http://SERVER/v1/chat/completions refused the request (status 401: bad credentials: Some("Bearer ***")); check the key in OPENAI_API_KEY
    "#);
}

#[test]
fn secrets_are_in_no_error_and_no_debug_output() {
    // Servers in front of others like to repeat the header, in which the password stands as base64.
    let everything =
        "sk-very-secret user-1 pass-word-1 query-1 Basic dXNlci0xOnBhc3Mtd29yZC0x dXNlci0xOnBhc3Mtd29yZC0x=";
    let broken = json!({"choices": [{"text": everything}]}).to_string();
    let server = FakeServer::start(move |received, before| {
        assert!(received.line.ends_with("/v1/chat/completions?token=query-1"));
        match before % 6 {
            0 => Action::error(400, everything),
            1 => Action::error(401, everything),
            2 => Action::status(404, json!({"detail": [everything]})),
            3 => Action::Answer { status: 200, headers: Vec::new(), body: broken.clone() },
            4 => Action::Truncate(broken.clone()),
            _ => Action::Close,
        }
    });
    let url = server.url().replace("http://", "http://user-1:pass-word-1@") + "/v1?token=query-1";
    let mut settings = Settings::new(url, "tiny");
    settings.api_key = Some(Secret::new(KEY));
    (settings.max_retries, settings.max_connections) = (0, 1);
    let (model, _) = impatient(settings);
    let mut seen = format!("{model:?} {model:#?} {:?}", model.notes());
    let mut errors = 0;
    let mut done = |_, result: Result<saydo_model::Reply, saydo_model::Error>| {
        let error = result.unwrap_err();
        errors += 1;
        seen += &format!("{error} {error:?} {error:#?} {}", chain(&error, &server));
    };
    model.generate_each(&mut std::iter::repeat_with(|| chat("x")).take(6), &mut done).unwrap();
    assert_eq!(errors, 6);
    for secret in [KEY, "pass-word-1", "query-1", "dXNlci0xOnBhc3Mtd29yZC0x"] {
        assert!(!seen.contains(secret), "{secret} in {seen}");
    }
}

#[test]
fn settings_that_cannot_be_sent_are_refused_without_being_shown() {
    let refusal = |change: fn(&mut Settings)| {
        let mut settings = Settings::new("http://127.0.0.1:1", "tiny");
        change(&mut settings);
        OpenAiModel::new(settings).err().unwrap().to_string()
    };
    insta::assert_snapshot!(refusal(|settings| settings.api_key = Some(Secret::new("line\nbreak"))), @"the key holds a character that cannot be sent in a header; expected visible ASCII without line breaks");
    insta::assert_snapshot!(refusal(|settings| settings.proxy = Some(Secret::new("not a proxy"))), @"cannot use the proxy, which is not shown because it may hold a password; expected a URL");
    insta::assert_snapshot!(refusal(|settings| settings.max_connections = 0), @"max_connections is 0, expected at least 1");
    insta::assert_snapshot!(refusal(|settings| settings.timeout_ms = 0), @"timeout_ms is 0, expected at least 1");
}

#[test]
fn a_key_that_others_can_read_on_its_way_is_noted() {
    let mut settings = Settings::new("http://user:pw@models.example", "tiny");
    settings.api_key = Some(Secret::new(KEY));
    let notes = OpenAiModel::new(settings).unwrap().notes();
    assert_eq!(notes, ["the key goes to http://models.example/v1 unencrypted; use https there"]);
}
