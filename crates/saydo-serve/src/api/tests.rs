//! The API through the router, with a scripted model.

use crate::testing::Server;
use crate::{App, Clock, Config, Limits, LocalOwner, Log, routes};
use axum::body::Body;
use axum::http::{Method, Request};
use serde_json::json;

#[test]
fn a_description_over_texts_gives_rows() {
    let server = Server::local();
    let got = server.post("/v1/run", json!({"description": "Are dogs allowed?", "texts": ["Dogs may come.", "x"]}));
    assert_eq!(got.status, 200, "{}", got.text);
    let body = got.json();
    assert_eq!((&body["answer"]["kind"], body["rows"].as_array().unwrap().len()), (&json!("yes-no"), 2));
    assert_eq!((&body["rows"][0]["id"], &body["rows"][1]["model"]), (&json!(1), &json!("scripted")));
}

#[test]
fn rows_stream_as_lines() {
    let server = Server::local();
    let ask = json!({"description": "List the places.", "texts": ["a park", "the park"], "stream": true});
    let got = server.post("/v1/run", ask);
    assert_eq!(got.headers["content-type"], "application/x-ndjson");
    let rows: Vec<serde_json::Value> = got.text.lines().map(|line| serde_json::from_str(line).unwrap()).collect();
    assert_eq!(rows.len(), 2, "{}", got.text);
    assert!(rows.iter().all(|row| row["source"] == "request"), "{}", got.text);
}

#[test]
fn a_kept_task_runs_by_its_name() {
    let server = Server::local();
    let file = server.post("/v1/task-file", json!({"title": "Dogs", "definition": "Are dogs allowed?"})).json();
    assert_eq!(file["name"], "dogs");
    let put = server.ask(Method::PUT, "/v1/tasks/dogs", &[], Some(json!({"toml": file["toml"]})));
    assert_eq!(put.status, 200, "{}", put.text);
    assert_eq!(server.post("/v1/run", json!({"task": "dogs", "texts": ["x"]})).status, 200);
    assert_eq!(server.post("/v1/run", json!({"task": "cats", "texts": ["x"]})).status, 404);
    assert_eq!(server.ask(Method::DELETE, "/v1/tasks/dogs", &[], None).status, 200);
    assert_eq!(server.get("/v1/tasks/dogs").status, 404);
}

#[test]
fn what_makes_no_sense_is_refused_with_a_reason() {
    let server = Server::local();
    let cases = [
        (json!({"description": "x", "texts": []}), 400, "0 texts"),
        (json!({"texts": ["x"]}), 400, "either a description, or a task"),
        (json!({"description": " ", "texts": ["x"]}), 400, "the description is empty"),
        (json!({"description": "x", "texts": ["x"], "odd": 1}), 400, "unknown field"),
        (json!({"description": "x", "texts": ["x"], "model": "gpt-9"}), 404, "there is no model \"gpt-9\""),
        (json!({"description": "x", "texts": ["x"], "answer": {"kind": "maybe"}}), 400, "\"maybe\""),
        (json!([]), 400, "does not fit"),
    ];
    for (body, status, reason) in cases {
        let got = server.post("/v1/run", body);
        assert_eq!(got.status, status, "{}", got.text);
        assert!(got.json()["error"]["message"].as_str().unwrap().contains(reason), "{}", got.text);
    }
}

#[test]
fn bodies_of_another_kind_too_large_or_broken_are_refused() {
    let server = Server::with(None, Limits { body_bytes: 1000, ..Limits::default() });
    let raw = |kind: &str, body: Vec<u8>| {
        let request = Request::post("/v1/run").header("host", "localhost").header("content-type", kind);
        server.send(request.body(Body::from(body)).unwrap()).status
    };
    assert_eq!(raw("text/plain", b"{}".to_vec()), 415);
    assert_eq!(raw("application/json", vec![b' '; 1001]), 413);
    assert_eq!(raw("application/json", b"{\"texts\": [\xff]}".to_vec()), 400);
    assert_eq!(raw("application/json", b"[[[[".to_vec()), 400);
    assert_eq!(raw("application/json", b"[".repeat(900)), 400);
}

