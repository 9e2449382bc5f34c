//! Words that descriptions share with inputs, as a table.

use crate::table::{Table, percent};
use saydo::task::overlap::Overlaps;

pub fn report(overlaps: &Overlaps) -> String {
    let header = ["type", "tasks", "overlap %", "95%", "with an answer %", "NA %"];
    let mut table = Table::new(&header);
    let optional = |share: Option<f64>| share.map_or_else(String::new, percent);
    for (name, shares) in &overlaps.types {
        let [low, high] = shares.interval.map(percent);
        let cells = [percent(shares.share), format!("{low}-{high}"), optional(shares.answered), optional(shares.na)];
        table.row([name.clone(), shares.tasks.to_string()].into_iter().chain(cells));
    }
    let mut out = format!(
        "\nlexical overlap: content words of the description that stand in the input, mean over tasks\n\n{}",
        table.render()
    );
    if let Some(found) = &overlaps.paraphrase {
        let points = |share: f64| format!("{:+.1}", 100.0 * share);
        let [low, high] = found.interval.map(points);
        out += &format!(
            "paraphrases less their base: {} points ({low} to {high}), {} pairs, p {:.3}\n",
            points(found.difference),
            found.pairs,
            found.p_value
        );
    }
    out
}
