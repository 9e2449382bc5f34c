//! A whole small project through the API, and what must never happen to its items.

mod leaderboard;
mod mapping;
mod pipeline;

use crate::testing::{Got, Server};
use axum::http::Method;
use serde_json::{Value, json};

/// Somebody who works on a project.
struct Worker<'s> {
    server: &'s Server,
    cookie: String,
    csrf: String,
}

impl<'s> Worker<'s> {
    fn new(server: &'s Server, path: &str) -> Self {
        let token = path.strip_prefix("/join/").expect("links lead to the door");
        assert!(server.get(path).text.contains("Begin"));
        let cookie = server.post("/v1/join", json!({"token": token})).cookie();
        let page = server.ask(Method::GET, "/work", &[("cookie", &cookie)], None).text;
        let csrf = page.split("name=\"csrf\" content=\"").nth(1).unwrap().split('"').next().unwrap().to_owned();
        Self { server, cookie, csrf }
    }

    fn ask(&self, method: Method, path: &str, body: Option<Value>) -> Got {
        self.server.ask(method, path, &[("cookie", &self.cookie), ("x-csrf-token", &self.csrf)], body)
    }

    fn next(&self) -> Value {
        self.ask(Method::POST, "/v1/work/next", None).json()
    }

    fn answer(&self, item: &Value, value: Value) -> Got {
        self.ask(Method::POST, &format!("/v1/work/{item}"), Some(json!({"value": value})))
    }
}

fn begin(server: &Server, settings: Value) -> String {
    let got = server.post("/v1/projects", json!({"name": "Parks", "kind": "zest", "settings": settings}));
    assert_eq!(got.status, 200, "{}", got.text);
    format!("/v1/projects/{}", got.json()["id"])
}

fn workers<'s>(server: &'s Server, project: &str, names: &[&str]) -> Vec<Worker<'s>> {
    let got = server.post(&format!("{project}/annotators"), json!({"names": names})).json();
    got["annotators"].as_array().unwrap().iter().map(|one| Worker::new(server, one["path"].as_str().unwrap())).collect()
}

const PARKS: [(&str, &str); 3] = [
    ("Acadia", "Leashed dogs may walk most trails of Acadia. Cadillac Mountain is its highest point."),
    ("Yosemite", "Dogs are not allowed on the trails of Yosemite. Bridalveil Fall is its best known waterfall."),
    ("Zion", "The Narrows is a hike through the river. Dogs may walk the Pa'rus Trail."),
];

/// Three for the test part, two for train, one for dev.
const BASE: [&str; 6] = [
    "Are dogs allowed on the trails?",
    "Which waterfall is known best?",
    "What is the highest point?",
    "Which river does a hike go through?",
    "Is there a mountain in this park?",
    "Which trail is named?",
];

fn documents(server: &Server, project: &str) {
    let all: Vec<Value> = PARKS.iter().map(|(entity, text)| json!({"entity": entity, "text": text})).collect();
    assert_eq!(server.post(&format!("{project}/documents"), json!({"documents": all})).json()["kept"], 3);
}

fn spans(passage: &str, text: &str) -> Value {
    let start = passage[..passage.find(text).unwrap()].chars().count();
    json!({"is": "spans", "spans": [{"start": start, "end": start + text.chars().count(), "text": text}]})
}

/// Answers a question from what the parks' texts say.
fn from_text(payload: &Value) -> Value {
    let passage = payload["passage"].as_str().unwrap();
    match payload["kind"].as_str().unwrap() {
        "yes-no" => json!({"is": if passage.contains("not allowed") { "no" } else { "yes" }}),
        "spans" => spans(passage, passage.split(['.', ' ']).next().unwrap()),
        _ => json!({"is": "records", "records": [{"trail": passage.split(' ').next().unwrap(), "dogs": "yes"}]}),
    }
}

