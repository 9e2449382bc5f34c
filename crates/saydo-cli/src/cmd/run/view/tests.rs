//! Tables as they stand on a terminal.

use super::{Look, View, share};
use saydo_corpus::{Cell, Column, Row, Status};
use saydo_task::{AnswerKind, AnswerSpec, Span};
use serde_json::{Value, json};

fn cell(answer: Value, confidence: f64) -> Cell {
    let status = if answer.is_null() { Status::Na } else { Status::Ok };
    Cell {
        status,
        answer,
        spans: Vec::new(),
        confidence: Some(confidence),
        windows: 1,
        ms: 1,
        ungrounded: 0,
        na_log_odds: None,
        error: None,
    }
}

fn failed() -> Cell {
    Cell { status: Status::Failed, confidence: None, error: Some("not UTF-8".to_owned()), ..cell(Value::Null, 0.0) }
}

fn column(name: &str, kind: AnswerKind) -> Column {
    Column { name: name.to_owned(), spec: AnswerSpec { kind, na: None } }
}

fn render(columns: Vec<Column>, width: usize, has_color: bool, rows: Vec<(&str, Vec<Cell>)>) -> String {
    let mut view = View::new(columns, Look { width, has_color });
    for (source, cells) in rows {
        view.add(&Row { id: json!(source), source: source.to_owned(), model: "m".to_owned(), cells });
    }
    view.render()
}

#[test]
fn answers_stand_beside_their_confidence() {
    let rows = vec![
        ("parks/shenandoah.txt", vec![cell(json!("yes"), 0.841)]),
        ("parks/badlands.txt", vec![cell(Value::Null, 0.974)]),
        ("parks/broken.txt", vec![failed()]),
    ];
    insta::assert_snapshot!(render(vec![column("Dogs", AnswerKind::YesNo)], 80, false, rows), @r"
    source                answer             sure
    --------------------------------------------------------
    parks/shenandoah.txt  yes                ██████▊   84.1%
    parks/badlands.txt    NA                 ███████▊  97.4%
    parks/broken.txt      failed: not UTF-8
    ");
}

#[test]
fn records_are_wrapped_and_not_cut() {
    let records = json!([
        {"waterfall hike": "Grotto Falls by the Trillium Gap Trail", "wheelchair accessible": "no"},
        {"waterfall hike": "Laurel Falls", "wheelchair accessible": null},
    ]);
    let rows = vec![("parks/great-smoky-mountains.txt", vec![cell(records, 0.5)])];
    insta::assert_snapshot!(render(vec![column("Hikes", AnswerKind::Records(Vec::new()))], 80, false, rows), @r"
    source                           answer                          sure
    --------------------------------------------------------------------------------
    parks/great-smoky-mountains.txt  waterfall hike: Grotto Falls    ████      50.0%
                                       by the Trillium Gap Trail,
                                       wheelchair accessible: no
                                     waterfall hike: Laurel Falls,
                                       wheelchair accessible: NA
    ");
}

#[test]
fn evidence_stands_under_its_answer() {
    let span = |label: Option<&str>| Span {
        start: 0,
        end: 4,
        text: "Dogs on a leash may go on most trails".to_owned(),
        label: label.map(str::to_owned),
        record: None,
        score: None,
    };
    let with = Cell { spans: vec![span(Some("evidence"))], ..cell(json!("yes"), 1.0) };
    let without = Cell { spans: vec![span(None)], ..cell(json!("no"), 0.0) };
    let rows = vec![("a.txt", vec![with]), ("b.txt", vec![without])];
    insta::assert_snapshot!(render(vec![column("Dogs", AnswerKind::YesNo)], 60, false, rows), @r"
    source  answer                               sure
    ------------------------------------------------------------
    a.txt   yes                                  ████████ 100.0%
            “Dogs on a leash may go on most
              trails”
    b.txt   no                                              0.0%
    ");
}

#[test]
fn many_tasks_become_blocks() {
    let columns = ["Dogs", "Length", "Waterfalls", "Fee"].map(|name| column(name, AnswerKind::Spans)).to_vec();
    let long = json!(["a piece of the document that is longer than a column", "another"]);
    let rows = vec![("a.txt", vec![cell(long.clone(), 0.9), cell(long.clone(), 0.9), cell(long, 0.9), failed()])];
    insta::assert_snapshot!(render(columns, 72, false, rows), @r"
    a.txt
      Dogs        a piece of the document that is longer     ███████▎  90.0%
                    than a column; another
      Length      a piece of the document that is longer     ███████▎  90.0%
                    than a column; another
      Waterfalls  a piece of the document that is longer     ███████▎  90.0%
                    than a column; another
      Fee         failed: not UTF-8
    ");
}

#[test]
fn colors_change_no_character() {
    let rows = || {
        let label = cell(json!("billing"), 0.7);
        let text = cell(json!("First line.\n\nSecond line."), 0.3);
        vec![("a.txt", vec![label, text]), ("b.txt", vec![cell(Value::Null, 0.9), failed()])]
    };
    let columns =
        || vec![column("Topic", AnswerKind::Label(vec!["billing".to_owned()])), column("Gist", AnswerKind::Text)];
    let (plain, colored) = (render(columns(), 90, false, rows()), render(columns(), 90, true, rows()));
    assert!(!plain.contains('\u{1b}') && colored.contains("\u{1b}[36mbilling"), "{colored:?}");
    assert_eq!(console::strip_ansi_codes(&colored), plain);
}

#[test]
fn no_rows_make_a_header() {
    assert_eq!(render(vec![column("Dogs", AnswerKind::YesNo)], 80, false, Vec::new()).lines().count(), 2);
}

#[test]
fn narrow_columns_give_what_they_do_not_need_to_wide_ones() {
    assert_eq!(share(60, vec![5, 100, 30]), Some(vec![5, 28, 27]));
    assert_eq!(share(60, vec![5, 10]), Some(vec![5, 10]));
    assert_eq!(share(30, vec![100, 100]), None);
}
