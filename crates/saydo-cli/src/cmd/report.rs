//! `saydo report`: runs of `saydo eval`, or trainings of `saydo train`, as a page, as Markdown or as JSON.

use crate::cmd::eval::MODES;
use crate::cmd::score::level;
use crate::failure::Verdict;
use crate::flags::described;
use crate::output;
use anyhow::{Context, Result, bail};
use saydo_protocol::Mode;
use saydo_protocol::natural_instructions::survey::Survey;
use saydo_protocol::score::Options;
use saydo_report::training::{self, Training};
use saydo_report::{Report, Run, html, json, markdown, plot};
use saydo_task::source::Source;
use std::path::{Path, PathBuf};

/// Make a self-contained report page of runs: tables, plots and every instance
///
/// saydo report RUN writes report.html into the run's folder. Two runs are compared sample by sample; more are shown side by
/// side. The page loads nothing from outside and can be sent to anyone. --format markdown or json prints instead. A training
/// folder is shown with its curves: loss, dev score and learning rate.
#[derive(clap::Args)]
pub struct Args {
    /// Folders of runs, all of one protocol, or folders of trainings
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

    /// Export of a survey of instruction elements (ratings.jsonl), shown beside what each element adds
    #[arg(long, value_name = "FILE")]
    survey: Option<PathBuf>,

    /// Score exactly as the reference programs, or with their quirks repaired
    #[arg(long, value_parser = described::<Mode>(&MODES), default_value = "strict")]
    mode: Mode,

    /// Seed of the bootstrap intervals
    #[arg(long, default_value_t = 0)]
    seed: u64,

    /// Level at which a model is competent at tasks that state none (default: 0.75)
    #[arg(long, value_name = "T", value_parser = level)]
    competent_at: Option<f64>,
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
    let trainings = args.runs.iter().filter(|folder| Training::is_in(folder)).count();
    if trainings > 0 && trainings < args.runs.len() {
        bail!("{trainings} of {} folders are trainings, expected runs or trainings, not both", args.runs.len());
    }
    if trainings > 0 {
        let load =
            |folder: &PathBuf| Training::load(folder).with_context(|| format!("cannot report on {}", folder.display()));
        let all = args.runs.iter().map(load).collect::<Result<Vec<_>>>()?;
        return finish(
            &args,
            || plot::of_figures(&training::figures(&all)),
            |format| match format {
                Format::Html => Ok(html::training(&all)),
                Format::Markdown => Ok(training::markdown(&all)),
                Format::Json => pretty(&training::json(&all)),
            },
        );
    }
    let options = Options { mode: args.mode, seed: args.seed, competent_at: args.competent_at };
    let survey = match &args.survey {
        Some(path) => Some(Survey::read(&Source::load(path)?, args.seed)?),
        None => None,
    };
    let load = |folder: &PathBuf| {
        let run = Run::load(folder, &options).with_context(|| format!("cannot report on {}", folder.display()))?;
        Ok::<_, anyhow::Error>(Run { survey: survey.clone(), ..run })
    };
    let report = Report::new(args.runs.iter().map(load).collect::<Result<_>>()?, args.seed)?;
    finish(
        &args,
        || plot::files(&report),
        |format| match format {
            Format::Html => Ok(html::write(&report)),
            Format::Markdown => Ok(markdown::write(&report)),
            Format::Json => pretty(&json::value(&report)),
        },
    )
}

fn pretty(value: &serde_json::Value) -> Result<String> {
    Ok(serde_json::to_string_pretty(value).context("cannot write the report as JSON")? + "\n")
}

/// Writes plots, if they are asked for, and the report.
fn finish(
    args: &Args,
    plots: impl FnOnce() -> Vec<(String, String)>,
    text: impl FnOnce(Format) -> Result<String>,
) -> Result<Verdict> {
    if let Some(folder) = &args.plots {
        saydo_file::disk::create_folders(folder).with_context(|| format!("cannot make {}", folder.display()))?;
        for (name, svg) in plots() {
            write(&folder.join(format!("{name}.svg")), &svg)?;
        }
    }
    let format = args.format.or_else(|| args.output.as_deref().and_then(Format::of)).unwrap_or(Format::Html);
    let text = text(format)?;
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
    saydo_file::write(path, text.as_bytes()).with_context(|| format!("cannot write {}", path.display()))
}
