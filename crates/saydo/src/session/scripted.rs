//! A stand-in for a model: it needs no weights and answers by a fixed rule, for trying out pipelines and for tests.
//!
//! What it says depends on the prompt alone, and means nothing: a label by the prompt's hash, words of the document for
//! spans, `yes`, `no` or `NA` where anything may be said.

use crate::error::Error as SaydoError;
use saydo_model::{
    Constraint, Error, Finish, Model, Opening, Prompt, Reply, Request, Score, ScoreRequest, Usage, Wanted, log_odds,
};
use saydo_random::SplitMix64;
use std::time::Duration;

/// The stand-in, with the time it takes for each request.
pub(super) struct Scripted {
    delay: Duration,
}

impl Scripted {
    /// Reads `scripted` or `scripted:DELAY_MS`; none if the name is another's.
    pub(super) fn parse(name: &str) -> Result<Option<Self>, SaydoError> {
        let milliseconds = match name.split_once(':') {
            Some(("scripted", text)) => match text.parse() {
                Ok(milliseconds) => milliseconds,
                Err(_) => return Err(SaydoError::NoScript { name: name.to_owned() }),
            },
            None if name == "scripted" => 0,
            _ => return Ok(None),
        };
        Ok(Some(Self { delay: Duration::from_millis(milliseconds) }))
    }

    /// The delay changes no answer.
    pub(super) fn fingerprint(&self) -> String {
        "scripted:1".to_owned()
    }

    fn log_prob(&self, prompt: &Prompt, continuation: &str) -> f64 {
        -0.01 * (Choice::from(hash(prompt, continuation)).below(1000) as f64)
    }

    fn wait(&self) {
        if !self.delay.is_zero() {
            std::thread::sleep(self.delay);
        }
    }
}

impl Model for Scripted {
    fn generate_each(
        &self,
        requests: &mut dyn Iterator<Item = Request>,
        done: &mut dyn FnMut(usize, Result<Reply, Error>),
    ) -> Result<(), Error> {
        for (index, request) in requests.enumerate() {
            if let Err(error) = Wanted::check(request.wanted.as_ref()) {
                done(index, Err(error));
                continue;
            }
            self.wait();
            let mut choice = Choice::from(hash(&request.prompt, ""));
            let log_odds_of = |opening: &Opening| log_odds(self.log_prob(&request.prompt, &opening.text));
            let opening_log_odds = request.opening.as_ref().map(log_odds_of);
            let given = request.opening.as_ref().filter(|one| opening_log_odds.is_some_and(|odds| one.is_given(odds)));
            let text = match (given, &request.constraint) {
                (Some(opening), _) => opening.text.clone(),
                (None, Some(constraint)) => choice.text(constraint),
                (None, None) => choice.of(&["yes", "no", "NA"]).to_string(),
            };
            let log_prob = Some(-0.01 * (choice.below(100) as f64));
            done(
                index,
                Ok(Reply {
                    text,
                    tokens: Vec::new(),
                    finish: Finish::End,
                    log_prob,
                    first_log_prob: log_prob,
                    opening_log_odds,
                    usage: Usage::default(),
                }),
            );
        }
        Ok(())
    }

    fn score_each(
        &self,
        requests: &mut dyn Iterator<Item = ScoreRequest>,
        done: &mut dyn FnMut(usize, Result<Vec<Score>, Error>),
    ) -> Result<(), Error> {
        for (index, request) in requests.enumerate() {
            if let Err(error) = Wanted::check(request.wanted.as_ref()) {
                done(index, Err(error));
                continue;
            }
            self.wait();
            let score = |continuation: &String| Score {
                log_prob: self.log_prob(&request.prompt, continuation),
                tokens: 1,
                is_greedy: false,
            };
            done(index, Ok(request.continuations.iter().map(score).collect()));
        }
        Ok(())
    }
}

/// FNV-1a over a prompt and what may follow it.
fn hash(prompt: &Prompt, continuation: &str) -> u64 {
    let parts = [prompt.prefix.as_bytes(), prompt.text.as_bytes(), b"\0", continuation.as_bytes()];
    let bytes = parts.into_iter().flatten();
    bytes.fold(0xcbf2_9ce4_8422_2325, |state, byte| (state ^ u64::from(*byte)).wrapping_mul(0x0100_0000_01b3))
}

/// Numbers that follow from a hash.
struct Choice {
    random: SplitMix64,
}

impl Choice {
    fn from(hash: u64) -> Self {
        Self { random: SplitMix64::seeded(hash) }
    }

