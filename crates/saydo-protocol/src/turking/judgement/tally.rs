//! Judgements counted: accuracy and form consistency by majority, and how far the judges agree.

use super::given::{majority, yes};
use super::{Entries, Given, Judgements, Question, cell};
use crate::turking::published::{self, Published};
use crate::turking::{Estimate, Pattern, PatternReport};
use saydo_metrics::agreement::{krippendorff_alpha, percent_agreement};
use saydo_metrics::bootstrap::{RESAMPLES, interval_of};
use saydo_task::turking::Kind;
use serde::Serialize;
use std::collections::{BTreeMap, BTreeSet};

/// What people said of the outputs. Shares are fractions; published numbers are percent.
#[derive(Debug, Clone, PartialEq, Serialize)]
pub struct JudgementReport {
    /// The seed behind the intervals.
    pub seed: u64,
    /// The names of those who judged, in order.
    pub judges: Vec<String>,
    /// How many judgements there are.
    pub judgements: usize,
    /// How many rows were left blank; they count nowhere else.
    pub blank_rows: usize,
    /// How far judges agree on accuracy over all tasks.
    pub accurate: Agreement,
    /// How far they agree on form over all tasks.
    pub form_consistent: Agreement,
    /// The observed agreement of the paper's annotators, in percent.
    pub published_agreement: f64,
    /// A part for each task with outputs, in the paper's order.
    pub tasks: Vec<TaskJudgements>,
}

/// What people said of one task's outputs.
#[derive(Debug, Clone, PartialEq, Serialize)]
pub struct TaskJudgements {
    /// The task's id.
    pub task: &'static str,
    /// Its name in the paper.
    pub name: &'static str,
    /// How many outputs there are to judge.
    pub outputs: usize,
    /// How many of them nobody judged; they are in no share.
    pub unjudged: usize,
    /// How many judgements there are.
    pub judgements: usize,
    /// How many rows were left blank.
    pub blank_rows: usize,
    /// Whether outputs do what was asked; none if nobody said.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub accurate: Option<Answers>,
    /// Whether they would for some resource; none if nobody said.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub form_consistent: Option<Answers>,
    /// The share of judged outputs that show each pattern by majority; empty if nobody named one.
    #[serde(skip_serializing_if = "Vec::is_empty")]
    pub patterns: Vec<PatternReport>,
    /// The paper's numbers, in percent.
    pub published: Published,
    /// The outputs judges do not agree on.
    pub disagreements: Vec<Disagreement>,
}

/// The answers to one question.
#[derive(Debug, Clone, PartialEq, Serialize)]
pub struct Answers {
    /// The share of outputs with a yes by majority, over outputs; instances are resampled for the interval, because the
    /// samples of one are alike.
    pub yes: Estimate,
    /// How many outputs are tied; they count as no.
    pub ties: usize,
    /// How far judges agree.
    pub agreement: Agreement,
}

/// How far judges agree on a question.
#[derive(Debug, Clone, Copy, PartialEq, Serialize)]
pub struct Agreement {
    /// How many outputs have two judges or more.
    pub outputs: usize,
    /// The observed agreement: the mean over those outputs of the share of pairs of judges who say the same.
    pub observed: Option<f64>,
    /// Krippendorff's alpha; none without such outputs, or where all said the same.
    pub alpha: Option<f64>,
}

impl Agreement {
    /// The agreement of the answers given to each output.
    fn of(votes: &[Vec<bool>]) -> Agreement {
        let outputs = votes.iter().filter(|votes| votes.len() > 1).count();
        Agreement { outputs, observed: percent_agreement(votes), alpha: krippendorff_alpha(votes) }
    }
}

/// An output on which judges do not agree.
#[derive(Debug, Clone, PartialEq, Eq, Serialize)]
pub struct Disagreement {
    /// The output's id.
    pub item: String,
    /// On what.
    pub question: Question,
    /// Who said yes.
    pub yes: Vec<String>,
    /// Who said no.
    pub no: Vec<String>,
}

/// Counts the judgements of outputs. `seed` fixes the intervals.
pub fn tally(entries: &Entries<'_>, judgements: &Judgements, seed: u64) -> JudgementReport {
    let mut given: Vec<Vec<&Given>> = vec![Vec::new(); entries.all().len()];
    judgements.given.iter().for_each(|one| given[one.entry].push(one));
    let everything: Vec<usize> = (0..given.len()).collect();
    let whole = Counter { entries, given: &given, places: everything, seed };
    let judges: BTreeSet<&String> = judgements.given.iter().map(|given| &given.judge).collect();
    let of_kind = |kind: Kind| {
        let places: Vec<usize> = whole.places.iter().copied().filter(|&at| entries.all()[at].kind() == kind).collect();
        (!places.is_empty()).then(|| Counter { places, ..whole }.task(kind, judgements))
    };
    JudgementReport {
        seed,
        judges: judges.into_iter().cloned().collect(),
        judgements: judgements.given.len(),
        blank_rows: judgements.blank.iter().sum(),
        accurate: whole.agreement(Question::Accurate),
        form_consistent: whole.agreement(Question::FormConsistent),
        published_agreement: published::AGREEMENT,
        tasks: Kind::ALL.into_iter().filter_map(of_kind).collect(),
    }
}