#[test]
fn whoever_is_not_known_sends_little() {
    let server = Server::with_password("correct horse");
    for path in ["/v1/login", "/v1/join"] {
        let got = server.post(path, json!({"password": "x".repeat(100_000)}));
        assert_eq!(got.status, 413, "{path}: {}", got.text);
    }
}

#[test]
fn the_model_speaks_openais_language() {
    let server = Server::local();
    let messages = json!([{"role": "system", "content": "Be brief."}, {"role": "user", "content": "Where?"}]);
    let got = server.post("/v1/chat/completions", json!({"model": "scripted", "messages": messages, "n": 1})).json();
    assert_eq!(got["choices"][0]["message"]["content"], "park");
    let got = server.post("/v1/chat/completions", json!({"messages": messages, "stream": true}));
    assert!(got.text.ends_with("data: [DONE]\n\n") && got.text.contains("\"content\":\"park\""), "{}", got.text);
    let got = server.post("/v1/completions", json!({"prompt": "We met in the", "stop": "rk"})).json();
    assert_eq!((&got["choices"][0]["text"], &got["choices"][0]["finish_reason"]), (&json!("pa"), &json!("stop")));
    assert_eq!(server.post("/v1/completions", json!({"prompt": "x", "temperature": -1})).status, 400);
    assert_eq!(server.post("/v1/chat/completions", json!({"messages": []})).status, 400);
    assert_eq!(server.get("/v1/models").json()["data"][0]["id"], "scripted");
}

#[test]
fn the_server_says_how_it_is() {
    let server = Server::local();
    assert_eq!(server.get("/healthz").json()["status"], "ok");
    let metrics = server.get("/metrics").text;
    assert!(metrics.contains("saydo_http_requests_total{route=\"GET /healthz\",status=\"200\"} 1"), "{metrics}");
    assert_eq!(server.get("/openapi.json").json()["openapi"], "3.1.0");
    assert_eq!(server.get("/no/such/page").status, 404);
    assert_eq!(server.ask(Method::POST, "/healthz", &[], None).status, 405);
    for path in ["/v1/projects/9223372036854775808", "/v1/projects/x", "/v1/tasks/%ff"] {
        let got = server.get(path);
        assert_eq!((got.status, got.json()["error"]["type"].as_str()), (400, Some("invalid_request_error")), "{path}");
    }
}

#[test]
fn a_state_that_cannot_be_written_is_no_good_health() {
    let server = Server::local();
    assert_eq!(server.get("/healthz").status, 200);
    // The connection that writes refuses to from here on, which is all that a read-only file system would be noticed by.
    let _ = server.app().store().write_now(|db| Ok(db.pragma_update(None, "query_only", true)?));
    assert_eq!(server.get("/healthz").status, 200, "what was found is good for a while");
    server.wait(5);
    let got = server.get("/healthz");
    assert_eq!((got.status, got.text.contains("the state cannot be written")), (503, true), "{}", got.text);
    assert!(!got.text.contains("readonly"), "the reason is for the log: {}", got.text);
}

#[test]
fn a_damaged_state_is_no_good_health() {
    let server = Server::local();
    for number in 0..100 {
        server.post("/v1/tokens", json!({"name": format!("{number:0100}")}));
    }
    assert_eq!(server.get("/healthz").status, 200);
    server.app().store().checkpoint().unwrap();
    let path = server.app().config().data.join("saydo.db");
    let mut bytes = std::fs::read(&path).unwrap();
    bytes[4096..].fill(0xff);
    std::fs::write(&path, bytes).unwrap();
    server.wait(60);
    let got = server.get("/healthz");
    assert_eq!((got.status, got.text.contains("the state")), (503, true), "{}", got.text);
}

