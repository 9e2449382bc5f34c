//! `saydo report`: runs of `saydo eval` as a page, as Markdown or as JSON.

use crate::cmd::score::ModeArg;
use crate::failure::Verdict;
use crate::output;
use anyhow::{Context, Result};
use saydo_protocol::score::Options;
use saydo_report::{Report, Run, html, json, markdown, plot};
use std::io::Write as _;
use std::path::{Path, PathBuf};

/// Report on runs: a self-contained page with tables, plots and every instance
///
/// saydo report RUN writes report.html into the run's folder; two runs are compared sample by sample; more stand beside
/// each other. The page loads nothing and can be sent to anyone. --format markdown and json print instead.
#[derive(clap::Args)]
pub struct Args {
    /// Folders of runs, all of one protocol
    #[arg(required = true, value_name = "RUN")]
    runs: Vec<PathBuf>,

    /// File to write (default: report.html in the first run's folder; standard output for markdown and json)
    #[arg(long, short, visible_alias = "output-path", value_name = "FILE")]
    output: Option<PathBuf>,

    /// What to write (default: by the ending of --output; else html)
    #[arg(long, value_enum)]
    format: Option<Format>,

    /// Also write every plot as an SVG file into this folder
    #[arg(long, value_name = "FOLDER")]
    plots: Option<PathBuf>,

    /// Score as the reference programs do, or with their quirks repaired
    #[arg(long, value_enum, default_value = "strict")]
    mode: ModeArg,

    /// Seed of the bootstrap intervals
    #[arg(long, default_value_t = 0)]
    seed: u64,
}

#[derive(Clone, Copy, PartialEq, Eq, clap::ValueEnum)]
enum Format {
    Html,
    Markdown,
    Json,
}

impl Format {
    /// What the ending of a file's name asks for.
    fn of(path: &Path) -> Option<Self> {
        match path.extension()?.to_str()? {
            "html" | "htm" => Some(Format::Html),
            "md" | "markdown" => Some(Format::Markdown),
            "json" => Some(Format::Json),
            _ => None,
        }
    }
}

pub fn run(args: Args) -> Result<Verdict> {
    let options = Options { mode: args.mode.into(), seed: args.seed };
    let load = |folder: &PathBuf| {
        Run::load(folder, &options).with_context(|| format!("cannot report on {}", folder.display()))
    };
    let report = Report::new(args.runs.iter().map(load).collect::<Result<_>>()?, args.seed)?;
    if let Some(folder) = &args.plots {
        std::fs::create_dir_all(folder).with_context(|| format!("cannot make {}", folder.display()))?;
        for (name, svg) in plot::files(&report) {
            write(&folder.join(format!("{name}.svg")), &svg)?;
        }
    }
    let format = args.format.or_else(|| args.output.as_deref().and_then(Format::of)).unwrap_or(Format::Html);
    let text = match format {
        Format::Html => html::write(&report),
        Format::Markdown => markdown::write(&report),
        Format::Json => {
            serde_json::to_string_pretty(&json::value(&report)).context("cannot write the report as JSON")? + "\n"
        }
    };
    let own = || (format == Format::Html).then(|| args.runs[0].join("report.html"));
    match args.output.clone().or_else(own) {
        None => output::print(&text)?,
        Some(path) => {
            write(&path, &text)?;
            output::note(&format!("the report is in {}", path.display()));
        }
    }
    Ok(Verdict::Done)
}

/// The file appears when it is whole.
fn write(path: &Path, text: &str) -> Result<()> {
    saydo_run::whole::write(path, |mut file| file.write_all(text.as_bytes()).map_err(saydo_run::Error::write(path)))?;
    Ok(())
}
