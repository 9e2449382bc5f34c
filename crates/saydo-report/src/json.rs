//! A report as JSON: each run's record and scores, what differs, and the plotted values.

use crate::{Report, Run};
use serde_json::{Value, json};

/// The report as one value.
pub fn value(report: &Report) -> Value {
    let run = |run: &Run| {
        json!({
            "name": run.name,
            "folder": run.opened.folder,
            "record": run.opened.record,
            "scores": run.scores,
            "judgements": run.judged,
            "coding": run.coding,
            "survey": run.survey,
            "tables": run.tables(),
        })
    };
    let figures: Vec<Value> = report.figures.iter().map(|figure| json!(figure.table())).collect();
    json!({
        "title": report.title(),
        "protocol": report.protocol,
        "notes": report.notes,
        "runs": report.runs.iter().map(run).collect::<Vec<_>>(),
        "headline": report.headline(),
        "comparison": report.comparison,
        "published": report.published(),
        "figures": figures,
    })
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::fixture;

    #[test]
    fn it_holds_records_scores_and_the_comparison() {
        let report = Report::new(vec![fixture::zest(&[]), fixture::zest(&[(0, "wrong")])], 0).unwrap();
        let value = value(&report);
        let keys: Vec<&str> = value.as_object().unwrap().keys().map(String::as_str).collect();
        assert_eq!(keys, ["title", "protocol", "notes", "runs", "headline", "comparison", "published", "figures"]);
        assert_eq!(value["runs"][0]["record"]["protocol"], "zest");
        assert_eq!(value["runs"][0]["scores"]["asked"], 8);
        assert_eq!(value["comparison"][0]["worse"], 1);
        assert!(value["figures"][0]["rows"].is_array());
    }
}
