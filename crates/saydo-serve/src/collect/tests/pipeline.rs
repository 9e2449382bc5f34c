//! How questions are varied, who does it, what becomes of answers, and what it costs.

use super::*;

/// A project with base questions by Ada and Grace in turn.
fn written<'s>(server: &'s Server, names: &[&str]) -> (String, Vec<Worker<'s>>) {
    let project = begin(server, json!({"domains": ["parks"], "annotators": 3, "passages": 3, "entity_share": 1.0}));
    documents(server, &project);
    let people = workers(server, &project, names);
    server.post(&format!("{project}/steps"), json!({"step": "base", "count": 6}));
    for (number, question) in BASE.into_iter().enumerate() {
        let person = &people[number % 2];
        let item = person.next()["item"]["id"].clone();
        assert_eq!(person.answer(&item, json!({"question": question})).status, 200);
    }
    (project, people)
}

fn step(server: &Server, project: &str, name: &str) -> Value {
    server.post(&format!("{project}/steps"), json!({"step": name, "count": 1})).json()
}

#[test]
fn nobody_varies_a_question_of_their_own() {
    let server = Server::local();
    let (project, people) = written(&server, &["Ada", "Grace"]);
    let made = step(&server, &project, "paraphrase");
    assert_eq!((&made["items"], &made["base"]), (&json!(6), &json!([2, 1, 3])), "{made}");
    for (place, person) in people.iter().enumerate() {
        for _ in 0..3 {
            let item = person.next()["item"].clone();
            let text = item["payload"]["questions"][0]["text"].as_str().unwrap();
            let author = BASE.iter().position(|base| *base == text).unwrap() % 2;
            assert_ne!(author, place, "{text}");
            assert_eq!(person.answer(&item["id"], json!({"question": format!("{text} Really?")})).status, 200);
        }
        assert_eq!(person.next()["state"], "done");
    }
}

#[test]
fn items_that_nobody_may_do_are_told() {
    let server = Server::local();
    let (project, people) = written(&server, &["Ada", "Grace"]);
    let made = step(&server, &project, "compose");
    assert_eq!((&made["items"], made["too_few"].as_array().unwrap().len()), (&json!(1), 2), "{made}");
    // Three questions of the test part, by both: a third person is needed.
    let stuck = || {
        let state = server.get(&project).json();
        state["steps"].as_array().unwrap().iter().find(|step| step["step"] == "compose").unwrap()["stuck"].clone()
    };
    let waiting = stuck();
    if waiting == 1 {
        assert!(people.iter().all(|person| person.next()["state"] == "done"));
        let third = workers(&server, &project, &["Alan"]);
        assert_eq!((stuck(), &third[0].next()["item"]["step"]), (json!(0), &json!("compose")));
    }
}

#[test]
fn a_flip_keeps_the_kind_of_answer_and_changes_little_unless_it_is_meant() {
    let server = Server::local();
    let (project, people) = written(&server, &["Ada", "Grace"]);
    step(&server, &project, "flip");
    let of_kind = |kind: &str| {
        people.iter().find_map(|person| {
            let item = person.next()["item"].clone();
            (item["payload"]["questions"][0]["kind"] == kind).then_some((person, item))
        })
    };
    let (person, item) = of_kind("yes-no").expect("the first of Ada's is answered with yes or no");
    let path = format!("/v1/work/{}/check", item["id"]);
    let check = |question: &str| person.ask(Method::POST, &path, Some(json!({"question": question}))).json();
    let text = item["payload"]["questions"][0]["text"].as_str().unwrap();
    let near = text.replace("dogs", "cats").replace("mountain", "lake");
    assert_eq!(check(&near)["is_large"], false, "{near}");
    let other = "Which trail leads to the highest waterfall of all?";
    assert_eq!((&check(other)["is_large"], &check(other)["reads_as"]), (&json!(true), &json!("spans")));
    let refused = person.answer(&item["id"], json!({"question": other}));
    assert_eq!(refused.status, 400, "{}", refused.text);
    assert!(refused.text.contains("a flip keeps the kind of answer"), "{}", refused.text);
    let far = "Is swimming in any of the cold rivers permitted during winter months?";
    let refused = person.answer(&item["id"], json!({"question": far}));
    assert!(refused.text.contains("a flip changes a few words"), "{}", refused.text);
    assert_eq!(person.answer(&item["id"], json!({"question": other, "sure": true})).status, 200);
    let questions = server.get(&format!("{project}/questions")).json()["questions"].clone();
    let kept = questions.as_array().unwrap().iter().find(|question| question["text"] == other).unwrap();
    assert_eq!((&kept["kind"], &kept["generalization"]), (&json!("yes-no"), &json!("target_semantics")));
}

