//! Questions over texts from one or several sources, answered by functions.

use crate::plan::builder::Builder;
use crate::plan::{Options, Plan};
use crate::{Error, NamedDecoding, Protocol};
use saydo_task::reading::Style;
use saydo_task::{AnswerKind, Field, Task};

/// Tasks that are scored alike and reported together.
#[derive(Debug, Clone, PartialEq)]
pub struct Source {
    /// What it is called in tables.
    pub name: String,
    /// How it is scored.
    pub style: Style,
    /// Its tasks, with their instances.
    pub tasks: Vec<Task>,
}

impl Source {
    /// A source of tasks.
    pub fn new(name: &str, style: Style, tasks: Vec<Task>) -> Self {
        Self { name: name.to_owned(), style, tasks }
    }
}

/// every labelled instance of every task, under constrained decoding. Ids of tasks may repeat among sources.
pub(crate) fn plan(sources: Vec<Source>, options: &Options<'_>) -> Result<Plan, Error> {
    // A function writes prompts of its own.
    let mut builder =
        Builder::new(Protocol::Reading, vec!["saydo".to_owned()], vec![NamedDecoding::constrained()], options);
    let mut marks = Vec::new();
    for source in sources {
        for mut task in source.tasks {
            task.origin.dataset = vec![source.name.clone()];
            let prefix = source.name.split([':', '/']).next().unwrap_or_default();
            if !task.id.starts_with(prefix) {
                task.id = format!("{prefix}/{}", task.id);
            }
            task.instances.retain(|instance| !instance.outputs.is_empty());
            if task.instances.is_empty() {
                builder.note(format!("{} has no labelled instance, left out", task.id));
                continue;
            }
            let fields = match task.answer.as_ref().map(|spec| &spec.kind) {
                Some(AnswerKind::Records(fields)) => fields.iter().map(field).collect(),
                _ => Vec::new(),
            };
            let instances: Vec<usize> = (0..task.instances.len()).collect();
            let number = builder.task(task, &instances);
            builder.constrained(number, 0, 0);
            marks.push((number, source.style, fields));
        }
    }
    let mut plan = builder.finish();
    for (number, style, fields) in marks {
        plan.tasks[number].style = Some(style);
        plan.tasks[number].fields = fields;
    }
    Ok(plan)
}

fn field(field: &Field) -> (String, String) {
    (field.name.clone(), field.kind.name().to_owned())
}
