//! Hidden test sets: predictions of models, answers of people.

use super::*;

fn task(id: &str, kind: &str, base: &[&str], question: &str, examples: Value) -> String {
    let kind = json!({"generalization_type": kind, "domain": "parks", "derives_from": base});
    format!("{}\n", json!({"id": id, "question": question, "type": kind, "examples": examples}))
}

/// Three tasks: one of classes, a paraphrase of it, one of words.
fn gold() -> String {
    let classes = json!([
        {"context": "Leashed dogs may come.", "answer": "yes", "all_answers": ["yes", "yes", "no"]},
        {"context": "No dogs here, says the secretkeeper.", "answer": "no"},
        {"context": "A lake.", "answer": "n/a"},
    ]);
    let words = json!([
        {"context": "Upper Goldfall is high.", "answer": ["Goldfall", "Upper Goldfall"]},
        {"context": "There is no fall.", "answer": "n/a"},
    ]);
    [
        task("a", "normal", &[], "Are dogs allowed?", classes.clone()),
        task("b", "paraphrase", &["a"], "May dogs come along?", classes),
        task("c", "normal", &[], "Which waterfall is there?", words),
    ]
    .concat()
}

const RIGHT: &str = "yes\nno\nn/a\nyes\nno\nn/a\nGoldfall\nn/a\n";
const POOR: &str = "yes\nyes\nyes\nno\nno\nn/a\nn/a\nfall\n";

fn board<'s>(server: &'s Server, per_day: u32, names: &[&str]) -> (String, Vec<Worker<'s>>) {
    let got = server.post("/v1/boards", json!({"name": "Parks", "gold": gold(), "per_day": per_day}));
    assert_eq!(got.status, 200, "{}", got.text);
    assert_eq!((&got.json()["tasks"], &got.json()["passages"]), (&json!(3), &json!(8)));
    let project = format!("/v1/projects/{}", got.json()["id"]);
    let people = join(server, &project, names);
    (project, people)
}

/// Those who take part have a page of their own instead of work.
fn join<'s>(server: &'s Server, project: &str, names: &[&str]) -> Vec<Worker<'s>> {
    let got = server.post(&format!("{project}/annotators"), json!({"names": names})).json();
    let one = |one: &Value| {
        let token = one["path"].as_str().unwrap().strip_prefix("/join/").unwrap().to_owned();
        let cookie = server.post("/v1/join", json!({"token": token})).cookie();
        assert_eq!(server.ask(Method::GET, "/work", &[("cookie", &cookie)], None).status, 303);
        let page = server.ask(Method::GET, "/board", &[("cookie", &cookie)], None).text;
        let csrf = page.split("name=\"csrf\" content=\"").nth(1).unwrap().split('"').next().unwrap().to_owned();
        Worker { server, cookie, csrf }
    };
    got["annotators"].as_array().unwrap().iter().map(one).collect()
}

fn send(person: &Worker<'_>, name: &str, predictions: &str) -> Got {
    person.ask(Method::POST, "/v1/board/submissions", Some(json!({"name": name, "predictions": predictions})))
}

#[test]
fn predictions_are_scored_ranked_and_compared() {
    let server = Server::local();
    let (project, people) = board(&server, 3, &["Ada", "Grace"]);
    let poor = send(&people[0], "baseline", POOR);
    assert_eq!((poor.status, &poor.json()["left_today"]), (200, &json!(2)), "{}", poor.text);
    assert_eq!(send(&people[1], "good", RIGHT).json()["average"], json!([1.0, 1.0, 1.0]));
    let table = people[1].ask(Method::GET, "/v1/board", None).json();
    let names: Vec<&Value> = table["entries"].as_array().unwrap().iter().map(|entry| &entry["name"]).collect();
    assert_eq!((names, &table["left_today"]), (vec![&json!("good"), &json!("baseline")], &json!(2)));
    let first = &table["entries"][0];
    let gap = first["next"]["mean"]["difference"].as_f64().unwrap();
    let means = [0, 1].map(|place| table["entries"][place]["average"][0].as_f64().unwrap());
    assert!((gap - (means[0] - means[1])).abs() < 1e-9 && gap > 0.0, "{table}");
    assert!(first["interval"][2][0].is_number() && first["next"]["at_90"]["p_value"].is_number());
    assert_eq!(server.get(&format!("{project}/board")).json()["entries"], table["entries"]);
    let id = table["entries"][1]["id"].clone();
    assert_eq!(server.ask(Method::DELETE, &format!("{project}/submissions/{id}"), &[], None).status, 200);
    assert_eq!(server.get(&format!("{project}/board")).json()["entries"].as_array().unwrap().len(), 1);
    assert!(server.app_export(&project, "board")["board.json"].contains("good"));
}

