//! What each format looks like, and that nothing is lost or left behind.

use super::*;
use crate::{Cell, Corpus, Options, Status};
use proptest::prelude::*;
use saydo_task::{AnswerKind, Field, FieldKind, Span};
use serde_json::{Value, json};
use std::fs;
use std::io::Read;
use tempfile::TempDir;

fn column(name: &str, kind: AnswerKind) -> Column {
    Column { name: name.to_owned(), spec: AnswerSpec { kind, na: None } }
}

fn hikes() -> Column {
    let field = |name: &str, kind| Field { name: name.to_owned(), kind };
    let fields = vec![field("waterfall hike", FieldKind::Span), field("wheelchair accessible", FieldKind::YesNo)];
    column("hikes", AnswerKind::Records(fields))
}

fn span(text: &str, of: &Document) -> Span {
    let byte = of.text.find(text).expect("in the document");
    let start = of.text[..byte].chars().count();
    Span { start, end: start + text.chars().count(), text: text.to_owned(), label: None, record: None, score: None }
}

fn document(id: Value, text: &str) -> Document {
    Document { id, source: "parks.jsonl:1".to_owned(), text: text.to_owned(), question: None }
}

fn cell(status: Status, answer: Value) -> Cell {
    Cell {
        status,
        answer,
        spans: Vec::new(),
        confidence: Some(0.1 + 0.2),
        windows: 1,
        ms: 12,
        ungrounded: 0,
        na_log_odds: None,
        error: None,
    }
}

fn row(document: &Document, cells: Vec<Cell>) -> Row {
    Row { id: document.id.clone(), source: document.source.clone(), model: "scripted".to_owned(), cells }
}

/// Four documents, one of each status, in scripts of all kinds.
fn run() -> Vec<(Document, Row)> {
    let vernal = document(json!(7), "Vernal Fall | 317 feet\r\n滝 and 🏞 <b>");
    let first = Span {
        label: Some("waterfall hike".into()),
        record: Some(0),
        score: Some(2.0 / 3.0),
        ..span("Vernal Fall", &vernal)
    };
    let second = Span { label: Some("waterfall hike".into()), record: Some(1), ..span("滝", &vernal) };
    let records = json!([
        {"waterfall hike": "Vernal Fall", "wheelchair accessible": "no"},
        {"waterfall hike": "滝", "wheelchair accessible": null}
    ]);
    let found = Cell { spans: vec![first, second], ..cell(Status::Ok, records) };
    let dry = document(json!("dry"), "");
    let na = Cell { confidence: None, ..cell(Status::Na, Value::Null) };
    let odd = document(json!("odd"), "شلالات");
    let unparsable = Cell { error: Some("reply `<x>` is no list".into()), ..cell(Status::Unparsable, Value::Null) };
    let lost = document(json!("lost.txt"), "");
    let failed = Cell {
        confidence: None,
        windows: 0,
        ms: 0,
        error: Some("not valid UTF-8 at byte 3".into()),
        ..cell(Status::Failed, Value::Null)
    };
    [(vernal, found), (dry, na), (odd, unparsable), (lost, failed)]
        .into_iter()
        .map(|(document, cell)| (document.clone(), row(&document, vec![cell])))
        .collect()
}

/// The same with a second task, whose answers are labels.
fn wide_run() -> Vec<(Document, Row)> {
    let labels = [
        cell(Status::Ok, json!("=yes")),
        cell(Status::Ok, json!("no")),
        cell(Status::Na, Value::Null),
        cell(Status::Ok, json!("no")),
    ];
    run()
        .into_iter()
        .zip(labels)
        .map(|((document, mut row), label)| {
            row.cells.push(label);
            (document, row)
        })
        .collect()
}

fn meta() -> Meta {
    Meta {
        title: "Waterfall *hikes*".to_owned(),
        description: vec!["What waterfall hikes are there?".to_owned()],
        model: "scripted".to_owned(),
        version: "0.1.0".to_owned(),
    }
}

fn write(folder: &TempDir, name: &str, columns: &[Column], rows: &[(Document, Row)]) -> PathBuf {
    let path = folder.path().join(name);
    let mut output = Output::create(&path, columns, &meta()).expect("an output");
    for (document, row) in rows {
        output.write(document, row).expect("written");
    }
    output.finish().expect("finished");
    let files: Vec<_> =
        fs::read_dir(folder.path()).expect("a folder").map(|entry| entry.expect("an entry").path()).collect();
    assert_eq!(files, std::slice::from_ref(&path), "nothing else is left");
    path
}

