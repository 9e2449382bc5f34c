//! From outputs to scores.

use super::published::{self, Repetition};
use super::report::{
    Accuracy, BaselineReport, ConditionReport, DecodingReport, Estimate, FormReport, OracleReport, OverlapReport,
    PatternReport, RepetitionReport, Report, TaskReport,
};
use super::{Error, Gold, Item, Judgement, Outputs, Pattern, Verdict, judge};
use rayon::prelude::*;
use saydo_metrics::bootstrap::{groups_p_value, unpaired_difference};
use saydo_task::turking::{Ask, Condition, Kind};

/// Scores what was written. `seed` fixes the intervals. Instances without a prediction are counted and stay out of the
/// scores; outputs with nothing in them are counted and are wrong.
pub fn score(gold: &Gold, outputs: &Outputs, seed: u64) -> Result<Report, Error> {
    let answers: Vec<Answer<'_>> =
        gold.items().par_iter().enumerate().map(|(position, item)| Answer::new(item, outputs, position)).collect();
    if answers.iter().all(|answer| answer.outputs.is_empty()) {
        return Err(Error::NoPrediction);
    }
    let of_kind = |kind: Kind| {
        let answers: Vec<&Answer<'_>> = answers.iter().filter(|answer| answer.kind() == kind).collect();
        (!answers.is_empty()).then(|| task(kind, &answers, outputs.decodings(), seed))
    };
    Ok(Report { seed, tasks: Kind::ALL.into_iter().filter_map(of_kind).collect() })
}

/// An instance and its judged outputs.
struct Answer<'a> {
    item: &'a Item,
    outputs: Vec<JudgedOutput<'a>>,
}

struct JudgedOutput<'a> {
    decoding: &'a str,
    is_unparsable: bool,
    judgement: Judgement,
}

impl<'a> Answer<'a> {
    fn new(item: &'a Item, outputs: &'a Outputs, position: usize) -> Self {
        let judged = outputs.of(position).iter().map(|output| {
            let text = output.text.as_deref().unwrap_or_default();
            JudgedOutput {
                decoding: &output.decoding,
                is_unparsable: text.trim().is_empty(),
                judgement: judge(item, text),
            }
        });
        Answer { item, outputs: judged.collect() }
    }

    fn kind(&self) -> Kind {
        self.item.instruction.ask.kind()
    }

    fn under<'s>(&'s self, decoding: &'s str) -> impl Iterator<Item = &'s JudgedOutput<'a>> {
        self.outputs.iter().filter(move |output| output.decoding == decoding)
    }
}

fn task(kind: Kind, answers: &[&Answer<'_>], decodings: &[String], seed: u64) -> TaskReport {
    let decodings = decodings.iter().filter_map(|decoding| Scorer { kind, answers, decoding, seed }.report());
    let decodings: Vec<DecodingReport> = decodings.collect();
    TaskReport {
        task: kind.id(),
        name: kind.name(),
        instances: answers.len(),
        missing: answers.iter().filter(|answer| answer.outputs.is_empty()).count(),
        oracle: oracle(answers, &decodings, seed),
        decodings,
        baseline: baseline(kind, answers, seed),
        published: published::row(kind),
    }
}

/// The outputs of one task under one decoding.
struct Scorer<'a> {
    kind: Kind,
    answers: &'a [&'a Answer<'a>],
    decoding: &'a str,
    seed: u64,
}

