//! PromptSource's templates: its YAML and Jinja, filled with rows of a dataset (Natural Instructions, appendix A.5).
//!
//! Apart because of what it is made of, a YAML reader and a template engine. [`Templates::read`] reads a `templates.yaml`, and
//! [`Template::task`] makes a task of one template: each row's prompt is an instance's whole input, its target the gold output.
//!
//! ```
//! use saydo_promptsource::Templates;
//! use saydo_task::source::Source;
//!
//! let yaml = "dataset: mini\ntemplates:\n  a1: !Template\n    jinja: 'Is it warm? {{text}} ||| {{answer_choices[label]}}'\n    \
//!             answer_choices: 'no ||| yes'\n    name: warm\n";
//! let source = Source::from_bytes("templates.yaml".as_ref(), yaml.as_bytes().to_vec())?;
//! let templates = Templates::read(&source)?;
//! let rows = [serde_json::json!({"text": "Sun all day.", "label": 1})];
//! let task = templates.all[0].task(&templates.dataset, &rows)?;
//! assert_eq!(task.instances[0].input, "Is it warm? Sun all day.");
//! assert_eq!(task.instances[0].outputs, ["yes"]);
//! # Ok::<(), Box<dyn std::error::Error>>(())
//! ```

mod error;
mod render;
mod yaml;

pub use error::Error;

use render::Rendered;
use saydo_task::source::Source;
use saydo_task::{AnswerKind, AnswerSpec, Criterion, Instance, Metric, Origin, Task, are_labels};
use serde_json::Value;

/// The templates of one dataset.
#[derive(Debug, Clone, PartialEq)]
pub struct Templates {
    /// The dataset's name, its subset behind a slash.
    pub dataset: String,
    /// The templates, in the order of the file.
    pub all: Vec<Template>,
}

/// One template.
#[derive(Debug, Clone, PartialEq, Default)]
pub struct Template {
    /// Its name.
    pub name: String,
    /// Prompt and target, with `|||` between them.
    pub jinja: String,
    /// The answers to choose from, with `|||` between them; a template itself.
    pub answer_choices: Option<String>,
    /// The metrics its author names.
    pub metrics: Vec<String>,
    /// Whether it asks what the dataset was made for.
    pub is_original_task: bool,
    /// Whether the prompt lists the answers to choose from.
    pub has_choices_in_prompt: bool,
}

impl Templates {
    /// Reads a `templates.yaml`.
    pub fn read(source: &Source) -> Result<Self, Error> {
        yaml::read(source)
    }
}

impl Template {
    /// The words of the prompt, its target and the placeholders' braces left as they are.
    pub fn prompt(&self) -> &str {
        self.jinja.split("|||").next().unwrap_or_default().trim()
    }

    /// The answers to choose from where they are the same for every row.
    pub fn labels(&self) -> Vec<String> {
        let fixed = self.answer_choices.as_deref().filter(|choices| !choices.contains("{{") && !choices.contains("{%"));
        let labels: Vec<String> =
            fixed.into_iter().flat_map(|choices| choices.split("|||")).map(|label| label.trim().to_owned()).collect();
        if are_labels(&labels) { labels } else { Vec::new() }
    }

    /// The task that it makes of a dataset's rows. Rows to which the template does not apply, because it leaves the prompt or
    /// the target empty, are left out, as PromptSource does.
    pub fn task(&self, dataset: &str, rows: &[Value]) -> Result<Task, Error> {
        let renderer = render::Renderer::new(self)?;
        let mut instances = Vec::new();
        for (number, row) in rows.iter().enumerate() {
            let Rendered { prompt, targets } = renderer.render(row, number)?;
            if prompt.is_empty() || targets.iter().all(String::is_empty) {
                continue;
            }
            instances.push(Instance { id: Some(number.to_string()), outputs: targets, ..Instance::unlabelled(prompt) });
        }
        let labels = self.labels();
        let kind = if labels.is_empty() { AnswerKind::Text } else { AnswerKind::Label(labels) };
        let measures = |name: &str| self.metrics.iter().any(|metric| metric.to_lowercase().starts_with(name));
        let metric = match () {
            () if measures("accuracy") => Some(Metric::Accuracy),
            () if measures("rouge") => Some(Metric::RougeL),
            () => None,
        };
        Ok(Task {
            id: format!("{}-{}", slug(dataset), slug(&self.name)),
            title: Some(self.name.clone()),
            definition: Some(self.prompt().to_owned()),
            answer: Some(AnswerSpec { kind, na: Some(false) }),
            criterion: Criterion { metric, competent_at: None },
            origin: Origin { dataset: vec![dataset.to_owned()], ..Origin::default() },
            instances,
            ..Task::default()
        })
    }
}

