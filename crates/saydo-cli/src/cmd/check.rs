//! `saydo check`: the verdict on labelled rows before a description is let loose on the rest.

mod report;

use crate::failure::Verdict;
use crate::kept::Kept;
use crate::model::ModelArgs;
use crate::output;
use anyhow::{Context, Result, bail};
use report::{Checked, Report};
use saydo::Session;
use saydo::answering::Detail;
use saydo::task::{Named, resolve};
use saydo_corpus::{Cell, Status};
use saydo_function::Function;
use saydo_protocol::competence::{self, TaskCompetence};
use saydo_protocol::labelled::{LabelledRow, answer_text, flips, read_labelled, verdict};
use saydo_protocol::measure::{self, Measured};
use saydo_protocol::table::SEEN;
use saydo_task::gold::Gold;
use saydo_task::seen::Seen;
use saydo_task::source::Source;
use saydo_task::{AnswerKind, Criterion, Instance, Metric, Task};
use std::path::PathBuf;
use std::sync::Arc;

/// Test a description on labelled documents: F1 with interval, confusions, worst rows
///
/// Labelled rows are JSON Lines with the document (`text`) and its answer (`answer`: a label, null for NA, a list of spans
/// or of records; or `answers`, each of which is acceptable). Without a file, the task file's own instances are used. A task
/// file can state its metric and level: `[answer] metric = "accuracy"`, `competent_at = 0.8`. Exit codes: 0 every task
/// reaches its level, 1 one does not.
#[derive(clap::Args)]
pub struct Args {
    /// The task, in plain words or as a task file or folder
    task: String,

    /// Labelled rows (JSON Lines)
    labelled: Option<PathBuf>,

    /// Another wording of the task, to see how often answers flip
    #[arg(long, value_name = "TASK")]
    paraphrase: Vec<String>,

    /// Level that every task must reach in its metric, from 0 to 1 (default: the `competent_at` of its file)
    #[arg(long, value_name = "T")]
    threshold: Option<f64>,

    /// Field that holds the document
    #[arg(long, visible_alias = "field", value_name = "NAME")]
    column: Option<String>,

    /// Max rows per task
    #[arg(long, short = 'L', value_name = "N")]
    limit: Option<usize>,

    /// How many of the worst rows to show
    #[arg(long, value_name = "N", default_value_t = 5, hide_short_help = true)]
    worst: usize,

    /// Also score rows the model was trained on, and mark the result (default: refuse)
    #[arg(long, hide_short_help = true)]
    allow_seen: bool,

    /// Ignore recorded answers and ask again
    #[arg(long, hide_short_help = true)]
    no_resume: bool,

    /// Print JSON
    #[arg(long)]
    json: bool,

    #[command(flatten)]
    model: ModelArgs,
}

pub fn run(args: Args) -> Result<Verdict> {
    if args.threshold.is_some_and(|threshold| !(0.0..=1.0).contains(&threshold)) {
        bail!("--threshold {}, expected a number from 0 to 1", args.threshold.unwrap_or_default());
    }
    let tasks = resolve(&args.task)?;
    let wordings: Vec<Named> =
        args.paraphrase.iter().map(|text| resolve(text)).collect::<Result<Vec<_>, _>>()?.concat();
    let mut checks = checks(&args, tasks, wordings)?;
    let session = args.model.open()?;
    for check in &mut checks {
        check.mark_seen(&session.seen, args.allow_seen)?;
    }
    let kept = Kept::new(&session, args.model.home(), args.no_resume)?;
    let mut checked = Vec::new();
    for (number, check) in checks.iter().enumerate() {
        output::note(&format!("task {} of {}: {} ({} rows)", number + 1, checks.len(), check.name, check.rows.len()));
        checked.push(check.run(&session, &kept, (args.threshold, args.model.seed()))?);
    }
    let report = Report { model: session.name.clone(), checked, threshold: args.threshold, worst: args.worst };
    match args.json {
        true => output::print_json(&report.json())?,
        false => output::print(&report.render())?,
    }
    Ok(if report.is_good_enough() { Verdict::Done } else { Verdict::No })
}

/// One task in one or several wordings, with the rows to try it on.
struct Check {
    name: String,
    wordings: Vec<Task>,
    rows: Vec<LabelledRow>,
}

/// With a file of rows, all tasks named are wordings of one; without, each is checked on its own instances.
fn checks(args: &Args, tasks: Vec<Named>, paraphrases: Vec<Named>) -> Result<Vec<Check>> {
    let limit = args.limit.unwrap_or(usize::MAX);
    let Some(path) = &args.labelled else {
        let check = |named: Named| {
            let kind = named.task.answer.as_ref().map(|spec| &spec.kind);
            let rows = named.task.instances.iter().enumerate();
            let rows: Vec<LabelledRow> =
                rows.filter_map(|(number, instance)| labelled(number, instance, kind)).take(limit).collect();
            let name = said(&named);
            let wordings = [named.task].into_iter().chain(paraphrases.iter().map(|other| other.task.clone())).collect();
            Check { name, wordings, rows }
        };
        let mut checks: Vec<Check> = tasks.into_iter().map(check).collect();
        checks.retain(|check| !check.rows.is_empty());
        if checks.is_empty() {
            bail!("{} holds no labelled instances; name a file of labelled rows after it", args.task);
        }
        return Ok(checks);
    };
    let source = Source::load(path)?;
    let rows: Vec<LabelledRow> = read_labelled(&source, args.column.as_deref())?.into_iter().take(limit).collect();
    if rows.is_empty() {
        bail!("{} holds no rows", path.display());
    }
    let mut all = tasks.into_iter().chain(paraphrases);
    let first = all.next().context("a task that resolves is at least one")?;
    let name = said(&first);
    let wordings = [first.task].into_iter().chain(all.map(|named| named.task)).collect();
    Ok(vec![Check { name, wordings, rows }])
}

