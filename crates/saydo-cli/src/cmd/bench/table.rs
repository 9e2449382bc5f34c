//! The figures side by side.

use crate::table::Table;
use saydo::job::bench::Engine;
use serde_json::{Map, Value, json};

/// Each measure with its name for people, its decimals, and whether less is better.
const MEASURES: [(&str, &str, usize, bool); 9] = [
    ("load", "load to first token, s", 2, true),
    ("prefill", "prefill, tokens/s", 0, false),
    ("decode", "decode, tokens/s", 1, false),
    ("batch", "decode of 16, tokens/s", 1, false),
    ("workload", "instruction workload, instances/s", 2, false),
    ("unpacked", "training of whole prompts, tokens/s", 0, false),
    ("packed", "training of a mixture, instances/s", 2, false),
    ("loss", "loss of the first update", 4, true),
    ("memory", "peak memory, MB", 0, true),
];

/// A table of medians, with how many times better saydo is than each peer.
pub(super) fn render(engines: &[Engine]) -> String {
    let header = engines.iter().enumerate().flat_map(|(number, engine)| {
        let name = [engine.name.as_str(), &engine.version].join(" ").trim().to_owned();
        if number == 0 { vec![name] } else { vec![name, "ratio".to_owned()] }
    });
    let header: Vec<String> = ["measure".to_owned()].into_iter().chain(header).collect();
    let mut table = Table::new(&header.iter().map(String::as_str).collect::<Vec<_>>());
    for (measure, name, decimals, less_is_better) in MEASURES {
        if engines.iter().all(|engine| engine.median(measure).is_none()) {
            continue;
        }
        let own = engines[0].median(measure);
        let unit = if measure == "memory" { 1e6 } else { 1.0 };
        let cell = |value: Option<f64>| value.map_or_else(|| "–".to_owned(), |v| format!("{:.decimals$}", v / unit));
        let mut row = vec![name.to_owned(), cell(own)];
        for engine in &engines[1..] {
            let theirs = engine.median(measure);
            row.push(cell(theirs));
            let ratio = ratio(own, theirs, less_is_better);
            row.push(ratio.map_or_else(|| "–".to_owned(), |ratio| format!("{ratio:.2} ×")));
        }
        table.row(row);
    }
    let trouble =
        engines.iter().flat_map(|engine| engine.trouble.iter().map(|trouble| format!("{}: {trouble}\n", engine.name)));
    table.render() + &trouble.collect::<String>()
}

fn ratio(own: Option<f64>, theirs: Option<f64>, less_is_better: bool) -> Option<f64> {
    let (own, theirs) = (own?, theirs?);
    Some(if less_is_better { theirs / own } else { own / theirs })
}

/// Everything, for programs.
pub(super) fn json(model: &str, threads: usize, engines: &[Engine]) -> Value {
    let engine = |engine: &Engine| {
        let figures: Map<String, Value> = engine
            .figures
            .iter()
            .map(|figure| {
                let median = engine.median(&figure.measure);
                (figure.measure.clone(), json!({ "median": median, "values": figure.values }))
            })
            .collect();
        json!({ "engine": engine.name, "version": engine.version, "figures": figures, "trouble": engine.trouble })
    };
    json!({ "model": model, "threads": threads, "engines": engines.iter().map(engine).collect::<Vec<_>>() })
}

#[cfg(test)]
mod tests {
    use super::*;
    use saydo::job::bench::Figure;

    #[test]
    fn ratios_say_how_many_times_better_saydo_is() {
        let mut own = Engine::new("saydo", "0.1.0");
        own.figures = vec![Figure::new("load", vec![0.2]), Figure::new("decode", vec![90.0, 110.0, 100.0])];
        let mut peer = Engine::new("other", "2");
        peer.figures = vec![Figure::new("load", vec![0.4]), Figure::new("decode", vec![50.0])];
        let mut absent = Engine::new("absent", "");
        absent.trouble.push("no module".to_owned());
        insta::assert_snapshot!(render(&[own, peer, absent]), @r"
        measure                 saydo 0.1.0  other 2   ratio  absent  ratio
        -------------------------------------------------------------------
        load to first token, s         0.20     0.40  2.00 ×       –      –
        decode, tokens/s              100.0     50.0  2.00 ×       –      –
        absent: no module
        ");
    }
}