/// Some of the outputs with what was said of them.
struct Counter<'a> {
    entries: &'a Entries<'a>,
    given: &'a [Vec<&'a Given>],
    places: Vec<usize>,
    seed: u64,
}

impl Counter<'_> {
    fn task(&self, kind: Kind, judgements: &Judgements) -> TaskJudgements {
        TaskJudgements {
            task: kind.id(),
            name: kind.name(),
            outputs: self.places.len(),
            unjudged: self.places.iter().filter(|&&at| self.given[at].is_empty()).count(),
            judgements: self.places.iter().map(|&at| self.given[at].len()).sum(),
            blank_rows: self.places.iter().map(|&at| judgements.blank[at]).sum(),
            accurate: self.answers(Question::Accurate),
            form_consistent: self.answers(Question::FormConsistent),
            patterns: self.patterns(kind),
            published: published::row(kind),
            disagreements: Question::ALL.into_iter().flat_map(|question| self.disagreements(question)).collect(),
        }
    }

    fn votes(&self, question: Question) -> Vec<Vec<bool>> {
        let votes = |at: &usize| self.given[*at].iter().filter_map(|given| given.answer(question)).collect();
        self.places.iter().map(votes).collect()
    }

    fn agreement(&self, question: Question) -> Agreement {
        Agreement::of(&self.votes(question))
    }

    fn answers(&self, question: Question) -> Option<Answers> {
        let votes = self.votes(question);
        let outcomes: Vec<Option<bool>> = votes.iter().map(|votes| majority(votes)).collect();
        let is_tie = |votes: &&Vec<bool>| !votes.is_empty() && 2 * yes(votes) == votes.len();
        Some(Answers {
            yes: self.share(&outcomes)?,
            ties: votes.iter().filter(is_tie).count(),
            agreement: Agreement::of(&votes),
        })
    }

    /// The share of yes among outcomes that stand beside the places; none if there is none.
    fn share(&self, outcomes: &[Option<bool>]) -> Option<Estimate> {
        let mut instances: BTreeMap<&str, (usize, usize)> = BTreeMap::new();
        for (at, outcome) in self.places.iter().zip(outcomes).filter_map(|(at, outcome)| Some((at, (*outcome)?))) {
            let (yes, count) = instances.entry(&self.entries.all()[*at].item.id).or_default();
            *yes += usize::from(outcome);
            *count += 1;
        }
        let instances: Vec<(usize, usize)> = instances.into_values().collect();
        let share = |drawn: &mut dyn Iterator<Item = usize>| {
            let (yes, count) = drawn.fold((0, 0), |sum, at| (sum.0 + instances[at].0, sum.1 + instances[at].1));
            (yes as f64 / count as f64, count)
        };
        let interval = interval_of(instances.len(), RESAMPLES, self.seed, |drawn| share(&mut drawn.iter().copied()).0)?;
        let (value, count) = share(&mut (0..instances.len()));
        Some(Estimate { value, interval: [interval.low, interval.high], count })
    }

    fn patterns(&self, kind: Kind) -> Vec<PatternReport> {
        if self.places.iter().flat_map(|&at| &self.given[at]).all(|given| given.patterns.is_empty()) {
            return Vec::new();
        }
        let of = |name: &'static str| {
            let shows = |at: &usize| {
                let votes: Vec<bool> = self.given[*at].iter().map(|given| given.patterns.contains(&name)).collect();
                majority(&votes)
            };
            let share = self.share(&self.places.iter().map(shows).collect::<Vec<_>>())?;
            let known = Pattern::ALL.into_iter().find(|pattern| pattern.name() == name);
            let published = match known {
                Some(pattern) => published::pattern(kind, pattern),
                None => published::person_pattern(kind, name),
            };
            let applies = known.is_none_or(|pattern| pattern.applies_to(kind)) || share.value > 0.0;
            applies.then_some(PatternReport { pattern: name, share, published })
        };
        cell::pattern_names().filter_map(of).collect()
    }

    fn disagreements(&self, question: Question) -> Vec<Disagreement> {
        let of = |at: &usize| {
            let who = |said: bool| {
                let given = self.given[*at].iter().filter(|given| given.answer(question) == Some(said));
                given.map(|given| given.judge.clone()).collect::<Vec<_>>()
            };
            let (yes, no) = (who(true), who(false));
            let item = self.entries.all()[*at].id.clone();
            (!yes.is_empty() && !no.is_empty()).then_some(Disagreement { item, question, yes, no })
        };
        self.places.iter().filter_map(of).collect()
    }
}

#[cfg(test)]
mod tests {
    use super::super::entry::tests::captions;
    use super::super::given::tests::sheet;
    use super::*;