#[test]
fn methods_that_a_client_makes_up_are_counted_as_one() {
    let server = Server::with(None, Limits { rate: 0.001, burst: 150.0, ..Limits::default() });
    let ask = |method: &str, path: &str| {
        let request = Request::builder().method(method).uri(path).header("host", "localhost");
        server.send(request.body(Body::empty()).unwrap()).status
    };
    let mut statuses = std::collections::BTreeSet::new();
    for number in 0..100 {
        let method = format!("M{number}{}", "X".repeat(1000));
        statuses.extend([ask(&method, "/healthz"), ask(&method, "/no/such/page")]);
    }
    assert_eq!(statuses.into_iter().collect::<Vec<_>>(), [404, 405, 429]);
    let metrics = server.metrics();
    assert!(metrics.contains("saydo_http_requests_total{route=\"OTHER /healthz\",status=\"405\"} 75"), "{metrics}");
    assert!(!metrics.contains("XXX") && metrics.len() < 10_000, "{} bytes", metrics.len());
}

#[test]
fn every_response_forbids_what_browsers_should_not_do() {
    let server = Server::local();
    for path in ["/", "/healthz", "/assets/app.js", "/nothing", "/runs"] {
        let headers = server.get(path).headers;
        let policy = headers["content-security-policy"].to_str().unwrap();
        assert!(policy.contains("script-src 'self'") && !policy.contains("unsafe"), "{path}: {policy}");
        assert_eq!(
            (headers["x-content-type-options"].as_bytes(), headers["x-frame-options"].as_bytes()),
            (&b"nosniff"[..], &b"DENY"[..]),
            "{path}"
        );
    }
}

#[test]
fn paths_lead_nowhere_but_to_what_is_listed() {
    let server = Server::local();
    std::fs::write(server.folder.path().join("secret.txt"), "secret").unwrap();
    for path in [
        "/assets/..%2f..%2fsecret.txt",
        "/assets/%2e%2e/secret.txt",
        "/runs/..%2fdata",
        "/runs/..%2f..%2fetc%2fpasswd/report",
        "/runs/data",
        "/assets/../../secret.txt",
    ] {
        let got = server.get(path);
        assert_eq!(got.status, 404, "{path}");
        assert!(!got.text.contains("secret.txt") && !got.text.contains("root:"), "{path}");
    }
}

#[test]
fn runs_are_listed_and_shown() {
    let server = Server::local();
    let record = saydo::record::Record::new("a<b>", "f", Vec::new(), 0, json!({"inputs": ["<img src=x>"]}));
    saydo::record::Folder::open(&server.folder.path().join("runs/hikes & more"), &record).unwrap();
    let page = server.get("/runs").text;
    assert!(page.contains("href=\"/runs/hikes%20%26%20more\"") && page.contains("a&lt;b&gt;"), "{page}");
    let page = server.get("/runs/hikes%20%26%20more");
    assert_eq!(page.status, 200);
    assert!(page.text.contains("&lt;img src=x&gt;") && !page.text.contains("<img"), "{}", page.text);
    assert_eq!(server.get("/runs/hikes%20%26%20more/report").status, 400);
    assert_eq!(server.get("/v1/runs").json()["runs"][0]["kind"], "documents");
}

#[test]
fn a_full_queue_answers_429_and_says_when_to_come_back() {
    let server = Server::with(None, Limits { queue: 0, ..Limits::default() });
    let got = server.post("/v1/run", json!({"description": "x", "texts": ["x"]}));
    assert_eq!((got.status, &got.headers["retry-after"]), (429, &"1".parse().unwrap()));
}

#[test]
fn too_many_requests_of_one_address_are_refused() {
    let server = Server::with(None, Limits { rate: 0.001, burst: 3.0, ..Limits::default() });
    let statuses: Vec<u16> = (0..4).map(|_| server.get("/healthz").status).collect();
    assert_eq!(statuses, [200, 200, 200, 429]);
}

#[test]
fn hosts_that_are_not_this_machine_are_refused_without_accounts() {
    let server = Server::local();
    let request = Request::get("/").header("host", "evil.example").body(Body::empty()).unwrap();
    assert_eq!(server.send(request).status, 403);
}