#[test]
fn a_small_project_from_first_question_to_export() {
    let server = Server::local();
    let settings =
        json!({"domains": ["parks"], "annotators": 3, "annotators_of_records": 3, "passages": 2, "entity_share": 1.0});
    let project = begin(&server, settings);
    documents(&server, &project);
    let people = workers(&server, &project, &["Ada", "Grace", "Edsger", "Alan"]);
    let step = |name: &str, count: usize| {
        server.post(&format!("{project}/steps"), json!({"step": name, "count": count})).json()["items"]
            .as_u64()
            .unwrap()
    };

    assert_eq!(step("base", 6), 6);
    for (number, question) in BASE.into_iter().enumerate() {
        let person = &people[number % 3];
        let item = &person.next()["item"];
        assert_eq!(item["step"], "base");
        assert_eq!(person.answer(&item["id"], json!({"question": question})).status, 200);
    }
    assert_eq!((step("paraphrase", 1), step("flip", 1), step("compose", 1), step("structure", 1)), (6, 6, 1, 6));
    for number in 0..19 {
        let person = &people[if number < 12 { number % 4 } else { 3 - number % 2 }];
        let next = person.next();
        let (person, item) = match next["item"].is_null() {
            false => (person, next["item"].clone()),
            // What one may not do, as they wrote what it starts from, another one may.
            true => people
                .iter()
                .find_map(|person| Some((person, Some(person.next()["item"].clone()).filter(|item| !item.is_null())?)))
                .expect("somebody can do what is left"),
        };
        let original = &item["payload"]["questions"];
        let question = format!("{}, version {number}?", original[0]["text"].as_str().unwrap().trim_end_matches('?'));
        let value = match item["step"].as_str().unwrap() {
            "compose" => json!({"question": question, "picked": [original[0]["id"], original[2]["id"]]}),
            "structure" => {
                json!({"question": question, "fields": [{"name": "trail", "kind": "span"}, {"name": "dogs", "kind": "yes-no"}]})
            }
            _ => json!({"question": question}),
        };
        let got = person.answer(&item["id"], value);
        assert_eq!(got.status, 200, "{}", got.text);
    }
    assert_eq!(people[0].next()["state"], "done");
    let split = server.get(&format!("{project}/questions")).json()["split"].clone();
    assert_eq!(
        (&split["base"], &split["crossing"], &split["joined"]),
        (&json!([2, 1, 3]), &json!(0), &json!(0)),
        "{split}"
    );

    let found = server.post(&format!("{project}/passages"), json!({})).json();
    assert_eq!((&found["questions"], found["passages"].as_u64().unwrap() > 10), (&json!(25), true), "{found}");
    assert_eq!(found["copied"], 6);
    for person in &people {
        loop {
            let next = person.next();
            if next["state"] == "done" {
                break;
            }
            let item = &next["item"];
            let got = person.answer(&item["id"], from_text(&item["payload"]));
            assert_eq!(got.status, 200, "{} {item}", got.text);
        }
    }
    let state = server.get(&project).json();
    assert_eq!((&state["agreement"]["percent"], &state["disputed"]), (&json!(1.0), &json!(0)), "{state}");
    assert_eq!(state["agreement"]["krippendorff"], 1.0);
    assert_eq!(state["annotators"][0]["qualified"], true);

    let archive = server.app_export(&project, "zest");
    let lines: Vec<Value> = archive["all.jsonl"].lines().map(|line| serde_json::from_str(line).unwrap()).collect();
    assert_eq!(lines.len(), 25);
    let part_of = |id: &str| {
        let is_in = |part: &&str| archive[&format!("{part}.jsonl")].contains(&format!("\"id\": \"{id}\""));
        ["train", "dev", "test"].into_iter().find(is_in)
    };
    for line in &lines {
        for base in line["type"]["derives_from"].as_array().unwrap() {
            assert_eq!(part_of(line["id"].as_str().unwrap()), part_of(base.as_str().unwrap()), "{line}");
        }
    }
    let contexts = |line: &Value| -> Vec<Value> {
        line["examples"].as_array().unwrap().iter().map(|example| example["context"].clone()).collect()
    };
    for paraphrase in lines.iter().filter(|line| line["type"]["generalization_type"] == "paraphrase") {
        let base = lines.iter().find(|line| line["id"] == paraphrase["type"]["derives_from"][0]).unwrap();
        assert_eq!(contexts(paraphrase), contexts(base));
    }
    let composed = lines.iter().find(|line| line["type"]["generalization_type"] == "combination").unwrap();
    assert_eq!(composed["type"]["derives_from"].as_array().unwrap().len(), 2);
    for format in ["natural-instructions", "toml"] {
        assert_eq!(server.app_export(&project, format).len(), 25, "{format}");
    }
    // What was exported is what lint takes.
    let folder = tempfile::tempdir().unwrap();
    std::fs::write(folder.path().join("all.jsonl"), &archive["all.jsonl"]).unwrap();
    let report =
        saydo_task::lint::lint_paths(&[folder.path().join("all.jsonl")], &saydo_task::lint::Options::default());
    assert_eq!(report.errors(), 0, "{:?}", report.problems);
}