    /// Two captions with two samples each; a file for each judge.
    fn report(files: &[(&str, &str)]) -> JudgementReport {
        let (gold, outputs) = captions(2, &["One.", "Two."]);
        let entries = Entries::new(&gold, &outputs, |_| true).unwrap();
        let source = |(name, rows): &(&str, &str)| {
            let rows: String = rows.lines().map(|row| format!("turking_{row}\n")).collect();
            sheet(name, &format!("item,accurate,form_consistent,patterns\n{rows}"))
        };
        let judgements = Judgements::read(&files.iter().map(source).collect::<Vec<_>>(), &entries).unwrap();
        tally(&entries, &judgements, 0)
    }

    const ADA: &str = "snli-r0/nucleus/1,yes,yes\nsnli-r0/nucleus/2,no,yes\nsnli-r1/nucleus/1,no,no,repeats";
    const BEA: &str = "snli-r0/nucleus/1,no,yes\nsnli-r0/nucleus/2,no,no\nsnli-r1/nucleus/1,no,no\nsnli-r1/nucleus/2";
    const CY: &str = "snli-r0/nucleus/1,yes,yes\nnouns-r0/nucleus/1,yes,";

    #[test]
    fn shares_are_by_majority_and_ties_are_no() {
        let report = report(&[("Ada.csv", ADA), ("Bea.csv", BEA), ("Cy.csv", CY)]);
        assert_eq!((report.judgements, report.blank_rows), (8, 1));
        assert_eq!(report.judges, ["Ada", "Bea", "Cy"]);
        let [snli, nouns] = &report.tasks[..] else { panic!("two tasks") };
        assert_eq!((snli.outputs, snli.unjudged, snli.judgements, snli.blank_rows), (4, 1, 7, 1));
        let accurate = snli.accurate.clone().unwrap();
        assert_eq!((accurate.yes.value, accurate.yes.count, accurate.ties), (1.0 / 3.0, 3, 0));
        assert!(accurate.yes.interval[0] <= 1.0 / 3.0 && accurate.yes.interval[1] >= 1.0 / 3.0);
        let form = snli.form_consistent.clone().unwrap();
        assert_eq!((form.yes.value, form.ties), (1.0 / 3.0, 1));
        assert_eq!((nouns.task, nouns.accurate.clone().unwrap().yes.value), ("turking_nouns", 1.0));
        assert_eq!((snli.published.accuracy, snli.published.form_consistency), (0.4, Some(12.0)));
    }

    #[test]
    fn agreement_is_over_outputs_with_two_judges() {
        let report = report(&[("Ada.csv", ADA), ("Bea.csv", BEA), ("Cy.csv", CY)]);
        // Yes yes no, no no, no no: n = 7, two of them yes, so alpha = 1 - 6 * (2 * 2 / 2) / (2 * 2 * 5).
        let accurate = report.accurate;
        assert_eq!((accurate.outputs, accurate.observed), (3, Some((1.0 / 3.0 + 1.0 + 1.0) / 3.0)));
        assert!((accurate.alpha.unwrap() - 0.4).abs() < 1e-12);
        assert_eq!(report.tasks[1].accurate.clone().unwrap().agreement.outputs, 0);
        assert_eq!(report.tasks[1].accurate.clone().unwrap().agreement.alpha, None);
        let found: Vec<_> =
            report.tasks[0].disagreements.iter().map(|d| (d.item.as_str(), d.question, &d.no[..])).collect();
        let bea = ["Bea".to_owned()];
        assert_eq!(
            found,
            [
                ("turking_snli-r0/nucleus/1", Question::Accurate, &bea[..]),
                ("turking_snli-r0/nucleus/2", Question::FormConsistent, &bea[..]),
            ]
        );
    }

    #[test]
    fn patterns_are_reported_once_somebody_names_one() {
        let named = report(&[("Ada.csv", ADA)]);
        let repeats = named.tasks[0].patterns.iter().find(|pattern| pattern.pattern == "repeats").unwrap();
        assert_eq!((repeats.share.value, repeats.share.count), (1.0 / 3.0, 3));
        assert!(report(&[("Bea.csv", BEA)]).tasks[0].patterns.is_empty());
    }

    #[test]
    fn the_report_reads_well_as_json() {
        let json = serde_json::to_string(&report(&[("Cy.csv", CY)]).tasks[0]).unwrap();
        insta::assert_snapshot!(json, @r#"{"task":"turking_snli","name":"SNLI","outputs":4,"unjudged":3,"judgements":1,"blank_rows":0,"accurate":{"yes":{"value":1.0,"interval":[1.0,1.0],"count":1},"ties":0,"agreement":{"outputs":0,"observed":null,"alpha":null}},"form_consistent":{"yes":{"value":1.0,"interval":[1.0,1.0],"count":1},"ties":0,"agreement":{"outputs":0,"observed":null,"alpha":null}},"published":{"accuracy":0.4,"form_consistency":12.0,"outputs":500,"decoding":"nucleus"},"disagreements":[]}"#);
    }
}
