//! Codes counted: shares by the coders' agreement, how far they agree, and what a model would have said.

use super::{Book, Coded};
use crate::table::{Table, percent, range};
use crate::turking::{Pattern, published};
use saydo_metrics::agreement::{cohen_kappa, krippendorff_alpha, percent_agreement};
use saydo_metrics::bootstrap::mean_interval;
use saydo_task::turking::Kind;
use serde::Serialize;
use std::collections::{BTreeMap, BTreeSet, HashMap};

/// What coders said of a run's errors.
#[derive(Debug, Clone, PartialEq, Serialize)]
pub struct CodingReport {
    /// Where the code book comes from.
    pub origin: &'static str,
    /// The people who coded, in order.
    pub coders: Vec<String>,
    /// The models that coded; they are counted nowhere among people.
    pub models: Vec<String>,
    /// Items that a person coded.
    pub items: usize,
    /// Items that two people or more coded.
    pub shared: usize,
    /// Items on whose code the most people do not agree; they are in no share.
    pub undecided: usize,
    /// How often two people give an item the same code.
    pub agreement: Option<f64>,
    /// Krippendorff's alpha over the same.
    pub alpha: Option<f64>,
    /// Cohen's kappa, where there are exactly two people.
    pub kappa: Option<f64>,
    /// How often a model gives the code that people agree on.
    pub model_agreement: Option<f64>,
    /// Over how many items.
    pub model_items: usize,
    /// The share of each code, all tasks together.
    pub codes: Vec<CodeShare>,
    /// The shares of each task, where there are several.
    pub by_task: BTreeMap<String, Vec<CodeShare>>,
}

/// How many errors are of a code.
#[derive(Debug, Clone, PartialEq, Serialize)]
pub struct CodeShare {
    /// The code.
    pub code: &'static str,
    /// When it is given.
    pub meaning: &'static str,
    /// Items that people agree are of it.
    pub count: usize,
    /// Their share; none if people agree on no item.
    pub share: Option<f64>,
    /// Its 95% interval over other items.
    pub interval: Option<[f64; 2]>,
    /// The paper's share, in percent.
    pub published: Option<f64>,
    /// How often a model gave the code.
    pub by_model: usize,
}

/// Counts codes. `tasks` names the task of each item; `seed` fixes the intervals.
pub fn tally(book: &Book, codes: &[Coded], tasks: &HashMap<String, String>, seed: u64) -> CodingReport {
    let mut people: BTreeMap<&str, Vec<&str>> = BTreeMap::new();
    let mut models: BTreeMap<&str, Vec<&str>> = BTreeMap::new();
    for coded in codes {
        let by = if coded.by_model { &mut models } else { &mut people };
        by.entry(&coded.item).or_default().push(&coded.code);
    }
    let names = |by_model: bool| {
        let own = codes.iter().filter(|coded| coded.by_model == by_model).map(|coded| coded.coder.clone());
        own.collect::<BTreeSet<String>>().into_iter().collect::<Vec<_>>()
    };
    let decided: BTreeMap<&str, &str> =
        people.iter().filter_map(|(item, votes)| Some((*item, majority(votes)?))).collect();
    let votes: Vec<Vec<&str>> = people.values().cloned().collect();
    let compared: Vec<f64> = models
        .iter()
        .filter_map(|(item, said)| Some((decided.get(item)?, said)))
        .flat_map(|(code, said)| said.iter().map(move |one| crate::score::indicator(one == code)))
        .collect();
    let coders = names(false);
    let shares = |keep: &dyn Fn(&str) -> bool, is_all: bool, kind: Option<Kind>| -> Vec<CodeShare> {
        let own: Vec<&str> = decided.iter().filter(|(item, _)| keep(item)).map(|(_, code)| *code).collect();
        let suggested = models.iter().filter(|(item, _)| keep(item)).flat_map(|(_, said)| said);
        let suggested: Vec<&str> = suggested.copied().collect();
        let of = |code: &super::Code| {
            let is: Vec<f64> = own.iter().map(|one| crate::score::indicator(*one == code.name)).collect();
            let interval = mean_interval(&is, seed).map(|interval| [interval.low, interval.high]);
            let count = own.iter().filter(|one| **one == code.name).count();
            CodeShare {
                code: code.name,
                meaning: code.meaning,
                count,
                share: interval.map(|_| count as f64 / own.len() as f64),
                interval,
                published: match is_all {
                    true => code.published,
                    false => kind.and_then(|kind| of_task(kind, code.name)),
                },
                by_model: suggested.iter().filter(|one| **one == code.name).count(),
            }
        };
        book.codes.iter().map(of).collect()
    };
    let task_names: BTreeSet<&String> =
        people.keys().chain(models.keys()).filter_map(|item| tasks.get(*item)).collect();
    let of_one = |task: &&String| {
        let keep = |item: &str| tasks.get(item) == Some(*task);
        ((*task).clone(), shares(&keep, false, Kind::ALL.into_iter().find(|kind| kind.id() == task.as_str())))
    };
    CodingReport {
        origin: book.origin,
        models: names(true),
        items: people.len(),
        shared: votes.iter().filter(|votes| votes.len() > 1).count(),
        undecided: people.len() - decided.len(),
        agreement: percent_agreement(&votes),
        alpha: krippendorff_alpha(&votes),
        kappa: if let [one, other] = &coders[..] { kappa(codes, one, other) } else { None },
        model_agreement: saydo_metrics::mean::numpy_mean(&compared),
        model_items: compared.len(),
        codes: shares(&|_| true, true, None),
        by_task: if task_names.len() > 1 { task_names.iter().map(of_one).collect() } else { BTreeMap::new() },
        coders,
    }
}