#[test]
fn what_cannot_be_scored_does_not_count_and_a_day_has_its_limit() {
    let server = Server::local();
    let (_, people) = board(&server, 2, &["Ada", "Grace"]);
    for (predictions, reason) in [
        ("yes\n", "the file has 1 predictions, expected 8"),
        (&*format!("{RIGHT}yes\n"), "the file has 9 predictions, expected 8"),
        (&*RIGHT.replacen("no", "", 1), "found an empty line"),
        (
            &*RIGHT.replacen("yes", "\"yes", 1).replacen("no", "no\"", 1).replacen("n/a", "\"x\"y\"", 1),
            "not a JSON string",
        ),
    ] {
        let refused = send(&people[0], "m", predictions);
        assert_eq!(refused.status, 400, "{predictions}: {}", refused.text);
        assert!(refused.text.contains(reason), "{reason}: {}", refused.text);
    }
    let misplaced = r#"{"id": "c", "prediction": "yes"}"#.to_owned() + &"\n\"no\"".repeat(7);
    let body = json!({"name": "m", "predictions": misplaced, "format": "jsonl"});
    assert_eq!(people[0].ask(Method::POST, "/v1/board/submissions", Some(body)).status, 400);
    assert_eq!(send(&people[0], " ", RIGHT).status, 400);
    assert_eq!((send(&people[0], "m1", RIGHT).status, send(&people[0], "m2", POOR).status), (200, 200));
    let third = send(&people[0], "m3", POOR);
    assert_eq!(third.status, 409);
    assert!(third.text.contains("you have sent 2 files today"), "{}", third.text);
    assert_eq!(send(&people[1], "other", POOR).status, 200, "the limit is of a person");
    server.wait(86_400);
    assert_eq!(send(&people[0], "m3", POOR).status, 200);
}

#[test]
fn the_gold_never_leaves_the_server() {
    let server = Server::local();
    let (project, people) = board(&server, 9, &["Ada"]);
    send(&people[0], "m", RIGHT);
    let test = people[0].ask(Method::GET, "/v1/board/test", None);
    assert_eq!((test.status, test.text.lines().count()), (200, 3));
    assert!(test.text.contains("secretkeeper") && !test.text.contains("answer"), "{}", test.text);
    let seen = [
        test.text.clone(),
        people[0].ask(Method::GET, "/v1/board", None).text,
        people[0].ask(Method::GET, "/board", None).text,
        send(&people[0], "m", POOR).text,
        send(&people[0], "m", "[{\"a\": 1}]\n".repeat(8).as_str()).text,
        send(&people[0], "m", "x\n").text,
    ];
    for text in seen {
        assert!(!text.contains("all_answers") && !text.contains("\"Goldfall\""), "{text}");
    }
    // An annotator of something else takes part in nothing.
    let (_, others) = answering(&server, 1, &["b"]);
    for path in ["/v1/board", "/v1/board/test"] {
        assert_eq!(others[0].ask(Method::GET, path, None).status, 409, "{path}");
    }
    assert_eq!(send(&others[0], "m", RIGHT).status, 409);
    assert_eq!(people[0].ask(Method::GET, &format!("{project}/board"), None).status, 403);
}

#[test]
fn a_board_needs_gold_that_can_be_scored() {
    let server = Server::local();
    for (gold, reason) in [
        (gold().replace("\"n/a\"", "null"), "lacks an answer"),
        ("{}\n".to_owned(), "these are no test tasks"),
        (gold().replace("\"answer\":", "\"unsaid\":"), "lacks an answer"),
    ] {
        let got = server.post("/v1/boards", json!({"name": "B", "gold": gold}));
        assert_eq!(got.status, 400, "{}", got.text);
        assert!(got.text.contains(reason), "{reason}: {}", got.text);
    }
    assert_eq!(server.post("/v1/boards", json!({"name": "B"})).status, 400);
}

