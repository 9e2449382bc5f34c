//! PromptSource's templates beside the instructions for the same dataset (Natural Instructions, A.5 and Table 11).

use crate::Error;
use saydo_bpe::Gpt2;
use saydo_promptsource::Templates;
use saydo_task::Task;
use saydo_task::dataset::Dataset;
use saydo_task::format::natural_instructions::dataset_of;
use serde::Serialize;
use std::collections::BTreeSet;

/// What one says to ask for something.
#[derive(Debug, Clone, PartialEq, Serialize)]
pub struct Entry {
    /// `instruction` or `template`.
    pub what: &'static str,
    /// The id of the task, or the name of the template.
    pub name: String,
    /// GPT-2 tokens.
    pub tokens: usize,
    /// Examples.
    pub examples: usize,
    /// Examples with a reason.
    pub reasons: usize,
    /// Labels to choose from.
    pub choices: usize,
    /// The words.
    pub text: String,
}

/// The instructions of the tasks made from a dataset, and its templates. Without a name, the templates' own is looked for.
pub fn entries(dataset: &Dataset, templates: &Templates, name: Option<&str>) -> Result<Vec<Entry>, Error> {
    let wanted = name.map_or_else(|| templates.dataset.clone(), str::to_owned);
    let tasks = || dataset.tasks.iter().map(|located| &located.task);
    let is_it = |task: &&Task| dataset_of(task).is_some_and(|found| plain(&wanted).starts_with(&plain(found)));
    let mut entries: Vec<Entry> = tasks().filter(is_it).map(instruction).collect();
    if entries.is_empty() {
        let known: BTreeSet<&str> = tasks().filter_map(dataset_of).collect();
        let known: Vec<&str> = known.into_iter().take(20).collect();
        let expected = format!("--dataset with one of {}", known.join(", "));
        return Err(Error::unfit(format!("no task made from {wanted}"), expected));
    }
    entries.extend(templates.all.iter().map(|template| Entry {
        what: "template",
        name: template.name.clone(),
        tokens: Gpt2::shared().count(template.prompt()),
        examples: 0,
        reasons: 0,
        choices: template.labels().len(),
        text: template.prompt().to_owned(),
    }));
    Ok(entries)
}

/// A name's letters and digits, in lower case.
fn plain(name: &str) -> String {
    name.chars().filter(|c| c.is_alphanumeric()).flat_map(char::to_lowercase).collect()
}

fn instruction(task: &Task) -> Entry {
    let elements = [&task.definition, &task.prompt, &task.things_to_avoid, &task.emphasis];
    let text = elements.into_iter().flatten().map(|text| text.trim()).collect::<Vec<_>>().join("\n");
    let examples = || task.positive.iter().chain(&task.negative);
    Entry {
        what: "instruction",
        name: task.id.clone(),
        tokens: Gpt2::shared().count(&text),
        examples: examples().count(),
        reasons: examples().filter(|example| example.reason.is_some()).count(),
        choices: 0,
        text,
    }
}
