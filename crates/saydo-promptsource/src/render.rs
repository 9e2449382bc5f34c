//! Filling a template with a row, as PromptSource does: choices first, then prompt and target, split at `|||`.
//!
//! `choice` draws at random there; here it gives the first item, so that a template makes the same task every time.

use crate::{Error, Template};
use minijinja::value::Serde;
use minijinja::{Environment, UndefinedBehavior, context};
use serde_json::Value;

const SEPARATOR: &str = "|||";
/// Stands for a separator inside a row's own text.
const PROTECTED: &str = "\u{e000}3pipes\u{e000}";
/// Steps that a template may take for one row.
const FUEL: u64 = 200_000;
const PROMPT: &str = "prompt";
const CHOICES: &str = "choices";

/// A row's prompt and its targets.
pub(crate) struct Rendered {
    pub prompt: String,
    pub targets: Vec<String>,
}

/// A template that is parsed once.
pub(crate) struct Renderer<'t> {
    template: &'t Template,
    environment: Environment<'t>,
}

impl<'t> Renderer<'t> {
    pub fn new(template: &'t Template) -> Result<Self, Error> {
        let mut environment = Environment::new();
        environment.set_undefined_behavior(UndefinedBehavior::SemiStrict);
        environment.set_fuel(Some(FUEL));
        environment.set_unknown_method_callback(minijinja_contrib::pycompat::unknown_method_callback);
        environment.add_filter("choice", |items: Vec<minijinja::Value>| items.into_iter().next().unwrap_or_default());
        environment.add_filter("most_frequent", most_frequent);
        let jinja =
            |error: minijinja::Error| Error::Jinja { template: template.name.clone(), reason: error.to_string() };
        environment.add_template(PROMPT, &template.jinja).map_err(jinja)?;
        if let Some(choices) = &template.answer_choices {
            environment.add_template(CHOICES, choices).map_err(jinja)?;
        }
        Ok(Self { template, environment })
    }

    /// `number` is the row's, from 0.
    pub fn render(&self, row: &Value, number: usize) -> Result<Rendered, Error> {
        let row = minijinja::Value::from(Serde(protected(row)));
        let failed = |error: minijinja::Error| Error::Row {
            template: self.template.name.clone(),
            row: number + 1,
            reason: error.to_string(),
        };
        let choices: Option<Vec<String>> = match self.environment.get_template(CHOICES) {
            Ok(template) => Some(parts(&template.render(row.clone()).map_err(failed)?)),
            Err(_) => None,
        };
        let values = match &choices {
            Some(choices) => context! { answer_choices => choices, ..row },
            None => context! { answer_choices => (), ..row },
        };
        let template = self.environment.get_template(PROMPT).map_err(failed)?;
        let text = template.render(values).map_err(failed)?;
        if text.trim().is_empty() {
            return Ok(Rendered { prompt: String::new(), targets: Vec::new() });
        }
        let mut parts = parts(&text).into_iter();
        let prompt = parts.next().unwrap_or_default();
        let targets: Vec<String> = parts.collect();
        match targets.is_empty() {
            true => Err(Error::NoTarget { template: self.template.name.clone(), row: number + 1 }),
            false => Ok(Rendered { prompt, targets }),
        }
    }
}

/// The parts between separators, space around them left out.
fn parts(text: &str) -> Vec<String> {
    text.split(SEPARATOR).map(|part| part.trim().replace(PROTECTED, SEPARATOR)).collect()
}

/// The row with no separator in any of its texts.
fn protected(value: &Value) -> Value {
    match value {
        Value::String(text) => Value::String(text.replace(SEPARATOR, PROTECTED)),
        Value::Array(items) => items.iter().map(protected).collect(),
        Value::Object(fields) => fields.iter().map(|(name, value)| (name.clone(), protected(value))).collect(),
        other => other.clone(),
    }
}

/// The items that stand in a list most often, in the order of first appearance.
fn most_frequent(items: Vec<minijinja::Value>) -> Vec<minijinja::Value> {
    let count = |item: &minijinja::Value| items.iter().filter(|other| *other == item).count();
    let most = items.iter().map(count).max().unwrap_or_default();
    let mut found: Vec<minijinja::Value> = Vec::new();
    for item in items.iter().filter(|item| count(item) == most) {
        if !found.contains(item) {
            found.push(item.clone());
        }
    }
    found
}
