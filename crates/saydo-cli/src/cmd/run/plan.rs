//! Flags of `saydo run` as the library's settings, and what is said before the first document.

use super::{Args, note};
use crate::output;
use crate::progress::Terminal;
use crate::table::{Table, percent};
use anyhow::{Result, bail};
use saydo::Session;
use saydo::job::calibration::{Calibration, calibrate};
use saydo::job::labelled::Recorder;
use saydo::job::run::{Place, Questions, Run, Settings};
use saydo::record::Ledger;
use saydo::task::Named;
use saydo_corpus::Options;
use saydo_function::Function;
use saydo_protocol::labelled::read_labelled;
use saydo_task::source::Source;
use saydo_task::{AnswerKind, AnswerSpec};
use serde_json::json;
use std::path::Path;

/// Operating points that are printed.
const MAX_POINTS: usize = 9;

/// Formats of inputs, as users write them.
#[derive(Debug, Clone, Copy, PartialEq, Eq, clap::ValueEnum)]
pub(super) enum Format {
    Text,
    Html,
    #[value(alias = "json-lines")]
    Jsonl,
    Json,
    Csv,
    Tsv,
    Parquet,
}

/// What to read of the inputs.
pub(super) fn options(args: &Args) -> Options {
    let format = args.format.map(|format| match format {
        Format::Text => saydo_corpus::Format::Text,
        Format::Html => saydo_corpus::Format::Html,
        Format::Jsonl => saydo_corpus::Format::JsonLines,
        Format::Json => saydo_corpus::Format::Json,
        Format::Csv => saydo_corpus::Format::Csv,
        Format::Tsv => saydo_corpus::Format::Tsv,
        Format::Parquet => saydo_corpus::Format::Parquet,
    });
    let (column, question) = (args.column.clone(), args.question_column.clone());
    Options { column, question, format, limit: args.limit, shard: args.shard, ..Options::default() }
}

/// Opens the model, makes the functions and the folder.
pub(super) fn plan(args: &Args, tasks: Vec<Named>, inputs: &[String]) -> Result<Run> {
    let session = args.model.open()?;
    let place = match &args.run {
        Some(path) => Place::Folder(path.clone()),
        None => Place::Below(args.model.home().place()?.runs()),
    };
    let settings = Settings {
        questions: questions(args)?,
        evidence: args.evidence,
        retry_errors: args.retry_errors,
        fail_on_error: args.fail_on_error,
        shard: args.shard,
        is_anew: args.no_resume,
        noted: json!({
            "inputs": inputs,
            "column": args.column,
            "limit": args.limit.map(|limit| limit.to_string()),
        }),
        seed: args.model.seed(),
        ..Settings::new(tasks, place)
    };
    Run::plan(session, settings, |session, function| match &args.calibrate {
        Some(path) => calibrated(args, session, function, path),
        None => Ok(function),
    })
}

/// The function with the threshold that is best on labelled rows. The points it was chosen from are printed on stderr.
fn calibrated(args: &Args, session: &Session, function: Function, path: &Path) -> Result<Function> {
    let rows = read_labelled(&Source::load(path)?, args.column.as_deref())?;
    let recorder = Recorder { folder: Some(args.model.home().place()?.checks()), is_anew: args.no_resume };
    let mut terminal = Terminal::new(args.quiet);
    let calibrated = calibrate(session, function, &rows, &recorder, &mut |event| terminal.show(event));
    let (function, calibration) = match calibrated {
        Err(saydo::Error::NoLabelledRows) => bail!("{} holds no rows", path.display()),
        calibrated => calibrated?,
    };
    drop(terminal);
    output::note(&format!("calibrated on {} rows of {}:\n{}", rows.len(), path.display(), render(&calibration)));
    Ok(function)
}

/// A few points from all NA to none, the chosen one among them.
fn render(calibration: &Calibration) -> String {
    let Calibration { points, best } = calibration;
    let mut table = Table::new(&["bias", "answered", "precision", "recall", "F1", ""]).with_words(&[5]);
    let step = points.len().div_ceil(MAX_POINTS).max(1);
    for (number, point) in points.iter().enumerate() {
        if number % step == 0 || point == best {
            let mark = if point == best { "chosen" } else { "" };
            table.row([
                format!("{:+.2}", point.na_bias),
                percent(point.answered),
                percent(point.precision),
                percent(point.recall),
                percent(point.f1),
                mark.to_owned(),
            ]);
        }
    }
    table.render()
}

/// None if no column of questions was named.
fn questions(args: &Args) -> Result<Option<Questions>> {
    let Some(name) = args.question_column.clone() else { return Ok(None) };
    let spec = args.task.spec()?;
    let is_parquet = args.output_path.as_ref().is_some_and(|path| path.extension().is_some_and(|it| it == "parquet"));
    if is_parquet && spec.is_none() {
        bail!(
            "--question-column gives answers of several kinds, which a column of Parquet cannot hold; say --kind, or \
             write .jsonl"
        );
    }
    Ok(Some(Questions { name, spec }))
}

/// The ledger of this run or shard; a note says what was put aside or repaired.
pub(super) fn ledger(args: &Args, run: &Run) -> Result<Ledger> {
    let opened = run.ledger()?;
    if let Some(kept) = opened.kept {
        note(args, &format!("started anew; what was recorded before is in {}", kept.display()));
    }
    if opened.repair.torn_bytes > 0 {
        let path = run.folder.ledger(args.shard);
        note(args, &format!("repaired {}: its last line was not whole", path.display()));
    }
    Ok(opened.ledger)
}

/// Says what kind of answers there will be, and where that can be changed.
pub(super) fn describe(args: &Args, run: &Run, skipped: u64) {
    for named in &run.functions {
        let change = if named.is_inferred { "; change with --kind or `saydo new`" } else { "" };
        let name = match run.functions.len() {
            1 => "answers".to_owned(),
            _ => format!("answers to `{}`", named.name),
        };
        note(args, &format!("{name}: {}{change}", kind(named.function.spec())));
    }
    if let Some(questions) = &run.questions {
        let kind = match &questions.spec {
            Some(spec) => kind(spec),
            None => "as each question in its column asks for; change with --kind".to_owned(),
        };
        note(args, &format!("answers: {kind}"));
    }
    if skipped > 0 {
        note(args, &format!("{skipped} files of other kinds in the folders are not read"));
    }
}

/// A kind of answer in a few words.
fn kind(spec: &AnswerSpec) -> String {
    match &spec.kind {
        AnswerKind::Label(labels) => format!("label ({})", labels.join(", ")),
        AnswerKind::Records(fields) => {
            let fields: Vec<String> = fields.iter().map(|field| format!("{}: {}", field.name, field.kind)).collect();
            format!("records ({})", fields.join(", "))
        }
        kind => kind.name().to_owned(),
    }
}