#[test]
fn people_are_scored_like_a_model_and_stand_beside_it() {
    let server = Server::local();
    let (board_project, models) = board(&server, 3, &["Ada"]);
    send(&models[0], "baseline", POOR);
    let id: i64 = board_project.rsplit('/').next().unwrap().parse().unwrap();
    let got = server.post("/v1/people", json!({"name": "Humans", "board": id, "annotators": 2}));
    assert_eq!(got.status, 200, "{}", got.text);
    assert_eq!((&got.json()["tasks"], &got.json()["items"]), (&json!(3), &json!(8)));
    let project = format!("/v1/projects/{}", got.json()["id"]);
    assert_eq!(server.get(&project).json()["people"], Value::Null);
    assert_eq!(server.post(&format!("{project}/people"), json!({})).status, 409);
    let people = workers(&server, &project, &["Grace", "Edsger"]);
    for person in &people {
        loop {
            let item = person.next()["item"].clone();
            let Some(passage) = item["payload"]["passage"].as_str() else { break };
            let value = match (item["payload"]["kind"].as_str().unwrap(), passage) {
                ("yes-no", text) if text.contains("Leashed") => json!({"is": "yes"}),
                ("yes-no", text) if text.contains("No dogs") => json!({"is": "no"}),
                ("spans", text) if text.contains("Upper") => spans(text, "Upper Goldfall"),
                _ => json!({"is": "na"}),
            };
            assert_eq!(person.answer(&item["id"], value).status, 200, "{item}");
        }
    }
    let found = server.get(&project).json()["people"].clone();
    assert_eq!((&found["answers"], &found["agreement"]["percent"]), (&json!(8), &json!(1.0)), "{found}");
    assert!(found["tables"][0]["rows"].as_array().unwrap().len() > 1, "{found}");
    std::fs::create_dir_all(server.folder.path().join("runs")).unwrap();
    let kept = server.post(&format!("{project}/people"), json!({})).json();
    assert_eq!(kept["board"], id, "{kept}");
    let run = kept["run"].as_str().unwrap();
    let report = server.get(&format!("/runs/{run}/report"));
    assert_eq!(report.status, 200, "{}", report.text);
    assert!(report.text.contains("people") && report.text.contains("ZEST"));
    let entries = server.get(&format!("{board_project}/board")).json()["entries"].clone();
    assert_eq!(
        (&entries[0]["name"], &entries[0]["by"], &entries[0]["average"][0]),
        (&json!("people"), &Value::Null, &json!(1.0))
    );
    // Kept again, it takes the place of what was there.
    assert_eq!(server.post(&format!("{project}/people"), json!({})).status, 200);
    assert_eq!(server.get(&format!("{board_project}/board")).json()["entries"].as_array().unwrap().len(), 2);
}

#[test]
fn people_write_free_answers_to_natural_instructions() {
    let server = Server::local();
    let instance =
        |number: usize| json!({"input": format!("Sentence {number}."), "output": [format!("word {number}")]});
    let instances: Vec<Value> = (0..30).map(instance).collect();
    let task = json!({"Title": "T", "Definition": "Name the word.", "Prompt": "Write it.", "Things to Avoid": "-",
        "Emphasis & Caution": "-", "Examples": {"Positive Examples": [{"input": "A.", "output": "a", "reason": "r"}],
        "Negative Examples": ["-"]}, "Instances": instances});
    let files = json!([{"name": "subtask001_words.json", "text": task.to_string()}]);
    let got = server.post("/v1/people", json!({"name": "NI", "files": files, "instances": 4}));
    assert_eq!(got.status, 200, "{}", got.text);
    let project = format!("/v1/projects/{}", got.json()["id"]);
    let [ada] = workers(&server, &project, &["Ada"]).try_into().ok().unwrap();
    for number in 0..got.json()["items"].as_u64().unwrap() {
        let item = ada.next()["item"].clone();
        assert_eq!(item["payload"]["kind"], "text");
        assert!(item["payload"]["question"].as_str().unwrap().contains("Name the word."));
        assert_eq!(ada.answer(&item["id"], json!({"is": "text", "text": " "})).status, 400);
        let input = item["payload"]["passage"].as_str().unwrap();
        let right = input.replace("Sentence", "word").replace('.', "");
        let text = if number == 0 { "something else".to_owned() } else { right };
        assert_eq!(ada.answer(&item["id"], json!({"is": "text", "text": text})).status, 200);
    }
    let found = server.get(&project).json()["people"].clone();
    assert_eq!((&found["tasks"], &found["answers"]), (&json!(1), &got.json()["items"]), "{found}");
    assert!(found["tables"].as_array().is_some_and(|tables| !tables.is_empty()), "{found}");
}
