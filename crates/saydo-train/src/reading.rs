//! Questions over documents as examples: what a model learns to answer functions from.
//!
//! Prompts and replies are those of `saydo-function`, so that what is learned is what is asked. All questions of a document
//! are one bundle: they stand behind one copy of it, and none sees another.

mod near_miss;

pub use near_miss::add_near_misses;

use crate::Example;
use saydo_function::form::{self, EVIDENCE_SEPARATOR, NA, SPAN_SEPARATOR};
use saydo_function::{infer, question};
use saydo_task::ablation::{NO_PASSAGE, NO_QUESTION};
use saydo_task::gold::Gold;
use saydo_task::reading::ANSWERED;
use saydo_task::seen::Trace;
use saydo_task::{Ablation, AnswerKind, AnswerSpec, Task};
use std::collections::HashMap;

/// A document and what is asked of it.
#[derive(Debug, Clone, PartialEq)]
pub struct Page {
    /// The document.
    pub document: String,
    /// The questions.
    pub asked: Vec<Asked>,
}

/// A question and the reply to learn.
#[derive(Debug, Clone, PartialEq)]
pub struct Asked {
    /// The question.
    pub task: Task,
    /// What kind of answer it has.
    pub kind: AnswerKind,
    /// The reply.
    pub reply: String,
}

impl Asked {
    /// A question in these words.
    pub fn new(question: &str, kind: AnswerKind, reply: String) -> Self {
        Self { task: Task { definition: Some(question.to_owned()), ..Task::default() }, kind, reply }
    }

    /// Whether the document does not say.
    pub fn is_na(&self) -> bool {
        self.reply == NA
    }
}

impl Page {
    /// The inputs of tasks, each with every task that has gold for it, in the order in which they come up. Wordings of a task
    /// take turns from document to document. A label comes with the passage that shows it, where that is known.
    pub fn of_tasks(tasks: &[Task]) -> Vec<Self> {
        let mut pages: Vec<Self> = Vec::new();
        let mut places: HashMap<&str, usize> = HashMap::new();
        for (number, task) in tasks.iter().enumerate() {
            let Some(spec) = &task.answer else { continue };
            let wordings: Vec<&String> = task.definition.iter().chain(&task.other_definitions).collect();
            let bare = Task { instances: Vec::new(), ..task.clone() };
            for instance in &task.instances {
                let place = *places.entry(&instance.input).or_insert_with(|| {
                    pages.push(Self { document: instance.input.clone(), asked: Vec::new() });
                    pages.len() - 1
                });
                // Of several right answers the first is learned; some data only says that there is one.
                let known = instance.outputs.first().filter(|output| *output != ANSWERED);
                let gold = known.map(|output| Gold::parse(output, &spec.kind));
                let reply = gold.and_then(|gold| reply(&gold, &spec.kind, instance.evidence.as_deref()));
                let wording = wordings.get((place + number) % wordings.len().max(1));
                if let Some((reply, wording)) = reply.zip(wording) {
                    let definition = Some((*wording).clone());
                    let task = Task { definition, ..bare.clone() };
                    pages[place].asked.push(Asked { task, kind: spec.kind.clone(), reply });
                }
            }
        }
        pages
    }

    /// Takes the passage or the questions away, as functions are asked when that is measured.
    pub fn ablate(&mut self, ablation: Ablation) {
        match ablation {
            Ablation::QuestionOnly => self.document = NO_PASSAGE.to_owned(),
            Ablation::ContextOnly => {
                // The kind of answer is part of what a question says.
                let kind = infer(NO_QUESTION).spec.kind;
                for asked in &mut self.asked {
                    let definition = Some(NO_QUESTION.to_owned());
                    asked.task = Task { definition, prompt: None, answer: None, ..asked.task.clone() };
                    asked.kind = kind.clone();
                }
            }
        }
    }