fn written(name: &str, columns: &[Column], rows: &[(Document, Row)]) -> String {
    let folder = tempfile::tempdir().expect("a folder");
    fs::read_to_string(write(&folder, name, columns, rows)).expect("text")
}

fn two_tasks() -> [Column; 2] {
    [hikes(), column("closed", AnswerKind::YesNo)]
}

#[test]
fn json_lines_for_one_task_are_flat() {
    insta::assert_snapshot!(written("out.jsonl", &[hikes()], &run()));
}

#[test]
fn json_lines_for_several_tasks_have_their_answers_by_name() {
    insta::assert_snapshot!(written("out.jsonl", &two_tasks(), &wide_run()));
}

#[test]
fn csv_has_plain_text_where_the_answer_is_text() {
    insta::assert_snapshot!(written("out.csv", &[hikes()], &run()));
}

#[test]
fn csv_for_several_tasks_has_columns_for_each() {
    insta::assert_snapshot!(written("out.tsv", &two_tasks(), &wide_run()));
}

#[test]
fn markdown_has_counts_a_table_and_faults() {
    insta::assert_snapshot!(written("out.md", &[hikes()], &run()));
}

#[test]
fn markdown_for_several_tasks_has_columns_for_each() {
    insta::assert_snapshot!(written("out.md", &two_tasks(), &wide_run()));
}

#[test]
fn a_page_has_sections_marks_and_a_legend() {
    let page = written("out.html", &[hikes()], &run());
    let start = page.find("<body>").expect("a body");
    let end = page.find("<script>").expect("a script");
    insta::assert_snapshot!(page[start..end]);
}

#[test]
fn parquet_columns_have_types() {
    use ::parquet::arrow::arrow_reader::ParquetRecordBatchReaderBuilder;
    use arrow_array::cast::AsArray;
    use arrow_array::types::Int64Type;
    let folder = tempfile::tempdir().unwrap();
    let mut shown = String::new();
    for (columns, rows) in [(vec![hikes()], run()), (two_tasks().to_vec(), wide_run())] {
        let path = write(&folder, "out.parquet", &columns, &rows);
        let builder = ParquetRecordBatchReaderBuilder::try_new(fs::File::open(path).unwrap()).unwrap();
        for field in builder.schema().fields() {
            shown += &format!("{}: {}\n", field.name(), field.data_type());
        }
        let batch = builder.build().unwrap().next().unwrap().unwrap();
        let spans = batch.column_by_name("spans").or(batch.column_by_name("hikes.spans")).unwrap().as_list::<i32>();
        let starts: Vec<i64> = spans.values().as_struct().column(0).as_primitive::<Int64Type>().values().to_vec();
        shown += &format!("{} rows; spans start at {starts:?}\n\n", batch.num_rows());
    }
    insta::assert_snapshot!(shown);
}

#[test]
fn parquet_written_reads_back_as_a_corpus() {
    let folder = tempfile::tempdir().unwrap();
    let rows: Vec<(Document, Row)> = (0..3000)
        .map(|number| {
            let document = document(json!(number), "t");
            let row = row(&document, vec![cell(Status::Ok, json!(format!("answer {number}")))]);
            (document, row)
        })
        .collect();
    let path = write(&folder, "out.parquet", &[column("q", AnswerKind::Text)], &rows);
    let options = Options { column: Some("answer".to_owned()), ..Options::default() };
    let corpus = Corpus::open(&[path.display().to_string()], &options).unwrap();
    let progress = corpus.progress();
    let read: Vec<Document> = corpus.map(Result::unwrap).collect();
    assert_eq!(read.len(), 3000);
    assert_eq!((read[2999].id.clone(), read[2999].text.as_str()), (json!("2999"), "answer 2999"));
    assert!(read[2999].source.ends_with("out.parquet:3000"));
    assert!(progress.bytes_read().abs_diff(progress.bytes_total().unwrap()) < 10);
    let wrong = Options { column: Some("ms".to_owned()), ..Options::default() };
    let error = Corpus::open(&[path.display().to_string()], &wrong).unwrap_err().to_string();
    assert!(error.ends_with("out.parquet holds values of type Int64, expected text"), "{error}");
}

