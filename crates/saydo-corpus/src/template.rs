//! Templates of pages and drawings. What they show is escaped unless they say that it is markup.

use crate::escape::escape;
use minijinja::syntax::SyntaxConfig;
use minijinja::value::Serde;
use minijinja::{AutoEscape, Environment, Error, Output, State, UndefinedBehavior, Value};
use serde::Serialize;

/// Templates that are read once and stand in the binary: what is wrong with them is a mistake in the program.
pub struct Templates(Environment<'static>);

impl Templates {
    /// Reads templates, each with its name. A tag alone on a line leaves nothing of the line.
    ///
    /// # Panics
    ///
    /// If one cannot be read.
    pub fn new(templates: &[(&'static str, &'static str)]) -> Self {
        let syntax = SyntaxConfig::builder().trim_blocks(true).lstrip_blocks(true).keep_trailing_newline(true).build();
        let mut environment = Environment::new();
        environment.set_syntax(syntax.expect("the delimiters are the usual ones"));
        environment.set_auto_escape_callback(|_| AutoEscape::Html);
        environment.set_formatter(write);
        environment.set_undefined_behavior(UndefinedBehavior::Strict);
        for (name, text) in templates {
            environment.add_template(name, text).expect("templates are tested");
        }
        Self(environment)
    }

    /// A template with its values.
    ///
    /// # Panics
    ///
    /// If there is no such template, or it asks for a value that is not there.
    pub fn render(&self, name: &str, values: &impl Serialize) -> String {
        let template = self.0.get_template(name).expect("templates are tested");
        template.render(Value::from(Serde(values))).expect("templates are tested")
    }
}

/// Writes markup as it is, everything else escaped, and numbers as Rust does: 1 rather than 1.0.
fn write(out: &mut Output<'_>, _: &mut State<'_, '_>, value: &Value) -> Result<(), Error> {
    let text = match value.as_str() {
        Some(markup) if value.is_safe() => return Ok(out.write_str(markup)?),
        Some(text) => escape(text),
        None if value.is_number() && !value.is_integer() => f64::try_from(value.clone())?.to_string(),
        None => escape(&value.to_string()),
    };
    Ok(out.write_str(&text)?)
}

#[cfg(test)]
mod tests {
    use super::*;
    use serde_json::json;

    #[test]
    fn only_what_is_said_to_be_markup_is_markup() {
        let templates = Templates::new(&[("t", "{{ text }} {{ text|safe }} {{ list }} {{ one }} {{ half }}\n")]);
        let values = json!({"text": "<i>\u{1}", "list": ["<"], "one": 1.0, "half": -0.5});
        assert_eq!(templates.render("t", &values), "&lt;i&gt;␁ <i>\u{1} [&#39;&lt;&#39;] 1 -0.5\n");
    }

    #[test]
    #[should_panic(expected = "templates are tested")]
    fn a_value_that_is_not_there_is_not_passed_over() {
        Templates::new(&[("t", "{{ nothing }}")]).render("t", &json!({}));
    }
}
