//! The plan that stored predictions follow: the tasks, encodings, numbers of examples and instances they are for.

use super::plan::decodings;
use crate::natural_instructions::Stored;
use crate::plan::builder::{Builder, From};
use crate::plan::{Options, Plan};
use crate::{Error, Protocol};
use saydo_encode::{Dropped, Encoder, Layout, NamedLayout, Prompt};
use saydo_task::Task;
use std::collections::{BTreeMap, HashMap};
use std::sync::Arc;

/// What a file that does not say how its prompts were written is listed under.
const UNKNOWN: &str = "unknown";

pub(crate) fn plan(tasks: Vec<Task>, stored: &[Stored], options: &Options<'_>) -> Result<Plan, Error> {
    let mut layouts: Vec<String> = Vec::new();
    let of_file: Vec<usize> = stored.iter().map(|file| place(&mut layouts, layout_name(file))).collect();
    let mut builder = Builder::new(Protocol::NaturalInstructions, layouts.clone(), decodings(), options);
    let mut by_id: HashMap<String, Task> = tasks.into_iter().map(|task| (task.id.clone(), task)).collect();
    let mut unknown: BTreeMap<&str, usize> = BTreeMap::new();
    let mut numbers: HashMap<String, (usize, HashMap<usize, usize>)> = HashMap::new();
    for (file, layout) in stored.iter().zip(of_file) {
        if !numbers.contains_key(&file.task) {
            let Some(task) = by_id.remove(&file.task) else {
                builder.note(format!("{}: its task is not in the data, left out", file.file));
                continue;
            };
            numbers.insert(file.task.clone(), add(&mut builder, task, stored));
        }
        let (task, places) = &numbers[&file.task];
        let named = Layout::names().iter().find(|named| named.name == layouts[layout]).map(NamedLayout::layout);
        let examples = file.encoding.as_ref().map_or(0, |(_, examples)| *examples);
        let encoder = match named {
            Some(named) => {
                Some(Encoder::new(builder.source(*task), &named.with_num_examples(examples), options.tokens)?)
            }
            None => None,
        };
        for (index, _) in &file.predictions {
            let Some(place) = places.get(index) else {
                *unknown.entry(&file.task).or_default() += 1;
                continue;
            };
            let prompt = match &encoder {
                Some(encoder) => {
                    let input = builder.instance_input(*task, *place);
                    encoder.prompt(&input)
                }
                None => Prompt { prefix: Arc::from(""), suffix: String::new(), is_cut: false },
            };
            builder.prompt(From { task: *task, instance: *place, layout, examples }, &prompt, &Dropped::default(), 0);
        }
    }
    for (task, count) in unknown {
        builder.note(format!("{task}: {count} predictions for instances without known gold, left out"));
    }
    Ok(builder.finish())
}

/// Adds a task with every instance that any file has a prediction for and whose gold is known.
fn add(builder: &mut Builder<'_>, task: Task, stored: &[Stored]) -> (usize, HashMap<usize, usize>) {
    // An instance's number is its position, unless it carries one: then the file holds a part of the published task.
    let position: HashMap<usize, usize> = task
        .instances
        .iter()
        .enumerate()
        .map(|(position, instance)| {
            let number = instance.id.as_deref().and_then(|id| id.parse().ok());
            (number.unwrap_or(position), position)
        })
        .collect();
    let files = stored.iter().filter(|file| file.task == task.id);
    let mut numbers: Vec<usize> = files.flat_map(|file| file.predictions.iter().map(|(index, _)| *index)).collect();
    numbers.sort_unstable();
    numbers.dedup();
    let has_gold =
        |number: &usize| position.get(number).is_some_and(|position| !task.instances[*position].outputs.is_empty());
    numbers.retain(has_gold);
    let positions: Vec<usize> = numbers.iter().map(|number| position[number]).collect();
    let places = numbers.iter().enumerate().map(|(place, number)| (*number, place)).collect();
    (builder.task(task, &positions), places)
}

/// The layout whose elements a file's name lists.
fn layout_name(file: &Stored) -> String {
    let Some((elements, _)) = &file.encoding else { return UNKNOWN.to_owned() };
    let is_it = |named: &&NamedLayout| match named.layout() {
        Layout::NaturalInstructions(layout) => {
            layout.elements.iter().map(|element| element.name()).eq(elements.iter().map(String::as_str))
        }
        _ => false,
    };
    Layout::names().iter().find(is_it).map_or_else(|| elements.join(" + "), |named| named.name.to_owned())
}

fn place(names: &mut Vec<String>, name: String) -> usize {
    names.iter().position(|other| *other == name).unwrap_or_else(|| {
        names.push(name);
        names.len() - 1
    })
}
