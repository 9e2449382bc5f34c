//! How often the kind of answer that tasks state is the one their words would have given.

use saydo_function::infer;
use saydo_task::dataset::Dataset;
use saydo_task::{AnswerKind, Field};
use serde::Serialize;
use std::collections::BTreeMap;

/// How often a kind would have been inferred right.
#[derive(Debug, Clone, Default, PartialEq, Serialize)]
pub struct Inferred {
    /// Tasks that state this kind.
    pub tasks: usize,
    /// Those whose words give the same kind.
    pub same_kind: usize,
    /// Those whose words give the same labels, or as many fields that hold the same, too.
    pub same_parts: usize,
    /// What else the words of such tasks give, and how often.
    pub others: BTreeMap<&'static str, usize>,
}

/// For each kind that tasks of the dataset state.
pub fn inferred(dataset: &Dataset) -> BTreeMap<&'static str, Inferred> {
    let mut kinds: BTreeMap<&'static str, Inferred> = BTreeMap::new();
    for task in dataset.tasks.iter().map(|located| &located.task) {
        let (Some(stated), Some(words)) = (&task.answer, task.definition.as_ref().or(task.prompt.as_ref())) else {
            continue;
        };
        let found = infer(words).spec.kind;
        let counts = kinds.entry(stated.kind.name()).or_default();
        let is_same = found.name() == stated.kind.name();
        counts.tasks += 1;
        counts.same_kind += usize::from(is_same);
        counts.same_parts += usize::from(is_same && has_same_parts(&stated.kind, &found));
        if !is_same {
            *counts.others.entry(found.name()).or_default() += 1;
        }
    }
    kinds
}

fn has_same_parts(stated: &AnswerKind, found: &AnswerKind) -> bool {
    match (stated, found) {
        (AnswerKind::Label(stated), AnswerKind::Label(found)) => {
            let folded = |labels: &[String]| {
                labels.iter().map(|label| label.to_lowercase()).collect::<std::collections::BTreeSet<_>>()
            };
            folded(stated) == folded(found)
        }
        // Names of fields are a matter of taste; how many there are and what they hold is not.
        (AnswerKind::Records(stated), AnswerKind::Records(found)) => {
            let held = |fields: &[Field]| fields.iter().map(|field| field.kind.name()).collect::<Vec<_>>();
            held(stated) == held(found)
        }
        _ => true,
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use std::path::Path;

    #[test]
    fn every_kind_of_everyday_is_counted() {
        let counts = inferred(&Dataset::load(Path::new("everyday/trails")).unwrap());
        assert_eq!(counts.keys().copied().collect::<Vec<_>>(), ["label", "records", "spans", "yes-no"]);
        let yes_no = &counts["yes-no"];
        assert!(yes_no.same_kind * 10 >= yes_no.tasks * 9, "{yes_no:?}");
        assert!(counts.values().all(|one| one.same_parts <= one.same_kind && one.same_kind <= one.tasks));
    }
}
