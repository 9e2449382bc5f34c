//! `saydo describe`: statistics of a dataset, as the papers give them.

mod overlap;
mod parts;
mod side_by_side;
mod templates;

use crate::failure::Verdict;
use crate::output;
use crate::table::{Table, percent};
use anyhow::Result;
use saydo::task::overlap::Overlaps;
use saydo::task::parts::parts;
use saydo::task::side_by_side::instructions;
use saydo::task::templates::entries;
use saydo::task::{Inferred, inferred};
use saydo_bpe::Gpt2;
use saydo_promptsource::Templates;
use saydo_task::dataset::Dataset;
use saydo_task::describe::{Description, Group, describe, describe_in, published};
use saydo_task::source::Source;
use serde::Serialize;
use std::collections::BTreeMap;
use std::path::PathBuf;

/// Print the statistics of a dataset, as in the papers' tables
///
/// Several paths are one dataset; ZEST's Table 2 then has a column for each. --skill prints the instructions of a category's
/// tasks element by element.
#[derive(clap::Args)]
pub struct Args {
    /// Task files or folders, or data that ships inside (everyday, everyday:learn, everyday/hotels)
    #[arg(required = true, value_name = "PATH")]
    paths: Vec<PathBuf>,

    /// Also a column for each side of this split: a file of `saydo split`, natural-instructions, leave-one-category:NAME,
    /// leave-one-dataset:NAME or leave-one-task:ID
    #[arg(long, value_name = "SPLIT")]
    split: Option<String>,

    /// Lengths in GPT-2 tokens instead of words
    #[arg(long)]
    tokens: bool,

    /// Instead, the instructions of this category side by side, one task per source dataset
    #[arg(long, value_name = "CATEGORY", conflicts_with_all = ["split", "tokens"])]
    skill: Option<String>,

    /// Instead, the instructions for a dataset beside PromptSource's templates for it (its templates.yaml)
    #[arg(long, value_name = "FILE", conflicts_with_all = ["split", "tokens", "skill"])]
    templates: Option<PathBuf>,

    /// With --templates: the dataset of the instructions (default: the one that the templates name)
    #[arg(long, value_name = "NAME", requires = "templates")]
    dataset: Option<String>,

    /// With --skill: every task of the category
    #[arg(long, requires = "skill")]
    all: bool,

    /// Print the result as JSON
    #[arg(long)]
    json: bool,
}

pub fn run(args: Args) -> Result<Verdict> {
    let dataset = Dataset::load_all(&args.paths)?;
    if let Some(category) = &args.skill {
        let instructions = instructions(&dataset, category, args.all)?;
        if args.json {
            output::print_json(&instructions)?;
        } else {
            output::print(&side_by_side::report(category, &instructions))?;
        }
        return Ok(Verdict::Done);
    }
    if let Some(path) = &args.templates {
        let templates = Templates::read(&Source::load(path)?)?;
        let entries = entries(&dataset, &templates, args.dataset.as_deref())?;
        if args.json {
            output::print_json(&entries)?;
        } else {
            output::print(&templates::report(&entries))?;
        }
        return Ok(Verdict::Done);
    }
    let parts = parts(&dataset, &args.paths, args.split.as_deref())?;
    let description =
        if args.tokens { describe_in(&dataset, &|text| Gpt2::shared().count(text)) } else { describe(&dataset) };
    let described = Described {
        unit: if args.tokens { "tokens" } else { "words" },
        description,
        parts: parts.iter().map(|(name, group)| (name.clone(), group.clone())).collect(),
        overlap: Overlaps::of(&saydo_task::describe::overlap(&dataset)),
        inferred: inferred(&dataset),
    };
    if args.json {
        output::print_json(&described)?;
    } else {
        let mut out = report(&described.description, described.unit);
        if !parts.is_empty() || !described.description.by_generalization.is_empty() {
            out += &parts::table(&parts, &describe(&dataset).overall);
        }
        out += &described.overlap.as_ref().map(overlap::report).unwrap_or_default();
        output::print(&(out + &kinds(&described.inferred)))?;
    }
    Ok(Verdict::Done)
}

/// With more groups of one kind, only the JSON lists them.
const MOST_GROUPS: usize = 80;

/// What is printed.
#[derive(Serialize)]
struct Described {
    /// What lengths are counted in.
    unit: &'static str,
    #[serde(flatten)]
    description: Description,
    /// The sides of a split, or the paths.
    #[serde(skip_serializing_if = "BTreeMap::is_empty")]
    parts: BTreeMap<String, Group>,
    /// Words that descriptions share with inputs.
    overlap: Option<Overlaps>,
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

fn report(description: &Description, unit: &str) -> String {
    let mut out = format!("{} tasks, {} instances\n\n", description.overall.tasks, description.overall.instances);
    out.push_str(&counts(description));
    out.push_str(&format!("\nmean length in {unit}\n\n"));
    out.push_str(&lengths(description));
    if description.by_generalization.is_empty() && description.overall.words.prompt.is_some() {
        out.push_str(&natural_instructions_line());
    }
    out
}

fn natural_instructions_line() -> String {
    let published = published::NATURAL_INSTRUCTIONS;
    format!(
        "\npublished, Natural Instructions: {} tasks, {} instances, {} positive and {} negative examples a task, \
         definitions of {} tokens, prompts of {}\n",
        published.tasks,
        published.instances,
        published.positive_examples,
        published.negative_examples,
        published.definition_tokens,
        published.shortest_element_tokens
    )
}

/// Every group with its name: the whole dataset, then its parts by each way of grouping that says something.
fn groups(description: &Description) -> Vec<(String, &Group)> {
    let parts: [(&str, &BTreeMap<String, Group>); 4] = [
        ("category", &description.by_category),
        ("dataset", &description.by_dataset),
        ("domain", &description.by_domain),
        ("type", &description.by_generalization),
    ];
    let named = parts
        .into_iter()
        .filter(|(_, groups)| (2..=MOST_GROUPS).contains(&groups.len()))
        .flat_map(|(kind, groups)| groups.iter().map(move |(name, group)| (format!("{kind}: {name}"), group)));
    [("all".to_owned(), &description.overall)].into_iter().chain(named).collect()
}

fn counts(description: &Description) -> String {
    let header = [
        "",
        "tasks",
        "instances",
        "labelled",
        "examples",
        "pos. ex.",
        "neg. ex.",
        "reasons %",
        "suggestions %",
        "NA %",
        "classif. %",
        "mixed %",
    ];
    let mut table = Table::new(&header);
    let share = |share: Option<f64>| share.map_or_else(String::new, percent);
    for (name, group) in groups(description) {
        table.row([
            name,
            group.tasks.to_string(),
            group.instances.to_string(),
            group.labelled.to_string(),
            group.examples.to_string(),
            number(group.positive_examples),
            number(group.negative_examples),
            share(group.reason_share),
            share(group.suggestion_share),
            share(group.na_share),
            share(group.classification_share),
            share(group.mixed_share),
        ]);
    }
    table.render()
}

fn lengths(description: &Description) -> String {
    let header =
        ["", "title", "definition", "prompt", "avoid", "emphasis", "reason", "suggestion", "whole", "input", "output"];
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
            words.suggestion,
            words.description,
            words.input,
            words.output,
        ];
        table.row([name].into_iter().chain(cells.map(number)));
    }
    table.render()
}

fn number(value: Option<f64>) -> String {
    value.map_or_else(String::new, |value| format!("{value:.1}"))
}
