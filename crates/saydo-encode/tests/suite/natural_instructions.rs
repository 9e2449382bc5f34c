//! How the rows of Natural Instructions vectors are encoded with ours.

use crate::{number, strings};
use saydo_encode::{Element, EncodeOptions, Layout, NaturalInstructions, encode_task};
use saydo_task::Task;
use saydo_task::source::Source;
use serde_json::{Value, json};
use std::path::Path;

pub fn task(source: &Source) -> Task {
    let (_, task) = saydo_task::format::natural_instructions::read(source).tasks.pop().unwrap();
    task
}

pub fn layout(elements: &[&str], num_examples: usize) -> Layout {
    let elements = elements.iter().map(|name| Element::parse(name).unwrap()).collect();
    Layout::NaturalInstructions(NaturalInstructions { elements, num_examples })
}

/// The layout that a row names.
pub fn layout_of(row: &Value) -> Layout {
    layout(&strings(&row["elements"]), number(&row["num_examples"]))
}

/// Prompts with the places of their instances.
pub fn prompts(
    task: &Task,
    layout: &Layout,
    num_instances: usize,
) -> Result<Vec<(usize, String)>, saydo_encode::Error> {
    let options = EncodeOptions { num_instances: Some(num_instances), ..EncodeOptions::default() };
    let prompts = encode_task(task, layout, &options)?;
    Ok(prompts.into_iter().map(|(index, prompt)| (index, prompt.text())).collect())
}

/// The task of a row whose instances are given as a pattern.
pub fn generated(task: &Value) -> Task {
    let mut fields = task.clone();
    let pattern = fields.as_object_mut().unwrap().remove("Instances_generated").unwrap();
    let filled = |text: &str, i: usize| text.replace("{i}", &i.to_string());
    let instance = |i| {
        let outputs: Vec<_> = strings(&pattern["output"]).iter().map(|text| filled(text, i)).collect();
        json!({"input": filled(pattern["input"].as_str().unwrap(), i), "output": outputs})
    };
    fields["Instances"] = (0..number(&pattern["count"])).map(instance).collect();
    self::task(&Source::from_bytes(Path::new("edge.json"), fields.to_string().into_bytes()).unwrap())
}
