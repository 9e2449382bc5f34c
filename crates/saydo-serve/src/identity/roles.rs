//! Every role on every route, with and without accounts; and who one is on this machine after opening a link.

use crate::testing::{Got, Server};
use crate::{Access, App, Limits, LocalOwner, Store, routes};
use axum::http::Method;
use serde_json::json;

/// Somebody with the headers that show who they are.
struct Person {
    name: &'static str,
    headers: Vec<(&'static str, String)>,
    may: fn(Access) -> bool,
}

impl Person {
    fn ask(&self, server: &Server, method: Method, path: &str) -> Got {
        let headers: Vec<(&str, &str)> = self.headers.iter().map(|(name, value)| (*name, value.as_str())).collect();
        let body = (method != Method::GET).then(|| json!({}));
        server.ask(method, path, &headers, body)
    }
}

fn annotators(access: Access) -> bool {
    access != Access::Owner
}

fn owners(access: Access) -> bool {
    access != Access::Annotator
}

fn everybodys(access: Access) -> bool {
    access == Access::Anyone
}

fn csrf(page: &str) -> String {
    let token = page.split("name=\"csrf\" content=\"").nth(1).and_then(|rest| rest.split('"').next());
    token.expect("pages carry a token").to_owned()
}

/// Headers of a session, with the token of its pages.
fn session(server: &Server, cookie: String, page: &str) -> Vec<(&'static str, String)> {
    let page = server.ask(Method::GET, page, &[("cookie", &cookie)], None).text;
    vec![("cookie", cookie), ("x-csrf-token", csrf(&page))]
}

/// A project's first annotator, made by the owner, and the path of the annotator in the API.
fn annotator(server: &Server, owner: &Person) -> (Person, String) {
    let headers: Vec<(&str, &str)> = owner.headers.iter().map(|(name, value)| (*name, value.as_str())).collect();
    let post = |path: &str, body| server.ask(Method::POST, path, &headers, Some(body)).json();
    let project = post("/v1/projects", json!({"name": "P", "kind": "zest"}))["id"].clone();
    let people = format!("/v1/projects/{project}/annotators");
    let made = post(&people, json!({"names": ["Ada"]}))["annotators"][0].clone();
    let token = made["path"].as_str().expect("a link").trim_start_matches("/join/").to_owned();
    let cookie = server.post("/v1/join", json!({"token": token})).cookie();
    let person = Person { name: "annotator", headers: session(server, cookie, "/work"), may: annotators };
    (person, format!("{people}/{}", made["id"]))
}

/// Asks for everything and compares what happens with what the list of routes says.
fn check_all(server: &Server, person: &Person) -> usize {
    // Leaving comes last, for it ends the session.
    let mut all = routes();
    all.sort_by_key(|route| route.path == "/v1/logout");
    for route in &all {
        let parts = route.path.split('/').map(|part| match part {
            "{name}" if route.path.starts_with("/assets") => "app.js",
            // Things that are not there, so that the owner destroys nothing that others need.
            part if part.starts_with('{') => "987654",
            part => part,
        });
        let path = parts.collect::<Vec<_>>().join("/");
        let got = person.ask(server, route.method.clone(), &path);
        let what = format!("{} as {}: {} {}", person.name, route.access.name(), route.method, path);
        let is_page = route.summary.is_none();
        let refused = match got.status {
            401 => true,
            403 => got.text.contains("s only"),
            303 => got.headers["location"] == "/login",
            _ => false,
        };
        assert_eq!(refused, !(person.may)(route.access), "{what}: {} {}", got.status, got.text);
        assert!(got.status < 500, "{what}: {}", got.text);
        if refused && person.name == "stranger" {
            assert_eq!(got.status, if is_page { 303 } else { 401 }, "{what}");
        }
    }
    all.len()
}

fn limits() -> Limits {
    Limits { rate: 1e6, burst: 1e6, ..Limits::default() }
}

#[test]
fn every_role_on_every_route_with_accounts() {
    let server = Server::with(Some("correct horse"), limits());
    let cookie = server.post("/v1/login", json!({"password": "correct horse"})).cookie();
    let owner = Person { name: "owner", headers: session(&server, cookie, "/"), may: owners };
    let (annotator, path) = annotator(&server, &owner);
    let stranger = Person { name: "stranger", headers: Vec::new(), may: everybodys };
    let (gone, gone_path) = self::annotator(&server, &owner);
    assert_eq!(owner.ask(&server, Method::DELETE, &gone_path).status, 200);
    let gone = Person { name: "stranger", may: everybodys, ..gone };
    assert_ne!(path, gone_path);
    for person in [&stranger, &gone, &annotator, &owner] {
        assert!(check_all(&server, person) > 50);
    }
}

#[test]
fn every_role_on_every_route_on_this_machine() {
    let server = Server::with(None, limits());
    let owner = Person { name: "owner", headers: Vec::new(), may: owners };
    let (annotator, _) = annotator(&server, &owner);
    let (gone, gone_path) = self::annotator(&server, &owner);
    assert_eq!(owner.ask(&server, Method::DELETE, &gone_path).status, 200);
    let gone = Person { name: "stranger", may: everybodys, ..gone };
    for person in [&gone, &annotator, &owner] {
        check_all(&server, person);
    }
}

#[test]
fn who_opened_a_link_on_this_machine_is_an_annotator_until_they_leave() {
    let server = Server::local();
    let owner = Person { name: "owner", headers: Vec::new(), may: owners };
    let (annotator, path) = annotator(&server, &owner);
    let links = |page: &str| ["Runs", "Projects", "Account"].iter().any(|link| page.contains(&format!(">{link}</a>")));
    assert!(links(&server.get("/").text));
    let renewed = server.post(&format!("{path}/link"), json!({})).json()["path"].clone();
    let door = server.get(renewed.as_str().expect("a link")).text;
    assert!(!links(&door) && door.contains("You are the owner here"), "{door}");

    // The new link made the old session void; its bearer is nobody, not the owner.
    let void = annotator.ask(&server, Method::GET, "/projects");
    assert_eq!((void.status, &void.headers["location"]), (303, &"/login".parse().expect("a header")));
    let token = renewed.as_str().expect("a link").trim_start_matches("/join/");
    let cookie = server.post("/v1/join", json!({"token": token})).cookie();
    let again = Person { headers: session(&server, cookie, "/work"), ..annotator };
    for page in ["/work", "/projects", "/api"] {
        let page = again.ask(&server, Method::GET, page).text;
        assert!(!links(&page) && page.contains("id=\"logout\">Leave"), "{page}");
    }
    assert_eq!(again.ask(&server, Method::GET, "/projects").status, 403);

    // Leaving takes the cookie away, and the browser is the owner's again.
    let left = again.ask(&server, Method::POST, "/v1/logout");
    assert!(left.headers["set-cookie"].to_str().expect("text").starts_with("saydo_session=; Path=/; Max-Age=0"));
    let page = server.ask(Method::GET, "/login", &[("cookie", &again.headers[0].1)], None);
    assert!(page.text.contains("Go on as the owner"), "{}", page.text);
    assert_eq!(server.ask(Method::GET, "/projects", &[("cookie", "saydo_session=")], None).status, 200);
}

#[test]
fn every_role_on_every_route_with_a_token() {
    let server = Server::start(None, LocalOwner::NewToken, limits());
    let token = format!("Bearer {}", server.app().token().expect("it has a token"));
    let owner = Person { name: "owner", headers: vec![("authorization", token)], may: owners };
    let (annotator, _) = annotator(&server, &owner);
    let stranger = Person { name: "stranger", headers: Vec::new(), may: everybodys };
    let guess = vec![("authorization", "Bearer 0123456789abcdef".to_owned())];
    let guessing = Person { name: "stranger", headers: guess, may: everybodys };
    for person in [&stranger, &guessing, &annotator, &owner] {
        check_all(&server, person);
    }
}

#[test]
fn the_printed_address_begins_the_owners_session() {
    let server = Server::with_token();
    let token = server.app().token().expect("it has a token").to_owned();
    let wrong = server.get("/projects?token=0123456789abcdef");
    assert_eq!((wrong.status, &wrong.headers["location"]), (303, &"/login".parse().expect("a header")));
    let got = server.get(&format!("/projects?a=1&token={token}&b=2"));
    assert_eq!((got.status, &got.headers["location"]), (303, &"/projects?a=1&b=2".parse().expect("a header")));
    let owner = Person { name: "owner", headers: session(&server, got.cookie(), "/projects"), may: owners };
    check_all(&server, &owner);
    let door = server.get("/login").text;
    assert!(door.contains("The token") && !door.contains("password <input"), "{door}");
    let session = server.post("/v1/login", json!({"password": token})).cookie();
    assert_eq!(server.ask(Method::GET, "/v1/models", &[("cookie", &session)], None).status, 200);
    // The program's part of the server has no use for a token in the address.
    assert_eq!(server.get(&format!("/v1/models?token={token}")).status, 401);
}

#[test]
fn what_came_through_a_proxy_is_refused_without_a_password() {
    let server = Server::with_token();
    let token = format!("Bearer {}", server.app().token().expect("it has a token"));
    let open = Server::local();
    for name in super::FORWARDING {
        let headers = [("authorization", token.as_str()), (name, "192.0.2.1")];
        let got = server.ask(Method::GET, "/v1/models", &headers, None);
        assert_eq!(got.status, 403, "{name}: {}", got.text);
        assert!(got.text.contains("--set-password"), "{}", got.text);
        assert_eq!(open.ask(Method::GET, "/", &[(name, "192.0.2.1")], None).status, 403, "{name}");
    }
    let server = Server::with_password("correct horse");
    let headers = [("x-forwarded-for", "192.0.2.1"), ("host", "saydo.example")];
    assert_eq!(server.ask(Method::GET, "/login", &headers, None).status, 200);
}

#[test]
fn a_new_password_counts_at_once_and_ends_sessions_and_tokens() {
    let server = Server::with_token();
    let local = format!("Bearer {}", server.app().token().expect("it has a token"));
    let set = |password| App::set_password(&Store::open(&server.app().config().data).expect("state"), password);
    let may = |headers: &[(&str, &str)]| server.ask(Method::GET, "/v1/models", headers, None).status;
    assert_eq!(may(&[("authorization", &local)]), 200);
    set("correct horse").expect("a password");
    assert_eq!(may(&[("authorization", &local)]), 401, "there is a password now");
    let cookie = server.post("/v1/login", json!({"password": "correct horse"})).cookie();
    let headers = session(&server, cookie.clone(), "/");
    let headers: Vec<(&str, &str)> = headers.iter().map(|(name, value)| (*name, value.as_str())).collect();
    let made = server.ask(Method::POST, "/v1/tokens", &headers, Some(json!({"name": "ci"}))).json();
    let bearer = format!("Bearer {}", made["token"].as_str().expect("a token"));
    assert_eq!((may(&[("authorization", &bearer)]), may(&[("cookie", &cookie)])), (200, 200));
    set("battery staple").expect("a password");
    assert_eq!((may(&[("authorization", &bearer)]), may(&[("cookie", &cookie)])), (401, 401));
    assert_eq!(server.post("/v1/login", json!({"password": "correct horse"})).status, 403);
    assert_eq!(server.post("/v1/login", json!({"password": "battery staple"})).status, 200);
}