#[test]
fn compressed_outputs_hold_the_same() {
    let folder = tempfile::tempdir().unwrap();
    let plain = written("out.jsonl", &[hikes()], &run());
    let path = write(&folder, "out.jsonl.gz", &[hikes()], &run());
    let mut text = String::new();
    flate2::read::GzDecoder::new(fs::File::open(&path).unwrap()).read_to_string(&mut text).unwrap();
    assert_eq!(text, plain);
    fs::remove_file(path).unwrap();
    let path = write(&folder, "out.jsonl.zst", &[hikes()], &run());
    assert_eq!(zstd::decode_all(fs::File::open(path).unwrap()).unwrap(), plain.into_bytes());
}

#[test]
fn an_output_that_is_dropped_leaves_nothing_and_changes_nothing() {
    for name in ["a.jsonl", "a.csv.gz", "a.tsv.zst", "a.parquet", "a.md", "a.html"] {
        let folder = tempfile::tempdir().unwrap();
        let path = folder.path().join(name);
        fs::write(&path, "before").unwrap();
        let mut output = Output::create(&path, &[hikes()], &meta()).unwrap();
        for (document, row) in run() {
            output.write(&document, &row).unwrap();
        }
        drop(output);
        assert_eq!(fs::read_to_string(&path).unwrap(), "before");
        assert_eq!(fs::read_dir(folder.path()).unwrap().count(), 1, "{name}");
    }
}

#[cfg(unix)]
#[test]
fn a_fault_at_any_step_leaves_the_old_or_the_new_output() {
    use saydo_file::fault::{Trial, at_every_step};
    let scratch = tempfile::tempdir().unwrap();
    for name in ["a.jsonl", "a.csv", "a.tsv.zst", "a.jsonl.gz", "a.parquet", "a.md", "a.html"] {
        let write = |folder: &Path| {
            let mut output = Output::create(&folder.join(name), &[hikes()], &meta())?;
            for (document, row) in run() {
                output.write(&document, &row)?;
            }
            output.finish()
        };
        let whole = scratch.path().join("whole");
        fs::create_dir_all(&whole).unwrap();
        write(&whole).unwrap();
        let new = fs::read(whole.join(name)).unwrap();
        let before = |folder: &Path| fs::write(folder.join(name), "before").unwrap();
        let after = |folder: &Path, trial: &Trial<Error>| {
            let found = fs::read(folder.join(name)).unwrap();
            assert!(found == b"before" || found == new, "{name}: {trial}");
            assert!(trial.outcome.is_err() || found == new, "{name}: {trial}: it said that it had written");
            if let Err(error) = &trial.outcome {
                assert!(error.to_string().contains(name), "{name}: {trial}: {error}");
                let is_full = matches!(trial.fault, saydo_file::fault::Fault::Full | saydo_file::fault::Fault::Torn);
                assert!(!is_full || error.hint().is_some(), "{name}: {trial}: what to do");
            }
            write(folder).unwrap();
            assert_eq!(fs::read_dir(folder).unwrap().count(), 1, "{name}: {trial}: a draft stays");
        };
        assert!(at_every_step(name, scratch.path(), before, write, after) >= 5);
    }
}

