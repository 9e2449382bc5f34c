//! The fingerprint of a task: SHA-256 over its description and instances, in a form no format can change.
//!
//! Each field goes in as a tag, its length in bytes (little-endian, 64 bits) and its text, so that no two different
//! tasks give the same bytes. Left out are the task's id, the ids of instances and the origin: names, not content,
//! and not every format holds them.

use crate::{AnswerKind, Example, FieldKind, Task};
use saydo_file::digest::{self, Sum};

/// The fingerprint of a task, in hexadecimal. The same task has the same fingerprint whatever file it was read from.
pub fn fingerprint(task: &Task) -> String {
    let mut form = Form(digest::of("saydo task 1\n"));
    for (tag, text) in elements(task) {
        form.text(tag, text);
    }
    for (tag, examples) in [("positive", &task.positive), ("negative", &task.negative)] {
        for example in examples {
            form.example(tag, example);
        }
    }
    form.answer(task);
    for instance in &task.instances {
        form.text("input", &instance.input);
        for output in &instance.outputs {
            form.text("output", output);
        }
    }
    form.0.hex()
}

/// The texts that say what to do, each with its name. Absent ones are left out.
pub(super) fn elements(task: &Task) -> impl Iterator<Item = (&'static str, &str)> {
    let named = [
        ("title", &task.title),
        ("definition", &task.definition),
        ("prompt", &task.prompt),
        ("things to avoid", &task.things_to_avoid),
        ("emphasis", &task.emphasis),
    ];
    let others = task.other_definitions.iter().map(|text| ("other definition", text.as_str()));
    named.into_iter().filter_map(|(tag, text)| Some((tag, text.as_deref()?))).chain(others)
}

struct Form(Sum);

impl Form {
    fn text(&mut self, tag: &str, text: &str) {
        for piece in [tag, text] {
            self.0.update((piece.len() as u64).to_le_bytes());
            self.0.update(piece);
        }
    }

    fn example(&mut self, tag: &str, example: &Example) {
        self.text(tag, &example.input);
        self.text("output", &example.output);
        let optional = [("reason", &example.reason), ("suggestion", &example.suggestion)];
        for (tag, text) in optional {
            if let Some(text) = text {
                self.text(tag, text);
            }
        }
    }

    fn answer(&mut self, task: &Task) {
        let Some(spec) = &task.answer else { return };
        self.text("answer", spec.kind.name());
        self.text("na", if spec.allows_na() { "yes" } else { "no" });
        match &spec.kind {
            AnswerKind::Label(labels) => labels.iter().for_each(|label| self.text("label", label)),
            AnswerKind::Records(fields) => {
                for field in fields {
                    self.text(field.kind.name(), &field.name);
                    if let FieldKind::Label(labels) = &field.kind {
                        labels.iter().for_each(|label| self.text("label", label));
                    }
                }
            }
            AnswerKind::YesNo | AnswerKind::Spans | AnswerKind::Text => {}
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::{Instance, Origin};

    fn task() -> Task {
        let instance = |input: &str| Instance { input: input.into(), outputs: vec!["o".into()], ..Instance::default() };
        Task {
            id: "a".into(),
            definition: Some("Do it.".into()),
            instances: vec![instance("x"), instance("y")],
            ..Task::default()
        }
    }

    #[test]
    fn it_never_changes() {
        insta::assert_snapshot!(fingerprint(&task()), @"388b10810dc96e3b474ddf9139abdc100f8054c95f1c174ae9098c543a80dcea");
    }

    #[test]
    fn names_do_not_count() {
        let mut other = task();
        other.id = "b".into();
        other.origin = Origin { category: vec!["c".into()], ..Origin::default() };
        other.instances[0].id = Some("i".into());
        assert_eq!(fingerprint(&other), fingerprint(&task()));
    }

    #[test]
    fn content_and_its_place_count() {
        let change = |edit: fn(&mut Task)| {
            let mut task = task();
            edit(&mut task);
            fingerprint(&task)
        };
        let changed = [
            change(|task| task.definition = Some("Do it".into())),
            change(|task| task.prompt = task.definition.take()),
            change(|task| task.instances[0].input = "z".into()),
            change(|task| task.instances[0].outputs.clear()),
            change(|task| task.instances.reverse()),
            change(|task| task.other_definitions.push(String::new())),
            change(|task| task.positive.push(Example::default())),
            change(|task| task.negative.push(Example::default())),
            fingerprint(&task()),
        ];
        let distinct: std::collections::HashSet<_> = changed.iter().collect();
        assert_eq!(distinct.len(), changed.len());
    }
}
