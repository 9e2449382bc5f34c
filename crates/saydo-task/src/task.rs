//! The task: a description with its parts, and the instances it is applied to.
//!
//! Plain data with public fields. The parts are those of the Natural Instructions schema; every format we read maps
//! onto them, and [`crate::format`] says which formats hold which part.

mod answer;
mod criterion;
mod origin;

pub use answer::{AnswerKind, AnswerSpec, Field, FieldKind, are_labels};
pub use criterion::{Criterion, Metric};
pub use origin::{Generalization, Origin};

/// A task described in words, with what is known about it.
///
/// Texts are kept exactly as their file has them, surrounding space included: layouts decide what to strip.
#[derive(Debug, Clone, PartialEq, Default)]
pub struct Task {
    /// Unique within a dataset; the file's stem when the format has no id.
    pub id: String,
    /// A short name.
    pub title: Option<String>,
    /// What to do, in full. ZEST's question stands here.
    pub definition: Option<String>,
    /// Further wordings of the definition, where a format lists several.
    pub other_definitions: Vec<String>,
    /// What to do, in one line.
    pub prompt: Option<String>,
    /// What an answer must not do.
    pub things_to_avoid: Option<String>,
    /// What an answer must take special care of.
    pub emphasis: Option<String>,
    /// Examples of good answers.
    pub positive: Vec<Example>,
    /// Examples of bad answers.
    pub negative: Vec<Example>,
    /// The kind of answer; none when it is to be inferred from the words.
    pub answer: Option<AnswerSpec>,
    /// The metric and level by which a model is competent at it, where it states them.
    pub criterion: Criterion,
    /// The instructions as crowd workers were given them, before they were brought into this schema.
    pub raw: Option<String>,
    /// Where the task comes from.
    pub origin: Origin,
    /// What the task is applied to.
    pub instances: Vec<Instance>,
}

/// An input with a good or bad output, and why it is so.
#[derive(Debug, Clone, PartialEq, Eq, Default)]
pub struct Example {
    /// The input.
    pub input: String,
    /// The output.
    pub output: String,
    /// Why the output is good or bad.
    pub reason: Option<String>,
    /// How a bad output could be mended.
    pub suggestion: Option<String>,
}

/// One input, with the gold outputs if they are known.
#[derive(Debug, Clone, PartialEq, Eq, Default)]
pub struct Instance {
    /// The instance's own id, where the format has one.
    pub id: Option<String>,
    /// The input.
    pub input: String,
    /// Every acceptable output, any of which is right; empty when the gold is not known. An output that is itself several
    /// parts is a set: see [`crate::gold::Gold`].
    pub outputs: Vec<String>,
    /// The passage of the input that shows the answer, where it is known.
    pub evidence: Option<String>,
    /// What each annotator answered, in their order, where the format keeps it. Nothing is scored by it.
    pub all_answers: Vec<String>,
    /// Whether the answer is NA although the input speaks of the subject.
    pub is_near_miss: bool,
}

impl Task {
    /// The task in each of its wordings: itself first, then one with each other definition, as a paraphrase of it.
    pub fn wordings(self) -> Vec<Task> {
        let definitions = self.other_definitions.clone();
        let first = Task { other_definitions: Vec::new(), ..self };
        let paraphrase = |(number, definition): (usize, String)| Task {
            id: format!("{}/p{}", first.id, number + 1),
            definition: Some(definition),
            origin: Origin {
                generalization: Some(Generalization::Paraphrase),
                derives_from: vec![first.id.clone()],
                ..first.origin.clone()
            },
            ..first.clone()
        };
        let others: Vec<Task> = definitions.into_iter().enumerate().map(paraphrase).collect();
        [first].into_iter().chain(others).collect()
    }
}

impl Instance {
    /// An instance without id or gold.
    pub fn unlabelled(input: impl Into<String>) -> Self {
        Self { input: input.into(), ..Self::default() }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn each_wording_can_be_a_task_of_its_own() {
        let task = Task {
            id: "trails/t01".into(),
            definition: Some("Are dogs allowed?".into()),
            other_definitions: vec!["May dogs come?".into()],
            instances: vec![Instance::unlabelled("Dogs may come.")],
            ..Task::default()
        };
        let [first, second] = &task.wordings()[..] else { panic!("two wordings") };
        assert_eq!((first.id.as_str(), first.origin.generalization.as_ref()), ("trails/t01", None));
        assert_eq!((second.id.as_str(), second.definition.as_deref()), ("trails/t01/p1", Some("May dogs come?")));
        assert_eq!(second.origin.generalization, Some(Generalization::Paraphrase));
        assert_eq!((&second.origin.derives_from[..], second.instances.len()), (&["trails/t01".to_owned()][..], 1));
    }
}