impl Server {
    /// The files of an export.
    fn app_export(&self, project: &str, format: &str) -> std::collections::BTreeMap<String, String> {
        let request = axum::http::Request::get(format!("{project}/export/{format}"));
        let (status, bytes) = self.bytes(request.body(axum::body::Body::empty()).unwrap());
        assert_eq!(status, 200, "{}", String::from_utf8_lossy(&bytes));
        let mut archive = zip::ZipArchive::new(std::io::Cursor::new(bytes)).unwrap();
        let names: Vec<String> = archive.file_names().map(|name| name.unwrap().into_owned()).collect();
        let text = |name: &String| {
            let mut text = String::new();
            std::io::Read::read_to_string(&mut archive.by_name(name).unwrap(), &mut text).unwrap();
            (name.clone(), text)
        };
        names.iter().map(text).collect()
    }
}

/// A project with one question and passages for it, and people.
fn answering<'s>(server: &'s Server, annotators: u32, names: &[&str]) -> (String, Vec<Worker<'s>>) {
    let settings = json!({"domains": ["parks"], "annotators": annotators, "passages": 3, "entity_share": 1.0});
    let project = begin(server, settings);
    documents(server, &project);
    server.post(&format!("{project}/questions"), json!({"domain": "parks", "text": "Are dogs allowed on trails?"}));
    assert_eq!(server.post(&format!("{project}/passages"), json!({})).json()["passages"], 3);
    let people = workers(server, &project, names);
    (project, people)
}

#[test]
fn two_people_never_hold_an_item_that_one_is_wanted_for() {
    let server = Server::local();
    let (_, people) = answering(&server, 1, &["a", "b", "c", "d"]);
    let held: Vec<Value> = people.iter().map(Worker::next).collect();
    let mut ids: Vec<i64> = held.iter().filter_map(|next| next["item"]["id"].as_i64()).collect();
    assert_eq!((ids.len(), &held[3]["state"]), (3, &json!("waiting")));
    ids.dedup();
    assert_eq!(ids.len(), 3);
    assert_eq!(people[0].next()["item"]["id"], held[0]["item"]["id"], "asking again gives the same item");
    assert_eq!(people[1].answer(&held[0]["item"]["id"], json!({"is": "yes"})).status, 409, "not hers");
}

#[test]
fn abandoned_items_go_to_others_and_a_late_answer_counts_only_if_there_is_room() {
    let server = Server::local();
    let (_, people) = answering(&server, 1, &["a", "b"]);
    let first = people[0].next()["item"]["id"].clone();
    server.wait(1801);
    let second = people[1].next()["item"]["id"].clone();
    assert_eq!(first, second);
    let late = people[0].answer(&first, json!({"is": "yes"}));
    assert_eq!(late.status, 409, "{}", late.text);
    assert_eq!(people[1].answer(&second, json!({"is": "yes"})).status, 200);
    let third = people[0].next()["item"]["id"].clone();
    server.wait(1801);
    assert_eq!(people[0].answer(&third, json!({"is": "no"})).status, 200, "nobody else was given it");
}