#[test]
fn questions_that_are_nearly_the_same_are_listed() {
    let server = Server::local();
    let project = begin(&server, json!({"domains": ["parks"]}));
    for text in ["Are dogs allowed on the trails?", "May dogs walk on trails?", "How high is the fall?"] {
        server.post(&format!("{project}/questions"), json!({"domain": "parks", "text": text}));
    }
    let near = server.get(&format!("{project}/questions")).json()["near"].clone();
    assert_eq!(near.as_array().unwrap().len(), 1, "{near}");
}

/// A project with a question for words of the text, answered by three people for each passage.
fn answered_in_words(server: &Server, choose: impl Fn(usize, &str) -> Value) -> String {
    let settings = json!({"domains": ["parks"], "annotators": 3, "passages": 3, "entity_share": 1.0,
        "rewards": {"answer": 0.1}, "fee": 0.2});
    let project = begin(server, settings);
    documents(server, &project);
    for text in ["Which place do dogs walk?", "Which waterfall is known?"] {
        server.post(&format!("{project}/questions"), json!({"domain": "parks", "text": text, "kind": "spans"}));
    }
    server.post(&format!("{project}/passages"), json!({}));
    for (place, person) in workers(server, &project, &["Ada", "Grace", "Edsger"]).iter().enumerate() {
        loop {
            let item = person.next()["item"].clone();
            if item.is_null() {
                break;
            }
            server.wait(30);
            let passage = item["payload"]["passage"].as_str().unwrap();
            assert_eq!(person.answer(&item["id"], choose(place, passage)).status, 200);
        }
    }
    project
}

/// Ada and Edsger choose two words, Grace one of them.
fn two_or_one(place: usize, passage: &str) -> Value {
    let words: Vec<&str> = passage.split_whitespace().collect();
    match place {
        1 => spans(passage, words[0]),
        _ => spans(passage, &words[..2].join(" ")),
    }
}

#[test]
fn the_gold_keeps_what_everybody_answered() {
    let server = Server::local();
    let project = answered_in_words(&server, two_or_one);
    let archive = server.app_export(&project, "zest");
    let line: Value = serde_json::from_str(archive["all.jsonl"].lines().next().unwrap()).unwrap();
    let example = &line["examples"][0];
    let all: Vec<&str> = example["all_answers"].as_array().unwrap().iter().map(|text| text.as_str().unwrap()).collect();
    assert_eq!(all.len(), 3);
    // The shorter one that the others contain comes first; what others chose counts, too.
    assert_eq!(example["answer"], json!([all[1], all[0]]));
    assert!(all[0].starts_with(all[1]) && all[0] == all[2]);
    assert!(archive["collection.json"].contains("\"annotators\""));
}

#[test]
fn a_release_has_its_card_and_keeps_test_answers_apart() {
    let server = Server::local();
    let project = answered_in_words(&server, two_or_one);
    let files = server.app_export(&project, "release");
    for name in ["README.md", "LICENSE", "croissant.json", "checksums.sha256", "train.jsonl", "test_unanswered.jsonl"] {
        assert!(files.contains_key(name), "{name}: {:?}", files.keys());
    }
    assert!(
        !files["test_unanswered.jsonl"].contains("answer") && files["test-answers/test.jsonl"].contains("all_answers")
    );
    let card = &files["README.md"];
    for words in ["3 people wrote questions", "30 s", "1.44 USD", "There is no dev part"] {
        assert!(card.contains(words), "{words} in\n{card}");
    }
}

#[test]
fn costs_are_told_and_forecast() {
    let server = Server::local();
    let project = answered_in_words(&server, two_or_one);
    let state = server.get(&project).json();
    let cost = &state["cost"];
    let near = |value: &Value, expected: f64| assert!((value.as_f64().unwrap() - expected).abs() < 1e-9, "{cost}");
    near(&cost["spent"], 12.0 * 0.12);
    near(&cost["forecast"], 12.0 * 0.12);
    near(&cost["per_task"], 6.0 * 0.12);
    near(&cost["per_gold_row"], 3.0 * 0.12);
    assert_eq!((&cost["seconds"], &state["steps"][0]["seconds"]), (&json!(360), &json!(30)));
    near(&state["steps"][0]["hourly"], 12.0);
    let odd = json!({"domains": ["d"], "rewards": {"paint": 1}});
    assert_eq!(server.ask(Method::PUT, &format!("{project}/settings"), &[], Some(odd)).status, 400);
}

