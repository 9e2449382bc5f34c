//! Where other wordings come from.

use crate::{Error, Session};
use saydo_model::{Decoding, Form, MaxTokens, Prompt, Request, Strategy};
use saydo_task::{AnswerKind, Task};
use std::sync::Arc;

/// A wording of what to do.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Wording {
    /// The words.
    pub text: String,
    /// Who wrote it.
    pub origin: &'static str,
}

impl Wording {
    /// What the task says itself; none if it says nothing.
    pub fn original(task: &Task) -> Option<Self> {
        let text = task.definition.clone().or_else(|| task.prompt.clone())?;
        Some(Self { text, origin: "original" })
    }

    /// What a user asks to try.
    pub fn given(text: &str) -> Self {
        Self { text: text.trim().to_owned(), origin: "given" }
    }
}

/// The paraphrases that a task brings along.
pub fn own(task: &Task) -> impl Iterator<Item = Wording> {
    task.other_definitions.iter().map(|text| Wording { text: text.clone(), origin: "paraphrase" })
}

/// Changes that often help: to say what the answer may be, that it must stand in the text, and when there is none.
pub fn by_rules(original: &str, kind: &AnswerKind) -> Vec<Wording> {
    let sentence = sentence(original);
    let answers = match kind {
        AnswerKind::YesNo => "Answer yes or no.".to_owned(),
        AnswerKind::Label(labels) => format!("Answer with one of: {}.", labels.join(", ")),
        AnswerKind::Spans => "List each in the words of the text.".to_owned(),
        AnswerKind::Records(_) => "Give a record for each one that the text names.".to_owned(),
        AnswerKind::Text => "Answer briefly.".to_owned(),
    };
    let mut texts = vec![
        format!("{sentence} {answers}"),
        format!("{sentence} If the text does not say, answer n/a."),
        format!("According to the text: {original}"),
        format!("{sentence} Go only by what the text says."),
    ];
    let bare = original.trim().trim_start_matches("Please ").trim_start_matches("please ");
    if bare != original.trim() {
        texts.push(bare.to_owned());
    }
    texts.into_iter().map(|text| Wording { text, origin: "rule" }).collect()
}

/// The text with an end, so that another sentence can follow.
fn sentence(text: &str) -> String {
    let text = text.trim();
    if text.ends_with(['.', '?', '!', ':']) { text.to_owned() } else { format!("{text}.") }
}

/// Wordings that the model writes: the first line of each reply, unless it is empty or rambles.
pub fn by_model(original: &str, count: usize, session: &Session, seed: u64) -> Result<Vec<Wording>, Error> {
    let ask = format!(
        "Rewrite this instruction in other words. Keep its meaning exactly, and write only the new instruction.\n\n\
         Instruction: {}\nNew instruction:",
        original.trim()
    );
    let form = if session.settings.chat { Form::Chat { system: None } } else { Form::Plain };
    let requests = (0..count as u64).map(|number| {
        let decoding = Decoding {
            max_tokens: MaxTokens::Count(96),
            stop: vec!["\n".to_owned()],
            strategy: Strategy::Sample { temperature: 0.8, top_p: 0.95, seed: seed.wrapping_add(number) },
            ..Decoding::default()
        };
        Request::new(Prompt { form: form.clone(), ..Prompt::plain(ask.clone()) }, Arc::new(decoding))
    });
    let replies = session.model.generate(requests.collect())?;
    let text = |reply: String| {
        let line = reply.trim().lines().next()?.trim().trim_matches('"').to_owned();
        (!line.is_empty() && line.len() <= 3 * original.len().max(40)).then_some(line)
    };
    let texts = replies.into_iter().filter_map(|reply| text(reply.ok()?.text));
    Ok(texts.map(|text| Wording { text, origin: "model" }).collect())
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn rules_say_what_answers_there_are_and_keep_the_words() {
        let texts = |text: &str, kind: AnswerKind| -> Vec<String> {
            by_rules(text, &kind).into_iter().map(|wording| wording.text).collect()
        };
        let yes_no = texts("Are dogs allowed?", AnswerKind::YesNo);
        assert!(yes_no.contains(&"Are dogs allowed? Answer yes or no.".to_owned()), "{yes_no:?}");
        assert!(yes_no.iter().all(|text| text.contains("Are dogs allowed?")));
        let spans = texts("Please list the trails", AnswerKind::Spans);
        assert!(spans.contains(&"list the trails".to_owned()), "{spans:?}");
        assert!(spans.contains(&"Please list the trails. List each in the words of the text.".to_owned()));
    }

    #[test]
    fn a_task_brings_its_paraphrases() {
        let task =
            Task { prompt: Some("Do it.".into()), other_definitions: vec!["Do that.".into()], ..Task::default() };
        assert_eq!(Wording::original(&task).map(|wording| wording.text), Some("Do it.".to_owned()));
        assert_eq!(own(&task).map(|wording| wording.origin).collect::<Vec<_>>(), ["paraphrase"]);
        assert_eq!(Wording::original(&Task::default()), None);
    }
}
