//! `saydo describe`: statistics of a dataset, as the papers give them.

use crate::failure::Verdict;
use crate::output;
use crate::table::{Table, percent};
use anyhow::Result;
use saydo::task::{Inferred, inferred};
use saydo_task::dataset::Dataset;
use saydo_task::describe::{Description, Group, describe, published};
use serde::Serialize;
use std::collections::BTreeMap;
use std::path::PathBuf;

/// Print the statistics of a dataset, as in the papers' tables
#[derive(clap::Args)]
pub struct Args {
    /// Task file or folder, or data that ships inside (everyday, everyday:learn, everyday/hotels)
    path: PathBuf,

    /// Print the result as JSON
    #[arg(long)]
    json: bool,
}

pub fn run(args: Args) -> Result<Verdict> {
    let dataset = Dataset::load(&args.path)?;
    let described = Described { description: describe(&dataset), inferred: inferred(&dataset) };
    if args.json {
        output::print_json(&described)?;
    } else {
        output::print(&(report(&described.description) + &kinds(&described.inferred)))?;
    }
    Ok(Verdict::Done)
}

/// What is printed.
#[derive(Serialize)]
struct Described {
    #[serde(flatten)]
    description: Description,
    /// Kinds of answers as tasks state them, against what their words say.
    #[serde(skip_serializing_if = "BTreeMap::is_empty")]
    inferred: BTreeMap<&'static str, Inferred>,
}

/// The kinds of answers that tasks state, and how often their words alone would have given the same.
fn kinds(inferred: &BTreeMap<&'static str, Inferred>) -> String {
    if inferred.is_empty() {
        return String::new();
    }
    let header = ["stated kind", "tasks", "inferred %", "labels or fields too %", "otherwise inferred as"];
    let mut table = Table::new(&header).with_words(&[4]);
    for (kind, counts) in inferred {
        let share = |count: usize| percent(count as f64 / counts.tasks as f64);
        let others: Vec<String> = counts.others.iter().map(|(kind, count)| format!("{kind} {count}")).collect();
        let cells = [share(counts.same_kind), share(counts.same_parts), others.join(", ")];
        table.row([(*kind).to_owned(), counts.tasks.to_string()].into_iter().chain(cells));
    }
    format!("\nkinds of answers, inferred from the words alone\n\n{}", table.render())
}

fn report(description: &Description) -> String {
    let mut out = format!("{} tasks, {} instances\n\n", description.overall.tasks, description.overall.instances);
    out.push_str(&counts(description));
    out.push_str("\nmean length in words\n\n");
    out.push_str(&lengths(description));
    if !description.by_generalization.is_empty() {
        out.push_str("\npublished, ZEST Table 2\n\n");
        out.push_str(&zest_table());
    } else if description.overall.words.prompt.is_some() {
        out.push_str(&natural_instructions_line());
    }
    out
}

fn natural_instructions_line() -> String {
    let published = published::NATURAL_INSTRUCTIONS;
    format!(
        "\npublished, Natural Instructions: {} tasks, {} instances, {} positive and {} negative examples a task, \
         definitions of {} tokens\n",
        published.tasks,
        published.instances,
        published.positive_examples,
        published.negative_examples,
        published.definition_tokens
    )
}

/// Every group with its name: the whole dataset, then its parts by each way of grouping that says something.
fn groups(description: &Description) -> Vec<(String, &Group)> {
    let parts: [(&str, &BTreeMap<String, Group>); 3] = [
        ("category", &description.by_category),
        ("domain", &description.by_domain),
        ("type", &description.by_generalization),
    ];
    let named = parts
        .into_iter()
        .filter(|(_, groups)| groups.len() > 1)
        .flat_map(|(kind, groups)| groups.iter().map(move |(name, group)| (format!("{kind}: {name}"), group)));
    [("all".to_owned(), &description.overall)].into_iter().chain(named).collect()
}

fn counts(description: &Description) -> String {
    let mut table = Table::new(&["", "tasks", "instances", "labelled", "pos. ex.", "neg. ex.", "NA %", "classif. %"]);
    for (name, group) in groups(description) {
        table.row([
            name,
            group.tasks.to_string(),
            group.instances.to_string(),
            group.labelled.to_string(),
            number(group.positive_examples),
            number(group.negative_examples),
            group.na_share.map_or_else(String::new, percent),
            group.classification_share.map_or_else(String::new, percent),
        ]);
    }
    table.render()
}

fn lengths(description: &Description) -> String {
    let header = ["", "title", "definition", "prompt", "avoid", "emphasis", "reason", "whole", "input", "output"];
    let mut table = Table::new(&header);
    for (name, group) in groups(description) {
        let words = &group.words;
        let cells = [
            words.title,
            words.definition,
            words.prompt,
            words.things_to_avoid,
            words.emphasis,
            words.reason,
            words.description,
            words.input,
            words.output,
        ];
        table.row([name].into_iter().chain(cells.map(number)));
    }
    table.render()
}

fn zest_table() -> String {
    let mut table = Table::new(&["", "tasks", "instances", "question words", "passage words", "NA %", "classif. %"]);
    for part in published::ZEST {
        table.row([
            part.name.to_owned(),
            part.tasks.to_string(),
            part.instances.to_string(),
            format!("{:.1}", part.definition_words),
            format!("{:.0}", part.input_words),
            percent(part.na_share),
            percent(part.classification_share),
        ]);
    }
    table.render()
}

fn number(value: Option<f64>) -> String {
    value.map_or_else(String::new, |value| format!("{value:.1}"))
}
