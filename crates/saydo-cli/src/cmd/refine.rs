//! `saydo refine`: other wordings of a task, the best chosen on one part of the labelled rows and reported on the other.

mod wording;

use super::check::{answers, has_learned, said};
use crate::failure::Verdict;
use crate::kept::Kept;
use crate::model::ModelArgs;
use crate::output;
use crate::table::Table;
use anyhow::{Context, Result, bail};
use saydo::Session;
use saydo::task::resolve;
use saydo_function::Function;
use saydo_protocol::labelled::{LabelledRow, Lead, Parts, Verdict as Scored, read_labelled, verdict};
use saydo_task::format::Format;
use saydo_task::source::Source;
use saydo_task::{AnswerSpec, Task};
use serde_json::json;
use std::path::PathBuf;
use std::sync::Arc;
use wording::{Wording, by_model, by_rules, own};

/// Rows with which neither part says anything.
const MIN_ROWS: usize = 4;

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

/// A wording and how it did on the rows that one is chosen on.
struct Tried {
    wording: Wording,
    choose: Scored,
}

/// The original and the chosen wording on the rows that neither was chosen on.
struct Outcome {
    original: Scored,
    chosen: Scored,
    lead: Lead,
}

pub fn run(args: Args) -> Result<Verdict> {
    let named = resolve(&args.task)?;
    let [named] = &named[..] else { bail!("{} holds {} tasks, expected one", args.task, named.len()) };
    let rows = read_labelled(&Source::load(&args.labelled)?, args.column.as_deref())?;
    let rows: Vec<LabelledRow> = rows.into_iter().take(args.limit.unwrap_or(usize::MAX)).collect();
    if rows.len() < MIN_ROWS {
        bail!(
            "{} holds {} rows, expected at least {MIN_ROWS} to put into two parts",
            args.labelled.display(),
            rows.len()
        );
    }
    let session = args.model.open()?;
    let name = said(named);
    let is_seen = has_learned(&rows, &name, &session.seen, args.allow_seen)?;
    let kept = Kept::new(&session, args.model.home(), args.no_resume)?;
    let mut refinement = Refinement::new(&args, named.task.clone(), rows, (&session, &kept))?;
    refinement.is_seen = is_seen;
    let wordings = refinement.wordings(&args)?;
    let tried = refinement.try_all(wordings)?;
    let best = best(&tried);
    let outcome = refinement.report(&tried[best].wording)?;
    let is_better = best > 0 && outcome.lead.is_significant();
    match args.json {
        true => output::print_json(&refinement.json(&tried, best, &outcome, is_better))?,
        false => output::print(&refinement.text(&tried, best, &outcome, is_better))?,
    }
    if let Some(path) = args.output_path.as_ref().filter(|_| is_better) {
        Format::Toml.save(&refinement.worded(&tried[best].wording), path, args.force)?;
        output::note(&format!("written to {}", path.display()));
    }
    Ok(if is_better { Verdict::Done } else { Verdict::No })
}

/// The first of the highest F1, so that the original, which is the first, wins a tie.
fn best(tried: &[Tried]) -> usize {
    (0..tried.len()).fold(0, |best, next| if tried[next].choose.f1 > tried[best].choose.f1 { next } else { best })
}

/// A task with its rows in two parts.
struct Refinement<'a> {
    task: Task,
    choose: Vec<LabelledRow>,
    report: Vec<LabelledRow>,
    session: &'a Session,
    kept: &'a Kept<'a>,
    seed: u64,
    is_seen: bool,
}

