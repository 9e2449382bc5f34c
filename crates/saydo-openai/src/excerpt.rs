//! The beginning of what a server said, fit to be shown: no secrets, no line breaks, not long.

use serde_json::Value;

/// How many characters are shown.
const LENGTH: usize = 300;

/// The message in a server's answer, or the answer itself if it holds none, without `secrets` and cut.
///
/// Secrets go before the text is cut, so that none is left in half.
pub(crate) fn excerpt(answer: &[u8], secrets: &[String]) -> String {
    let text = match serde_json::from_slice::<Value>(answer) {
        Ok(value) => message(&value).unwrap_or_else(|| value.to_string()),
        Err(_) => String::from_utf8_lossy(answer).into_owned(),
    };
    let hidden =
        secrets.iter().filter(|secret| !secret.is_empty()).fold(text, |text, secret| text.replace(secret, "***"));
    let words = hidden.split_whitespace().collect::<Vec<_>>().join(" ");
    match words.char_indices().nth(LENGTH) {
        Some((end, _)) => format!("{}…", &words[..end]),
        None if words.is_empty() => "no message".to_owned(),
        None => words,
    }
}

/// Where servers put their message: OpenAI in `error.message`, Ollama in `error`, FastAPI in `detail`.
fn message(value: &Value) -> Option<String> {
    let found = [value.pointer("/error/message"), value.get("error"), value.get("message"), value.get("detail")];
    let found = found.into_iter().flatten().find(|value| !value.is_null())?;
    Some(found.as_str().map_or_else(|| found.to_string(), str::to_owned))
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn finds_the_message_where_servers_put_it() {
        let said = |answer: &str| excerpt(answer.as_bytes(), &[]);
        assert_eq!(said(r#"{"error": {"message": "a", "code": 1}}"#), "a");
        assert_eq!(said(r#"{"error": "b"}"#), "b");
        assert_eq!(said(r#"{"detail": [{"loc": ["body", "n"]}]}"#), r#"[{"loc":["body","n"]}]"#);
        assert_eq!(said(r#"{"object": "error", "message": "c"}"#), "c");
        assert_eq!(said("<html>\n  Bad Gateway"), "<html> Bad Gateway");
        assert_eq!(said(""), "no message");
    }

    #[test]
    fn hides_secrets_before_it_cuts() {
        let answer = format!("{}sk-secret", "x".repeat(295));
        let said = excerpt(answer.as_bytes(), &["sk-secret".to_owned(), String::new()]);
        assert_eq!(said, format!("{}***", "x".repeat(295)));
        assert_eq!(excerpt("y".repeat(400).as_bytes(), &[]).chars().count(), 301);
    }
}