#[test]
fn nobody_answers_twice_and_wrong_answers_are_not_kept() {
    let server = Server::local();
    let (project, people) = answering(&server, 2, &["a", "b"]);
    let item = people[0].next()["item"]["id"].clone();
    assert_eq!(people[0].answer(&item, json!({"is": "spans", "spans": []})).status, 400);
    assert_eq!(people[0].answer(&item, json!({"is": "yes"})).status, 200);
    assert_eq!(people[0].answer(&item, json!({"is": "no"})).status, 409);
    assert_eq!(server.get(&project).json()["steps"][0]["answers"], 1);
    assert_eq!(people[0].ask(Method::POST, &format!("/v1/work/{item}/return"), None).status, 404);
}

#[test]
fn what_annotators_do_not_agree_on_is_decided_by_the_owner() {
    let server = Server::local();
    let (project, people) = answering(&server, 2, &["a", "b"]);
    for (person, given) in people.iter().zip(["yes", "no"]) {
        let item = person.next()["item"]["id"].clone();
        assert_eq!(person.answer(&item, json!({"is": given})).status, 200);
    }
    let state = server.get(&project).json();
    assert_eq!((&state["disputed"], &state["agreement"]["percent"]), (&json!(1), &json!(0.0)));
    assert_eq!(server.get(&format!("{project}/export/zest")).status, 409);
    let path = format!("{project}/items/{}/decision", state["disputes"][0]["id"]);
    assert_eq!(server.post(&path, json!({"value": {"is": "no"}})).status, 200);
    assert_eq!(server.get(&project).json()["disputed"], 0);
    assert!(server.app_export(&project, "zest")["all.jsonl"].contains("\"answer\": \"no\""));
}

#[test]
fn whoever_fails_the_qualification_gets_no_work() {
    let server = Server::local();
    let (project, people) = answering(&server, 1, &["good", "bad"]);
    let settings = json!({"domains": ["parks"], "annotators": 1, "qualification": 1});
    assert_eq!(server.ask(Method::PUT, &format!("{project}/settings"), &[], Some(settings)).status, 200);
    let gold = json!({"question": "Is it open?", "passage": "It is open.", "value": {"is": "yes"}});
    assert_eq!(server.post(&format!("{project}/qualification"), gold).status, 200);
    for (person, given) in people.iter().zip(["yes", "no"]) {
        let next = person.next();
        assert_eq!(next["item"]["payload"]["entity"], "qualification");
        assert_eq!(person.answer(&next["item"]["id"], json!({"is": given})).status, 200);
    }
    assert_eq!((&people[0].next()["state"], &people[1].next()["state"]), (&json!("work"), &json!("unqualified")));
}

#[test]
fn links_are_replaced_and_taken_back() {
    let server = Server::local();
    let (project, people) = answering(&server, 1, &["a"]);
    let annotator = server.get(&project).json()["annotators"][0]["id"].clone();
    let path = server.post(&format!("{project}/annotators/{annotator}/link"), json!({})).json()["path"].clone();
    assert_eq!(people[0].ask(Method::POST, "/v1/work/next", None).status, 401, "the old session is void");
    let again = Worker::new(&server, path.as_str().unwrap());
    assert_eq!(again.next()["state"], "work");
    let gone = server.ask(Method::DELETE, &format!("{project}/annotators/{annotator}"), &[], None);
    assert_eq!(gone.status, 200);
    assert_eq!(server.get(path.as_str().unwrap()).status, 404);
}

#[test]
fn annotators_reach_no_item_of_another_project() {
    let server = Server::local();
    let (own, people) = answering(&server, 1, &["a"]);
    let (other, others) = answering(&server, 1, &["b"]);
    assert_ne!(own, other);
    let theirs = others[0].next()["item"]["id"].clone();
    assert_eq!(people[0].answer(&theirs, json!({"is": "yes"})).status, 404);
    for (method, path) in [(Method::POST, "return"), (Method::GET, "suggestion")] {
        assert_eq!(people[0].ask(method, &format!("/v1/work/{theirs}/{path}"), None).status, 404, "{path}");
    }
    // The owner, too, reaches things of a project only through that project.
    let annotator = server.get(&other).json()["annotators"][0]["id"].clone();
    let question = server.get(&format!("{other}/questions")).json()["questions"][0]["id"].clone();
    assert_eq!(server.post(&format!("{own}/annotators/{annotator}/link"), json!({})).status, 404);
    assert_eq!(server.ask(Method::DELETE, &format!("{own}/annotators/{annotator}"), &[], None).status, 404);
    let dropped = Some(json!({"dropped": true}));
    assert_eq!(server.ask(Method::PATCH, &format!("{own}/questions/{question}"), &[], dropped).status, 404);
    let decision = server.post(&format!("{own}/items/{theirs}/decision"), json!({"value": {"is": "yes"}}));
    assert_eq!(decision.status, 404);
    assert_eq!(others[0].answer(&theirs, json!({"is": "yes"})).status, 200, "it is still hers");
}

