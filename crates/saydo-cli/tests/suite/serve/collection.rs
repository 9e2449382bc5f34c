//! A whole collection by four made-up workers and an owner, as ZEST was collected: 20 base questions, variations, passages from
//! 30 documents, answers by three, a release, and a model and people on a leaderboard. The server is killed after each step.

use super::client::{Client, Server};
use crate::run::saydo_in;
use serde_json::{Value, json};
use std::io::Read as _;
use std::path::Path;

/// A server that is killed and started again between steps, with the people who use it.
struct Collection<'f> {
    folder: &'f Path,
    server: Server,
    people: Vec<Client>,
    project: String,
}

impl Collection<'_> {
    fn owner(&self) -> Client {
        self.server.client()
    }

    fn person(&self, number: usize) -> Client {
        self.people[number].at(&self.server)
    }

    fn post(&self, path: &str, body: &Value) -> Value {
        let got = self.owner().post(&format!("{}{path}", self.project), body);
        assert_eq!(got.status, 200, "{path}: {}", got.text);
        got.json()
    }

    /// What the state holds, as the owner sees it.
    fn state(&self) -> Value {
        let state = self.owner().get(&self.project).json();
        let questions = self.owner().get(&format!("{}/questions", self.project)).json();
        json!({"steps": state["steps"], "annotators": state["annotators"], "documents": state["documents"],
            "agreement": state["agreement"], "questions": questions})
    }

    /// Kills the server as the system would; what was there is there again.
    fn survive(&mut self, step: &str) {
        let before = self.state();
        self.server.kill();
        self.server = Server::start(self.folder);
        assert_eq!(self.state(), before, "after {step}");
    }

    /// Everybody works until nothing is left; gives how many answers were given.
    fn work(&self, answer: &dyn Fn(usize, &Value) -> Value) -> usize {
        let mut count = 0;
        loop {
            let before = count;
            for number in 0..self.people.len() {
                let person = self.person(number);
                let next = person.post("/v1/work/next", &json!({})).json();
                let item = &next["item"];
                if item.is_null() {
                    continue;
                }
                let got = person.post(&format!("/v1/work/{}", item["id"]), &json!({"value": answer(number, item)}));
                assert_eq!(got.status, 200, "{}: {item}", got.text);
                count += 1;
            }
            if count == before {
                return count;
            }
        }
    }
}

const THINGS: [&str; 20] = [
    "dogs",
    "horses",
    "bicycles",
    "tents",
    "campfires",
    "boats",
    "drones",
    "skis",
    "kayaks",
    "picnics",
    "fishing rods",
    "children",
    "guitars",
    "hammocks",
    "wheelchairs",
    "sledges",
    "parachutes",
    "metal detectors",
    "rafts",
    "trailers",
];

fn documents() -> Value {
    let one = |number: usize| {
        let allowed = |(place, thing): (usize, &&str)| {
            let not = if (place + number).is_multiple_of(3) { "not " } else { "" };
            format!("In Park{number} {thing} are {not}allowed.\n\n")
        };
        json!({"entity": format!("Park{number}"), "text": THINGS.iter().enumerate().map(allowed).collect::<String>()})
    };
    json!({"documents": (0..30).map(one).collect::<Vec<_>>()})
}

/// What is right for a question about a passage: the truth that the made-up workers read from it.
fn truth(payload: &Value) -> Value {
    let passage = payload["passage"].as_str().expect("a passage is text");
    let question = payload["question"].as_str().expect("a question is text").to_lowercase();
    let is_about = THINGS.iter().any(|thing| question.contains(thing) && passage.contains(thing));
    if !is_about {
        return json!({"is": "na"});
    }
    match payload["kind"].as_str().expect("a kind is text") {
        "yes-no" => json!({"is": if passage.contains("not allowed") { "no" } else { "yes" }}),
        "spans" => json!({"is": "spans", "spans": [{"start": 3, "end": passage.find(' ').map_or(9, |_| {
            3 + passage[3..].find(' ').expect("a park has a name")
        }), "text": passage[3..].split(' ').next()}]}),
        _ => {
            let park = passage[3..].split(' ').next();
            let open = if passage.contains("not allowed") { "no" } else { "yes" };
            json!({"is": "records", "records": [{"park": park, "allowed": open}]})
        }
    }
}

