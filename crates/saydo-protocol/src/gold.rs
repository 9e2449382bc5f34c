//! What is evaluated, as a run keeps it: tasks with the instances that are asked about, and their gold.
//!
//! A run that is scored again has no need of the data it was made from.

use saydo_task::format::natural_instructions::{category_of, dataset_of};
use saydo_task::reading::Style;
use saydo_task::seen::Seen;
use saydo_task::{Generalization, Instance, Task};
use serde::{Deserialize, Serialize};

/// A task, without what only prompts are made of.
#[derive(Debug, Clone, Default, PartialEq, Serialize, Deserialize)]
pub struct GoldTask {
    /// Its id.
    pub id: String,
    /// What it asks: the definition, or failing that the prompt or title.
    #[serde(default, skip_serializing_if = "String::is_empty")]
    pub description: String,
    /// Its category.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub category: Option<String>,
    /// The dataset it was made from.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub dataset: Option<String>,
    /// The domain of its texts.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub domain: Option<String>,
    /// ZEST's type of generalization, as its files spell it.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub generalization: Option<String>,
    /// The tasks it was derived from.
    #[serde(default, skip_serializing_if = "Vec::is_empty")]
    pub derives_from: Vec<String>,
    /// The kind of answer, where decoding is constrained to one.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub kind: Option<String>,
    /// How it is scored, where the protocol has several ways.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub style: Option<Style>,
    /// The fields of its records, and what each holds.
    #[serde(default, skip_serializing_if = "Vec::is_empty")]
    pub fields: Vec<(String, String)>,
    /// Its own metric, by name, where it states one.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub metric: Option<String>,
    /// The level at which a model is competent at it, where it states one.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub competent_at: Option<f64>,
    /// Whether the model that is evaluated has learned this task.
    #[serde(default, skip_serializing_if = "is_false")]
    pub seen: bool,
    /// The instances that are evaluated.
    pub instances: Vec<GoldInstance>,
}

/// An instance and what is right for it.
#[derive(Debug, Clone, Default, PartialEq, Serialize, Deserialize)]
pub struct GoldInstance {
    /// Its number in the task's file, from 0.
    pub number: usize,
    /// Its own id, where it has one.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub id: Option<String>,
    /// The input.
    pub input: String,
    /// Every acceptable output; empty where none is known.
    pub gold: Vec<String>,
    /// The passage that shows the answer, where it is known.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub evidence: Option<String>,
    /// Whether the model that is evaluated has learned its task or its input.
    #[serde(default, skip_serializing_if = "is_false")]
    pub seen: bool,
}

fn is_false(flag: &bool) -> bool {
    !*flag
}

impl GoldTask {
    /// The task with those of its instances that have these positions.
    pub fn new(task: &Task, instances: &[usize]) -> Self {
        let first = |texts: &[String]| texts.first().cloned();
        let description = task.definition.as_ref().or(task.prompt.as_ref()).or(task.title.as_ref());
        Self {
            id: task.id.clone(),
            description: description.cloned().unwrap_or_default(),
            category: category_of(task).map(str::to_owned),
            dataset: dataset_of(task).map(str::to_owned),
            domain: first(&task.origin.domain),
            generalization: task.origin.generalization.as_ref().map(|kind| Generalization::key(kind).to_owned()),
            derives_from: task.origin.derives_from.clone(),
            kind: None,
            style: None,
            fields: Vec::new(),
            metric: task.criterion.metric.map(|metric| metric.name().to_owned()),
            competent_at: task.criterion.competent_at,
            seen: false,
            instances: instances.iter().map(|number| GoldInstance::new(*number, &task.instances[*number])).collect(),
        }
    }

    /// Marks what a model has learned of it. With `by_rows` the task may well be learned, as long as its rows are new: a
    /// user's own task, and questions over texts.
    pub fn mark(&mut self, task: &Task, seen: &Seen, by_rows: bool) {
        self.seen = !by_rows && seen.has_task(task);
        for instance in &mut self.instances {
            instance.seen = self.seen || seen.has_input(&instance.input);
        }
    }

    /// The task without marks of what a model has learned: the same whatever model is evaluated.
    pub fn unmarked(&self) -> Self {
        let mut task = Self { seen: false, ..self.clone() };
        task.instances.iter_mut().for_each(|instance| instance.seen = false);
        task
    }
}

impl GoldInstance {
    /// The instance with its number.
    pub fn new(number: usize, instance: &Instance) -> Self {
        Self {
            number,
            id: instance.id.clone(),
            input: instance.input.clone(),
            gold: instance.outputs.clone(),
            evidence: instance.evidence.clone(),
            seen: false,
        }
    }

    /// What it is called: its own id, or its number.
    pub fn name(&self) -> String {
        self.id.clone().unwrap_or_else(|| self.number.to_string())
    }
}