#[test]
fn browsers_must_show_that_our_page_asked() {
    let server = Server::local();
    let body = || Some(json!({"description": "Is it?"}));
    let origin = |origin| server.ask(Method::POST, "/v1/infer", &[("origin", origin)], body()).status;
    assert_eq!((origin("http://evil.example"), origin("null")), (403, 403));
    assert_eq!(origin("http://localhost:8008"), 403, "without the token");
    let page = server.get("/").text;
    let token = page.split("name=\"csrf\" content=\"").nth(1).unwrap().split('"').next().unwrap();
    let headers = [("origin", "http://localhost:8008"), ("x-csrf-token", token)];
    assert_eq!(server.ask(Method::POST, "/v1/infer", &headers, body()).status, 200);
    assert_eq!(server.ask(Method::POST, "/v1/infer", &[], body()).status, 200, "no browser");
}

#[test]
fn the_owner_logs_in_and_out() {
    let server = Server::with_password("correct horse");
    assert_eq!(server.post("/v1/login", json!({"password": "wrong horse"})).status, 403);
    let got = server.post("/v1/login", json!({"password": "correct horse"}));
    let set = got.headers["set-cookie"].to_str().unwrap();
    assert!(set.contains("HttpOnly") && set.contains("SameSite=Lax"), "{set}");
    let cookie = got.cookie();
    let page = server.ask(Method::GET, "/", &[("cookie", &cookie)], None);
    assert_eq!(page.status, 200);
    let token = page.text.split("name=\"csrf\" content=\"").nth(1).unwrap().split('"').next().unwrap().to_owned();
    let infer = |headers: &[(&str, &str)]| {
        server.ask(Method::POST, "/v1/infer", headers, Some(json!({"description": "x"}))).status
    };
    assert_eq!(infer(&[("cookie", &cookie)]), 403, "without the token");
    assert_eq!(infer(&[("cookie", &cookie), ("x-csrf-token", &token)]), 200);
    let made = server.ask(
        Method::POST,
        "/v1/tokens",
        &[("cookie", &cookie), ("x-csrf-token", &token)],
        Some(json!({"name": "ci"})),
    );
    let bearer = format!("Bearer {}", made.json()["token"].as_str().unwrap());
    assert_eq!(infer(&[("authorization", &bearer)]), 200);
    assert_eq!(infer(&[("authorization", "Bearer saydo-0")]), 401);
    server.ask(Method::POST, "/v1/logout", &[("cookie", &cookie), ("x-csrf-token", &token)], None);
    assert_eq!(infer(&[("cookie", &cookie), ("x-csrf-token", &token)]), 401);
    assert_eq!(server.ask(Method::DELETE, "/v1/tokens/1", &[("authorization", &bearer)], None).status, 200);
    assert_eq!(infer(&[("authorization", &bearer)]), 401);
}

#[test]
fn sessions_end_by_themselves() {
    let server = Server::with_password("correct horse");
    let cookie = server.post("/v1/login", json!({"password": "correct horse"})).cookie();
    server.wait(31 * 86_400);
    assert_eq!(server.ask(Method::GET, "/v1/models", &[("cookie", &cookie)], None).status, 401);
}

#[test]
fn guessing_the_password_is_slow_work() {
    let server = Server::with(Some("correct horse"), Limits { shared_logins_per_minute: 2.0, ..Limits::default() });
    let statuses: Vec<u16> = (0..3).map(|_| server.post("/v1/login", json!({"password": "x"})).status).collect();
    assert_eq!(statuses, [403, 403, 429]);
}

/// Why there is no server with these settings.
fn refused(change: impl FnOnce(&mut Config)) -> String {
    let folder = tempfile::tempdir().unwrap();
    let mut config = Config::new(folder.path());
    change(&mut config);
    let app = App::new(config, Vec::new(), Clock::system(), Log::new(|_| ()));
    app.err().map(|error| error.to_string()).unwrap_or_default()
}

#[test]
fn other_addresses_and_proxies_need_a_password() {
    let error = refused(|config| config.listen = "0.0.0.0:0".parse().unwrap());
    assert!(error.starts_with("0.0.0.0:0 can be reached from other machines"), "{error}");
    let error = refused(|config| config.https = true);
    assert!(
        error.starts_with("--https means that a proxy lets others in") && error.contains("--set-password"),
        "{error}"
    );
}

