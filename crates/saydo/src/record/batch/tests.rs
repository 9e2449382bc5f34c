use super::*;
use crate::answering;
use crate::record::Ledger;
use saydo_corpus::{Document, Row, Status, Unreadable};
use saydo_model::{Decoding, Finish, Prompt, Usage};
use saydo_task::Answer;
use serde_json::{Value, json};
use std::path::{Path, PathBuf};
use tempfile::TempDir;

/// A part that sends a text sentence by sentence and joins the replies.
fn part<'a>() -> Part<'a> {
    let windows = |text: &str| text.split('.').map(str::to_owned).collect::<Vec<_>>();
    Part::new(
        Keys::new(&json!("task"), "model"),
        move |text| {
            let request = |text: String| Request::new(Prompt::chat(text), Decoding::default());
            windows(text).into_iter().map(request).collect()
        },
        |_, replies| {
            let text: Vec<&str> = replies.iter().map(|reply| reply.text.as_str()).collect();
            Ok(Outcome {
                answer: Answer::Text(text.join("+")),
                confidence: None,
                windows: replies.len(),
                na_log_odds: None,
                ungrounded: 0,
                evidence: Vec::new(),
            })
        },
    )
}

fn documents(texts: &[&str]) -> Vec<Result<Document, Unreadable>> {
    let document = |(number, text): (usize, &&str)| {
        Ok(Document {
            id: Value::from(number),
            source: format!("d:{number}"),
            text: (*text).to_owned(),
            question: None,
        })
    };
    texts.iter().enumerate().map(document).collect()
}

fn line(id: &str, request: &Request) -> Result<Value, saydo_model::Error> {
    Ok(json!({"custom_id": id, "text": request.prompt.whole()}))
}

fn read(_: &Request, value: &Value) -> Result<Reply, saydo_model::Error> {
    match value["reply"].as_str() {
        Some(text) => {
            let (text, usage) = (text.to_owned(), Usage::default());
            Ok(Reply {
                text,
                tokens: Vec::new(),
                finish: Finish::End,
                log_prob: None,
                first_log_prob: None,
                opening_log_odds: None,
                usage,
            })
        }
        None => Err(saydo_model::Error::Server("it says nothing".into())),
    }
}

struct Scratch {
    _folder: TempDir,
    requests: PathBuf,
    results: PathBuf,
    ledger: Ledger,
}

impl Scratch {
    fn new() -> Self {
        let folder = tempfile::tempdir().expect("a scratch folder");
        let at = |name: &str| folder.path().join(name);
        let ledger = Ledger::open(&at("ledger.jsonl"), &[]).expect("it opens");
        Self { requests: at("requests.jsonl"), results: at("results.jsonl"), ledger, _folder: folder }
    }

    fn export(&self, texts: &[&str]) -> (Exported, Vec<Value>) {
        let mut documents = documents(texts).into_iter();
        let exported = export(&[part()], &mut documents, &self.ledger, false, &self.requests, &line).expect("it goes");
        (exported, lines(&self.requests))
    }

    fn import(&mut self, texts: &[&str], results: &[Value]) -> (Imported, Vec<Row>) {
        let text: String = results.iter().map(|result| format!("{result}\n")).collect();
        std::fs::write(&self.results, text).expect("the folder is ours");
        let results = Results::open(&self.results).expect("there are some");
        let mut rows = Vec::new();
        let mut each = |finished: answering::Finished<'_>| {
            rows.push(finished.row.clone());
            Ok(())
        };
        let mut documents = documents(texts).into_iter();
        let imported = import(&[part()], &mut documents, &mut self.ledger, "m", results, &read, &mut each);
        (imported.expect("it comes"), rows)
    }
}

fn lines(path: &Path) -> Vec<Value> {
    let text = std::fs::read_to_string(path).expect("it was written");
    text.lines().map(|line| serde_json::from_str(line).expect("a line is JSON")).collect()
}

/// What a server that shouts would answer.
fn shouted(request: &Value) -> Value {
    json!({"custom_id": request["custom_id"], "reply": request["text"].as_str().unwrap_or_default().to_uppercase()})
}

#[test]
fn what_goes_out_comes_back_in_any_order() {
    let mut scratch = Scratch::new();
    let texts = ["one.two", "three", "three", "four"];
    let (exported, requests) = scratch.export(&texts);
    assert_eq!(exported, Exported { requests: 4, documents: 4, finished: 0, unreadable: 0 });
    let results: Vec<Value> = requests.iter().rev().map(shouted).collect();
    let (imported, rows) = scratch.import(&texts, &results);
    assert_eq!((imported.summary.rows, imported.summary.computed, imported.open), (4, 3, 0));
    let answers: Vec<&Value> = rows.iter().map(|row| &row.cells[0].answer).collect();
    assert_eq!(answers, ["ONE+TWO", "THREE", "THREE", "FOUR"]);
    assert_eq!(rows[0].cells[0].windows, 2);
    let (exported, requests) = scratch.export(&texts);
    assert_eq!((exported.finished, requests.len()), (4, 0), "nothing is asked again");
}

#[test]
fn what_is_missing_stays_open_and_what_failed_is_a_failed_row() {
    let mut scratch = Scratch::new();
    let texts = ["one.two", "three", "four"];
    let (_, requests) = scratch.export(&texts);
    let failed = json!({"custom_id": requests[2]["custom_id"], "error": "x"});
    let stranger = json!({"custom_id": custom_id(Keys::new(&json!(""), "").of(""), 0), "reply": ""});
    let results = [shouted(&requests[0]), failed, shouted(&requests[3]), stranger, json!({"custom_id": "mine"})];
    let (imported, rows) = scratch.import(&texts, &results);
    assert_eq!((imported.open, imported.unknown, imported.foreign), (1, 1, 1));
    let statuses: Vec<Status> = rows.iter().map(|row| row.cells[0].status).collect();
    assert_eq!(statuses, [Status::Failed, Status::Ok]);
    assert_eq!(rows[0].cells[0].error.as_deref(), Some("it says nothing"));
    let (exported, requests) = scratch.export(&texts);
    assert_eq!((exported.finished, requests.len()), (2, 2), "both windows of the first document");
    let (imported, _) = scratch.import(&texts, &requests.iter().map(shouted).collect::<Vec<_>>());
    assert_eq!((imported.open, imported.summary.rows), (0, 3));
}

#[test]
fn results_that_are_none_are_refused() {
    let folder = tempfile::tempdir().unwrap();
    let path = folder.path().join("results.jsonl");
    std::fs::write(&path, "{\"custom_id\": \"a\"}\nnonsense\n\n").unwrap();
    let error = Results::open(&path).unwrap_err().to_string();
    assert!(error.ends_with("holds no results of a batch that was exported here (other lines: 2)"), "{error}");
}
