//! How many of a description's words stand in the text it is asked about.
//!
//! Section 3 of the ZEST paper argues that its tasks leave no shortcut by shared words: a paraphrase asks the same in other
//! words, and a text can share a question's words without answering it. Only content words count, each once; the share is
//! of the description's words.

use crate::dataset::Dataset;
use crate::{Generalization, Task};
use rayon::prelude::*;
use serde::Serialize;
use std::collections::{BTreeMap, HashSet};

/// Words that say nothing of a text's subject.
const FUNCTION_WORDS: [&str; 86] = [
    "a", "about", "after", "all", "also", "am", "an", "and", "any", "are", "as", "at", "be", "been", "before", "but",
    "by", "can", "could", "did", "do", "does", "during", "each", "for", "from", "had", "has", "have", "he", "her",
    "his", "how", "i", "if", "in", "into", "is", "it", "its", "list", "many", "may", "me", "more", "most", "much",
    "no", "not", "of", "on", "one", "or", "our", "out", "she", "should", "so", "some", "such", "than", "that", "the",
    "their", "them", "there", "these", "they", "this", "those", "to", "was", "we", "were", "what", "when", "where",
    "which", "while", "who", "why", "will", "with", "would", "you", "your",
];

/// The overlap of one task's description with its inputs.
#[derive(Debug, Clone, PartialEq, Serialize)]
pub struct Overlap {
    /// The task.
    pub task: String,
    /// The paper's word for its type of generalization.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub generalization: Option<String>,
    /// The mean share over all inputs.
    pub share: f64,
    /// The mean over inputs with an answer; none if there is none.
    pub answered: Option<f64>,
    /// The mean over inputs whose gold is NA; none if there is none.
    pub na: Option<f64>,
    /// The share of the tasks it derives from, on average; none if they are not in the dataset.
    pub base: Option<f64>,
}

/// The overlap of each task that has content words and inputs. Further definitions count as paraphrases of their task, on
/// its inputs.
pub fn overlap(dataset: &Dataset) -> Vec<Overlap> {
    let wordings: Vec<Task> = dataset.tasks.iter().flat_map(|located| located.task.clone().wordings()).collect();
    let mut found: Vec<(Overlap, Vec<String>)> =
        wordings.par_iter().filter_map(|task| Some((of_task(task)?, task.origin.derives_from.clone()))).collect();
    let shares: BTreeMap<String, f64> = found.iter().map(|(one, _)| (one.task.clone(), one.share)).collect();
    for (one, derives_from) in &mut found {
        let bases: Vec<f64> = derives_from.iter().filter_map(|id| shares.get(id).copied()).collect();
        one.base = mean(&bases);
    }
    found.into_iter().map(|(one, _)| one).collect()
}

fn of_task(task: &Task) -> Option<Overlap> {
    let description = task.definition.as_deref().or(task.prompt.as_deref())?;
    let asked = content_words(description);
    if asked.is_empty() {
        return None;
    }
    let share = |input: &str| {
        let words = content_words(input);
        asked.intersection(&words).count() as f64 / asked.len() as f64
    };
    let shares: Vec<(f64, Option<bool>)> = task
        .instances
        .iter()
        .map(|one| (share(&one.input), one.outputs.first().map(|gold| super::tally::is_na(gold))))
        .collect();
    let of = |wanted: bool| {
        mean(&shares.iter().filter(|(_, is_na)| *is_na == Some(wanted)).map(|(share, _)| *share).collect::<Vec<_>>())
    };
    Some(Overlap {
        task: task.id.clone(),
        generalization: task.origin.generalization.as_ref().map(Generalization::name).map(str::to_owned),
        share: mean(&shares.iter().map(|(share, _)| *share).collect::<Vec<_>>())?,
        answered: of(false),
        na: of(true),
        base: None,
    })
}

/// The words of a text in lower case, function words left out.
fn content_words(text: &str) -> HashSet<String> {
    let words = text.split(|c: char| !c.is_alphanumeric()).filter(|word| !word.is_empty()).map(str::to_lowercase);
    words.filter(|word| FUNCTION_WORDS.binary_search(&word.as_str()).is_err()).collect()
}

fn mean(values: &[f64]) -> Option<f64> {
    (!values.is_empty()).then(|| values.iter().sum::<f64>() / values.len() as f64)
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::dataset::LocatedTask;
    use crate::{Instance, Origin};

    fn task(id: &str, definition: &str, origin: Origin) -> LocatedTask {
        let instance =
            |input: &str, gold: &str| Instance { outputs: vec![gold.to_owned()], ..Instance::unlabelled(input) };
        let instances = vec![instance("Dogs are allowed on leashes.", "yes"), instance("Cats sleep.", "n/a")];
        let task = Task { id: id.into(), definition: Some(definition.into()), origin, instances, ..Task::default() };
        LocatedTask { path: "x".into(), line: 1, task }
    }

    #[test]
    fn function_words_are_sorted() {
        assert!(FUNCTION_WORDS.windows(2).all(|pair| pair[0] < pair[1]));
    }

    #[test]
    fn paraphrases_stand_beside_their_base() {
        let paraphrase = Origin {
            generalization: Some(Generalization::Paraphrase),
            derives_from: vec!["a".into()],
            ..Origin::default()
        };
        let tasks = vec![
            task("a", "Are dogs allowed?", Origin::default()),
            task("b", "May canine pets be allowed?", paraphrase),
            task("c", "Is it?", Origin::default()),
        ];
        let found = overlap(&Dataset { tasks, skipped: Vec::new() });
        let [base, paraphrase] = &found[..] else { panic!("two tasks have content words: {found:?}") };
        assert_eq!((base.share, base.answered, base.na, base.base), (0.5, Some(1.0), Some(0.0), None));
        assert_eq!(paraphrase.base, Some(0.5));
        assert!(paraphrase.share < base.share);
    }

    #[test]
    fn further_definitions_are_paraphrases() {
        let mut located = task("a", "Are dogs allowed?", Origin::default());
        located.task.other_definitions = vec!["May hounds enter?".into()];
        let found = overlap(&Dataset { tasks: vec![located], skipped: Vec::new() });
        assert_eq!((found.len(), found[1].base), (2, Some(0.5)));
        assert_eq!(found[1].generalization.as_deref(), Some("paraphrase"));
    }
}
