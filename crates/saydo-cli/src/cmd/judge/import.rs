//! Judgements of people, and how a model's and the automatic rule's compare with them.

use super::{Args, model};
use crate::cmd::eval::print::drawn;
use crate::failure::Verdict;
use crate::output;
use crate::table::{Table, percent};
use anyhow::Result;
use saydo_protocol::turking::judgement::{
    Agreement, Entries, JudgeAgreement, JudgementReport, Judgements, Question, compare, form_rule, tally,
};
use saydo_protocol::turking::{Gold, Outputs, judged};
use saydo_task::source::Source;
use saydo_task::turking::Kind;
use serde_json::{Value, json};

/// What the model says of one task.
struct ByModel {
    kind: Kind,
    outputs: usize,
    accurate: f64,
    form_consistent: f64,
}

pub(super) fn run(args: &Args, (gold, outputs): (&Gold, &Outputs), entries: &Entries<'_>) -> Result<Verdict> {
    let sources = args.sheets.iter().map(|path| Source::load(path)).collect::<Result<Vec<_>, _>>()?;
    let people = if sources.is_empty() { None } else { Some(Judgements::read(&sources, entries)?) };
    let report = people.as_ref().map(|people| tally(entries, people, args.model.seed()));
    let judged = if args.by_model { Some(model::judge(args, entries)?) } else { None };
    let by_model = judged.as_ref().map(|judged| by_model(entries, judged)).unwrap_or_default();
    let mut beside: Vec<(&str, JudgeAgreement)> = Vec::new();
    if let Some(people) = &people {
        let form = people.majority(Question::FormConsistent);
        beside.extend(compare(&form, &form_rule(entries)).map(|one| ("the form rule, form", one)));
        if let Some(judged) = &judged {
            let accurate = people.majority(Question::Accurate);
            let said = |question| model::answers(judged, question);
            beside.extend(compare(&accurate, &said(Question::Accurate)).map(|one| ("the model, accurate", one)));
            beside.extend(compare(&form, &said(Question::FormConsistent)).map(|one| ("the model, form", one)));
        }
    }
    if args.json {
        output::print_json(&as_json(report.as_ref(), &by_model, &beside))?
    } else {
        output::print(&as_text(report.as_ref(), &by_model, &beside))?
    }
    if people.is_some() {
        let count = judged::keep(&args.run, gold, outputs, &sources)?;
        let (path, run) = (judged::path(&args.run), args.run.display());
        output::note(&format!("{count} judgements are in {}; saydo report {run} shows them", path.display()));
    }
    Ok(Verdict::Done)
}

fn by_model(
    entries: &Entries<'_>,
    judged: &[Option<saydo_protocol::turking::model_judge::ModelJudgement>],
) -> Vec<ByModel> {
    let of_kind = |kind: Kind| {
        let all = entries.all().iter().zip(judged);
        let own: Vec<_> =
            all.filter(|(entry, _)| entry.kind() == kind).filter_map(|(_, judgement)| judgement.as_ref()).collect();
        let share = |question: Question| {
            own.iter().filter(|judgement| judgement.answer(question).is_yes).count() as f64 / own.len() as f64
        };
        (!own.is_empty()).then(|| ByModel {
            kind,
            outputs: own.len(),
            accurate: share(Question::Accurate),
            form_consistent: share(Question::FormConsistent),
        })
    };
    Kind::ALL.into_iter().filter_map(of_kind).collect()
}

fn as_json(report: Option<&JudgementReport>, by_model: &[ByModel], beside: &[(&str, JudgeAgreement)]) -> Value {
    let model: Vec<Value> = by_model
        .iter()
        .map(|one| {
            json!({
                "task": one.kind.id(),
                "outputs": one.outputs,
                "accurate": one.accurate,
                "form_consistent": one.form_consistent,
            })
        })
        .collect();
    let beside: serde_json::Map<String, Value> =
        beside.iter().map(|(name, one)| ((*name).to_owned(), json!(one))).collect();
    json!({"people": report, "model": model, "agreement_with_people": beside})
}

fn as_text(report: Option<&JudgementReport>, by_model: &[ByModel], beside: &[(&str, JudgeAgreement)]) -> String {
    let mut text = report.map(people).unwrap_or_default();
    if !by_model.is_empty() {
        text += "\nwhat the model says (does not replace human judgement)\n\n";
        let mut table = Table::new(&["task", "outputs", "accurate", "form consistent"]);
        for one in by_model {
            let shares = [percent(one.accurate), percent(one.form_consistent)];
            table.row([one.kind.name().to_owned(), one.outputs.to_string()].into_iter().chain(shares));
        }
        text += &table.render();
    }
    if !beside.is_empty() {
        text += "\nagreement with people\n\n";
        let mut table = Table::new(&["judge", "outputs", "agreement", "Cohen's kappa", "alpha"]);
        for (name, one) in beside {
            let numbers = [percent(one.observed), number(one.kappa), number(one.alpha)];
            table.row([(*name).to_owned(), one.count.to_string()].into_iter().chain(numbers));
        }
        text += &table.render();
    }
    text
}

fn people(report: &JudgementReport) -> String {
    let [observed, alpha] = agreement(&report.accurate);
    format!(
        "{} judgements by {} judges, {} rows left blank; agreement on accuracy {observed} (published {:.0}), alpha {alpha}\n\n{}",
        report.judgements,
        report.judges.len(),
        report.blank_rows,
        report.published_agreement,
        drawn(&judged::tables(report))
    )
}

fn agreement(agreement: &Agreement) -> [String; 2] {
    [agreement.observed.map_or_else(|| "-".to_owned(), percent), number(agreement.alpha)]
}

fn number(value: Option<f64>) -> String {
    value.map_or_else(|| "-".to_owned(), |value| format!("{value:.2}"))
}