#[test]
fn outputs_that_cannot_be_are_refused_with_the_fix() {
    let folder = tempfile::tempdir().unwrap();
    let said = |name: &str| {
        let error = Output::create(&folder.path().join(name), &[hikes()], &meta()).err().expect("refused");
        format!("{error}\nhint: {}", error.hint().unwrap_or_default())
            .replace(&folder.path().display().to_string(), "FOLDER")
    };
    insta::assert_snapshot!(said("out.xlsx"), @r"
    cannot tell the format of the output FOLDER/out.xlsx from its extension
    hint: these are written: .jsonl .csv .tsv (each also with .gz or .zst behind it) .parquet .md .html
    ");
    insta::assert_snapshot!(said("no/such/out.csv"), @r"
    cannot write FOLDER/no/such/out.csv
    hint: make its folder first
    ");
    fs::create_dir(folder.path().join("d.csv")).unwrap();
    insta::assert_snapshot!(said("d.csv"), @r"
    cannot write FOLDER/d.csv
    hint: a folder has that name: choose another
    ");
    assert!(said("out.html.gz").starts_with("cannot tell the format"));
}

#[test]
fn hostile_text_stays_text_wherever_it_stands() {
    let evil = "</script><script>alert(1)</script><img src=x onerror=alert(1)>\"'--><!--";
    let fields = vec![Field { name: evil.to_owned(), kind: FieldKind::Span }];
    let columns = [
        column(evil, AnswerKind::Records(fields)),
        column(&format!("{evil}2"), AnswerKind::Label(vec![evil.to_owned()])),
        column("text", AnswerKind::Text),
    ];
    let document = Document { id: json!(evil), source: evil.to_owned(), text: evil.repeat(2), question: None };
    let marked =
        Span { start: 2, end: 30, text: evil.to_owned(), label: Some(evil.to_owned()), record: Some(0), score: None };
    let cells = vec![
        Cell { spans: vec![marked], ..cell(Status::Ok, json!([{evil: evil}])) },
        cell(Status::Ok, json!(evil)),
        Cell { error: Some(evil.to_owned()), ..cell(Status::Failed, Value::Null) },
    ];
    let row = Row { id: json!(evil), source: evil.to_owned(), model: evil.to_owned(), cells };
    let folder = tempfile::tempdir().unwrap();
    let path = folder.path().join("out.html");
    let meta = Meta { title: evil.into(), description: vec![evil.into()], model: evil.into(), version: evil.into() };
    let mut output = Output::create(&path, &columns, &meta).unwrap();
    output.write(&document, &row).unwrap();
    output.finish().unwrap();
    let page = fs::read_to_string(path).unwrap();
    assert_eq!(page.matches("<script").count(), 1, "only our own script");
    assert_eq!(page.matches("<img").count() + page.matches("<!--").count(), 0);
    assert_eq!(
        page.matches("alert(1)").count(),
        page.matches("&gt;alert(1)").count() + page.matches("onerror=alert(1)&gt;").count()
    );
    assert!(!page.contains("http:") && !page.contains("https:") && !page.contains("url("), "nothing is loaded");
}

fn any_cell() -> impl Strategy<Value = Cell> {
    let answer = prop_oneof![
        Just(Value::Null),
        ".*".prop_map(Value::from),
        prop::collection::vec(".*", 0..3).prop_map(Value::from)
    ];
    let score = || prop::option::of((0..=1_000_000u32).prop_map(|millionths| f64::from(millionths) / 1e6));
    let span = (0..100usize, 0..100usize, ".*", prop::option::of(".*"), prop::option::of(0..9usize), score())
        .prop_map(|(start, end, text, label, record, score)| Span { start, end, text, label, record, score });
    let spans = prop::collection::vec(span, 0..3);
    (0..4usize, answer, spans, score(), 0..9usize, 0..9999u64, prop::option::of(".*")).prop_map(
        |(status, answer, spans, confidence, windows, ms, error)| Cell {
            status: Status::ALL[status],
            answer,
            spans,
            confidence,
            windows,
            ms,
            ungrounded: 0,
            na_log_odds: None,
            error,
        },
    )
}

proptest! {
    #[test]
    fn rows_written_as_json_lines_read_back_equal(cells in prop::collection::vec(any_cell(), 0..4), id in ".*", source in ".*") {
        let columns: Vec<Column> = (0..cells.len()).map(|place| column(&format!("t{place}"), AnswerKind::Text)).collect();
        let names: Vec<String> = columns.iter().map(|column| column.name.clone()).collect();
        let row = Row { id: Value::from(id), source, model: "m".to_owned(), cells };
        let mut lines = JsonLines::new(Vec::new(), &columns);
        lines.write(&row).unwrap();
        let line = String::from_utf8(lines.into_inner()).unwrap();
        prop_assert_eq!(line.matches('\n').count(), 1);
        prop_assert_eq!(Row::parse(&line, &names).unwrap(), row);
    }

    #[test]
    fn a_page_shows_exactly_the_text(text in "[\\PC\n]{0,60}", start in 0..70usize, length in 0..70usize) {
        let marked = Span { start, end: start + length, text: String::new(), label: None, record: None, score: None };
        let document = document(json!("d"), &text);
        let row = row(&document, vec![Cell { spans: vec![marked], ..cell(Status::Ok, json!([])) }]);
        let page = written("out.html", &[column("q", AnswerKind::Spans)], &[(document, row)]);
        let shown = page.split_once("<div dir=auto>").map_or("", |(_, rest)| rest).split("</div>").next().unwrap_or_default();
        let without_marks = text_of(shown);
        prop_assert_eq!(without_marks, text);
    }
}

/// A page's text without marks and with its entities read.
fn text_of(html: &str) -> String {
    let mut text = String::new();
    let mut rest = html;
    while let Some((before, tag)) = rest.split_once('<') {
        text += before;
        rest = tag.split_once('>').map_or("", |(_, after)| after);
    }
    text += rest;
    text.replace("&lt;", "<").replace("&gt;", ">").replace("&quot;", "\"").replace("&#39;", "'").replace("&amp;", "&")
}