#[test]
fn markup_in_names_and_texts_is_shown_and_never_run() {
    let server = Server::local();
    let markup = "<img src=x onerror=alert(1)>";
    let project = begin(&server, json!({"domains": [markup]}));
    let id = project.rsplit('/').next().unwrap();
    let path =
        server.post(&format!("{project}/annotators"), json!({"names": [markup]})).json()["annotators"][0]["path"]
            .clone();
    let got = server.post("/v1/projects", json!({"name": markup, "kind": "zest"}));
    let own = format!("/projects/{}", got.json()["id"]);
    for path in ["/projects", &own, path.as_str().unwrap(), &format!("/projects/{id}")] {
        let page = server.get(path);
        assert_eq!(page.status, 200, "{path}");
        assert!(!page.text.contains("<img"), "{path}");
    }
}

#[test]
fn suggestions_are_off_unless_the_project_says_so() {
    let server = Server::local();
    let (_, people) = answering(&server, 1, &["a"]);
    let item = people[0].next()["item"]["id"].clone();
    assert_eq!(people[0].ask(Method::GET, &format!("/v1/work/{item}/suggestion"), None).status, 403);
}

#[test]
fn a_survey_counts_what_people_find_necessary() {
    let server = Server::local();
    let toml = server.post("/v1/task-file", json!({"title": "Dogs", "definition": "Are dogs allowed?"})).json()["toml"]
        .clone();
    server.ask(Method::PUT, "/v1/tasks/dogs", &[], Some(json!({"toml": toml})));
    let got = server.post("/v1/surveys", json!({"name": "S", "tasks": ["dogs"], "annotators": 2})).json();
    let project = format!("/v1/projects/{}", got["id"]);
    let people = workers(&server, &project, &["a", "b"]);
    for person in &people {
        let item = person.next()["item"].clone();
        assert_eq!(person.answer(&item["id"], json!({"ratings": {"Title": "necessary"}})).status, 400);
        let ratings = json!({"ratings": {"Title": "unneeded", "Definition": "necessary"}});
        assert_eq!(person.answer(&item["id"], ratings).status, 200);
    }
    let state = server.get(&project).json();
    assert_eq!(state["survey"]["Definition"], json!({"necessary": 2, "helpful": 0, "unneeded": 0}));
    assert_eq!(server.app_export(&project, "survey")["ratings.jsonl"].lines().count(), 2);
}

/// A run of the caption task in the folder that the server looks through.
fn run_of_captions(server: &Server) {
    use saydo_protocol::Sample;
    let folder = server.folder.path().join("runs/captions");
    let instruction = saydo_task::turking::Instruction {
        ask: saydo_task::turking::Ask::Snli,
        resource: "A boat <b>on</b> the river.".to_owned(),
    };
    let input = instruction.text(saydo_task::turking::Ordinal::Words);
    let instance = |number: usize| json!({"number": number, "id": format!("r{number}"), "input": input, "gold": []});
    let sample = |number: usize| {
        let key = format!("{number:032x}");
        json!({"key": key, "task": 0, "instance": number, "layout": 0, "prefix": 0, "text": "x"})
    };
    let cell = |number: usize| {
        json!({"key": format!("{number:032x}"), "status": "ok", "answer": format!("Output {number}."), "spans": [],
            "confidence": null, "windows": 1, "ms": 1})
    };
    let record = json!({
        "version": "0.1.0", "protocol": "turking", "model": "m", "fingerprint": "f", "data": ["d"],
        "data_fingerprint": "0", "layouts": ["turking"], "chat": false, "seed": 0, "tasks": 1, "samples": 2, "begun": 0,
        "decodings": [{"name": "greedy", "strategy": "greedy", "length": {"tokens": 16}, "stop": [], "draws": 1}],
        "settings": {},
    });
    let tasks = json!({"id": "turking_snli", "description": "", "instances": [instance(0), instance(1)]});
    let lines = |values: [Value; 2]| values.map(|value| format!("{value}\n")).concat();
    serde_json::from_value::<Sample>(sample(0)).expect("samples are written so");
    std::fs::create_dir_all(&folder).expect("the folder can be made");
    for (name, text) in [
        ("eval.json", record.to_string()),
        ("tasks.jsonl", format!("{tasks}\n")),
        ("prefixes.jsonl", "\"\"\n".to_owned()),
        ("samples.jsonl", lines([sample(0), sample(1)])),
        ("ledger.jsonl", lines([cell(0), cell(1)])),
    ] {
        std::fs::write(folder.join(name), text).expect("the folder can be written");
    }
}