    /// The page's questions as examples of the bundle with this number.
    pub fn examples(&self, number: usize) -> impl Iterator<Item = Example> {
        self.asked.iter().map(move |asked| {
            let spec = AnswerSpec { kind: asked.kind.clone(), na: None };
            let prompt = question(&asked.task, &spec, &self.document);
            let trace = Trace::of(&asked.task, &self.document);
            Example { task: number, prompt, output: asked.reply.clone(), told: None, trace }
        })
    }
}

/// How a function wants the answer written; none if it is not of the kind.
fn reply(gold: &Gold, kind: &AnswerKind, evidence: Option<&str>) -> Option<String> {
    match (gold, kind) {
        (Gold::Na, _) => Some(NA.to_owned()),
        (Gold::Text(label), AnswerKind::YesNo | AnswerKind::Label(_)) => Some(match evidence {
            Some(evidence) => format!("{label}{EVIDENCE_SEPARATOR} {evidence}"),
            None => label.clone(),
        }),
        (Gold::Spans(spans), AnswerKind::Spans) => Some(spans.join(SPAN_SEPARATOR)),
        (Gold::Records(records), AnswerKind::Records(fields)) => {
            let names: Vec<&str> = fields.iter().map(|field| field.name.as_str()).collect();
            let value = |record: &[(String, Option<String>)], name: &&str| {
                record.iter().find(|(field, _)| field == name).and_then(|(_, value)| value.clone())
            };
            let rows: Vec<Vec<Option<String>>> =
                records.iter().map(|record| names.iter().map(|name| value(record, name)).collect()).collect();
            let rows: Vec<Vec<Option<&str>>> =
                rows.iter().map(|row| row.iter().map(Option::as_deref).collect()).collect();
            Some(form::records(&names, &rows))
        }
        _ => None,
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    #[test]
    fn tasks_over_the_same_documents_share_them() {
        let instance = |input: &str, output: &str, evidence: Option<&str>| saydo_task::Instance {
            input: input.to_owned(),
            outputs: vec![output.to_owned()],
            evidence: evidence.map(str::to_owned),
            ..Default::default()
        };
        let task = |words: &[&str], kind: AnswerKind, instances: Vec<saydo_task::Instance>| Task {
            definition: Some(words[0].to_owned()),
            other_definitions: words[1..].iter().map(|word| (*word).to_owned()).collect(),
            answer: Some(AnswerSpec { kind, na: None }),
            instances,
            ..Task::default()
        };
        let (one, other) = ("Fern Hike is paved, Moss Trail steep.", "A bear.");
        let field = |name: &str| saydo_task::Field { name: name.into(), kind: saydo_task::FieldKind::Span };
        let pages = Page::of_tasks(&[
            task(
                &["Paved?", "Is it paved?"],
                AnswerKind::YesNo,
                vec![instance(one, "yes", Some("is paved")), instance(other, "n/a", None)],
            ),
            task(&["Which?"], AnswerKind::Spans, vec![instance(one, r#"["Fern Hike", "Moss Trail"]"#, None)]),
            task(
                &["Which, how?"],
                AnswerKind::Records(vec![field("hike"), field("how")]),
                vec![instance(one, r#"[{"hike": "Moss Trail", "how": null}]"#, None)],
            ),
        ]);
        let replies: Vec<Vec<&str>> =
            pages.iter().map(|page| page.asked.iter().map(|asked| &*asked.reply).collect()).collect();
        assert_eq!(
            replies,
            [vec!["yes: is paved", "Fern Hike; Moss Trail", r#"[{"hike": "Moss Trail", "how": "n/a"}]"#], vec!["n/a"]]
        );
        let prompts: Vec<String> =
            pages.iter().flat_map(|page| page.examples(7)).map(|example| example.prompt.whole()).collect();
        assert_eq!(prompts[0], "Text: Fern Hike is paved, Moss Trail steep.\n\nQuestion: Paved?\nAnswer:");
        assert_eq!(prompts[3], "Text: A bear.\n\nQuestion: Is it paved?\nAnswer:", "wordings take turns");
    }
}
