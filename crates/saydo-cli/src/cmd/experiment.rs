//! `saydo experiment`: a declared grid of evaluations and trainings as one job that resumes, with one table at the end.

mod dry_run;

use crate::cmd::eval::print::drawn;
use crate::failure::Verdict;
use crate::home::Home;
use crate::progress::Terminal;
use crate::{memory, output, stop};
use anyhow::Result;
use saydo::job::experiment::{self, Experiment, Shared};
use saydo::session::DEFAULT_MODEL;
use std::path::PathBuf;

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
    let places = args.home.places()?;
    let shared = Shared {
        data: args.data,
        train_data: args.train_data,
        models: args.model,
        default_model: args.default_model,
        base_url: args.base_url,
        limit: args.limit,
        split: args.split,
        folder: args.output_path,
    };
    if args.dry_run {
        return dry_run::print(&experiment, &shared, &places);
    }
    if experiment.train.is_some() {
        memory::keep_freed();
    }
    let mut terminal = Terminal::new(false);
    let stop = stop::on_interrupt()?;
    let report = experiment::run(&experiment, &shared, &places, &mut |event| terminal.show(event), &stop)?;
    drop(terminal);
    if args.json {
        output::print_json(&report.rows)?;
    } else {
        output::print(&drawn(&report.tables))?;
    }
    output::note(&format!("table in {}, runs beside it", report.path.display()));
    let has_failed = report.rows.iter().any(|row| row.failed > 0);
    Ok(if has_failed { Verdict::No } else { Verdict::Done })
}
