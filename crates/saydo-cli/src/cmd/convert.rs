//! `saydo convert`: tasks from one format to another, from annotation tables, and the Turking Test from its resources.

mod table;

use crate::failure::Verdict;
use crate::output;
use crate::progress::Terminal;
use anyhow::{Context, Result, bail};
use saydo_promptsource::Templates;
use saydo_task::convert::convert_dataset;
use saydo_task::dataset::{Dataset, LocatedTask};
use saydo_task::format::Format;
use saydo_task::source::Source;
use saydo_task::turking::{Options, Ordinal, ResourceKind, from_template};
use std::path::{Path, PathBuf};

/// Convert tasks between formats, and report what a format cannot hold
///
/// With `--from turking`, the inputs are resources instead of tasks, and the seven tasks of the Turking Test are made
/// from them: sentences (GLUE diagnostic, .tsv), captions (SNLI, .jsonl), paragraphs (SQuAD, .json) and news
/// highlights (.jsonl).
///
/// With `--from table`, the inputs are CSV, TSV, JSON, JSON Lines or Parquet files, and each row becomes an instance:
/// --input "{premise} {hypothesis}" --output "{label}". --preview shows the first instances and what would be dropped.
///
/// With `--from template --template FILE`, they are resources for an instruction of your own: the text of FILE, in which
/// `{resource}` stands for a line of a text file or a resource of the Turking Test, and `{name}` for a field of a JSON line.
/// A field `output` is the gold answer. `saydo eval TASK --layout turking` asks the instructions as they stand.
///
/// With `--from promptsource`, the inputs are PromptSource's templates.yaml, and each template makes a task of --rows.
#[derive(clap::Args)]
pub struct Args {
    /// Task files or folders, in any format; with `--from turking`, resource files; with `--from table`, tables
    #[arg(required = true)]
    inputs: Vec<PathBuf>,

    /// Format to write: toml, natural-instructions, super-natural-instructions or zest
    #[arg(long, required_unless_present = "preview")]
    to: Option<Format>,

    /// Folder to write to; for zest, the file
    #[arg(long, short, required_unless_present = "preview")]
    output_path: Option<PathBuf>,

    /// Overwrite existing files
    #[arg(long)]
    force: bool,

    /// What the inputs are
    #[arg(long, value_enum, default_value = "tasks")]
    from: From,

    /// With `--from template`: the instruction, with {resource} or {field} in it
    #[arg(long, value_name = "FILE", required_if_eq("from", "template"))]
    template: Option<PathBuf>,

    /// With `--from promptsource`: rows of the dataset (JSON Lines)
    #[arg(long, value_name = "FILE", required_if_eq("from", "promptsource"))]
    rows: Option<PathBuf>,

    /// With `--from turking`: seed of the draws
    #[arg(long, default_value_t = 0)]
    seed: u64,

    /// With `--from turking`: how ordinal numbers are written
    #[arg(long, value_enum, default_value = "words")]
    ordinals: Ordinals,

    #[command(flatten)]
    table: table::TableArgs,

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
    /// Tables with a row for each instance
    Table,
    /// Resources for an instruction of your own
    Template,
    /// PromptSource's templates.yaml, filled with --rows
    Promptsource,
}

#[derive(Clone, Copy, clap::ValueEnum)]
enum Ordinals {
    /// `fourth`
    Words,
    /// `4th`
    Digits,
}