#[test]
fn what_judges_say_is_in_the_runs_report() {
    let server = Server::local();
    run_of_captions(&server);
    let begun = server.post("/v1/judging", json!({"name": "J", "run": "captions", "overlap": 1.0}));
    assert_eq!(begun.status, 200, "{}", begun.text);
    let project = format!("/v1/projects/{}", begun.json()["id"]);
    let kept = server.folder.path().join("runs/captions/judgements.jsonl");
    let keep = || server.post(&format!("{project}/judgements"), json!({}));
    assert_eq!(keep().status, 409, "nobody has judged anything yet");
    let people = workers(&server, &project, &["Ada", "Grace"]);
    let judge = |person: &Worker<'_>, accurate: bool| {
        let item = person.next()["item"]["id"].clone();
        let value = json!({"accurate": accurate, "form_consistent": true, "patterns": ["repeats"], "note": "<i>"});
        assert_eq!(person.answer(&item, value).status, 200);
    };
    judge(&people[0], true);
    assert!(!kept.exists(), "as long as there is something to judge, the owner decides");
    assert_eq!(keep().json(), json!({"kept": 1, "run": "captions"}));
    judge(&people[0], false);
    judge(&people[1], true);
    judge(&people[1], true);
    // The last judgement puts all of them into the run's folder.
    assert_eq!(std::fs::read_to_string(&kept).expect("it is there").lines().count(), 4);
    let report = server.get("/runs/captions/report").text;
    for words in
        ["what people say of the outputs", "4 judgements by 2 judges", "how far people agree", "errors that people saw"]
    {
        assert!(report.contains(words), "{words}");
    }
    let other = begin(&server, json!({"domains": ["d"]}));
    assert_eq!(server.post(&format!("{other}/judgements"), json!({})).status, 409);
    for run in ["../data", "/etc", "captions/../captions", "nothing"] {
        assert_eq!(server.post("/v1/judging", json!({"name": "J", "run": run})).status, 404, "{run}");
    }
}

#[test]
fn errors_are_sorted_by_two_people_and_shown_in_the_runs_report() {
    let server = Server::local();
    run_of_captions(&server);
    let begun = server.post("/v1/coding", json!({"name": "C", "run": "captions", "seed": 1}));
    assert_eq!((begun.status, &begun.json()["errors"]), (200, &json!(2)), "{}", begun.text);
    let project = format!("/v1/projects/{}", begun.json()["id"]);
    assert_eq!(server.post(&format!("{project}/codes"), json!({})).status, 409, "nobody has sorted anything yet");
    assert_eq!(server.post(&format!("{project}/judgements"), json!({})).status, 409);
    let people = workers(&server, &project, &["Ada", "Grace"]);
    for (person, codes) in people.iter().zip([["copies-example", "other"], ["copies-example", "wrong-answer"]]) {
        for code in codes {
            let item = person.next()["item"].clone();
            assert!(item["payload"]["suggestion"].is_null());
            assert_eq!(person.answer(&item["id"], json!({"code": "odd"})).status, 400);
            assert_eq!(person.answer(&item["id"], json!({"code": code, "note": "<i>"})).status, 200);
        }
    }
    let codes = server.get(&project).json()["codes"].clone();
    assert_eq!((&codes["shared"], &codes["agreement"], &codes["undecided"]), (&json!(2), &json!(0.5), &json!(1)));
    // The last code puts all of them into the run's folder.
    let kept = server.folder.path().join("runs/captions/codes.jsonl");
    assert_eq!(std::fs::read_to_string(&kept).expect("it is there").lines().count(), 4);
    assert!(server.get("/runs/captions/report").text.contains("errors sorted by people"));
    assert_eq!(server.app_export(&project, "codes")["codes.jsonl"].lines().count(), 4);
}

