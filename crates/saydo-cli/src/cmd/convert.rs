//! `saydo convert`: tasks from one format to another, and the Turking Test from its resources.

use crate::failure::Verdict;
use crate::output;
use anyhow::{Result, bail};
use saydo_tagger::{Number, Tagger};
use saydo_task::Error;
use saydo_task::convert::convert_dataset;
use saydo_task::dataset::{Dataset, LocatedTask};
use saydo_task::format::Format;
use saydo_task::source::Source;
use saydo_task::turking::{self, Noun, Options, Ordinal, ResourceKind, Resources};
use std::path::{Path, PathBuf};

/// Translate tasks between formats, and say what a format cannot hold
///
/// With `--from turking`, the inputs are resources instead of tasks, and the seven tasks of the Turking Test are made
/// from them: sentences (GLUE diagnostic, .tsv), captions (SNLI, .jsonl), paragraphs (SQuAD, .json) and news
/// highlights (.jsonl).
#[derive(clap::Args)]
pub struct Args {
    /// Task files or folders, in any format; with `--from turking`, resource files
    #[arg(required = true)]
    inputs: Vec<PathBuf>,

    /// Format to write: toml, natural-instructions, super-natural-instructions or zest
    #[arg(long)]
    to: Format,

    /// Folder to write to; for zest, the file
    #[arg(long, short)]
    output_path: PathBuf,

    /// Replace files that are there
    #[arg(long)]
    force: bool,

    /// What the inputs are
    #[arg(long, value_enum, default_value = "tasks")]
    from: From,

    /// With `--from turking`: seed of the draws
    #[arg(long, default_value_t = 0)]
    seed: u64,

    /// With `--from turking`: how ordinal numbers are written
    #[arg(long, value_enum, default_value = "words")]
    ordinals: Ordinals,

    /// Print the report as JSON
    #[arg(long)]
    json: bool,
}

#[derive(Clone, Copy, PartialEq, Eq, clap::ValueEnum)]
enum From {
    /// Tasks, in any format
    Tasks,
    /// Resources of the Turking Test
    Turking,
}

#[derive(Clone, Copy, clap::ValueEnum)]
enum Ordinals {
    /// `fourth`
    Words,
    /// `4th`
    Digits,
}

pub fn run(args: Args) -> Result<Verdict> {
    let dataset = match args.from {
        From::Tasks => load_all(&args.inputs)?,
        From::Turking => turking_dataset(&args)?,
    };
    let report = convert_dataset(&dataset, args.to, &args.output_path, args.force)?;
    if args.json {
        let rows: Vec<_> = report
            .tasks
            .iter()
            .map(|task| serde_json::json!({"task": task.id, "file": task.path.to_string_lossy(), "lost": task.lost}))
            .collect();
        output::print_json(&rows)?;
    } else {
        for task in report.tasks.iter().filter(|task| !task.lost.is_empty()) {
            output::note(&format!("{}: {} cannot hold {}", task.id, args.to.name(), task.lost.join(", ")));
        }
        output::note(&format!("{} tasks written to {}", report.tasks.len(), args.output_path.display()));
    }
    Ok(Verdict::Done)
}

fn load_all(inputs: &[PathBuf]) -> Result<Dataset> {
    let mut dataset = Dataset::default();
    for input in inputs {
        let Dataset { tasks, skipped } = Dataset::load(input)?;
        dataset.tasks.extend(tasks);
        for path in skipped {
            output::note(&format!("{} holds no task, left out", path.display()));
        }
    }
    Ok(dataset)
}

fn turking_dataset(args: &Args) -> Result<Dataset> {
    let mut resources = Resources::default();
    for path in &args.inputs {
        let source = Source::load(path)?;
        let kind = resource_kind(path, &source)?;
        let reading = kind.read(&source);
        let seen = reading.seen;
        let found = reading.into_resources()?;
        output::note(&format!("{}: {} {} of {seen} read", path.display(), found.len(), kind.name()));
        resources.add(kind, found);
    }
    let ordinal = match args.ordinals {
        Ordinals::Words => Ordinal::Words,
        Ordinals::Digits => Ordinal::Digits,
    };
    let options = Options { seed: args.seed, ordinal, ..Options::default() };
    let tagger = Tagger::embedded();
    let nouns = |sentence: &str| {
        let noun = |noun: saydo_tagger::Noun<'_>| Noun {
            text: noun.text.to_owned(),
            is_plural: noun.number == Number::Plural,
        };
        tagger.nouns(sentence).into_iter().map(noun).collect::<Vec<_>>()
    };
    let tasks = turking::generate(&resources, &options, &nouns);
    if tasks.is_empty() {
        bail!(
            "no Turking Test task can be made of these resources, expected sentences, captions, paragraphs or highlights"
        );
    }
    let located = |task| LocatedTask { path: args.output_path.clone(), line: 1, task };
    Ok(Dataset { tasks: tasks.into_iter().map(located).collect(), skipped: Vec::new() })
}

/// Told by the extension, and for JSON Lines by the keys of the first line.
fn resource_kind(path: &Path, source: &Source) -> Result<ResourceKind, Error> {
    let extension = path.extension().and_then(|extension| extension.to_str());
    let first_line = source.text.lines().next().unwrap_or_default();
    match extension {
        Some("tsv") => Ok(ResourceKind::Sentences),
        Some("json") => Ok(ResourceKind::Paragraphs),
        Some("jsonl") if first_line.contains("\"highlights\"") => Ok(ResourceKind::Highlights),
        Some("jsonl") => Ok(ResourceKind::Captions),
        _ => Err(Error::UnknownFormat {
            path: path.to_owned(),
            expected: "sentences (.tsv), captions or highlights (.jsonl) or paragraphs (.json)".to_owned(),
        }),
    }
}
