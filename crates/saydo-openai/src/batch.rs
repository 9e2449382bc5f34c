//! Requests and results as OpenAI's batch files have them, for servers that are given a file instead of being asked.
//!
//! vLLM's `run-batch` reads and writes the same. A body is the one [`crate::OpenAiModel`] would send first; since no
//! server is there to be asked, nothing is learned from refusals and lengths that depend on a text are estimated.

use crate::body::{Generation, is_chat};
use crate::excerpt::excerpt;
use crate::reply::ReplyReader;
use crate::server::SchemaForm;
use crate::{Error, Settings, field::Unusable, generation, length};
use saydo_model::{Reply, Request, Strategy};
use serde_json::{Value, json};

/// How messages name what a result came from.
const NAME: &str = "the batch";

/// A request's line in a batch file.
pub fn line(settings: &Settings, custom_id: &str, request: &Request) -> Result<Value, Error> {
    let schema = request.constraint.as_deref().map(generation::schema).transpose()?;
    if matches!(request.decoding.strategy, Strategy::Beam { .. }) {
        let advice = "run the model locally, or decode greedily".to_owned();
        return Err(Error::Unsupported { what: "beam search in a batch file".to_owned(), advice });
    }
    let generation = Generation {
        prompt: &request.prompt,
        decoding: &request.decoding,
        schema,
        schema_form: SchemaForm::JsonSchema,
        max_tokens: length::estimate(&request.decoding.max_tokens),
        renamed_max_tokens: false,
        log_probs: Some(1),
    };
    let chat = is_chat(settings.endpoint, &request.prompt);
    let url = if chat { "/v1/chat/completions" } else { "/v1/completions" };
    Ok(json!({"custom_id": custom_id, "method": "POST", "url": url, "body": generation.body(settings)}))
}

/// The reply in a line of a file of results, given the request it answers.
pub fn reply(settings: &Settings, request: &Request, result: &Value) -> Result<Reply, Error> {
    let body = result.pointer("/response/body").unwrap_or(&Value::Null);
    let status = result.pointer("/response/status_code").and_then(Value::as_u64).unwrap_or(200);
    let failed = result.get("error").filter(|error| !error.is_null());
    if status != 200 || failed.is_some() {
        // An error beside the response is about the batch, one in its body about the request.
        let said = if body.is_null() { result } else { body };
        let status = u16::try_from(status).unwrap_or_default();
        let message = excerpt(said.to_string().as_bytes(), &[]);
        return Err(Error::Status { url: NAME.to_owned(), status, attempts: 1, message });
    }
    let reader = ReplyReader { chat: is_chat(settings.endpoint, &request.prompt), stop: &request.decoding.stop };
    reader.read(body).map_err(|unusable| match unusable {
        Unusable::Final(error) => error,
        Unusable::Lacks(missing) => Error::Malformed {
            url: NAME.to_owned(),
            missing: missing.to_owned(),
            attempts: 1,
            message: excerpt(result.to_string().as_bytes(), &[]),
        },
    })
}

#[cfg(test)]
mod tests {
    use super::*;
    use saydo_model::{Decoding, Prompt};

    fn settings() -> Settings {
        Settings::new("http://127.0.0.1:1", "tiny")
    }

    fn request() -> Request {
        Request::new(Prompt::chat("Is it wet?"), Decoding::greedy(8).with_stop(["\n"]))
    }

    fn said(result: Value) -> Result<String, String> {
        let reply = reply(&settings(), &request(), &result);
        reply.map(|reply| reply.text).map_err(|error| error.to_string())
    }

    #[test]
    fn a_line_holds_the_body_that_would_be_sent() {
        insta::assert_snapshot!(
            line(&settings(), "k-0", &request()).unwrap(),
            @r#"{"custom_id":"k-0","method":"POST","url":"/v1/chat/completions","body":{"model":"tiny","messages":[{"role":"user","content":"Is it wet?"}],"max_tokens":8,"temperature":0,"stop":["\n"],"logprobs":true,"top_logprobs":1}}"#
        );
        let plain = Request::new(Prompt::plain("It is"), Decoding::greedy(8));
        assert_eq!(line(&settings(), "k-0", &plain).unwrap()["url"], "/v1/completions");
    }

    #[test]
    fn results_of_openai_and_vllm_are_read() {
        let body = json!({"choices": [{"message": {"content": "yes\nno"}, "finish_reason": "stop"}]});
        let openai = json!({"id": "1", "custom_id": "k-0", "response": {"status_code": 200, "request_id": "r",
                            "body": body}, "error": null});
        let vllm = json!({"id": "vllm-1", "custom_id": "k-0", "response": {"status_code": 200, "body": body}});
        assert_eq!(said(openai), Ok("yes".to_owned()));
        assert_eq!(said(vllm), Ok("yes".to_owned()));
    }

    #[test]
    fn what_went_wrong_is_said() {
        let refused = json!({"response": {"status_code": 400, "body": {"error": {"message": "too long"}}}});
        insta::assert_snapshot!(said(refused).unwrap_err(), @"the batch answered with status 400 (1 attempt): too long");
        let expired = json!({"response": null, "error": {"code": "batch_expired", "message": "it took too long"}});
        insta::assert_snapshot!(said(expired).unwrap_err(), @"the batch answered with status 200 (1 attempt): it took too long");
        let empty = json!({"custom_id": "k-0"});
        insta::assert_snapshot!(said(empty).unwrap_err(), @r#"the answer of the batch lacks choices[0] (1 attempt): {"custom_id":"k-0"}"#);
    }
}