pub fn run(args: Args) -> Result<Verdict> {
    if args.from != From::Table && args.table.is_used() {
        bail!("--input, --output, --definition, --task, --map, --labels and --preview go with --from table");
    }
    let dataset = match args.from {
        From::Tasks => load_all(&args.inputs)?,
        From::Turking => turking_dataset(&args)?,
        From::Table => {
            let made = table::task(&args.inputs, &args.table)?;
            made.tell();
            if let Some(count) = args.table.preview {
                made.preview(count)?;
                return Ok(Verdict::Done);
            }
            let located = LocatedTask { path: args.inputs[0].clone(), line: 1, task: made.task };
            Dataset { tasks: vec![located], skipped: Vec::new() }
        }
        From::Template => template_dataset(&args)?,
        From::Promptsource => promptsource_dataset(&args)?,
    };
    let (Some(to), Some(output_path)) = (args.to, &args.output_path) else {
        bail!("nothing to write to, expected --to and --output-path");
    };
    let report = convert_dataset(&dataset, to, output_path, args.force)?;
    if args.json {
        let rows: Vec<_> = report
            .tasks
            .iter()
            .map(|task| serde_json::json!({"task": task.id, "file": task.path.to_string_lossy(), "lost": task.lost}))
            .collect();
        output::print_json(&rows)?;
    } else {
        for task in report.tasks.iter().filter(|task| !task.lost.is_empty()) {
            output::note(&format!("{}: {} cannot hold {}", task.id, to.name(), task.lost.join(", ")));
        }
        output::note(&format!("{} tasks written to {}", report.tasks.len(), output_path.display()));
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
    let ordinal = match args.ordinals {
        Ordinals::Words => Ordinal::Words,
        Ordinals::Digits => Ordinal::Digits,
    };
    let options = Options { seed: args.seed, ordinal, ..Options::default() };
    let located = |task| LocatedTask { path: args.inputs[0].clone(), line: 1, task };
    let mut terminal = Terminal::new(false);
    let tasks = saydo::job::turking::tasks(&args.inputs, &options, &mut |event| terminal.show(event))?;
    Ok(Dataset { tasks: tasks.into_iter().map(located).collect(), skipped: Vec::new() })
}

fn template_dataset(args: &Args) -> Result<Dataset> {
    let path = args.template.as_ref().context("`--from template` requires `--template FILE`")?;
    let template = Source::load(path)?;
    let sources: Vec<Source> = args.inputs.iter().map(|path| Source::load(path)).collect::<Result<_, _>>()?;
    let resources: Vec<_> = args.inputs.iter().zip(&sources).map(|(path, source)| (source, table_kind(path))).collect();
    let id = path.file_stem().map_or_else(|| "template".to_owned(), |stem| stem.to_string_lossy().into_owned());
    let task = from_template(&id, &template, &resources)?;
    if task.instances.is_empty() {
        bail!("no resource in {} files, expected at least one line", args.inputs.len());
    }
    Ok(Dataset { tasks: vec![LocatedTask { path: args.inputs[0].clone(), line: 1, task }], skipped: Vec::new() })
}

/// The files of the Turking Test that are neither lines of text nor lines of objects.
fn table_kind(path: &Path) -> Option<ResourceKind> {
    match path.extension()?.to_str()? {
        "tsv" => Some(ResourceKind::Sentences),
        "json" => Some(ResourceKind::Paragraphs),
        _ => None,
    }
}

fn promptsource_dataset(args: &Args) -> Result<Dataset> {
    let path = args.rows.as_ref().context("`--from promptsource` requires `--rows FILE`")?;
    let rows = Source::load(path)?;
    let rows: Vec<serde_json::Value> = rows
        .lines()
        .map(|line| {
            let (offset, line) = line.map_err(saydo_task::Error::from)?;
            let number = 1 + rows.text[..offset].matches('\n').count();
            serde_json::from_str(line).with_context(|| format!("cannot read {}, line {number}", path.display()))
        })
        .collect::<Result<_>>()?;
    let mut dataset = Dataset::default();
    for input in &args.inputs {
        let templates = Templates::read(&Source::load(input)?)?;
        for template in &templates.all {
            let task =
                template.task(&templates.dataset, &rows).with_context(|| format!("cannot use {}", input.display()))?;
            if task.instances.is_empty() {
                output::note(&format!("template `{}` applies to no row, left out", template.name));
            } else {
                dataset.tasks.push(LocatedTask { path: input.clone(), line: 1, task });
            }
        }
    }
    if dataset.tasks.is_empty() {
        bail!("no template applies to a row of {}", path.display());
    }
    Ok(dataset)
}