    /// A number below `bound`; 0 if that is 0.
    fn below(&mut self, bound: usize) -> usize {
        // A hash's own low bits are too regular to be used as they are.
        self.random.word().checked_rem(bound as u64).unwrap_or_default() as usize
    }

    fn of<'a, T>(&mut self, items: &'a [T]) -> &'a T {
        &items[self.below(items.len())]
    }

    /// A text that the constraint allows, as far as there is one.
    fn text(&mut self, constraint: &Constraint) -> String {
        match constraint {
            Constraint::Text(text) => text.clone(),
            Constraint::OneOf(parts) if parts.is_empty() => String::new(),
            Constraint::OneOf(parts) => {
                let part = self.of(parts);
                self.text(part)
            }
            Constraint::Sequence(parts) => parts.iter().map(|part| self.text(part)).collect(),
            Constraint::Repeat { item, separator, min, max } => {
                let count = min + self.below(max.saturating_sub(*min).min(2) + 1);
                let items: Vec<String> = (0..count).map(|_| self.text(item)).collect();
                items.join(separator)
            }
            Constraint::PieceOf { text, escape } => escape.write(self.word(text)).into(),
            Constraint::Line { max_chars, escape } => {
                let line: String = "scripted".chars().take(*max_chars).collect();
                escape.write(&line).into()
            }
            Constraint::Number => self.below(100).to_string(),
            Constraint::Json(schema) => self.json(schema).to_string(),
        }
    }

    /// A word of the text without the punctuation around it.
    fn word<'a>(&mut self, text: &'a str) -> &'a str {
        let bare = |word: &'a str| word.trim_matches(|c: char| !c.is_alphanumeric());
        let words: Vec<&str> = text.split_whitespace().map(bare).filter(|word| !word.is_empty()).collect();
        if words.is_empty() { text.trim() } else { words[self.below(words.len())] }
    }

    /// A value of the simplest kind that a schema allows.
    fn json(&mut self, schema: &serde_json::Value) -> serde_json::Value {
        use serde_json::Value;
        if let Some(values) = schema.get("enum").and_then(Value::as_array).filter(|values| !values.is_empty()) {
            return self.of(values).clone();
        }
        match schema.get("type").and_then(Value::as_str) {
            Some("object") => {
                let fields = schema.get("properties").and_then(Value::as_object).into_iter().flatten();
                Value::Object(fields.map(|(name, field)| (name.clone(), self.json(field))).collect())
            }
            Some("array") => schema.get("items").map(|item| self.json(item)).into_iter().collect(),
            Some("string") => Value::from("scripted"),
            Some("number" | "integer") => Value::from(self.below(100)),
            Some("boolean") => Value::from(self.below(2) == 0),
            _ => Value::Null,
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use saydo_model::Decoding;
    use std::sync::Arc;

    fn reply(text: &str, constraint: Option<Constraint>) -> String {
        let request = Request::new(Prompt::chat(text), Decoding::default());
        let request = Request { constraint: constraint.map(Arc::new), ..request };
        let model = Scripted::parse("scripted").unwrap().unwrap();
        model.generate(vec![request]).unwrap()[0].as_ref().unwrap().text.clone()
    }

    #[test]
    fn names_with_and_without_delay_are_its_own() {
        assert_eq!(Scripted::parse("scripted:7").unwrap().unwrap().delay, Duration::from_millis(7));
        assert!(Scripted::parse("smollm2-135m").unwrap().is_none());
        assert!(Scripted::parse("openai:scripted").unwrap().is_none());
        assert!(Scripted::parse("scripted:soon").is_err());
    }

    #[test]
    fn the_same_prompt_has_the_same_reply_and_prompts_differ() {
        let replies: Vec<String> = (0..50).map(|number| reply(&format!("text {number}"), None)).collect();
        let again: Vec<String> = (0..50).map(|number| reply(&format!("text {number}"), None)).collect();
        assert_eq!(replies, again);
        assert!(["yes", "no", "NA"].iter().all(|word| replies.iter().any(|reply| reply == word)));
    }

    #[test]
    fn spans_are_words_of_the_document() {
        let document = "“Lehamite Falls” is a hike; Bridalveil Fall is paved.";
        for number in 0..20 {
            let spans = reply(&format!("{number}"), Some(Constraint::spans(document, "; ", 8)));
            assert!(spans.split("; ").all(|span| !span.is_empty() && document.contains(span)), "{spans}");
        }
    }
}
