//! A model as coder: which code it finds likeliest, less what it finds likely of an empty output.
//!
//! Many models lean to one code whatever they read; taking off what they say of nothing corrects for that (Zhao and others,
//! "Calibrate Before Use", 2021). This is a suggestion: [`super::tally`] never counts it among people's codes.

use super::{Book, Coded, Item};
use saydo_model::{Error, Form, Model, Prompt, Score, ScoreRequest};
use std::fmt::Write as _;
use std::sync::Arc;

/// Gold answers that a prompt lists.
const MOST_GOLD: usize = 5;

/// Has a model code items; one that it cannot score is left out. `form` is how the model is asked: plain, or in its chat
/// template.
pub fn code_each(model: &dyn Model, name: &str, form: &Form, book: &Book, items: &[Item]) -> Result<Vec<Coded>, Error> {
    let head: Arc<str> = Arc::from(head(book));
    let request = |prompt: String| {
        let prompt = Prompt { prefix: Arc::clone(&head), text: prompt, form: form.clone() };
        // A reply in a chat template starts without a space; a continuation starts with one.
        let space = if matches!(form, Form::Chat { .. }) { "" } else { " " };
        ScoreRequest::new(prompt, book.codes.iter().map(|code| format!("{space}{}", code.name)).collect())
    };
    let empty =
        Item { id: String::new(), task: String::new(), prompt: "?".into(), gold: Vec::new(), output: String::new() };
    let requests = [&empty].into_iter().chain(items).map(|item| request(tail(item)));
    let mut answers = model.score(requests.collect())?.into_iter();
    let base = answers.next().expect("a model answers every request it takes")?;
    let code = |(item, scores): (&Item, Result<Vec<Score>, Error>)| {
        let scores = scores.ok()?;
        let lead = |place: usize| Some(scores.get(place)?.log_prob - base.get(place)?.log_prob);
        let best = (0..book.codes.len()).filter_map(|place| Some((place, lead(place)?)));
        let (place, _) = best.reduce(|best, next| if next.1 > best.1 { next } else { best })?;
        Some(Coded {
            item: item.id.clone(),
            coder: name.to_owned(),
            code: book.codes[place].name.to_owned(),
            note: String::new(),
            by_model: true,
        })
    };
    Ok(items.iter().zip(answers).filter_map(code).collect())
}

fn head(book: &Book) -> String {
    let mut text = "Outputs of a language model are sorted by their error. The codes are:\n".to_owned();
    for code in &book.codes {
        let _ = writeln!(text, "{}: the output {}", code.name, code.meaning);
    }
    text
}

fn tail(item: &Item) -> String {
    let gold: Vec<&str> = item.gold.iter().take(MOST_GOLD).map(String::as_str).collect();
    let gold = if gold.is_empty() { "not known".to_owned() } else { gold.join(" / ") };
    format!("\nWhat was asked:\n{}\n\nRight answer: {gold}\nOutput: {}\n\nCode:", item.prompt, item.output)
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::Protocol;
    use saydo_model::ScriptedModel;

    #[test]
    fn the_likeliest_code_beyond_the_models_leaning_is_given() {
        // It leans to "other" and finds "recall" likely only where NA was said.
        let says = |prompt: &str, code: &str| match code.trim() {
            "other" => -0.1,
            "recall" if prompt.contains("Output: n/a") => -1.0,
            _ => -5.0,
        };
        let model = ScriptedModel::new(|_| String::new()).with_log_prob(says);
        let item = |id: &str, output: &str| Item {
            id: id.into(),
            task: "t".into(),
            prompt: "Are dogs allowed?".into(),
            gold: vec!["yes".into()],
            output: output.into(),
        };
        let book = super::super::book(Protocol::Zest);
        let codes = code_each(&model, "scripted", &Form::Plain, &book, &[item("a", "n/a")]).unwrap();
        assert_eq!((codes[0].code.as_str(), codes[0].by_model, codes[0].item.as_str()), ("recall", true, "a"));
    }
}
