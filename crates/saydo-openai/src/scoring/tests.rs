//! Reading one echoed answer.

use super::*;
use serde_json::json;

fn answer(logprobs: Value) -> Value {
    json!({"choices": [{"text": "a b", "logprobs": logprobs}], "usage": {"completion_tokens": 0}})
}

fn whole() -> Value {
    json!({
        "tokens": ["a", " b"],
        "text_offset": [0, 1],
        "token_logprobs": [null, -0.5],
        "top_logprobs": [null, {" b": -0.5, " c": -0.25}],
    })
}

fn said(result: Result<Score, Unusable>) -> String {
    match result {
        Ok(score) => format!("{score:?}"),
        Err(Unusable::Lacks(missing)) => format!("lacks {missing}"),
        Err(Unusable::Final(error)) => error.to_string(),
    }
}

#[test]
fn a_whole_answer_gives_a_score() {
    assert_eq!(said(read(&answer(whole()), "a", " b")), "Score { log_prob: -0.5, tokens: 1, is_greedy: false }");
}

#[test]
fn the_first_token_of_all_cannot_be_scored() {
    let expected = "the score of a text's first token is not supported; put a prompt of at least one token in front of \
                    the continuations";
    assert_eq!(said(read(&answer(whole()), "", "a b")), expected);
}

#[test]
fn what_is_missing_is_named() {
    for field in ["text_offset", "token_logprobs", "top_logprobs"] {
        let mut logprobs = whole();
        logprobs[field] = Value::Null;
        assert_eq!(said(read(&answer(logprobs), "a", " b")), format!("lacks choices[0].logprobs.{field}"));
    }
    let mut logprobs = whole();
    logprobs["token_logprobs"] = json!([null]);
    assert_eq!(said(read(&answer(logprobs), "a", " b")), "lacks choices[0].logprobs.token_logprobs");
}

#[test]
fn log_probabilities_that_do_not_line_up_are_refused() {
    let expected = "scoring on a server whose log-probabilities do not line up with the text is not supported; serve the \
                    model with vLLM, or run it locally";
    let mut logprobs = whole();
    logprobs["tokens"] = json!(["a", "b"]);
    assert_eq!(said(read(&answer(logprobs), "a", " b")), expected);
    let mut shifted = answer(whole());
    shifted["usage"]["prompt_tokens"] = json!(2);
    assert_eq!(said(read(&shifted, "a", " b")), expected);
}
