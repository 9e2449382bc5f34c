//! Every chart on nothing, on one point, and on names that look like markup.

use super::*;

fn estimate(value: f64) -> Estimate {
    Estimate { value, interval: Some([value - 5.0, value + 5.0]) }
}

fn series<T>(name: &str, values: Vec<T>) -> Vec<Series<T>> {
    vec![Series { name: name.to_owned(), values }]
}

fn bars(groups: &[&str], values: Vec<Option<Estimate>>) -> Chart {
    let groups = groups.iter().map(|group| (*group).to_owned()).collect();
    Chart::Bars { groups, series: series("run", values), measure: "F1".to_owned() }
}

fn heat(columns: &[&str], values: Vec<Option<f64>>) -> Chart {
    let columns = columns.iter().map(|column| (*column).to_owned()).collect();
    Chart::Heat { columns, rows: series("full", values) }
}

fn lines(values: Vec<Point>) -> Chart {
    Chart::Lines { series: series("run", values), x: "seen tasks".to_owned(), measure: "ROUGE-L".to_owned() }
}

fn violins(values: Vec<f64>) -> Chart {
    Chart::Violins { series: series("all", values), measure: "words".to_owned() }
}

fn reliability(values: Vec<Bin>) -> Chart {
    Chart::Reliability { series: series("run", values), measure: "F1".to_owned() }
}

#[test]
fn nothing_is_drawn_of_nothing() {
    for chart in [bars(&[], vec![]), bars(&["base"], vec![None]), heat(&[], vec![]), heat(&["a"], vec![None])] {
        assert_eq!(chart.svg(""), None, "{chart:?}");
    }
    for chart in [lines(vec![]), violins(vec![]), reliability(vec![])] {
        assert_eq!(chart.svg(""), None, "{chart:?}");
        assert!(chart.table("t").rows.is_empty());
    }
    let empty = Chart::Bars { groups: vec!["a".to_owned()], series: Vec::new(), measure: String::new() };
    assert_eq!(empty.svg(""), None);
}

#[test]
fn one_point_is_drawn_with_numbers_only() {
    let point = Point { x: 10.0, y: estimate(40.0) };
    let bin = Bin { confidence: 90.0, score: 50.0, count: 1 };
    for chart in [
        bars(&["base"], vec![Some(estimate(40.0))]),
        heat(&["a", "b"], vec![Some(3.0), None]),
        lines(vec![point]),
        violins(vec![7.0]),
        violins(vec![3.0, 4.0, 4.0, 19.0]),
        reliability(vec![bin]),
    ] {
        let svg = chart.svg("a chart").expect("there is something to draw");
        assert!(svg.starts_with("<svg xmlns=\"http://www.w3.org/2000/svg\" viewBox=\"0 0 "), "{svg}");
        assert!(svg.contains("role=img aria-label=\"a chart\"") && svg.ends_with("</svg>"), "{svg}");
        assert!(!svg.contains("NaN") && !svg.contains("inf"), "{svg}");
        assert_eq!(chart.table("t").rows.len(), 1);
    }
}

#[test]
fn names_become_neither_markup_nor_formulas() {
    let svg = bars(&["<b>$x^2$</b>"], vec![Some(estimate(40.0))]).svg("").unwrap();
    assert!(svg.contains("&lt;b&gt;$x^2$&lt;/b&gt;"), "{svg}");
}

#[test]
fn a_value_that_is_not_there_is_an_empty_cell_of_the_table() {
    let table = bars(&["base", "flips"], vec![Some(estimate(40.0)), None]).table("competence");
    assert_eq!(table.rows, [["base", "40.0 (35.0-45.0)"], ["flips", ""]]);
}

#[test]
fn a_series_without_values_keeps_its_color_and_is_not_listed() {
    let bin = Bin { confidence: 90.0, score: 50.0, count: 1 };
    let all = [("silent", Vec::new()), ("sure", vec![bin])].map(|(name, values)| series(name, values)).concat();
    let chart = Chart::Reliability { series: all, measure: "F1".to_owned() };
    assert_eq!(chart.legend(), [(1, "sure")]);
    assert!(chart.svg("").unwrap().contains("var(--s1)"));
}
