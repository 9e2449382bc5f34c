//! Reading one generated answer.

use super::*;
use serde_json::json;

fn read_chat(choice: Value, stop: &[&str]) -> Result<Reply, Unusable> {
    let stop: Vec<String> = stop.iter().map(|stop| (*stop).to_owned()).collect();
    ReplyReader { chat: true, stop: &stop }.read(&json!({"choices": [choice]}))
}

fn read(choice: Value, stop: &[&str]) -> Reply {
    read_chat(choice, stop).ok().expect("the answer is good")
}

#[test]
fn the_first_stop_string_cuts_the_text_and_the_sum() {
    let tokens = json!([
        {"token": "o", "logprob": -1, "bytes": [111]},
        {"token": "ne\n", "logprob": -2, "bytes": [110, 101, 10]},
        {"token": "\nQ:", "logprob": -4, "bytes": [10, 81, 58]},
        {"token": " two", "logprob": -8, "bytes": [32, 116, 119, 111]},
    ]);
    let choice = json!({"message": {"content": "one\n\nQ: two"}, "logprobs": {"content": tokens}});
    let reply = read(choice.clone(), &["Q:", "\n\n"]);
    assert_eq!((reply.text.as_str(), reply.finish, reply.log_prob), ("one", Finish::Stop, Some(-7.0)));
    let reply = read(choice, &["", "never"]);
    assert_eq!((reply.text.as_str(), reply.finish, reply.log_prob), ("one\n\nQ: two", Finish::End, Some(-15.0)));
}

#[test]
fn reasons_to_end_are_told_apart() {
    let finish = |reason: &str, stop: Value| {
        read(json!({"message": {"content": "x"}, "finish_reason": reason, "stop_reason": stop}), &[]).finish
    };
    assert_eq!(finish("length", Value::Null), Finish::Length);
    assert_eq!(finish("stop", Value::Null), Finish::End);
    assert_eq!(finish("stop", json!(2)), Finish::End, "an end token");
    assert_eq!(finish("stop", json!("\n")), Finish::Stop);
}

#[test]
fn a_refusal_is_the_reply_and_no_content_is_none() {
    assert_eq!(read(json!({"message": {"content": null, "refusal": "I cannot."}}), &[]).text, "I cannot.");
    assert_eq!(read(json!({"message": {"content": null}}), &[]).text, "");
    assert!(matches!(read_chat(json!({"message": {}}), &[]), Err(Unusable::Lacks("choices[0].message.content"))));
    assert!(matches!(read_chat(json!({}), &[]), Err(Unusable::Lacks("choices[0].message"))));
}

#[test]
fn log_probabilities_are_all_or_none() {
    let log_prob = |logprobs: Value| read(json!({"message": {"content": "x"}, "logprobs": logprobs}), &[]).log_prob;
    assert_eq!(log_prob(Value::Null), None);
    assert_eq!(log_prob(json!({"content": []})), None);
    assert_eq!(log_prob(json!({"content": null})), None);
    assert_eq!(log_prob(json!({"content": [{"token": "x", "logprob": null}]})), None);
    assert_eq!(log_prob(json!({"tokens": ["x"], "token_logprobs": [-2]})), Some(-2.0));
}