#[test]
fn a_crowd_platforms_answers_count_like_those_from_here() {
    let server = Server::local();
    let (project, people) = answering(&server, 2, &["a"]);
    let files = server.app_export(&project, "amti");
    let data: Vec<Value> = files["answer/data.jsonl"].lines().map(|line| serde_json::from_str(line).unwrap()).collect();
    assert_eq!((data.len(), files.len()), (3, 7));
    let row = |worker: &str, item: &Value, answer: &str| {
        json!({"HITId": "h", "WorkerId": worker, "item": item.to_string(), "answer": answer}).to_string()
    };
    let item = &data[0]["item"];
    let lines = [
        row("W1", item, "yes"),
        row("W1", item, "no"),
        row("W2", &json!(999), "no"),
        row("W2", item, "perhaps"),
        row("W2", item, "n/a"),
        row("W3", item, "yes"),
        "{}".to_owned(),
    ];
    let got = server.post(&format!("{project}/import/amti"), json!({"rows": lines.join("\n")})).json();
    assert_eq!((&got["taken"], &got["refused"]), (&json!(2), &json!(5)), "{got}");
    let state = server.get(&project).json();
    assert_eq!((&state["disputed"], &state["disputes"][0]["answers"][0][0]), (&json!(1), &json!("mturk:W1")));
    assert_ne!(people[0].next()["item"]["id"], *item, "it has all its answers");
}

#[test]
fn finding_passages_four_times_at_once_makes_items_once() {
    let items_after = |times: usize| {
        let server = Server::local();
        let project = begin(&server, json!({"domains": ["parks"], "passages": 2, "entity_share": 1.0}));
        documents(&server, &project);
        for text in ["Are dogs allowed?", "Which waterfalls are there?", "Which trails can one walk?"] {
            server.post(&format!("{project}/questions"), json!({"domain": "parks", "text": text}));
        }
        let find = || server.post(&format!("{project}/passages"), json!({})).json();
        let found: Vec<Value> = std::thread::scope(|scope| {
            let threads: Vec<_> = (0..times).map(|_| scope.spawn(find)).collect();
            threads.into_iter().map(|thread| thread.join().unwrap()).collect()
        });
        let passages: u64 = found.iter().map(|found| found["passages"].as_u64().unwrap()).sum();
        let items = server.get(&project).json()["steps"][0]["items"].as_u64().unwrap();
        assert_eq!(items, passages, "{found:?}");
        items
    };
    assert_eq!(items_after(4), items_after(1));
}

#[test]
fn a_question_that_is_too_long_is_refused_before_it_is_read() {
    let server = Server::local();
    let project = begin(&server, json!({"domains": ["parks"]}));
    let [ada] = workers(&server, &project, &["Ada"]).try_into().ok().unwrap();
    server.post(&format!("{project}/steps"), json!({"step": "base", "count": 1}));
    let item = ada.next()["item"]["id"].clone();
    let long = "a:".repeat(500_000);
    let refused = [
        ada.answer(&item, json!({"question": long})),
        server.post(&format!("{project}/questions"), json!({"domain": "parks", "text": long})),
        server.post(
            &format!("{project}/qualification"),
            json!({"question": long, "passage": "x", "value": {"is": "na"}}),
        ),
    ];
    for got in refused {
        assert_eq!(got.status, 400, "{}", got.text);
        assert!(got.text.contains("the question has 1000000 characters, expected 3 to 500"), "{}", got.text);
    }
    assert_eq!(ada.answer(&item, json!({"question": "Are dogs allowed?"})).status, 200);
}