#[test]
fn tokens_that_are_too_short_or_fit_no_link_are_refused() {
    for token in ["", "short", "0123456789abcde", "0123456789abcdef&"] {
        let error = refused(|config| config.owner = LocalOwner::Token(token.to_owned()));
        assert!(error.starts_with("the owner's token has"), "{token:?}: {error}");
    }
    assert_eq!(refused(|config| config.owner = LocalOwner::Token("0123456789-abc_D".to_owned())), "");
}

#[test]
fn behind_a_proxy_a_stranger_locks_nobody_out() {
    let limits = Limits { logins_per_minute: 2.0, shared_logins_per_minute: 4.0, ..Limits::default() };
    let server = Server::with(Some("correct horse"), limits);
    let login = |names: &str, password: &str| {
        let headers: &[(&str, &str)] = if names.is_empty() { &[] } else { &[("x-forwarded-for", names)] };
        server.ask(Method::POST, "/v1/login", headers, Some(json!({"password": password}))).status
    };
    let guesses: Vec<u16> = (0..3).map(|_| login("198.51.100.7", "x")).collect();
    assert_eq!(guesses, [403, 403, 429]);
    assert_eq!(login("203.0.113.9, 198.51.100.7", "correct horse"), 429, "only whom the proxy names counts");
    assert_eq!(login("203.0.113.9", "correct horse"), 200);
    let guesses: Vec<u16> = (0..5).map(|_| login("", "x")).collect();
    assert_eq!(guesses, [403, 403, 403, 403, 429], "who shares an address has more attempts");
}

#[test]
fn a_description_that_is_too_long_is_not_read() {
    let server = Server::local();
    let long = "a:".repeat(500_000);
    let got = server.post("/v1/infer", json!({"description": long}));
    assert_eq!(got.status, 400);
    assert!(got.text.contains("the description has 1000000 characters, expected at most 20000"), "{}", got.text);
    assert_eq!(server.post("/v1/run", json!({"description": long, "texts": ["x"]})).status, 400);
    assert_eq!(server.post("/v1/task-file", json!({"definition": long})).status, 200);
}

#[test]
fn nothing_odd_that_is_sent_is_the_servers_fault() {
    let server =
        Server::with(None, Limits { rate: 1e6, burst: 1e6, shared_logins_per_minute: 1e6, ..Limits::default() });
    server.post("/v1/projects", json!({"name": "P", "kind": "zest"}));
    let texts = ["", "\0", "é\u{202e}", "<script>", "../../etc/passwd", "999999999999999999999999"];
    let odd = || {
        let values = [json!(null), json!([]), json!(-1), json!(1e300), json!(u64::MAX), json!({"a": {}}), json!(true)];
        values.into_iter().chain(texts.iter().map(|text| json!(text)))
    };
    for route in routes().into_iter().filter(|route| route.summary.is_some()) {
        for name in ["1", "0", "-1", "9223372036854775808", "x", "%00", "%2e%2e", "%F0%9F%90%95"] {
            let parts = route.path.split('/').map(|part| if part.starts_with('{') { name } else { part });
            let path = parts.collect::<Vec<_>>().join("/");
            let mut bodies: Vec<Option<serde_json::Value>> = vec![None, Some(json!({})), Some(json!([1]))];
            // Each field of the schema with something that does not belong there.
            let fields = route.body.iter().filter_map(|body| body["properties"].as_object()).flatten();
            let names: Vec<String> = fields.map(|(name, _)| name.clone()).collect();
            if name == "1" {
                for value in odd() {
                    bodies.push(Some(names.iter().map(|name| (name.clone(), value.clone())).collect()));
                }
            }
            for body in bodies {
                let got = server.ask(route.method.clone(), &path, &[], body.clone());
                assert!(got.status < 500, "{} {path} {body:?}: {} {}", route.method, got.status, got.text);
            }
        }
    }
}
