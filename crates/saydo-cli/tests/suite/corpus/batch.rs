//! Batch files, there and back.

use super::{QUESTION, Scratch, parse};
use serde_json::{Value, json};

const MODEL: [&str; 4] = ["-m", "openai:tiny", "--base-url", "http://127.0.0.1:9"];

fn run(scratch: &Scratch, arguments: &[&str]) -> crate::run::Outcome {
    let all: Vec<&str> = ["run", QUESTION, "docs.jsonl"].iter().chain(&MODEL).chain(arguments).copied().collect();
    scratch.saydo(&all)
}

fn requests(scratch: &Scratch) -> Vec<Value> {
    scratch.read("requests.jsonl").lines().map(|line| serde_json::from_str(line).expect("a line is JSON")).collect()
}

/// A result as a server writes it.
fn result(request: &Value, content: &str) -> Value {
    let body = json!({"choices": [{"message": {"role": "assistant", "content": content}, "finish_reason": "stop"}]});
    json!({"id": "batch-1", "custom_id": request["custom_id"], "response": {"status_code": 200, "body": body},
           "error": null})
}

#[test]
fn requests_go_out_and_results_come_back() {
    let scratch = Scratch::new(4);
    let outcome = run(&scratch, &["--export-batch", "requests.jsonl"]);
    assert_eq!((outcome.code, outcome.stdout.as_str()), (0, ""), "{}", outcome.stderr);
    assert!(outcome.stderr.contains("4 requests for 4 documents; 0 are finished\n"), "{}", outcome.stderr);
    let sent = requests(&scratch);
    assert_eq!((sent[0]["method"].as_str(), sent[0]["url"].as_str()), (Some("POST"), Some("/v1/chat/completions")));
    assert_eq!(sent[0]["body"]["model"], "tiny");
    assert!(sent[0]["body"]["messages"].to_string().contains("Trail 0 is"), "{}", sent[0]);

    let failed = json!({"custom_id": sent[2]["custom_id"], "response": null, "error": {"message": "it took too long"}});
    let results = [result(&sent[1], "no"), failed, result(&sent[0], "yes"), json!({"custom_id": "someone's"})];
    scratch.write("results.jsonl", &results.map(|result| format!("{result}\n")).concat());
    let outcome = run(&scratch, &["--import-batch", "results.jsonl"]);
    assert_eq!(outcome.code, 1, "{}", outcome.stderr);
    let rows = parse(&outcome.stdout);
    let seen: Vec<(&str, Option<&str>)> =
        rows.iter().map(|row| (row["status"].as_str().expect("a status"), row["answer"].as_str())).collect();
    assert_eq!(seen, [("ok", Some("yes")), ("ok", Some("no")), ("failed", None)]);
    assert!(
        outcome.stderr.contains("0 results belong to no document here, 1 lines are no results"),
        "{}",
        outcome.stderr
    );
    assert!(outcome.stderr.contains("1 documents have no result yet"), "{}", outcome.stderr);

    let outcome = run(&scratch, &["--export-batch", "requests.jsonl", "--retry-errors"]);
    assert!(outcome.stderr.contains("2 requests for 4 documents; 2 are finished\n"), "{}", outcome.stderr);
    let results: String = requests(&scratch).iter().map(|request| format!("{}\n", result(request, "yes"))).collect();
    scratch.write("results.jsonl", &results);
    let outcome = run(&scratch, &["--import-batch", "results.jsonl", "-o", "out.jsonl"]);
    assert_eq!(outcome.code, 0, "{}", outcome.stderr);
    assert_eq!(parse(&scratch.read("out.jsonl")).len(), 4);
}

#[test]
fn results_of_nothing_are_refused() {
    let scratch = Scratch::new(1);
    scratch.write("results.jsonl", "{}\n");
    let outcome = run(&scratch, &["--import-batch", "results.jsonl"]);
    assert_eq!(outcome.code, 2);
    assert!(outcome.stderr.contains("error: results.jsonl holds no results of a batch"), "{}", outcome.stderr);
    let outcome = run(&scratch, &["--import-batch", "none.jsonl"]);
    assert!(outcome.stderr.contains("error: cannot read none.jsonl"), "{}", outcome.stderr);
}
