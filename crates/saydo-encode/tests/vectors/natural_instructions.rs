//! Natural Instructions: prompts of real tasks, of small odd ones, and all those stored in the GPT-3 output files.

use super::{lines, natural_instructions_task, shared, strings};
use saydo_encode::{Element, EncodeOptions, Layout, NaturalInstructions, encode_task};
use saydo_task::Task;
use saydo_task::source::{Source, load_bytes};
use serde_json::{Value, json};
use std::collections::HashMap;
use std::path::Path;

fn layout(elements: &[&str], num_examples: usize) -> Layout {
    let elements = elements.iter().map(|name| Element::parse(name).unwrap()).collect();
    Layout::NaturalInstructions(NaturalInstructions { elements, num_examples })
}

fn number(value: &Value) -> usize {
    usize::try_from(value.as_u64().unwrap()).unwrap()
}

fn prompts(task: &Task, layout: &Layout, num_instances: usize) -> Result<Vec<(usize, String)>, saydo_encode::Error> {
    let options = EncodeOptions { num_instances: Some(num_instances), ..EncodeOptions::default() };
    let prompts = encode_task(task, layout, &options)?;
    Ok(prompts.into_iter().map(|(index, prompt)| (index, prompt.text())).collect())
}

#[test]
fn prompts_of_real_tasks_are_those_of_the_released_encoder() {
    let Some(folder) = shared("vectors/encodings") else { return };
    let rows = lines(&folder.join("ni1_prompts.jsonl"));
    assert_eq!(rows.len(), 108);
    for row in rows {
        let path = folder.join(format!("ni1_tasks/{}.json", row["task"].as_str().unwrap()));
        let task = natural_instructions_task(&Source::load(&path).unwrap());
        let layout = layout(&strings(&row["elements"]), number(&row["num_examples"]));
        let prompts = prompts(&task, &layout, number(&row["num_instances"])).unwrap();
        let (index, prompt) = &prompts[number(&row["position"])];
        assert_eq!(*index, number(&row["instance_index"]));
        assert_eq!(prompt, row["prompt"].as_str().unwrap());
    }
}

/// The task of an edge row, whose instances are given as a pattern.
fn generated(task: &Value) -> Task {
    let mut task = task.clone();
    let pattern = task.as_object_mut().unwrap().remove("Instances_generated").unwrap();
    let filled = |text: &str, i: usize| text.replace("{i}", &i.to_string());
    let instance = |i| {
        let outputs: Vec<_> = strings(&pattern["output"]).iter().map(|text| filled(text, i)).collect();
        json!({"input": filled(pattern["input"].as_str().unwrap(), i), "output": outputs})
    };
    task["Instances"] = (0..number(&pattern["count"])).map(instance).collect();
    natural_instructions_task(&Source::from_bytes(Path::new("edge.json"), task.to_string().into_bytes()).unwrap())
}

#[test]
fn prompts_of_odd_tasks_and_failures_are_those_of_the_released_encoder() {
    let Some(folder) = shared("vectors/encodings") else { return };
    let rows = lines(&folder.join("ni1_edge_prompts.jsonl"));
    assert_eq!(rows.len(), 12);
    for row in rows {
        let layout = layout(&strings(&row["elements"]), number(&row["num_examples"]));
        let prompts = prompts(&generated(&row["task"]), &layout, number(&row["num_instances"]));
        if let Some(error) = row.get("error") {
            assert!(prompts.is_err(), "expected {error}");
            continue;
        }
        let prompts: Vec<_> = prompts.unwrap().into_iter().map(|(_, text)| text).collect();
        assert_eq!(prompts.len(), number(&row["n"]));
        let shown = [&prompts[..3], &prompts[prompts.len() - 1..]].concat();
        assert_eq!(shown, strings(&row["prompts"]));
    }
}

#[test]
fn every_prompt_stored_with_the_gpt3_outputs_is_reproduced() {
    let Some(folder) = shared("data/natural-instructions-v1") else { return };
    let mut tasks = HashMap::new();
    let mut compared = 0;
    for file in std::fs::read_dir(folder.join("gpt3_predictions")).unwrap() {
        let file = file.unwrap();
        let name = file.file_name().into_string().unwrap();
        let [task, elements, numbers] = name.split('@').collect::<Vec<_>>()[..] else { panic!("{name}") };
        let path = folder.join(format!("tasks/{task}.json"));
        if !path.exists() {
            continue;
        }
        let load = || natural_instructions_task(&Source::load(&path).unwrap());
        let task = tasks.entry(task.to_owned()).or_insert_with(load);
        let elements: Vec<&str> = elements[1..].split('_').collect();
        let num_examples = numbers.split_once('_').unwrap().0.parse().unwrap();
        let prompts = prompts(task, &layout(&elements, num_examples), 100).unwrap();
        let stored: Value = serde_json::from_slice(&load_bytes(&file.path()).unwrap()).unwrap();
        let stored = stored["predictions"].as_array().unwrap();
        assert_eq!(stored.len(), prompts.len());
        for (stored, (index, prompt)) in stored.iter().zip(&prompts) {
            assert_eq!(number(&stored["index"]), *index, "{name}");
            assert_eq!(stored["input"].as_str().unwrap(), prompt, "{name}");
            compared += 1;
        }
    }
    assert_eq!(compared, 21_600);
}
