//! Two runs beside each other: the table of how far apart they are.

use crate::number::{count, percent, range};
use crate::report::table;
use saydo_protocol::compare::Comparison;
use saydo_protocol::table::Table;

/// The table of these comparisons.
pub(crate) fn table_of(names: [&str; 2], comparisons: &[Comparison]) -> Table {
    let [a, b] = names;
    let header =
        ["metric", "tasks", "samples", a, b, "difference", "95%", "p", "better", "worse", "same"].map(str::to_owned);
    let mut table = table(format!("{b} against {a}, on the samples they have in common"), header);
    table.note = format!(
        "Means over samples, in percent. Difference: {b} less {a}, with its 95% interval by paired bootstrap; p: how often \
         a difference as large comes up when the two scores of each sample are swapped at random. Better, worse, same: \
         samples, from the side of {b}."
    );
    for one in comparisons {
        let same = one.samples - one.better - one.worse;
        table.rows.push(vec![
            one.metric.clone(),
            count(one.tasks),
            count(one.samples),
            percent(one.a),
            percent(one.b),
            signed(one.difference),
            signed_range(one.interval),
            p_value(one.p_value),
            count(one.better),
            count(one.worse),
            count(same),
        ]);
    }
    table
}

fn signed(share: f64) -> String {
    let text = percent(share);
    if share > 0.0 && text != "0.0" { format!("+{text}") } else { text }
}

fn signed_range([low, high]: [f64; 2]) -> String {
    if low >= 0.0 && high >= 0.0 {
        range([100.0 * low, 100.0 * high])
    } else {
        format!("{} to {}", signed(low), signed(high))
    }
}

fn p_value(p: f64) -> String {
    if p < 0.001 { "<0.001".to_owned() } else { format!("{p:.3}") }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn differences_carry_their_sign() {
        let comparison = Comparison {
            metric: "f1".to_owned(),
            tasks: 2,
            samples: 1200,
            a: 0.5,
            b: 0.4,
            difference: -0.1,
            interval: [-0.2, 0.01],
            p_value: 0.0004,
            better: 3,
            worse: 10,
        };
        let table = table_of(["a", "b"], &[comparison]);
        let row: Vec<&str> = table.rows[0].iter().map(String::as_str).collect();
        assert_eq!(row, ["f1", "2", "1,200", "50.0", "40.0", "-10.0", "-20.0 to +1.0", "<0.001", "3", "10", "1,187"]);
    }
}
