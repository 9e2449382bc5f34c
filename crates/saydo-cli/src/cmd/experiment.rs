//! `saydo experiment`: a declared grid of evaluations and trainings as one job that resumes, with one table at the end.

mod cell;
mod dry_run;
mod file;
mod paper;
mod settings;
mod table;

use crate::cmd::eval;
use crate::cmd::train::Job;
use crate::failure::Verdict;
use crate::home::Home;
use crate::{output, stop};
use anyhow::{Context, Result, bail};
use cell::{Cell, Shared};
use file::Experiment;
use saydo::session::DEFAULT_MODEL;
use saydo_protocol::record::write_json;
use std::path::PathBuf;
use std::sync::atomic::Ordering;
use table::{Row, row};

/// Run a grid of evaluations and trainings from a file, such as the papers' tables and figures
///
/// Each cell of the grid is one `saydo eval` in its own folder, preceded by a `saydo train` if the file says so. Finished
/// cells are not run again.
#[derive(clap::Args)]
pub struct Args {
    /// The experiment (TOML); see the folder experiments/
    file: PathBuf,

    /// Data, instead of the file's
    #[arg(long, value_name = "PATH")]
    data: Vec<PathBuf>,

    /// Data to train on, instead of the data of the evaluations
    #[arg(long, value_name = "PATH")]
    train_data: Vec<PathBuf>,

    /// Models, instead of the file's
    #[arg(long, short, value_name = "MODEL", value_delimiter = ',')]
    model: Vec<String>,

    /// Max instances per task, instead of the file's
    #[arg(long, short = 'L', value_name = "N")]
    limit: Option<usize>,

    /// Split of tasks, instead of the file's: a file of `saydo split`, or a name that `saydo eval --split` takes
    #[arg(long, value_name = "SPLIT")]
    split: Option<String>,

    /// Folder for the runs and the table
    #[arg(long, short = 'o', value_name = "FOLDER")]
    output_path: PathBuf,

    /// Print the cells, a prompt of each, token counts and an estimate of the time; runs nothing
    #[arg(long)]
    dry_run: bool,

    /// Print the table as JSON
    #[arg(long)]
    json: bool,

    /// URL of the server for openai: models, unless the file has one
    #[arg(long, value_name = "URL", env = "OPENAI_BASE_URL", hide_env_values = true, value_delimiter = ',')]
    base_url: Vec<String>,

    /// The model of files that name none
    #[arg(long, hide = true, default_value = DEFAULT_MODEL, env = "SAYDO_MODEL")]
    default_model: String,

    #[command(flatten)]
    home: Home,
}

pub fn run(args: Args) -> Result<Verdict> {
    let experiment = Experiment::load(&args.file)?;
    let shared = Shared {
        data: args.data.clone(),
        train_data: args.train_data.clone(),
        models: args.model.clone(),
        default_model: args.default_model.clone(),
        base_url: args.base_url.clone(),
        limit: args.limit,
        split: args.split.clone(),
        home: args.home.clone(),
        folder: args.output_path.clone(),
    };
    let cells = cell::cells(&experiment, &shared)?;
    if args.dry_run {
        return dry_run::print(&experiment, &cells);
    }
    let mut rows: Vec<Row> = Vec::new();
    for (number, cell) in cells.iter().enumerate() {
        output::note(&format!("cell {} of {}: {}", number + 1, cells.len(), cell.name()));
        rows.push(run_cell(&experiment, cell)?);
        if stop::on_interrupt()?.load(Ordering::Relaxed) && number + 1 < cells.len() {
            bail!("interrupted after cell {} of {}; the same command goes on from there", number + 1, cells.len());
        }
    }
    finish(&args, &experiment, &rows)
}

fn run_cell(experiment: &Experiment, cell: &Cell) -> Result<Row> {
    let within = || format!("cell {}", cell.name());
    let learned = cell.training().map(Job::train_one).transpose().with_context(within)?;
    let (folder, scores) = eval::evaluate(&cell.evaluation(learned)).with_context(within)?;
    Ok(row(experiment, cell, &folder, &scores))
}

fn finish(args: &Args, experiment: &Experiment, rows: &[Row]) -> Result<Verdict> {
    let text = table::markdown(experiment, rows);
    let path = args.output_path.join("table.md");
    saydo_file::write(&path, text.as_bytes()).with_context(|| format!("cannot write {}", path.display()))?;
    write_json(&args.output_path.join("table.json"), &rows)?;
    match args.json {
        true => output::print_json(&rows)?,
        false => output::print(&table::text(experiment, rows))?,
    }
    output::note(&format!("table in {}, runs beside it", path.display()));
    let has_failed = rows.iter().any(|row| row.failed > 0);
    Ok(if has_failed { Verdict::No } else { Verdict::Done })
}