impl Scorer<'_> {
    /// None if no instance has an output.
    fn report(&self) -> Option<DecodingReport> {
        let outputs = || self.answers.iter().flat_map(|answer| answer.under(self.decoding));
        let answered = self.answers.iter().filter(|answer| answer.under(self.decoding).next().is_some()).count();
        (answered > 0).then(|| DecodingReport {
            decoding: self.decoding.to_owned(),
            answered,
            missing: self.answers.len() - answered,
            outputs: outputs().count(),
            unparsable: outputs().filter(|output| output.is_unparsable).count(),
            accuracy: self.accuracy(),
            overlap: self.overlap(),
            conditions: self.conditions(),
            conditions_p_value: self.conditions_p_value(),
            form: self.form(),
            patterns: self.patterns(),
            repetitions: self.repetitions(),
        })
    }

    /// The mean over instances of the mean of a value over an instance's outputs; none if no output has the value.
    fn mean(&self, value: impl Fn(&Judgement) -> Option<f64>) -> Option<Estimate> {
        self.mean_where(|_| true, value)
    }

    fn mean_where(&self, keep: impl Fn(&Item) -> bool, value: impl Fn(&Judgement) -> Option<f64>) -> Option<Estimate> {
        Estimate::of(&self.values_where(keep, value), self.seed)
    }

    /// Of each instance kept the mean of a value over its outputs.
    fn values_where(&self, keep: impl Fn(&Item) -> bool, value: impl Fn(&Judgement) -> Option<f64>) -> Vec<f64> {
        let of_answer = |answer: &&Answer<'_>| {
            let values: Vec<f64> = answer.under(self.decoding).filter_map(|output| value(&output.judgement)).collect();
            (!values.is_empty()).then(|| values.iter().sum::<f64>() / values.len() as f64)
        };
        self.answers.iter().filter(|answer| keep(answer.item)).filter_map(of_answer).collect()
    }

    fn accuracy(&self) -> Option<Accuracy> {
        let under = |rule: fn(Verdict) -> bool| self.mean(|judgement| judgement.verdict.map(|v| share(rule(v))));
        Some(Accuracy {
            exact: under(|verdict| verdict.exact)?,
            prefix: under(|verdict| verdict.prefix)?,
            introduction: under(|verdict| verdict.introduction)?,
            lenient: under(|verdict| verdict.lenient)?,
        })
    }

    fn overlap(&self) -> Option<OverlapReport> {
        Some(OverlapReport {
            precision: self.mean(|judgement| judgement.overlap.map(|overlap| overlap.precision))?,
            recall: self.mean(|judgement| judgement.overlap.map(|overlap| overlap.recall))?,
            f1: self.mean(|judgement| judgement.overlap.map(|overlap| overlap.f1))?,
        })
    }

    fn conditions(&self) -> Vec<ConditionReport> {
        if self.kind != Kind::NounsUnderCondition {
            return Vec::new();
        }
        let under = |condition: Condition| {
            let (own, others) = (self.under_condition(condition, true), self.under_condition(condition, false));
            let lenient = Estimate::of(&own, self.seed)?;
            let apart = unpaired_difference(&own, &others, self.seed);
            Some(ConditionReport {
                condition: condition.key(),
                lenient,
                difference: apart.map_or(0.0, |apart| apart.mean),
                difference_interval: apart.map_or([0.0; 2], |apart| [apart.interval.low, apart.interval.high]),
                p_value: apart.map_or(1.0, |apart| apart.p_value),
            })
        };
        Condition::ALL.into_iter().filter_map(under).collect()
    }

    /// Whether instances are right, those under a condition or all others.
    fn under_condition(&self, condition: Condition, is_own: bool) -> Vec<f64> {
        let keep = |item: &Item| (item.instruction.ask == Ask::NounsUnder(condition)) == is_own;
        self.values_where(keep, |judgement| judgement.verdict.map(|verdict| share(verdict.lenient)))
    }

    fn conditions_p_value(&self) -> Option<f64> {
        if self.kind != Kind::NounsUnderCondition {
            return None;
        }
        groups_p_value(&Condition::ALL.map(|condition| self.under_condition(condition, true)), self.seed)
    }

    /// Of the outputs that repeat something.
    fn repetitions(&self) -> Vec<RepetitionReport> {
        if !self.kind.has_gold() {
            return Vec::new();
        }
        let of = |what: Repetition| {
            let is_it = |judgement: &Judgement| {
                let repeats = judgement.patterns.contains(&Pattern::Repeats);
                repeats.then(|| share(what.is_in(&judgement.patterns)))
            };
            let share = self.mean(is_it)?;
            Some(RepetitionReport { what: what.name(), share, published: published::repetition(self.kind, what) })
        };
        Repetition::ALL.into_iter().filter_map(of).collect()
    }

    fn form(&self) -> Option<FormReport> {
        let consistent = self.mean(|judgement| judgement.form.map(|form| share(form.is_consistent)))?;
        let labelled = self.mean(|judgement| judgement.form.map(|form| share(form.is_labelled)));
        Some(FormReport { consistent, labelled: labelled.filter(|_| self.kind == Kind::Snli) })
    }

    fn patterns(&self) -> Vec<PatternReport> {
        let of = |pattern: Pattern| {
            let share = self.mean(|judgement| Some(share(judgement.patterns.contains(&pattern))))?;
            let published = published::pattern(self.kind, pattern);
            Some(PatternReport { pattern: pattern.name(), share, published })
        };
        Pattern::ALL.into_iter().filter(|pattern| pattern.applies_to(self.kind)).filter_map(of).collect()
    }
}

fn share(is: bool) -> f64 {
    f64::from(u8::from(is))
}

fn oracle(answers: &[&Answer<'_>], decodings: &[DecodingReport], seed: u64) -> Option<OracleReport> {
    let good = |report: &DecodingReport| {
        report.accuracy.map(|accuracy| accuracy.lenient).or(report.form.map(|form| form.consistent))
    };
    let scored = decodings.iter().filter_map(|report| Some((report, good(report)?)));
    let (best, per_task) = scored.reduce(|best, next| if next.1.value > best.1.value { next } else { best })?;
    let any = |answer: &&&Answer<'_>| !answer.outputs.is_empty();
    let of_item = |answer: &&Answer<'_>| share(answer.outputs.iter().any(|output| output.judgement.is_good()));
    let per_item: Vec<f64> = answers.iter().filter(any).map(of_item).collect();
    Some(OracleReport { decoding: best.decoding.clone(), per_task, per_item: Estimate::of(&per_item, seed)? })
}

fn baseline(kind: Kind, answers: &[&Answer<'_>], seed: u64) -> Option<BaselineReport> {
    let answer = match kind {
        Kind::NthWord => "the",
        Kind::NthCharacter => "e",
        _ => return None,
    };
    let is_right = |item: &Item| judge(item, answer).verdict.is_some_and(|verdict| verdict.exact);
    let values: Vec<f64> = answers.iter().map(|given| share(is_right(given.item))).collect();
    Some(BaselineReport { answer, accuracy: Estimate::of(&values, seed)? })
}
