//! `saydo errors`: a sample of a run's wrong outputs before people, sorted by a code book.

use crate::cmd::eval::print::drawn;
use crate::failure::Verdict;
use crate::model::ModelArgs;
use crate::output;
use anyhow::{Context, Result, bail};
use saydo_model::Form;
use saydo_protocol::coding::{self, Book, Item};
use saydo_protocol::record::Opened;
use saydo_protocol::score::{Options, score};
use saydo_task::source::Source;
use serde_json::json;
use std::collections::HashSet;
use std::io::ErrorKind;
use std::path::{Path, PathBuf};

/// Sort a sample of a run's errors by a code book: sheets for two people, agreement, shares
///
/// saydo errors RUN --export sheets/ writes the same sample for each coder; saydo errors RUN sheets/*.jsonl reads the completed
/// sheets and keeps the codes in the run's folder for saydo report. `saydo serve` has a page for it. --by-model adds a model's
/// codes, shown beside people's and never counted. --book prints the code book.
#[derive(clap::Args)]
pub struct Args {
    /// Folder of a run of `saydo eval`
    run: PathBuf,

    /// Completed sheets (.jsonl)
    sheets: Vec<PathBuf>,

    /// Write sheets for coders into this folder
    #[arg(long, value_name = "FOLDER", conflicts_with_all = ["sheets", "by_model"])]
    export: Option<PathBuf>,

    /// Errors to sort (default: the paper's: 100 for ZEST, 30 for Natural Instructions, 150 per task for the Turking Test)
    #[arg(long, value_name = "N")]
    sample: Option<usize>,

    /// Coders who see the whole sample
    #[arg(long, value_name = "N", default_value_t = 2, value_parser = clap::value_parser!(u16).range(1..=20))]
    coders: u16,

    /// Also have the model code the sample
    #[arg(long)]
    by_model: bool,

    /// Print the code book and stop
    #[arg(long)]
    book: bool,

    /// Print the result as JSON
    #[arg(long)]
    json: bool,

    #[command(flatten)]
    model: ModelArgs,
}

pub fn run(args: Args) -> Result<Verdict> {
    let opened = Opened::load(&args.run)?;
    let book = coding::book(opened.record.protocol);
    if args.book {
        match args.json {
            true => output::print_json(&book)?,
            false => output::print(&written(&book))?,
        }
        return Ok(Verdict::Done);
    }
    let seed = args.model.seed();
    let scores = score(&opened.plan, &opened.cells, &Options { seed, ..Options::default() })?;
    let size = args.sample.unwrap_or_else(|| coding::papers_size(opened.record.protocol));
    let items = coding::sample(&opened, &scores, size, seed as u32);
    if let Some(folder) = &args.export {
        return export(&args, &items, folder);
    }
    let known: HashSet<String> = opened.plan.samples.iter().map(|sample| sample.key.to_string()).collect();
    let mut codes = Vec::new();
    for path in &args.sheets {
        codes.extend(coding::read(&Source::load(path)?, &known, &book)?);
    }
    if args.by_model {
        let session = args.model.open()?;
        let form = if session.settings.chat { Form::Chat { system: None } } else { Form::Plain };
        codes.extend(
            coding::code_each(&*session.model, &session.name, &form, &book, &items)
                .with_context(|| format!("{} cannot code", session.name))?,
        );
    }
    if !codes.is_empty() {
        let count = coding::keep(&opened, codes)?;
        let (path, run) = (coding::path(&args.run), args.run.display());
        output::note(&format!("{count} codes are in {}; saydo report {run} shows them", path.display()));
    }
    let Some(report) = coding::report(&opened, seed)? else {
        bail!("nobody has coded {} yet, expected completed sheets, --export FOLDER or --by-model", args.run.display());
    };
    match args.json {
        true => output::print_json(&report)?,
        false => output::print(&drawn(&coding::tables(&report)))?,
    }
    Ok(Verdict::Done)
}

fn written(book: &Book) -> String {
    let width = book.codes.iter().map(|code| code.name.len()).max().unwrap_or_default();
    let line = |code: &coding::Code| format!("{:<width$}  {}\n", code.name, code.meaning);
    format!("code book: {}\n\n{}", book.origin, book.codes.iter().map(line).collect::<String>())
}

/// Writes a sheet for each coder. Sheets that are there already, perhaps filled in, are not touched.
fn export(args: &Args, items: &[Item], folder: &Path) -> Result<Verdict> {
    if items.is_empty() {
        bail!("the run has no wrong output to sort");
    }
    saydo_file::disk::create_folders(folder).with_context(|| format!("cannot make {}", folder.display()))?;
    for coder in 1..=args.coders {
        let name = format!("coder-{coder}");
        let line = |item: &Item| {
            let row = json!({"item": item.id, "task": item.task, "prompt": item.prompt, "gold": item.gold,
                "output": item.output, "coder": name, "code": null, "note": null});
            format!("{row}\n")
        };
        let path = folder.join(format!("{name}.jsonl"));
        let text: String = items.iter().map(line).collect();
        let written = match path.exists() {
            true => Err(ErrorKind::AlreadyExists.into()),
            false => saydo_file::write(&path, text.as_bytes()),
        };
        written.with_context(|| format!("cannot write {}", path.display()))?;
    }
    let (run, folder) = (args.run.display(), folder.display());
    output::note(&format!(
        "{} sheets with {} errors in {folder}; fill in `coder` and `code` (saydo errors {run} --book lists them), then: saydo \
         errors {run} {folder}/*.jsonl",
        args.coders,
        items.len()
    ));
    Ok(Verdict::Done)
}
