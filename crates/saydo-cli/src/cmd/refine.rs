//! `saydo refine`: other wordings of a task, the best chosen on one part of the labelled rows and reported on the other.

use crate::failure::Verdict;
use crate::model::ModelArgs;
use crate::output;
use crate::progress::Terminal;
use crate::table::{Table, percent};
use anyhow::{Result, anyhow, bail};
use saydo::Error;
use saydo::job::labelled::Recorder;
use saydo::job::refine::{Report, Settings, check_rows, refine};
use saydo::task::resolve;
use saydo_protocol::labelled::{LabelledRow, Lead, Verdict as Scored, read_labelled};
use saydo_task::format::Format;
use saydo_task::source::Source;
use std::path::PathBuf;

/// Find a better wording of a task: chosen on one half of the labelled rows, reported on the other
///
/// Candidates come from rules, from the task file's paraphrases, from --wording and, with --from-model N, from the model.
/// The best on the first half is compared with the original on the second, and called better only if the 95% interval of the
/// difference lies above 0. Exit codes: 0 a better wording was found, 1 none was.
#[derive(clap::Args)]
pub struct Args {
    /// The task, in plain words or as a task file
    task: String,

    /// Labelled rows (JSON Lines), as for saydo check
    labelled: PathBuf,

    /// A wording to try; repeatable
    #[arg(long, value_name = "TEXT")]
    wording: Vec<String>,

    /// Number of wordings the model should write
    #[arg(long, value_name = "N", default_value_t = 0)]
    from_model: usize,

    /// Field that holds the document
    #[arg(long, visible_alias = "field", value_name = "NAME")]
    column: Option<String>,

    /// Max rows
    #[arg(long, short = 'L', value_name = "N")]
    limit: Option<usize>,

    /// Task file to write if a better wording is found
    #[arg(long, short = 'o', value_name = "FILE")]
    output_path: Option<PathBuf>,

    /// Overwrite an existing file
    #[arg(long)]
    force: bool,

    /// Also score rows the model was trained on (default: refuse)
    #[arg(long)]
    allow_seen: bool,

    /// Ignore recorded answers and ask again
    #[arg(long)]
    no_resume: bool,

    /// Print JSON
    #[arg(long)]
    json: bool,

    #[command(flatten)]
    model: ModelArgs,
}

pub fn run(args: Args) -> Result<Verdict> {
    let mut named = resolve(&args.task)?;
    let found = named.len();
    let (Some(task), true) = (named.pop(), found == 1) else {
        bail!("{} holds {found} tasks, expected one", args.task);
    };
    let rows = read_labelled(&Source::load(&args.labelled)?, args.column.as_deref())?;
    let rows: Vec<LabelledRow> = rows.into_iter().take(args.limit.unwrap_or(usize::MAX)).collect();
    check_rows(&rows).map_err(|error| match error {
        Error::TooFewRows { found, expected } => {
            let path = args.labelled.display();
            anyhow!("{path} holds {found} rows, expected at least {expected} to put into two parts")
        }
        error => error.into(),
    })?;
    let session = args.model.open()?;
    let settings = Settings {
        wordings: args.wording.clone(),
        from_model: args.from_model,
        allow_seen: args.allow_seen,
        recorder: Recorder { folder: Some(args.model.home().place()?.checks()), is_anew: args.no_resume },
        seed: args.model.seed(),
        ..Settings::new(task, rows)
    };
    let mut terminal = Terminal::new(false);
    let report = refine(&session, settings, &mut |event| terminal.show(event))?;
    drop(terminal);
    if args.json {
        output::print_json(&report.json())?;
    } else {
        output::print(&text(&report))?;
    }
    if let Some(path) = args.output_path.as_ref().filter(|_| report.is_better()) {
        Format::Toml.save(&report.task, path, args.force)?;
        output::note(&format!("written to {}", path.display()));
    }
    Ok(if report.is_better() { Verdict::Done } else { Verdict::No })
}

fn text(report: &Report) -> String {
    let mut table = Table::new(&["wording", "from", "F1", "95%"]).with_words(&[1]);
    for one in &report.tried {
        let Scored { f1, f1_interval: interval, .. } = &one.verdict;
        table.row([
            one.wording.text.clone(),
            one.wording.origin.to_owned(),
            percent(*f1),
            format!("{}-{}", percent(interval.low), percent(interval.high)),
        ]);
    }
    let mut compared = Table::new(&["", "F1", "95%"]);
    let row = |name: &str, f1: f64, low: f64, high: f64| {
        [name.to_owned(), percent(f1), format!("{} to {}", percent(low), percent(high))]
    };
    let interval = report.original.f1_interval;
    compared.row(row("original", report.original.f1, interval.low, interval.high));
    if report.chosen > 0 {
        let interval = report.refined.f1_interval;
        compared.row(row("chosen", report.refined.f1, interval.low, interval.high));
        let Lead { f1, interval } = report.lead;
        compared.row(row("chosen minus original", f1, interval.low, interval.high));
    }
    let seen = if report.is_seen { " (the model was trained on some of the rows)" } else { "" };
    let [choose, reported] = report.rows;
    format!(
        "chosen on {choose} rows{seen}\n\n{}\nreported on the other {reported} rows{seen}\n\n{}\n{}\n",
        table.render(),
        compared.render(),
        conclusion(report)
    )
}

fn conclusion(report: &Report) -> String {
    match (report.chosen, report.is_better()) {
        (0, _) => "keep the original: no other wording did better on the rows one is chosen on".to_owned(),
        (_, false) => {
            format!("keep the original: the lead of \"{}\" is within what luck explains", report.wording().text)
        }
        (_, true) => format!("better: {}", report.wording().text),
    }
}