/// What a person calls the task: its title, or what it asks.
pub(super) fn said(named: &Named) -> String {
    named.task.title.clone().or_else(|| named.task.definition.clone()).unwrap_or_else(|| named.name.clone())
}

fn labelled(number: usize, instance: &Instance, kind: Option<&AnswerKind>) -> Option<LabelledRow> {
    // Where the kind is stated, an output can be a set.
    let json = |output: &String| match kind {
        Some(kind) => Gold::parse(output, kind).to_json(),
        None => output.as_str().into(),
    };
    let gold: Vec<String> = instance.outputs.iter().map(|output| answer_text(&json(output))).collect();
    let id = instance.id.clone().unwrap_or_else(|| format!("instance {}", number + 1));
    (!gold.is_empty()).then(|| LabelledRow { id, text: instance.input.clone(), gold })
}

impl Check {
    /// Rows that the model was trained on tell nothing of others. Its task may well be one that it learned.
    fn mark_seen(&mut self, seen: &Seen, is_allowed: bool) -> Result<()> {
        if has_learned(&self.rows, &self.name, seen, is_allowed)? {
            self.name += SEEN;
        }
        Ok(())
    }

    fn run(&self, session: &Session, kept: &Kept<'_>, (threshold, seed): (Option<f64>, u64)) -> Result<Checked> {
        let mut given = Vec::new();
        let mut kind = None;
        for wording in &self.wordings {
            let task = Task { instances: Vec::new(), ..wording.clone() };
            // Gold answers say what kind is meant, but the function must find it out as it would in a run.
            let function = Function::new(task, Arc::clone(&session.model), session.settings.clone())?;
            kind.get_or_insert_with(|| function.spec().kind.clone());
            given.push(answers(&function, &self.rows, kept)?);
        }
        let kind = kind.context("a check has at least one wording")?;
        let rows: Vec<_> =
            self.rows.iter().zip(&given[0]).map(|(row, given)| (row.gold.clone(), given.clone())).collect();
        let verdict = verdict(&kind, &rows, seed).context("a check has at least one row")?;
        let flips = flips(&given, seed);
        let criterion = self.wordings[0].criterion;
        let competence = judged(&self.name, criterion, &kind, &rows, &verdict, (threshold, seed))?;
        let level = threshold.or(criterion.competent_at);
        Ok(Checked { name: self.name.clone(), kind, rows: self.rows.clone(), verdict, competence, level, flips, given })
    }
}

/// The task's metric against its level: those of its file, or else F1 (ROUGE-L for free text) and the level given.
fn judged(
    name: &str,
    criterion: Criterion,
    kind: &AnswerKind,
    rows: &[(Vec<String>, Option<String>)],
    verdict: &saydo_protocol::labelled::Verdict,
    (threshold, seed): (Option<f64>, u64),
) -> Result<TaskCompetence> {
    let level = threshold.or(criterion.competent_at).unwrap_or(competence::LEVEL);
    let (metric, measured) = match criterion.metric {
        Some(metric) => {
            let rows: Vec<measure::Row<'_>> = rows.iter().map(|(gold, given)| (&gold[..], given.as_deref())).collect();
            (metric.name(), measure::measure(metric, &rows, seed).context("a check has at least one row")?)
        }
        None => {
            let interval = [verdict.f1_interval.low, verdict.f1_interval.high];
            let metric = if *kind == AnswerKind::Text { Metric::RougeL } else { Metric::F1 };
            (metric.name(), Measured { value: verdict.f1, interval, rows: rows.len() })
        }
    };
    Ok(TaskCompetence::new(name, metric, measured, level))
}

/// Whether the model was trained on some of these rows, which is an error unless it is allowed.
pub(super) fn has_learned(rows: &[LabelledRow], name: &str, seen: &Seen, is_allowed: bool) -> Result<bool> {
    let learned = rows.iter().filter(|row| seen.has_input(&row.text)).count();
    if learned > 0 && !is_allowed {
        bail!(
            "the model was trained on {learned} of {} rows of {name}; use --adapter none or other rows, or pass \
             --allow-seen to count them, marked as seen",
            rows.len()
        );
    }
    Ok(learned > 0)
}

/// One answer for each row, as ZEST writes them; none where there was none.
pub(super) fn answers(function: &Function, rows: &[LabelledRow], kept: &Kept<'_>) -> Result<Vec<Option<String>>> {
    let cells = kept.answers(function, rows.iter().map(|row| row.text.as_str()), Detail::Row)?;
    let given = |cell: Cell| match cell.status {
        Status::Ok | Status::Na => Some(answer_text(&cell.answer)),
        Status::Unparsable | Status::Failed => None,
    };
    Ok(cells.into_iter().map(given).collect())
}