/// The code that more than half of the people give.
fn majority<'a>(votes: &[&'a str]) -> Option<&'a str> {
    votes.iter().copied().find(|code| 2 * votes.iter().filter(|other| *other == code).count() > votes.len())
}

fn kappa(codes: &[Coded], one: &str, other: &str) -> Option<f64> {
    let of = |coder: &str| -> HashMap<&str, &str> {
        let own = codes.iter().filter(|coded| !coded.by_model && coded.coder == coder);
        own.map(|coded| (coded.item.as_str(), coded.code.as_str())).collect()
    };
    let (left, right) = (of(one), of(other));
    let pairs: Vec<(&str, &str)> = left.iter().filter_map(|(item, code)| Some((*code, *right.get(item)?))).collect();
    cohen_kappa(&pairs)
}

/// The Turking Test gives shares by task.
fn of_task(kind: Kind, code: &str) -> Option<f64> {
    match Pattern::ALL.into_iter().find(|pattern| pattern.name() == code) {
        Some(pattern) => published::pattern(kind, pattern),
        None => published::person_pattern(kind, code),
    }
}

/// The tables: shares by code, and by task where there are several.
pub fn tables(report: &CodingReport) -> Vec<Table> {
    let shown = |share: Option<f64>| share.map_or_else(|| "-".to_owned(), percent);
    let number = |value: Option<f64>| value.map_or_else(|| "-".to_owned(), |value| format!("{value:.2}"));
    let mut note = format!(
        "{} errors coded by {}; {} by two or more. Agreement {} %, Krippendorff's alpha {}, Cohen's kappa {}. {} without a \
         majority are in no share. Code book: {}.",
        report.items,
        if report.coders.is_empty() { "nobody".to_owned() } else { report.coders.join(", ") },
        report.shared,
        shown(report.agreement),
        number(report.alpha),
        number(report.kappa),
        report.undecided,
        report.origin
    );
    if !report.models.is_empty() {
        note += &format!(
            " {} suggests codes, which are never counted; it agrees with people on {} % of {} errors.",
            report.models.join(", "),
            shown(report.model_agreement),
            report.model_items
        );
    }
    let mut all = Table::new("errors sorted by people", &HEADER).with_note(&note);
    report.codes.iter().for_each(|share| all.row(cells(share, &[])));
    let header: Vec<&str> = ["task"].into_iter().chain(HEADER).collect();
    let mut by_task = Table::new("errors sorted by people, by task", &header);
    for (task, shares) in &report.by_task {
        for share in shares.iter().filter(|share| share.count + share.by_model > 0 || share.published.is_some()) {
            by_task.row(cells(share, &[task]));
        }
    }
    vec![all, by_task]
}

const HEADER: [&str; 7] = ["code", "errors", "share", "95%", "paper", "model suggests", "meaning"];

fn cells(share: &CodeShare, head: &[&String]) -> Vec<String> {
    let own = [
        share.code.to_owned(),
        share.count.to_string(),
        share.share.map_or_else(String::new, percent),
        range(share.interval),
        share.published.map_or_else(String::new, |published| format!("{published:.0}")),
        if share.by_model == 0 { String::new() } else { share.by_model.to_string() },
        share.meaning.to_owned(),
    ];
    head.iter().map(|head| (*head).clone()).chain(own).collect()
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::Protocol;

    fn coded(item: &str, coder: &str, code: &str, by_model: bool) -> Coded {
        Coded { item: item.into(), coder: coder.into(), code: code.into(), note: String::new(), by_model }
    }

    #[test]
    fn shares_are_by_majority_and_models_count_nowhere() {
        let codes = [
            coded("1", "ada", "recall", false),
            coded("1", "bea", "recall", false),
            coded("2", "ada", "recall", false),
            coded("2", "bea", "other", false),
            coded("3", "ada", "partial", false),
            coded("1", "tiny", "recall", true),
            coded("2", "tiny", "other", true),
            coded("3", "tiny", "other", true),
        ];
        let tasks = ["1", "2", "3"].map(|item| (item.to_owned(), format!("t{}", item == "3"))).into();
        let report = tally(&super::super::book(Protocol::Zest), &codes, &tasks, 0);
        assert_eq!((report.items, report.shared, report.undecided), (3, 2, 1));
        assert_eq!(
            (report.agreement, report.coders.len(), &report.models[..]),
            (Some(0.5), 2, &["tiny".to_owned()][..])
        );
        // It is compared on the two items that people decided.
        assert_eq!((report.model_agreement, report.model_items), (Some(0.5), 2));
        let recall = &report.codes[0];
        assert_eq!((recall.code, recall.count, recall.share, recall.published), ("recall", 1, Some(0.5), Some(30.0)));
        assert_eq!(report.codes[3].by_model, 2);
        assert_eq!(report.by_task["tfalse"][0].share, Some(1.0));
        assert_eq!(tables(&report)[0].rows.len(), 5);
    }

    #[test]
    fn a_models_codes_alone_give_no_share() {
        let codes = [coded("1", "tiny", "recall", true)];
        let report = tally(&super::super::book(Protocol::Zest), &codes, &HashMap::new(), 0);
        assert_eq!((report.items, report.codes[0].share, report.codes[0].by_model), (0, None, 1));
    }
}
