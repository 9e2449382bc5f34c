//! What people said of the Turking Test's outputs: the three judgements by task, agreement, and the errors they saw.

use crate::table::{Table, cells, number, percent, range};
use crate::turking::judgement::{Agreement, Answers, JudgementReport, TaskJudgements};

/// The tables of what people said of a run\'s outputs.
pub fn tables(report: &JudgementReport) -> Vec<Table> {
    vec![judgements(report), agreement(report), patterns(report)]
}

/// The tasks of which somebody judged an output.
fn judged(report: &JudgementReport) -> impl Iterator<Item = &TaskJudgements> {
    report.tasks.iter().filter(|task| task.judgements > 0)
}

fn judgements(report: &JudgementReport) -> Table {
    let header = [
        "task",
        "outputs",
        "judged",
        "accurate",
        "95%",
        "GPT-2 1.5B",
        "form consistent",
        "95%",
        "GPT-2 1.5B",
        "neither",
        "tied",
    ];
    let judges = report.judges.len();
    let note = format!(
        "{} judgements by {judges} {}. An output is what most of its judges say, and a tie is a no; what is accurate is \
         consistent in form, too. Outputs that nobody judged are in no share.",
        report.judgements,
        if judges == 1 { "judge" } else { "judges" },
    );
    let mut table = Table::new("what people say of the outputs", &header).with_note(&note);
    for task in judged(report) {
        let share = |answers: &Option<Answers>| {
            let estimate = answers.as_ref().map(|answers| answers.yes);
            estimate.map(|estimate| [percent(estimate.value), range(Some(estimate.interval))]).unwrap_or_default()
        };
        let [accurate, accurate_range] = share(&task.accurate);
        let [form, form_range] = share(&task.form_consistent);
        let neither = task.form_consistent.as_ref().map(|answers| percent(1.0 - answers.yes.value));
        let ties = [&task.accurate, &task.form_consistent].into_iter().flatten().map(|answers| answers.ties).max();
        table.row([
            task.name.to_owned(),
            task.outputs.to_string(),
            (task.outputs - task.unjudged).to_string(),
            accurate,
            accurate_range,
            number(Some(task.published.accuracy)),
            form,
            form_range,
            number(task.published.form_consistency),
            neither.unwrap_or_default(),
            ties.unwrap_or_default().to_string(),
        ]);
    }
    table
}

fn agreement(report: &JudgementReport) -> Table {
    let header = ["task", "question", "outputs with two judges", "agreement", "Krippendorff's alpha", "paper"];
    let mut table = Table::new("how far people agree", &header);
    let paper = number(Some(report.published_agreement));
    let mut row = |task: &str, question: &str, agreement: &Agreement, paper: &str| {
        if agreement.outputs > 0 {
            let alpha = agreement.alpha.map_or_else(String::new, |alpha| format!("{alpha:.2}"));
            let observed = agreement.observed.map_or_else(String::new, percent);
            table.row([task, question, &agreement.outputs.to_string(), &observed, &alpha, paper].map(str::to_owned));
        }
    };
    row("all", "accurate", &report.accurate, &paper);
    row("all", "form consistent", &report.form_consistent, "");
    for task in judged(report) {
        for (question, answers) in [("accurate", &task.accurate), ("form consistent", &task.form_consistent)] {
            answers.iter().for_each(|answers| row(task.name, question, &answers.agreement, ""));
        }
    }
    table
}

fn patterns(report: &JudgementReport) -> Table {
    let header = ["task", "pattern", "outputs", "n", "share", "95%", "GPT-2 1.5B"];
    let mut table = Table::new("errors that people saw", &header);
    for task in judged(report) {
        for pattern in task.patterns.iter().filter(|pattern| pattern.share.value > 0.0) {
            let shown = (pattern.share.value * pattern.share.count as f64).round();
            let head = [task.name.to_owned(), pattern.pattern.to_owned(), shown.to_string()];
            table.row(head.into_iter().chain(cells(pattern.share)).chain([number(pattern.published)]));
        }
    }
    table
}