#[test]
fn the_pool_is_narrowed_by_measured_quality() {
    let server = Server::local();
    let wrong = |place: usize, passage: &str| {
        let words: Vec<&str> = passage.split_whitespace().collect();
        spans(passage, if place == 1 { words[words.len() - 1] } else { words[0] })
    };
    let project = answered_in_words(&server, wrong);
    let people = server.get(&project).json()["annotators"].clone();
    let quality =
        |name: &str| people.as_array().unwrap().iter().find(|one| one["name"] == name).unwrap()["quality"].clone();
    assert_eq!((quality("Ada"), quality("Grace")), (json!(1.0), json!(0.0)));
    let narrowed = server.post(&format!("{project}/pool"), json!({"least": 0.5, "answers": 3}));
    assert_eq!(narrowed.json()["removed"], json!(["Grace"]), "{}", narrowed.text);
    let grace = people[1]["id"].clone();
    let path = server.post(&format!("{project}/annotators/{grace}/link"), json!({})).json()["path"].clone();
    let grace_again = Worker::new(&server, path.as_str().unwrap());
    assert_eq!(grace_again.next()["state"], "unqualified");
    assert_eq!(server.post(&format!("{project}/pool/{grace}"), json!({"pooled": true})).status, 200);
    assert_eq!(grace_again.next()["state"], "done");
    assert_eq!(server.get(&project).json()["steps"][0]["answers"], 12, "answers stay");
}

#[test]
fn every_step_goes_to_a_crowd_platform_and_comes_back() {
    let server = Server::local();
    let (project, _) = written(&server, &["Ada", "mturk:W1"]);
    for name in ["paraphrase", "flip", "compose", "structure"] {
        step(&server, &project, name);
    }
    server.post(&format!("{project}/passages"), json!({}));
    let gold = json!({"question": "Is it <open>?", "passage": "It is open.", "value": {"is": "yes"}});
    assert_eq!(server.post(&format!("{project}/qualification"), gold).status, 200);
    let files = server.app_export(&project, "amti");
    let read =
        |path: &str| serde_json::from_str::<Value>(&files[path]).unwrap_or_else(|error| panic!("{path}: {error}"));
    for (batch, most) in [("paraphrase", 1), ("flip", 1), ("compose", 1), ("structure", 1), ("answer", 3)] {
        let kind = read(&format!("{batch}/definition/hittypeproperties.json"));
        assert_eq!(kind["QualificationRequirements"].as_array().unwrap().len(), 3, "{batch}");
        assert_eq!(read(&format!("{batch}/definition/hitproperties.json"))["MaxAssignments"], most, "{batch}");
        assert!(files[&format!("{batch}/definition/question.xml.j2")].contains("HTMLQuestion"));
        assert!(files[&format!("{batch}/data.jsonl")].lines().all(|line| serde_json::from_str::<Value>(line).is_ok()));
    }
    assert!(files["qualification/definition/test.xml"].contains("Is it &lt;open&gt;?"));
    let data = |batch: &str| -> Vec<Value> {
        files[&format!("{batch}/data.jsonl")].lines().map(|line| serde_json::from_str(line).unwrap()).collect()
    };
    let row = |worker: &str, item: &Value, more: Value| {
        let mut row = json!({"WorkerId": worker, "item": item["item"].to_string(),
            "AcceptTime": "2018-07-13T15:52:35-07:00", "SubmitTime": "2018-07-13T15:53:05-07:00"});
        row.as_object_mut().unwrap().extend(more.as_object().unwrap().clone());
        row.to_string()
    };
    let by_ada = |item: &&Value| BASE.iter().position(|base| *base == item["questions"][0]["text"]).unwrap() % 2 == 0;
    let [paraphrase, structure, compose] = ["paraphrase", "structure", "compose"].map(data);
    let (of_ada, of_w1) =
        (paraphrase.iter().find(by_ada).unwrap(), paraphrase.iter().find(|item| !by_ada(item)).unwrap());
    let picked = format!("{},{}", compose[0]["questions"][0]["id"], compose[0]["questions"][2]["id"]);
    let lines = [
        row("W1", of_ada, json!({"question": "May one bring dogs along?"})),
        row("W1", of_w1, json!({"question": "What else?"})),
        row(
            "W9",
            &structure[0],
            json!({"question": "List all of it with its height.", "fields": "thing: span\nopen: yes-no"}),
        ),
        row("W9", &compose[0], json!({"question": "Which of both is it?", "picked": picked})),
        row("W9", &structure[1], json!({"question": "List it.", "fields": "thing: color"})),
    ];
    let got = server.post(&format!("{project}/import/amti"), json!({"rows": lines.join("\n")})).json();
    assert_eq!((&got["taken"], &got["refused"]), (&json!(3), &json!(2)), "{got}");
    assert!(got["reasons"][0]["reason"].as_str().unwrap().contains("wrote what the item starts from"), "{got}");
    let steps = server.get(&project).json()["steps"].clone();
    let paraphrases = steps.as_array().unwrap().iter().find(|step| step["step"] == "paraphrase").unwrap();
    assert_eq!(paraphrases["seconds"], 30);
}
