//! `saydo encode`: the exact prompt a layout gives.

use crate::failure::Verdict;
use crate::output;
use anyhow::{Context, Result, bail};
use saydo_bpe::Gpt2;
use saydo_encode::{Element, EncodeOptions, Layout, NamedLayout, NaturalInstructions, Prompt, Tokens, encode_task};
use saydo_task::Task;
use saydo_task::dataset::Dataset;
use std::path::PathBuf;

/// Print the exact prompts of a layout
#[derive(clap::Args)]
pub struct Args {
    /// Task file or folder
    #[arg(long, required_unless_present = "list")]
    task: Option<PathBuf>,

    /// Named layout; `--list` names them all
    #[arg(long, default_value = "ni-full", conflicts_with = "elements")]
    layout: String,

    /// Instruction elements in order, separated by commas, instead of a named layout
    #[arg(long)]
    elements: Option<String>,

    /// Number of examples in the instruction (default: 2, or as many as fit with --max-tokens)
    #[arg(long, short = 'f', visible_alias = "num-fewshot")]
    num_examples: Option<usize>,

    /// Number of instances, chosen as in the paper (default: all)
    #[arg(long)]
    num_instances: Option<usize>,

    /// Max prompt length in GPT-2 tokens; Natural Instructions layouts add examples up to it
    #[arg(long)]
    max_tokens: Option<usize>,

    /// One JSON object a line
    #[arg(long)]
    json: bool,

    /// List the named layouts
    #[arg(long)]
    list: bool,
}

pub fn run(args: Args) -> Result<Verdict> {
    if args.list {
        output::print(&layouts())?;
        return Ok(Verdict::Done);
    }
    let Some(path) = &args.task else { bail!("no task given, expected --task FILE") };
    let layout = layout(&args)?;
    let dataset = Dataset::load(path)?;
    let is_alone = dataset.tasks.len() == 1;
    for located in &dataset.tasks {
        let task = &located.task;
        let prompts =
            encode_task(task, &layout, &options(&args)).with_context(|| format!("cannot encode {}", task.id))?;
        let lines: String = prompts.iter().map(|(index, prompt)| line(&args, task, is_alone, *index, prompt)).collect();
        output::print(&lines)?;
    }
    Ok(Verdict::Done)
}

fn layout(args: &Args) -> Result<Layout> {
    match &args.elements {
        None => Ok(Layout::named(&args.layout)?),
        Some(names) => {
            let elements = Element::parse_list(names)?;
            Ok(Layout::NaturalInstructions(NaturalInstructions { elements, num_examples: 2 }))
        }
    }
}

fn options(args: &Args) -> EncodeOptions<'static> {
    let tokens = Tokens {
        count: &|text| Gpt2::shared().count(text),
        truncate: &|text, max| String::from_utf8_lossy(&Gpt2::shared().tokens(text)[..max].concat()).into_owned(),
    };
    EncodeOptions {
        num_examples: args.num_examples,
        num_instances: args.num_instances,
        max_tokens: args.max_tokens,
        tokens,
    }
}

fn line(args: &Args, task: &Task, is_alone: bool, index: usize, prompt: &Prompt) -> String {
    let text = prompt.text();
    if !args.json {
        return format!("=== {} instance {index}\n{text}\n", task.id);
    }
    let mut object = serde_json::json!({"instance_index": index, "prompt": text});
    if !is_alone {
        object["task"] = serde_json::json!(task.id);
    }
    format!("{object}\n")
}

/// Name, number of the encoding in the Natural Instructions paper, and what it is.
fn layouts() -> String {
    let line = |named: &NamedLayout| {
        let number = named.number.map_or_else(String::new, |number| format!("encoding {number}"));
        format!("{:<30} {number:<11} {}\n", named.name, named.description)
    };
    Layout::names().iter().map(line).collect()
}
