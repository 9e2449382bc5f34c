//! Questions over texts from one or several sources, answered by functions.

use crate::plan::builder::Builder;
use crate::plan::{Options, Plan};
use crate::{Error, NamedDecoding, Protocol};
use saydo_function::infer::infer_task;
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

/// Every labelled instance of every task, under constrained decoding. Ids of tasks may repeat among sources.
pub(crate) fn plan(sources: Vec<Source>, options: &Options<'_>) -> Result<Plan, Error> {
    // A function writes prompts of its own.
    let mut builder =
        Builder::new(Protocol::Reading, vec!["saydo".to_owned()], vec![NamedDecoding::constrained()], options);
    let mut marks = Vec::new();
    for source in sources {
        for mut task in source.tasks {
            task.origin.dataset = vec![source.name.clone()];
            let prefix = source.name.split([':', '/']).next().unwrap_or_default();
            for id in [&mut task.id].into_iter().chain(&mut task.origin.derives_from) {
                if !id.starts_with(prefix) {
                    *id = format!("{prefix}/{id}");
                }
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
            // What is left without the question or the passage is scored by the kind of answer that the whole has.
            let kind = options.ablation.map(|_| infer_task(&task).spec.kind.name().to_owned());
            let task = match options.ablation {
                Some(ablation) => ablation.apply(vec![task], true).remove(0),
                None => task,
            };
            let instances: Vec<usize> = (0..task.instances.len()).collect();
            let number = builder.task(task, &instances);
            builder.constrained(number, 0, 0);
            marks.push((number, source.style, fields, kind));
        }
    }
    let mut plan = builder.finish();
    for (number, style, fields, kind) in marks {
        plan.tasks[number].kind = kind.or(plan.tasks[number].kind.take());
        plan.tasks[number].style = Some(style);
        plan.tasks[number].fields = fields;
    }
    Ok(plan)
}

fn field(field: &Field) -> (String, String) {
    (field.name.clone(), field.kind.name().to_owned())
}
