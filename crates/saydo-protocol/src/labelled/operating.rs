//! Where the line between an answer and NA should run: what each place of it would have given on labelled rows.

use super::verdict::RowVerdict;
use crate::zest::Buckets;
use saydo_metrics::mean::sequential_sum;

/// A labelled row for which the model was made to answer.
#[derive(Debug, Clone, PartialEq)]
pub struct Forced {
    /// The log-odds of NA, without any bias.
    pub na_log_odds: f64,
    /// How the row does with the model's answer.
    pub answered: RowVerdict,
    /// How it does with NA.
    pub na: RowVerdict,
}

/// One place of the line.
#[derive(Debug, Clone, Copy, PartialEq)]
pub struct OperatingPoint {
    /// What is added to the log-odds of NA.
    pub na_bias: f64,
    /// The share of rows that are answered.
    pub answered: f64,
    /// The share of given answers that are right.
    pub precision: f64,
    /// The share of gold answers that are given.
    pub recall: f64,
    /// ZEST's task F1.
    pub f1: f64,
}

/// Every place of the line that changes an answer, from all NA to none; empty for no rows.
pub fn operating_points(rows: &[Forced]) -> Vec<OperatingPoint> {
    let mut odds: Vec<f64> = rows.iter().map(|row| row.na_log_odds).collect();
    odds.sort_by(f64::total_cmp);
    odds.dedup();
    let (Some(first), Some(last)) = (odds.first(), odds.last()) else { return Vec::new() };
    // Half way between neighbors, and beyond both ends.
    let between = odds.windows(2).map(|pair| (pair[0] + pair[1]) / 2.0);
    let lines = [first - 1.0].into_iter().chain(between).chain([last + 1.0]);
    lines.map(|line| point(rows, line)).collect()
}

/// The point with the best F1; of equals, the one nearest to no bias.
pub fn best_point(points: &[OperatingPoint]) -> Option<OperatingPoint> {
    let order = |a: &&OperatingPoint, b: &&OperatingPoint| {
        a.f1.total_cmp(&b.f1).then(b.na_bias.abs().total_cmp(&a.na_bias.abs()))
    };
    points.iter().max_by(order).copied()
}

fn point(rows: &[Forced], line: f64) -> OperatingPoint {
    let is_answered = |row: &&Forced| row.na_log_odds <= line;
    let mut buckets = Buckets::default();
    for row in rows {
        buckets.extend(if is_answered(&row) { &row.answered.buckets } else { &row.na.buckets });
    }
    let correct = sequential_sum(&buckets.tp);
    let share = |count: usize| if count == 0 { 1.0 } else { correct / count as f64 };
    OperatingPoint {
        na_bias: -line,
        answered: rows.iter().filter(is_answered).count() as f64 / rows.len() as f64,
        precision: share(buckets.tp.len() + buckets.fp.len()),
        recall: share(buckets.gold_positive()),
        f1: buckets.f1(),
    }
}

#[cfg(test)]
mod tests {
    use super::super::verdict::row_verdict;
    use super::*;
    use saydo_task::AnswerKind;

    fn forced(na_log_odds: f64, gold: &str, given: &str) -> Forced {
        let verdict = |given: &str| row_verdict(&AnswerKind::YesNo, &[gold.to_owned()], Some(given));
        Forced { na_log_odds, answered: verdict(given), na: verdict("n/a") }
    }

    #[test]
    fn the_best_line_parts_answers_from_na() {
        let rows =
            [forced(-1.0, "yes", "yes"), forced(3.0, "no", "no"), forced(5.0, "n/a", "yes"), forced(9.0, "n/a", "no")];
        let points = operating_points(&rows);
        assert_eq!(points.len(), 5);
        let best = best_point(&points).expect("there are points");
        assert_eq!((best.na_bias, best.f1, best.answered), (-4.0, 1.0, 0.5));
        assert_eq!((points[0].f1, points[0].answered), (0.0, 0.0));
        assert_eq!(points[4].recall, 1.0);
        assert_eq!(operating_points(&[]), []);
    }
}