fn unpack(bytes: Vec<u8>, to: &Path) {
    let mut archive = zip::ZipArchive::new(std::io::Cursor::new(bytes)).expect("an archive");
    for place in 0..archive.len() {
        let mut file = archive.by_index(place).expect("a file of the archive");
        let path = to.join(file.name().expect("a plain name").into_owned());
        let mut bytes = Vec::new();
        file.read_to_end(&mut bytes).expect("it can be read");
        std::fs::create_dir_all(path.parent().expect("it is in a folder")).expect("a folder");
        std::fs::write(path, bytes).expect("a scratch file");
    }
}

#[test]
fn a_whole_collection_survives_a_kill_after_every_step() {
    let scratch = tempfile::tempdir().unwrap();
    let server = Server::start(scratch.path());
    let settings = json!({"domains": ["parks"], "annotators": 3, "annotators_of_records": 3, "passages": 2, "entity_share": 0.2,
        "rewards": {"answer": 0.08}});
    let begun = server.client().post("/v1/projects", &json!({"name": "Parks", "kind": "zest", "settings": settings}));
    let project = format!("/v1/projects/{}", begun.json()["id"]);
    let names = json!({"names": ["Ada", "Grace", "Edsger", "Alan"]});
    let links = server.client().post(&format!("{project}/annotators"), &names).json();
    let join = |one: &Value| server.join(one["path"].as_str().expect("a link has a path"));
    let people = links["annotators"].as_array().expect("annotators are listed").iter().map(join).collect();
    let mut collection = Collection { folder: scratch.path(), server, people, project };
    collection.post("/documents", &documents());
    collection.survive("documents");

    // 20 base questions, split before anything is made of them.
    assert_eq!(collection.post("/steps", &json!({"step": "base", "count": 20}))["items"], 20);
    let asked = std::cell::Cell::new(0);
    let base = |_: usize, _: &Value| {
        let number = asked.replace(asked.get() + 1);
        let thing = THINGS[number];
        json!({"question": if number.is_multiple_of(2) { format!("Are {thing} allowed?") } else { format!("Which park allows {thing}?") }})
    };
    assert_eq!(collection.work(&base), 20);
    collection.survive("base questions");
    let split = collection.post("/split", &json!({}));
    assert_eq!((&split["base"], &split["joined"]), (&json!([8, 2, 10]), &json!(0)), "{split}");
    collection.survive("splitting");

    // Variations, each by somebody else than the author.
    for (step, count, items) in [("paraphrase", 1, 20), ("flip", 1, 20), ("compose", 9, 9), ("structure", 1, 20)] {
        let made = collection.post("/steps", &json!({"step": step, "count": count}));
        assert_eq!(made["items"], items, "{step}: {made}");
        let vary = |_: usize, item: &Value| {
            let originals = item["payload"]["questions"].as_array().expect("originals are listed");
            let text = originals[0]["text"].as_str().expect("a question is text").trim_end_matches('?').to_owned();
            match step {
                "paraphrase" => json!({"question": format!("{text} in this place, please?")}),
                "flip" => json!({"question": format!("{}?", text.replace("allow", "forbid")), "sure": true}),
                "compose" => json!({"question": format!("{text}, and what of item {}?", item["id"]),
                    "picked": [originals[0]["id"], originals[2]["id"]]}),
                _ => json!({"question": format!("{text}: list them."),
                    "fields": [{"name": "park", "kind": "span"}, {"name": "allowed", "kind": "yes-no"}]}),
            }
        };
        assert_eq!(collection.work(&vary), items, "{step}");
        collection.survive(step);
    }
    let questions = collection.state()["questions"].clone();
    assert_eq!((questions["split"]["all"].clone(), &questions["split"]["crossing"]), (json!([36, 8, 45]), &json!(0)));

    // Passages, answers by three, agreement.
    let found = collection.post("/passages", &json!({}));
    assert_eq!((&found["questions"], &found["copied"]), (&json!(89), &json!(20)), "{found}");
    collection.survive("passages");
    let items = found["passages"].as_u64().expect("a number") as usize;
    // One of the four errs now and then.
    let answers = |person: usize, item: &Value| {
        let errs = person == 3 && item["id"].as_i64().expect("a number") % 7 == 0;
        if errs { json!({"is": "na"}) } else { truth(&item["payload"]) }
    };
    assert_eq!(collection.work(&answers), 3 * items);
    collection.survive("answers");
    let state = collection.owner().get(&collection.project).json();
    assert_eq!(
        (&state["disputed"], &state["agreement"]["items"]),
        (&json!(0), &json!(items)),
        "{}",
        state["agreement"]
    );
    let alpha = state["agreement"]["krippendorff"].as_f64().expect("a number");
    assert!(alpha > 0.8 && alpha < 1.0, "{alpha}");
    assert!(state["cost"]["spent"].as_f64().expect("a number") > 0.0);

    // A release that the evaluation runs on.
    unpack(
        collection.owner().bytes(&format!("{}/export/release", collection.project)),
        &scratch.path().join("release"),
    );
    unpack(collection.owner().bytes(&format!("{}/export/zest", collection.project)), &scratch.path().join("export"));
    let run = |arguments: &[&str]| {
        let outcome = saydo_in(scratch.path(), arguments);
        assert_eq!(outcome.code, 0, "{arguments:?}: {}", outcome.stderr);
        outcome
    };
    run(&["release", "export", "-o", "again", "--name", "Parks"]);
    let read = |name: &str| std::fs::read_to_string(scratch.path().join(name)).expect("it is there");
    for name in ["statistics.json", "collection.json", "README.md", "test-answers/test.jsonl", "checksums.sha256"] {
        assert_eq!(read(&format!("release/{name}")), read(&format!("again/{name}")), "{name}");
    }
    run(&["lint", "release/train.jsonl", "release/dev.jsonl", "release/test-answers/test.jsonl"]);
    let eval = [
        "eval",
        "zest",
        "--data",
        "release/test-answers/test.jsonl",
        "-m",
        "baseline:always-na",
        "-o",
        "home/runs/na",
        "--quiet",
    ];
    run(&eval);

    // A model and people on a leaderboard.
    let id: i64 = collection.project.rsplit('/').next().and_then(|id| id.parse().ok()).expect("a number");
    let got = collection.owner().post("/v1/boards", &json!({"name": "Parks", "project": id}));
    assert_eq!((got.status, &got.json()["tasks"]), (200, &json!(45)), "{}", got.text);
    let (board, passages) = (got.json()["id"].clone(), got.json()["passages"].as_u64().expect("a number") as usize);
    let links =
        collection.owner().post(&format!("/v1/projects/{board}/annotators"), &json!({"names": ["Model"]})).json();
    let path = links["annotators"][0]["path"].as_str().expect("a link has a path").to_owned();
    let model = collection.server.join_at(&path, "/board");
    let submit = |person: &Client, predictions: String| {
        person.post("/v1/board/submissions", &json!({"name": "always n/a", "predictions": predictions}))
    };
    assert_eq!(submit(&model, "n/a\n".repeat(passages - 1)).status, 400);
    assert_eq!(submit(&model, "n/a\n".repeat(passages)).status, 200);
    let people = collection.owner().post("/v1/people", &json!({"name": "People", "board": board, "tasks": 45}));
    assert_eq!((people.status, &people.json()["items"]), (200, &json!(passages)), "{}", people.text);
    let people = format!("/v1/projects/{}", people.json()["id"]);
    let links = collection.owner().post(&format!("{people}/annotators"), &json!({"names": ["Grace"]})).json();
    let path = links["annotators"][0]["path"].as_str().expect("a link has a path").to_owned();
    collection.survive("beginning a leaderboard");
    let grace = collection.server.join(&path);
    let of_people =
        Collection { folder: scratch.path(), server: collection.server, people: vec![grace], project: people.clone() };
    assert_eq!(of_people.work(&|_, item| truth(&item["payload"])), passages);
    let kept = of_people.post("/people", &json!({}));
    assert_eq!(kept["board"], board, "{kept}");
    let mut server = of_people.server;
    server.kill();
    server = Server::start(scratch.path());
    let table = server.client().get(&format!("/v1/projects/{board}/board")).json();
    let names: Vec<&Value> = table["entries"].as_array().expect("entries").iter().map(|entry| &entry["name"]).collect();
    assert_eq!(names, ["people", "always n/a"], "{table}");
    let ahead = &table["entries"][0]["next"]["mean"];
    assert!(ahead["difference"].as_f64() > Some(0.0) && ahead["p_value"].as_f64() < Some(0.05), "{ahead}");
    // People and a model beside each other in one report.
    let run_of_people = format!("home/runs/{}", kept["run"].as_str().expect("a name"));
    let report = run(&["report", &run_of_people, "home/runs/na", "--format", "markdown"]);
    assert!(report.stdout.contains("people"), "{}", report.stdout);
}
