//! A raw instruction, divided, mapped by one person and verified by another.

use super::*;

const TEMPLATE: &str = "Read the passage.\nWrite a question about it.\nThen answer the question.\nDo not copy.";

fn draft(prompt: &str) -> Value {
    let example =
        |suggestion: &str| json!({"input": "A passage.", "output": "What?", "reason": "r", "suggestion": suggestion});
    json!({"draft": {"title": "Question", "definition": "Write a question about a passage.", "prompt": prompt,
        "things_to_avoid": "Copies.", "positive": [example("")], "negative": [example("s"), example("t")]}})
}

#[test]
fn a_template_is_divided_mapped_and_verified_in_rounds() {
    let server = Server::local();
    let got = server.post("/v1/instructions", json!({"name": "Reading", "template": TEMPLATE}));
    assert_eq!(got.status, 200, "{}", got.text);
    let project = format!("/v1/projects/{}", got.json()["id"]);
    let divide = |body: Value| server.post(&format!("{project}/subtasks"), body);
    let whole = divide(json!({"title": "Reading", "first": 1, "last": 4})).json()["id"].clone();
    let question = divide(json!({"title": "Questions", "first": 1, "last": 2, "parent": whole})).json()["id"].clone();
    let answer = divide(json!({"title": "Answers", "first": 3, "last": 3, "parent": whole})).json()["id"].clone();
    let outside = divide(json!({"title": "Beyond", "first": 2, "last": 3, "parent": question}));
    assert_eq!(outside.status, 400);
    assert!(outside.text.contains("expected lines from 1 to 2"), "{}", outside.text);
    assert_eq!(server.ask(Method::DELETE, &format!("{project}/subtasks/{answer}"), &[], None).status, 200);
    // The leaves alone are handed out.
    assert_eq!(server.post(&format!("{project}/mapping"), json!({})).json()["items"], 1);
    assert_eq!(divide(json!({"title": "Late", "first": 1, "last": 1, "parent": question})).status, 409);
    let people = workers(&server, &project, &["Ada", "Grace"]);
    let (ada, grace) = (&people[0], &people[1]);

    let item = ada.next()["item"].clone();
    assert_eq!(
        (&item["step"], &item["payload"]["lines"]),
        (&json!("map"), &json!("Read the passage.\nWrite a question about it."))
    );
    let refused = ada.answer(&item["id"], draft("Write it. Check it."));
    assert_eq!(refused.status, 400);
    assert!(refused.text.contains("more than one sentence"), "{}", refused.text);
    server.wait(60);
    assert_eq!(ada.answer(&item["id"], draft("Write it.")).status, 200);
    assert_eq!(ada.next()["state"], "done", "nobody verifies their own mapping");
    let item = grace.next()["item"].clone();
    assert_eq!((&item["step"], &item["payload"]["draft"]["prompt"]), (&json!("verify"), &json!("Write it.")));
    assert_eq!(grace.answer(&item["id"], json!({"agree": false})).status, 400, "a fault has a reason");
    server.wait(20);
    assert_eq!(grace.answer(&item["id"], json!({"agree": false, "comment": "Say of what."})).status, 200);
    assert_eq!(grace.next()["state"], "done");
    let item = ada.next()["item"].clone();
    assert_eq!(item["payload"]["comment"], "Say of what.");
    server.wait(30);
    assert_eq!(ada.answer(&item["id"], draft("Write a question.")).status, 200);
    assert_eq!(server.get(&format!("{project}/export/natural-instructions")).status, 409);
    let item = grace.next()["item"].clone();
    server.wait(10);
    assert_eq!(grace.answer(&item["id"], json!({"agree": true})).status, 200);

    let report = server.get(&project).json()["instructions"].clone();
    assert_eq!((&report["agreed"], &report["rounds_per_subtask"]), (&json!(1), &json!(2.0)), "{report}");
    assert_eq!(report["seconds_per_subtask"], json!({"map": 90.0, "verify": 30.0}));
    let files = server.app_export(&project, "natural-instructions");
    assert_eq!(files["template.txt"], TEMPLATE);
    let (name, text) = files.iter().find(|(name, _)| name.ends_with("_questions.json")).expect("the agreed subtask");
    assert!(name.starts_with("subtask") && text.contains("Write a question."), "{text}");
}