impl<'a> Refinement<'a> {
    fn new(
        args: &Args,
        task: Task,
        rows: Vec<LabelledRow>,
        (session, kept): (&'a Session, &'a Kept<'a>),
    ) -> Result<Self> {
        let seed = args.model.seed();
        let parts = Parts::drawn(rows.len(), seed);
        let of = |part: &[usize]| part.iter().map(|row| rows[*row].clone()).collect();
        let mut task = Task { instances: Vec::new(), ..task };
        // Another wording must not change what kind of answer is asked for.
        let kind =
            Function::new(task.clone(), Arc::clone(&session.model), session.settings.clone())?.spec().kind.clone();
        let na = task.answer.take().and_then(|spec| spec.na);
        task.answer = Some(AnswerSpec { kind, na });
        Ok(Self { task, choose: of(&parts.choose), report: of(&parts.report), session, kept, seed, is_seen: false })
    }

    /// What is tried, the original first; each text once.
    fn wordings(&self, args: &Args) -> Result<Vec<Wording>> {
        let original = Wording::original(&self.task).context("the task says nothing of what to do")?;
        let mut all = vec![original.clone()];
        all.extend(own(&self.task));
        all.extend(args.wording.iter().map(|text| Wording::given(text)));
        all.extend(by_rules(&original.text, &self.task.answer.as_ref().context("the kind is known")?.kind));
        if args.from_model > 0 {
            all.extend(by_model(&original.text, args.from_model, self.session, self.seed)?);
        }
        let mut known = Vec::new();
        all.retain(|wording| {
            let is_new = !known.contains(&wording.text);
            known.push(wording.text.clone());
            is_new
        });
        Ok(all)
    }

    fn worded(&self, wording: &Wording) -> Task {
        let mut task = self.task.clone();
        let others = self.task.definition.iter().chain(&self.task.other_definitions);
        task.other_definitions = others.filter(|other| **other != wording.text).cloned().collect();
        task.definition = Some(wording.text.clone());
        task
    }

    fn scored(&self, wording: &Wording, rows: &[LabelledRow]) -> Result<Scored> {
        let function =
            Function::new(self.worded(wording), Arc::clone(&self.session.model), self.session.settings.clone())?;
        let given = answers(&function, rows, self.kept)?;
        let pairs: Vec<_> = rows.iter().zip(given).map(|(row, given)| (row.gold.clone(), given)).collect();
        verdict(&function.spec().kind, &pairs, self.seed).context("a part has at least one row")
    }

    fn try_all(&self, wordings: Vec<Wording>) -> Result<Vec<Tried>> {
        let all = wordings.len();
        let tried = wordings.into_iter().enumerate().map(|(number, wording)| {
            output::note(&format!("wording {} of {all}: {}", number + 1, wording.text));
            let choose = self.scored(&wording, &self.choose)?;
            Ok(Tried { wording, choose })
        });
        tried.collect()
    }

    fn report(&self, chosen: &Wording) -> Result<Outcome> {
        let kind = &self.task.answer.as_ref().context("the kind is known")?.kind;
        let original =
            self.scored(&Wording::original(&self.task).context("the task says what to do")?, &self.report)?;
        let chosen = self.scored(chosen, &self.report)?;
        let lead = Lead::of(kind, &chosen.rows, &original.rows, self.seed).context("a part has at least one row")?;
        Ok(Outcome { original, chosen, lead })
    }

    fn text(&self, tried: &[Tried], best: usize, outcome: &Outcome, is_better: bool) -> String {
        let mut table = Table::new(&["wording", "from", "F1", "95%"]).with_words(&[1]);
        for one in tried {
            let scored = &one.choose;
            let interval = scored.f1_interval;
            table.row([
                one.wording.text.clone(),
                one.wording.origin.to_owned(),
                percent(scored.f1),
                format!("{}-{}", percent(interval.low), percent(interval.high)),
            ]);
        }
        let mut report = Table::new(&["", "F1", "95%"]);
        let row = |name: &str, f1: f64, low: f64, high: f64| {
            [name.to_owned(), percent(f1), format!("{} to {}", percent(low), percent(high))]
        };
        let interval = outcome.original.f1_interval;
        report.row(row("original", outcome.original.f1, interval.low, interval.high));
        if best > 0 {
            let interval = outcome.chosen.f1_interval;
            report.row(row("chosen", outcome.chosen.f1, interval.low, interval.high));
            let Lead { f1, interval } = outcome.lead;
            report.row(row("chosen minus original", f1, interval.low, interval.high));
        }
        let seen = if self.is_seen { " (the model was trained on some of the rows)" } else { "" };
        format!(
            "chosen on {} rows{seen}\n\n{}\nreported on the other {} rows{seen}\n\n{}\n{}\n",
            self.choose.len(),
            table.render(),
            self.report.len(),
            report.render(),
            conclusion(&tried[best].wording, best, is_better)
        )
    }

    fn json(&self, tried: &[Tried], best: usize, outcome: &Outcome, is_better: bool) -> serde_json::Value {
        let f1 = |scored: &Scored| json!({ "f1": scored.f1, "95%": [scored.f1_interval.low, scored.f1_interval.high] });
        let wordings: Vec<_> = tried
            .iter()
            .map(|one| json!({ "wording": one.wording.text, "from": one.wording.origin, "chosen_on": f1(&one.choose) }))
            .collect();
        let lead = outcome.lead;
        json!({
            "wordings": wordings,
            "rows": { "chosen_on": self.choose.len(), "reported_on": self.report.len() },
            "chosen": tried[best].wording.text,
            "original": f1(&outcome.original),
            "refined": f1(&outcome.chosen),
            "lead": { "f1": lead.f1, "95%": [lead.interval.low, lead.interval.high] },
            "is_better": is_better,
            "seen": self.is_seen,
        })
    }
}

fn conclusion(chosen: &Wording, best: usize, is_better: bool) -> String {
    match (best, is_better) {
        (0, _) => "keep the original: no other wording did better on the rows one is chosen on".to_owned(),
        (_, false) => format!("keep the original: the lead of \"{}\" is within what luck explains", chosen.text),
        (_, true) => format!("better: {}", chosen.text),
    }
}

fn percent(share: f64) -> String {
    format!("{:.1}", 100.0 * share)
}