/// A name that is fit for a file.
fn slug(name: &str) -> String {
    let fit: String = name.chars().map(|c| if c.is_alphanumeric() { c.to_ascii_lowercase() } else { '-' }).collect();
    fit.split('-').filter(|part| !part.is_empty()).collect::<Vec<_>>().join("-")
}

#[cfg(test)]
mod tests {
    use super::*;
    use serde_json::json;

    const YAML: &str = r#"
dataset: weather_reports
subset: daily
templates:
  11aa: !Template
    answer_choices: cold ||| mild ||| hot
    id: 11aa
    jinja: |-
      {% if answer_choices %}Choose from {{ answer_choices | join(", ") }}.{% endif %}
      {{ text }} |||
      {{ answer_choices[label] }}
    metadata: !TemplateMetadata
      choices_in_prompt: true
      languages:
      - en
      metrics:
      - Accuracy
      original_task: true
    name: choose a class
    reference: ''
  22bb: !Template
    answer_choices: null
    id: 22bb
    jinja: '{% if label == 2 %}Sum up: {{text}} ||| {{ summary }}{% endif %}'
    metadata: !TemplateMetadata
      choices_in_prompt: false
      metrics: [ROUGE]
      original_task: false
    name: sum_up
    reference: ''
"#;

    fn read(yaml: &str) -> Result<Templates, String> {
        let source = Source::from_bytes("dir/templates.yaml".as_ref(), yaml.as_bytes().to_vec()).unwrap();
        Templates::read(&source).map_err(|error| error.to_string())
    }

    #[test]
    fn a_published_file_is_read() {
        let templates = read(YAML).unwrap();
        assert_eq!((templates.dataset.as_str(), templates.all.len()), ("weather_reports/daily", 2));
        let [choose, sum] = &templates.all[..] else { panic!("two templates") };
        assert_eq!(
            (choose.labels(), choose.metrics.clone()),
            (vec!["cold".into(), "mild".into(), "hot".into()], vec!["Accuracy".to_owned()])
        );
        assert!(choose.is_original_task && choose.has_choices_in_prompt && !sum.is_original_task);
        assert!(sum.labels().is_empty() && sum.prompt().ends_with("{{text}}"));
    }

    #[test]
    fn rows_become_prompts_and_targets() {
        let templates = read(YAML).unwrap();
        let rows = [
            json!({"text": "Ice ||| snow.", "label": 0, "summary": "Cold."}),
            json!({"text": "Sun.", "label": 2, "summary": "Hot."}),
        ];
        let choose = templates.all[0].task(&templates.dataset, &rows).unwrap();
        assert_eq!(choose.id, "weather-reports-daily-choose-a-class");
        assert_eq!(choose.instances[0].input, "Choose from cold, mild, hot.\nIce ||| snow.");
        assert_eq!(
            (&choose.instances[0].outputs[..], choose.criterion.metric),
            (&["cold".to_owned()][..], Some(Metric::Accuracy))
        );
        // It applies to the second row only.
        let sum = templates.all[1].task(&templates.dataset, &rows).unwrap();
        assert_eq!((sum.instances.len(), sum.instances[0].id.as_deref()), (1, Some("1")));
        assert_eq!(
            (&sum.instances[0].outputs[..], &sum.answer.unwrap().kind),
            (&["Hot.".to_owned()][..], &AnswerKind::Text)
        );
    }

    #[test]
    fn what_is_wrong_is_said_with_its_place() {
        let holds = |error: String, part: &str| assert!(error.contains(part), "{part} is not in {error}");
        holds(read("dataset: [x").unwrap_err(), "dir/templates.yaml: ");
        holds(read("templates: {}").unwrap_err(), "no `dataset`, expected its name");
        holds(
            read("dataset: d\ntemplates:\n  a: {name: n}\n").unwrap_err(),
            "no `jinja` in `a`, expected the template's text",
        );
        let template = |jinja: &str| Template { name: "t".into(), jinja: jinja.into(), ..Template::default() };
        let error = |jinja: &str| template(jinja).task("d", &[json!({"a": "x"})]).unwrap_err().to_string();
        holds(error("{% if %}"), "template `t`: syntax error");
        holds(error("{{ b }} ||| {{ a }}"), "template `t`, row 1: undefined value");
        holds(error("{{ a }}"), "template `t`, row 1: no target, expected `|||` between prompt and target");
    }

    #[test]
    fn choice_is_not_random() {
        let template = Template {
            name: "t".into(),
            jinja: "{{ [a, 'z'] | choice }} ||| {{ a.upper() }}".into(),
            ..Template::default()
        };
        let task = template.task("d", &[json!({"a": "x"})]).unwrap();
        assert_eq!((task.instances[0].input.as_str(), &task.instances[0].outputs[..]), ("x", &["X".to_owned()][..]));
    }
}
