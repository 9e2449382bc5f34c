//! Whatever bytes a file holds, reading it ends and does not panic; whatever text is stored comes back.

use super::*;
use proptest::prelude::*;
use serde_json::json;
use std::fs;
use std::sync::Arc;

const EXTENSIONS: [&str; 9] = ["txt", "html", "jsonl", "json", "csv", "tsv", "parquet", "jsonl.gz", "txt.zst"];

fn read(name: &str, bytes: &[u8]) -> Option<Vec<Result<Document, Unreadable>>> {
    let folder = tempfile::tempdir().expect("a folder");
    let path = folder.path().join(name);
    fs::write(&path, bytes).expect("a file");
    let corpus = Corpus::open(&[path.display().to_string()], &Options::default()).ok()?;
    Some(corpus.take(1000).collect())
}

/// A small Parquet file with these texts.
pub(super) fn parquet_file(texts: &[Option<String>], column: arrow_array::ArrayRef) -> Vec<u8> {
    let ids: arrow_array::ArrayRef = Arc::new(arrow_array::Int32Array::from_iter_values(0..texts.len() as i32));
    let batch = arrow_array::RecordBatch::try_from_iter_with_nullable([("id", ids, false), ("text", column, true)]);
    let batch = batch.expect("two columns");
    let mut writer = parquet::arrow::ArrowWriter::try_new(Vec::new(), batch.schema(), None).expect("a writer");
    writer.write(&batch).expect("memory");
    writer.into_inner().expect("memory")
}

/// The same texts in every kind of column that can hold them.
pub(super) fn text_columns(texts: &[Option<String>]) -> Vec<arrow_array::ArrayRef> {
    let plain = || texts.iter().map(|text| text.as_deref());
    vec![
        Arc::new(plain().collect::<arrow_array::StringArray>()),
        Arc::new(plain().collect::<arrow_array::LargeStringArray>()),
        Arc::new(plain().collect::<arrow_array::StringViewArray>()),
        Arc::new(plain().collect::<arrow_array::DictionaryArray<arrow_array::types::Int32Type>>()),
    ]
}

proptest! {
    #[test]
    fn random_bytes_never_panic(bytes in prop::collection::vec(any::<u8>(), 0..300)) {
        for extension in EXTENSIONS {
            read(&format!("a.{extension}"), &bytes);
        }
    }

    #[test]
    fn nearly_right_files_never_panic(text in "[\\[\\]{}\",:a\\\\ \n\r\t<>/&;é滝]{0,200}") {
        for extension in EXTENSIONS {
            read(&format!("a.{extension}"), text.as_bytes());
        }
    }

    #[test]
    fn damaged_parquet_never_panics(place in 0..10_000usize, byte: u8, cut in 0..2000usize) {
        let texts = [Some("one".to_owned()), None, Some("滝".to_owned())];
        let column = text_columns(&texts).swap_remove(0);
        let mut bytes = parquet_file(&texts, column);
        let place = place % bytes.len();
        bytes[place] = byte;
        read("a.parquet", &bytes);
        bytes.truncate(cut);
        read("a.parquet", &bytes);
    }

    /// Whatever single byte is put into a table, no row is lost in silence: there are as many rows or more, or an error.
    #[test]
    fn a_byte_too_many_in_a_table_loses_no_row(place in 0..400usize, byte in prop::sample::select(b"\"\"\",\n\rx\t ".to_vec())) {
        let row = |number: usize| format!("{number},\"text, {number}\",{number}\n");
        let mut table = (0..20).map(row).fold("id,text,more\n".to_owned(), |table, row| table + &row).into_bytes();
        table.insert(13 + place % (table.len() - 13), byte);
        let rows = read("a.csv", &table).expect("the header is whole");
        let bad = rows.iter().filter(|row| row.is_err()).count();
        prop_assert!(rows.len() >= 20 || bad > 0, "{} rows", rows.len());
        prop_assert!(rows.len() - bad >= 18, "{} good rows", rows.len() - bad);
    }

    #[test]
    fn texts_come_back_from_every_format(texts in prop::collection::vec(".{0,20}", 1..6)) {
        let rows: Vec<_> = texts.iter().enumerate().map(|(id, text)| json!({"id": id, "text": text})).collect();
        let lines: String = rows.iter().map(|row| format!("{row}\n")).collect();
        let mut csv = csv::Writer::from_writer(Vec::new());
        csv.write_record(["id", "text"]).unwrap();
        for (id, text) in texts.iter().enumerate() {
            csv.write_record([&id.to_string(), text]).unwrap();
        }
        let stored: Vec<Option<String>> = texts.iter().cloned().map(Some).collect();
        let mut files = vec![
            ("a.jsonl", lines.into_bytes()),
            ("a.json", json!(rows).to_string().into_bytes()),
            ("a.csv", csv.into_inner().unwrap()),
        ];
        files.extend(text_columns(&stored).into_iter().map(|column| ("a.parquet", parquet_file(&stored, column))));
        for (name, bytes) in files {
            let read: Vec<Document> = read(name, &bytes).unwrap().into_iter().map(Result::unwrap).collect();
            let read: Vec<&str> = read.iter().map(|document| document.text.as_str()).collect();
            prop_assert_eq!(&read, &texts, "{}", name);
        }
    }
}

#[test]
fn nulls_in_parquet_are_unreadable_rows_with_their_ids() {
    let texts = [Some("one".to_owned()), None, Some("one".to_owned())];
    for column in text_columns(&texts) {
        let read = read("a.parquet", &parquet_file(&texts, column)).unwrap();
        assert_eq!(read[2].as_ref().unwrap().text, "one");
        let bad = read[1].as_ref().unwrap_err();
        assert_eq!((bad.id.clone(), bad.reason.as_str()), (json!(1), "column `text` is null, expected text"));
    }
}
