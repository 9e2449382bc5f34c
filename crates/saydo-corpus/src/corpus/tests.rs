//! Documents out of every kind of input.

use super::*;
use crate::{Format, Shard};
use serde_json::{Value, json};
use std::fs;
use std::io::{Cursor, Write};
use std::path::Path;
use tempfile::TempDir;

pub(super) fn folder(files: &[(&str, &[u8])]) -> TempDir {
    let folder = tempfile::tempdir().expect("a temporary folder");
    for (name, content) in files {
        let path = folder.path().join(name);
        fs::create_dir_all(path.parent().expect("inside the folder")).expect("a folder");
        fs::write(path, content).expect("a file");
    }
    folder
}

fn open(folder: &TempDir, inputs: &[&str], options: &Options) -> Result<Corpus, Error> {
    let named = |input: &&str| match *input {
        "-" => "-".to_owned(),
        input => folder.path().join(input).display().to_string(),
    };
    let inputs: Vec<String> = inputs.iter().map(named).collect();
    Corpus::open_with(&inputs, options, SharedInput::new(Cursor::new(Vec::new())))
}

fn from_stdin(bytes: &[u8], options: &Options) -> Result<Vec<String>, Error> {
    let input = SharedInput::new(Cursor::new(bytes.to_vec()));
    Ok(Corpus::open_with(&["-".to_owned()], options, input)?.map(|item| shown(Path::new(""), item)).collect())
}

/// One line per document: id, source, text; the folder left out.
fn shown(folder: &Path, item: Result<Document, Unreadable>) -> String {
    let prefix = format!("{}/", folder.display());
    let line = match item {
        Ok(Document { id, source, text, question: None }) => format!("{id} {source} {text:?}"),
        Ok(Document { id, source, text, question: Some(question) }) => format!("{id} {source} {question:?} {text:?}"),
        Err(Unreadable { id, source, reason }) => format!("{id} {source} UNREADABLE {reason}"),
    };
    line.replace(&prefix, "")
}

fn all(folder: &TempDir, inputs: &[&str], options: &Options) -> String {
    match open(folder, inputs, options) {
        Ok(corpus) => corpus.map(|item| shown(folder.path(), item)).collect::<Vec<_>>().join("\n"),
        Err(error) => failure(folder, &error),
    }
}

fn failure(folder: &TempDir, error: &Error) -> String {
    let mut text = format!("error: {error}");
    if let Some(source) = std::error::Error::source(error) {
        text += &format!("\nbecause: {source}");
    }
    if let Some(hint) = error.hint() {
        text += &format!("\nhint: {hint}");
    }
    text.replace(&format!("{}/", folder.path().display()), "").replace(&folder.path().display().to_string(), "FOLDER")
}

pub(super) fn with_column(column: &str) -> Options {
    Options { column: Some(column.to_owned()), ..Options::default() }
}

pub(super) fn gzip(bytes: &[u8]) -> Vec<u8> {
    let mut encoder = flate2::write::GzEncoder::new(Vec::new(), flate2::Compression::default());
    encoder.write_all(bytes).expect("memory");
    encoder.finish().expect("memory")
}

#[test]
fn folders_are_read_in_order_and_other_files_are_counted() {
    let folder = folder(&[
        ("b.txt", b"B"),
        ("a.md", b"A"),
        ("sub/c.text", b"C"),
        ("sub/.hidden.txt", b"no"),
        (".git/x.txt", b"no"),
        ("sub/p.pdf", b"no"),
        ("z.html", b"<title>T</title><p>Z &amp; z"),
    ]);
    insta::assert_snapshot!(all(&folder, &[""], &Options::default()), @r#"
    "a.md" a.md "A"
    "b.txt" b.txt "B"
    "sub/c.text" sub/c.text "C"
    "z.html" z.html "T\n\nZ & z"
    "#);
    assert_eq!(open(&folder, &[""], &Options::default()).unwrap().skipped(), 1);
}

#[test]
fn patterns_match_in_one_folder_or_in_all() {
    let folder = folder(&[("a.txt", b"A"), ("b.md", b"B"), ("s/c.txt", b"C"), ("s/t/d.txt", b"D"), ("e.pdf", b"")]);
    insta::assert_snapshot!(all(&folder, &["*.txt"], &Options::default()), @r#""a.txt" a.txt "A""#);
    insta::assert_snapshot!(all(&folder, &["**/*.txt", "a.txt"], &Options::default()), @r#"
    "a.txt" a.txt "A"
    "s/c.txt" s/c.txt "C"
    "s/t/d.txt" s/t/d.txt "D"
    "#);
}

#[test]
fn json_lines_give_a_document_each_and_bad_lines_do_not_end_it() {
    let lines = b"{\"id\":7,\"text\":\"one\"}\r\n\n{\"id\":\"x\",\"text\":null}\n{\"text\":\"th\\u0072ee\",\"id\":[1]}\nnot json\n{\"body\":\"b\"}\n{\"text\":\"\xff\"}\n{\"text\":5}\n[1]\n\"a text\"\n{\"text\":\"\"}";
    let folder = folder(&[("r.jsonl", lines)]);
    insta::assert_snapshot!(all(&folder, &["r.jsonl"], &Options::default()), @r#"
    7 r.jsonl:1 "one"
    "x" r.jsonl:3 UNREADABLE column `text` is null, expected text
    "r.jsonl:4" r.jsonl:4 "three"
    "r.jsonl:5" r.jsonl:5 UNREADABLE not JSON: expected ident at column 2
    "r.jsonl:6" r.jsonl:6 UNREADABLE no column `text`
    "r.jsonl:7" r.jsonl:7 UNREADABLE not valid UTF-8 at byte 9
    "r.jsonl:8" r.jsonl:8 UNREADABLE column `text` holds a number, expected text
    "r.jsonl:9" r.jsonl:9 UNREADABLE a list instead of an object or a text
    "r.jsonl:10" r.jsonl:10 "a text"
    "r.jsonl:11" r.jsonl:11 ""
    "#);
}

#[test]
fn nested_fields_have_a_path_and_names_with_dots_are_names() {
    let folder = folder(&[("r.jsonl", br#"{"a":{"b":{"c":"deep"}},"a.b":"flat"}"#)]);
    insta::assert_snapshot!(all(&folder, &["r.jsonl"], &with_column("a.b.c")), @r#""r.jsonl:1" r.jsonl:1 "deep""#);
    insta::assert_snapshot!(all(&folder, &["r.jsonl"], &with_column("a.b")), @r#""r.jsonl:1" r.jsonl:1 "flat""#);
    insta::assert_snapshot!(all(&folder, &["r.jsonl"], &with_column("a.x")), @r"
    error: r.jsonl has no column `a.x`, expected one of: a.b.c, a.b
    hint: name the column with --column NAME
    ");
}

#[test]
fn json_is_an_array_one_value_or_several() {
    let options = Options::default();
    let folder = folder(&[
        ("array.json", br#" [ {"text": "a ]}, \" \\"}, "b", {"text": "c" "x"}, {"text":"d"} ] "#),
        ("one.json", b"{\n \"title\": \"x\",\n \"content\": \"c\"\n}\n"),
        ("several.json", b"{\"text\":\"a\"}\n{\"text\":\"b\"}"),
        ("cut.json", br#"[{"text":"a"},{"text":"b"#),
        ("open.json", br#"[{"text":"a"}"#),
        ("empty.json", b"[]"),
        ("more.json", br#"["a"] x"#),
        ("stray.json", br#"["a"}, "b"]"#),
    ]);
    insta::assert_snapshot!(all(&folder, &["array.json"], &options), @r#"
    "array.json:1" array.json:1 "a ]}, \" \\"
    "array.json:2" array.json:2 "b"
    "array.json:3" array.json:3 UNREADABLE not JSON: expected `,` or `}` at line 1 column 14
    "array.json:4" array.json:4 "d"
    "#);
    insta::assert_snapshot!(all(&folder, &["one.json"], &options), @r#""one.json" one.json "c""#);
    insta::assert_snapshot!(all(&folder, &["several.json"], &options), @r#"
    "several.json:1" several.json:1 "a"
    "several.json:2" several.json:2 "b"
    "#);
    insta::assert_snapshot!(all(&folder, &["cut.json"], &options), @r#"
    "cut.json:1" cut.json:1 "a"
    "cut.json:2" cut.json:2 UNREADABLE the file ends inside a value
    "#);
    insta::assert_snapshot!(all(&folder, &["open.json"], &options), @r#"
    "open.json:1" open.json:1 "a"
    "open.json:2" open.json:2 UNREADABLE the file ends before its array does
    "#);
    insta::assert_snapshot!(all(&folder, &["empty.json"], &options), @"");
    insta::assert_snapshot!(all(&folder, &["more.json"], &options), @r#"
    "more.json:1" more.json:1 "a"
    "more.json:2" more.json:2 UNREADABLE there is more after the end of the array
    "#);
    insta::assert_snapshot!(all(&folder, &["stray.json"], &options), @r#"
    "stray.json:1" stray.json:1 "a"
    "stray.json:2" stray.json:2 UNREADABLE not JSON: expected value at line 1 column 1
    "stray.json:3" stray.json:3 "b"
    "#);
}

#[test]
fn tables_keep_line_breaks_in_quotes() {
    let folder = folder(&[
        ("r.csv", b"\xef\xbb\xbfid,title,text\n1,t,\"a \"\"b\"\"\r\nc\"\n,t,\n3,short\n4,t,\xff\n5,t,e\n"),
        ("r.tsv", b"name\tbody\nx\ty, z\n"),
        ("bare.csv", b"review\nfine\n"),
        ("empty.csv", b""),
    ]);
    insta::assert_snapshot!(all(&folder, &["r.csv"], &Options::default()), @r#"
    "1" r.csv:1 "a \"b\"\r\nc"
    "r.csv:2" r.csv:2 ""
    "r.csv:3" r.csv:3 UNREADABLE line 5: the row has 2 cells, expected 3 as in the header
    "4" r.csv:4 UNREADABLE not valid UTF-8 at byte 0
    "5" r.csv:5 "e"
    "#);
    insta::assert_snapshot!(all(&folder, &["r.tsv", "bare.csv", "empty.csv"], &Options::default()), @r#"
    "r.tsv:1" r.tsv:1 "y, z"
    "bare.csv:1" bare.csv:1 "fine"
    "#);
}

#[test]
fn text_is_kept_as_it_is_but_for_its_encoding() {
    let utf16: Vec<u8> = "\u{feff}滝 🏞\r\n".encode_utf16().flat_map(u16::to_le_bytes).collect();
    let utf16_rows: Vec<u8> = "\u{feff}{\"text\":\"é\"}\n".encode_utf16().flat_map(u16::to_be_bytes).collect();
    let folder = folder(&[
        ("bom.txt", b"\xef\xbb\xbfa\r\nb\0\x07"),
        ("empty.txt", b""),
        ("latin.txt", b"caf\xe9"),
        ("utf16.txt", &utf16),
        ("utf16.jsonl", &utf16_rows),
    ]);
    insta::assert_snapshot!(all(&folder, &[""], &Options::default()), @r#"
    "bom.txt" bom.txt "a\r\nb\0\u{7}"
    "empty.txt" empty.txt ""
    "latin.txt" latin.txt UNREADABLE not valid UTF-8 at byte 3
    "utf16.jsonl:1" utf16.jsonl:1 "é"
    "utf16.txt" utf16.txt "滝 🏞\r\n"
    "#);
}

#[test]
fn compressed_files_are_known_by_their_first_bytes() {
    let two_members = [gzip(b"one "), gzip(b"two")].concat();
    let zstd = zstd::encode_all(&b"{\"text\":\"z\"}\n"[..], 3).unwrap();
    let cut = gzip(&b"{\"text\":\"x\"}\n".repeat(3));
    let folder = folder(&[
        ("a.txt.gz", &two_members),
        ("b.jsonl.zst", &zstd),
        ("c.csv", &gzip(b"text\nc\n")),
        ("not.txt.gz", b"plain"),
        ("cut/rows.jsonl.gz", &cut[..14]),
        ("cut/text.txt.zst", &zstd[..zstd.len() - 3]),
    ]);
    insta::assert_snapshot!(all(&folder, &["a.txt.gz", "b.jsonl.zst", "c.csv", "not.txt.gz"], &Options::default()), @r#"
    "a.txt.gz" a.txt.gz "one two"
    "b.jsonl.zst:1" b.jsonl.zst:1 "z"
    "c.csv:1" c.csv:1 "c"
    "not.txt.gz" not.txt.gz "plain"
    "#);
    insta::assert_snapshot!(all(&folder, &["cut/rows.jsonl.gz"], &Options::default()), @r"
    error: cut/rows.jsonl.gz cannot be read: its compressed data is cut short
    hint: get the file again, or leave it out
    ");
    insta::assert_snapshot!(all(&folder, &["cut/text.txt.zst"], &Options::default()), @r#""cut/text.txt.zst" cut/text.txt.zst UNREADABLE its compressed data is cut short"#);
}

#[test]
fn a_file_cut_short_later_on_gives_what_it_has_and_the_next_file_is_read() {
    let rows: Vec<u8> =
        (0..20_000).flat_map(|row| format!("{{\"text\":\"{}\"}}\n", row * 7919 % 10007).into_bytes()).collect();
    let cut = gzip(&rows);
    let folder = folder(&[("a.jsonl.gz", &cut[..cut.len() / 2]), ("b.txt", b"B")]);
    let items: Vec<_> = open(&folder, &[""], &Options::default()).unwrap().collect();
    let bad: Vec<usize> = (0..items.len()).filter(|&place| items[place].is_err()).collect();
    assert_eq!(bad, [items.len() - 2]);
    assert_eq!(items.last().unwrap().as_ref().unwrap().text, "B");
}

#[test]
fn standard_input_is_json_lines_or_one_text() {
    let text = |bytes: &[u8]| from_stdin(bytes, &Options::default()).unwrap().join("\n");
    insta::assert_snapshot!(text(b"\n  {\"text\":\"a\"}\n{\"text\":\"b\"}"), @r#"
    "stdin:2" stdin:2 "a"
    "stdin:3" stdin:3 "b"
    "#);
    insta::assert_snapshot!(text("\u{feff}ünd {so}".as_bytes()), @r#""stdin" stdin "ünd {so}""#);
    insta::assert_snapshot!(text("é { not rows".as_bytes()), @r#""stdin" stdin "é { not rows""#);
    insta::assert_snapshot!(text(&gzip(b"{\"text\":\"zipped\"}")), @r#""stdin:1" stdin:1 "zipped""#);
    insta::assert_snapshot!(text(b""), @r#""stdin" stdin """#);
    let csv = Options { format: Some(Format::Csv), ..Options::default() };
    assert_eq!(from_stdin(b"text\nrow\n", &csv).unwrap(), [r#""stdin:1" stdin:1 "row""#]);
    let error = from_stdin(b"{\"x\":1}", &with_column("body")).unwrap_err();
    insta::assert_snapshot!(error, @"stdin has no column `body`, expected one of: x");
}

#[test]
fn documents_that_are_too_large_are_refused_and_the_rest_is_read() {
    let options = Options { max_document_bytes: 20, ..Options::default() };
    let long = "x".repeat(200_000);
    let folder = folder(&[
        ("a.txt", long.as_bytes()),
        ("b.jsonl", format!("\"ok\"\n\"{long}\"\n\"ok too\"").as_bytes()),
        ("c.json", format!("[\"ok\",\"{long}\",\"ok too\"]").as_bytes()),
        ("d.csv", format!("text\nok\n{long}\nok too\n\"ok\n{long}\nok").as_bytes()),
    ]);
    let large = "larger than 20 bytes, the most for one document";
    assert_eq!(
        all(&folder, &["a.txt", "b.jsonl", "c.json"], &options).replace(large, "LARGE"),
        [
            r#""a.txt" a.txt UNREADABLE LARGE"#,
            r#""b.jsonl:1" b.jsonl:1 "ok""#,
            r#""b.jsonl:2" b.jsonl:2 UNREADABLE LARGE"#,
            r#""b.jsonl:3" b.jsonl:3 "ok too""#,
            r#""c.json:1" c.json:1 "ok""#,
            r#""c.json:2" c.json:2 UNREADABLE LARGE"#,
            r#""c.json:3" c.json:3 "ok too""#,
        ]
        .join("\n")
    );
    assert_eq!(
        all(&folder, &["d.csv"], &options).replace(large, "LARGE"),
        [
            r#""d.csv:1" d.csv:1 "ok""#,
            r#""d.csv:2" d.csv:2 UNREADABLE line 3: LARGE"#,
            r#""d.csv:3" d.csv:3 "ok too""#,
            r#""d.csv:4" d.csv:4 UNREADABLE line 5: unclosed quote, or a cell LARGE; close it, or write it twice inside a quoted cell"#,
            r#""d.csv:5" d.csv:5 "ok""#,
        ]
        .join("\n")
    );
}

/// Once, one stray quote in row 10 of 10,000 gave 10 rows and no error.
#[test]
fn an_unclosed_quote_costs_its_row_and_no_other() {
    let table = |bad: &str| {
        let row = |number: usize| if number == 10 { format!("{bad}\n") } else { format!("{number},row {number}\n") };
        (1..=10_000).map(row).fold("id,text\n".to_owned(), |table, row| table + &row)
    };
    for bad in ["10,\"row 10", "\"10,row 10", "10,\"\"\"row 10", "10,\"row 10,x\"\""] {
        for (name, table) in [("a.csv", table(bad)), ("b.tsv", table(bad).replace(',', "\t"))] {
            let folder = folder(&[(name, table.as_bytes())]);
            let items: Vec<_> = open(&folder, &[name], &Options::default()).unwrap().collect();
            assert_eq!(items.len(), 10_000, "{bad}");
            for (number, item) in (1..).zip(&items) {
                match item {
                    Ok(document) => assert_eq!(document.text, format!("row {number}"), "{bad}"),
                    Err(unreadable) => {
                        assert_eq!(
                            (number, &*unreadable.reason),
                            (10, "line 11: unclosed quote; close it, or write it twice inside a quoted cell"),
                            "{bad}"
                        );
                    }
                }
            }
        }
    }
}

#[test]
fn quotes_that_another_row_would_close_do_not_swallow_the_rows_between() {
    let folder = folder(&[
        ("a.csv", b"id,text\n1,\"one\n2,two\n3,\"three\"\n4,\"four\nand more\"\n5,\"five \"\"5\"\" \"\n"),
        ("forgiven.csv", b"id,text\n1,a \"quoted\" word\n2,\"so\" to say\n3,\"two\nlines\" \n4,5\"\n"),
        ("wide.csv", b"id,text\n1,a,b\n\n2,\"c\nd\",e\n3\n4,f\n"),
        ("mac.csv", b"id,text\r1,one\r2,\"t\rwo\"\r"),
        ("header.csv", b"id,\"text\n1,one\n"),
        ("end.csv", b"id,text\n1,one\n2,\""),
    ]);
    let options = Options::default();
    insta::assert_snapshot!(all(&folder, &["a.csv"], &options), @r#"
    "a.csv:1" a.csv:1 UNREADABLE line 2: unclosed quote; close it, or write it twice inside a quoted cell
    "2" a.csv:2 "two"
    "3" a.csv:3 "three"
    "4" a.csv:4 "four\nand more"
    "5" a.csv:5 "five \"5\" "
    "#);
    insta::assert_snapshot!(all(&folder, &["forgiven.csv"], &options), @r#"
    "1" forgiven.csv:1 "a \"quoted\" word"
    "2" forgiven.csv:2 "so to say"
    "3" forgiven.csv:3 "two\nlines "
    "4" forgiven.csv:4 "5\""
    "#);
    insta::assert_snapshot!(all(&folder, &["wide.csv"], &options), @r#"
    "wide.csv:1" wide.csv:1 UNREADABLE line 2: the row has 3 cells, expected 2 as in the header
    "wide.csv:2" wide.csv:2 UNREADABLE lines 4 to 5: the row has 3 cells, expected 2 as in the header
    "wide.csv:3" wide.csv:3 UNREADABLE line 6: the row has 1 cell, expected 2 as in the header
    "4" wide.csv:4 "f"
    "#);
    insta::assert_snapshot!(all(&folder, &["mac.csv"], &options), @r#"
    "1" mac.csv:1 "one"
    "2" mac.csv:2 "t\rwo"
    "#);
    insta::assert_snapshot!(all(&folder, &["header.csv"], &options), @r#"
    error: header.csv cannot be read: its header: line 1: unclosed quote; close it, or write it twice inside a quoted cell
    hint: get the file again, or leave it out
    "#);
    insta::assert_snapshot!(all(&folder, &["end.csv"], &options), @r#"
    "1" end.csv:1 "one"
    "end.csv:2" end.csv:2 UNREADABLE line 3: unclosed quote; close it, or write it twice inside a quoted cell
    "#);
}

#[test]
fn limits_come_before_shards() {
    let rows: String = (0..11).map(|row| format!("{{\"id\":{row},\"text\":\"t\"}}\n")).collect();
    let folder = folder(&[("a.jsonl", rows.as_bytes())]);
    let ids = |limit: Option<&str>, shard: Option<&str>| -> Vec<Value> {
        let options = Options {
            limit: limit.map(|limit| limit.parse().unwrap()),
            shard: shard.map(|shard| shard.parse::<Shard>().unwrap()),
            ..Options::default()
        };
        let corpus = open(&folder, &["a.jsonl"], &options).unwrap();
        let most = corpus.progress().documents_at_most();
        let ids: Vec<Value> = corpus.map(|document| document.unwrap().id).collect();
        assert!(most.is_none_or(|most| most >= ids.len() as u64));
        ids
    };
    assert_eq!(ids(Some("3"), None), [json!(0), json!(1), json!(2)]);
    assert_eq!(ids(Some("0.1"), None), [json!(0), json!(1)]);
    assert_eq!(ids(Some("8-20"), None), [json!(8), json!(9), json!(10)]);
    assert_eq!(ids(Some("2:8"), Some("2/3")), [json!(4), json!(7)]);
    assert_eq!(ids(None, Some("3/4")), [json!(2), json!(6), json!(10)]);
    assert_eq!(ids(Some("0"), None), Vec::<Value>::new());
}

#[test]
fn files_that_are_not_selected_are_not_opened() {
    let folder = folder(&[("a.txt", b"A"), ("b.txt", b"\xff"), ("c.txt", b"C"), ("d.jsonl", b"\"D\"\n\"E\"")]);
    let options = Options { shard: Shard::new(1, 2), ..Options::default() };
    let corpus = open(&folder, &[""], &options).unwrap();
    let progress = corpus.progress();
    let texts: Vec<String> = corpus.map(|document| document.unwrap().text).collect();
    assert_eq!(texts, ["A", "C", "E"]);
    assert_eq!(progress.documents_read(), 3);
    assert_eq!(Some(progress.bytes_read()), progress.bytes_total());
}

#[test]
fn what_users_get_wrong_is_said_with_the_fix() {
    let folder = folder(&[
        ("reviews.jsonl", br#"{"title":"t","review":"r"}"#),
        ("log", b"x"),
        ("pdfs/a.pdf", b"x"),
        ("array.jsonl", b"[\n1,\n2\n]\n"),
        ("number.jsonl", b"{\"text\":1}\n"),
        ("bad.parquet", b"PAR1 but no more PAR1"),
        ("short.parquet", b"PAR1"),
    ]);
    let said = |input: &str, options: &Options| all(&folder, &[input], options);
    let options = Options::default();
    insta::assert_snapshot!(said("review.jsonl", &options), @r"
    error: review.jsonl does not exist, expected a file, a folder or a pattern
    hint: did you mean reviews.jsonl?
    ");
    insta::assert_snapshot!(said("nothing/like.it", &options), @"error: nothing/like.it does not exist, expected a file, a folder or a pattern");
    insta::assert_snapshot!(said("log", &options), @r"
    error: cannot tell the format of log from its extension
    hint: these are read: .txt .md .text .html .htm .jsonl .ndjson .json .csv .tsv .tab .parquet, each also with .gz or .zst behind it; anything else can be piped in with `-` for the input
    ");
    insta::assert_snapshot!(said("pdfs", &options), @r"
    error: pdfs holds no text we read (other files: 1), expected at least one
    hint: these are read: .txt .md .text .html .htm .jsonl .ndjson .json .csv .tsv .tab .parquet, each also with .gz or .zst behind it
    ");
    insta::assert_snapshot!(said("*.txt", &options), @r"
    error: no file matches `*.txt`, expected at least one
    hint: `*` stands for a part of one name, `**` for any folders between
    ");
    insta::assert_snapshot!(said("reviews.jsonl", &options), @r"
    error: cannot tell which column of reviews.jsonl holds the text: title, review
    hint: name the column that holds the text with --column NAME
    ");
    insta::assert_snapshot!(said("reviews.jsonl", &with_column("reviw")), @r"
    error: reviews.jsonl has no column `reviw`, expected one of: title, review
    hint: did you mean --column review?
    ");
    insta::assert_snapshot!(said("number.jsonl", &with_column("text")), @r"
    error: column `text` of number.jsonl holds a number, expected text
    hint: name the column that holds the text with --column NAME
    ");
    insta::assert_snapshot!(said("array.jsonl", &options), @r"
    error: array.jsonl cannot be read: its rows hold a number, expected objects or texts
    hint: get the file again, or leave it out
    ");
    insta::assert_snapshot!(said("bad.parquet", &options), @r"
    error: bad.parquet cannot be read: not a whole Parquet file: it is cut short
    hint: get the file again, or leave it out
    ");
    insta::assert_snapshot!(said("short.parquet", &options), @r"
    error: short.parquet cannot be read: not a whole Parquet file: it is cut short
    hint: get the file again, or leave it out
    ");
    insta::assert_snapshot!(all(&folder, &[], &options), @"error: no input was named, expected files, folders, patterns or `-` for standard input");
    insta::assert_snapshot!(all(&folder, &["-", "-"], &options), @"error: `-` stands twice among the inputs, expected once: standard input can be read only once");
    let half = Options { limit: Some(Limit::Fraction(0.5)), ..Options::default() };
    insta::assert_snapshot!(said("-", &half), @r"
    error: the limit 0.5 is a fraction of stdin, a stream that cannot be counted beforehand
    hint: give a count, such as --limit 100, or name a file
    ");
}

#[test]
fn a_corpus_can_be_read_in_another_thread() {
    fn is_send<T: Send + 'static>() {}
    is_send::<Corpus>();
    is_send::<Progress>();
}

/// Gives out rows without end, and counts the bytes that were asked for.
struct Endless(Progress, usize);

impl io::Read for Endless {
    fn read(&mut self, buffer: &mut [u8]) -> io::Result<usize> {
        let row = b"{\"text\":\"The trail to the fall is steep.\"}\n";
        for byte in buffer.iter_mut() {
            *byte = row[self.1 % row.len()];
            self.1 += 1;
        }
        self.0.add_bytes(buffer.len() as u64);
        Ok(buffer.len())
    }
}

#[test]
fn an_endless_corpus_is_read_one_row_at_a_time() {
    let given = Progress::default();
    let input = SharedInput::new(Endless(given.clone(), 0));
    let mut corpus = Corpus::open_with(&["-".to_owned()], &Options::default(), input).unwrap();
    let row_bytes = 43;
    for row in 1..=200_000 {
        assert_eq!(corpus.next().unwrap().unwrap().text, "The trail to the fall is steep.");
        let ahead = given.bytes_read() - row * row_bytes;
        assert!(ahead <= 256 * 1024, "{ahead} bytes were read ahead at row {row}");
    }
}

#[test]
fn compressed_files_cut_to_nothing_are_not_empty_files() {
    let folder =
        folder(&[("a.jsonl.gz", b""), ("b.jsonl.zst", &[0x28, 0xb5]), ("c.txt.gz", &[0x1f]), ("d.parquet.gz", b"")]);
    for name in ["a.jsonl.gz", "b.jsonl.zst", "d.parquet.gz"] {
        let said = all(&folder, &[name], &Options::default());
        assert!(said.starts_with(&format!("error: {name} cannot be read: its compressed data is cut short")), "{said}");
    }
    insta::assert_snapshot!(all(&folder, &["c.txt.gz"], &Options::default()), @r#""c.txt.gz" c.txt.gz UNREADABLE its compressed data is cut short"#);
}

#[test]
fn rows_of_a_damaged_parquet_file_are_counted_where_they_cannot_be_read() {
    let stored: Vec<Option<String>> = (0..5000).map(|row| Some(format!("row {row} {}", row * 7919 % 10007))).collect();
    let mut bytes = properties::parquet_file(&stored, properties::text_columns(&stored).swap_remove(0));
    let middle = bytes.len() / 2;
    bytes[middle..middle + 2000].fill(0xff);
    let folder = folder(&[("a.parquet", &bytes)]);
    let items: Vec<_> = open(&folder, &["a.parquet"], &Options::default()).unwrap().collect();
    let bad: Vec<&Unreadable> = items.iter().filter_map(|item| item.as_ref().err()).collect();
    let read = items.len() - bad.len();
    assert_eq!(bad.len(), 1, "{read} rows were read");
    assert!(bad[0].reason.starts_with(&format!("rows {} to 5000: ", read + 1)), "{}", bad[0].reason);
}

#[test]
fn questions_stand_in_a_column_of_their_own() {
    let stored = [Some("Is it wet?".to_owned()), None];
    let mut table = properties::parquet_file(&stored, properties::text_columns(&stored).swap_remove(0));
    let folder = folder(&[
        ("a.csv", b"id,text,body\n1,Is it wet?,It rains.\n2,,It rains.\n"),
        ("b.jsonl", b"{\"text\":\"Is it dry?\",\"more\":{\"body\":\"It rains.\"}}\n{\"body\":\"x\"}\n"),
        ("c.txt", b"It rains."),
        ("d.parquet", &std::mem::take(&mut table)),
    ]);
    let questions = Options { question: Some("text".to_owned()), ..Options::default() };
    insta::assert_snapshot!(all(&folder, &["a.csv"], &questions), @r#"
    "1" a.csv:1 "Is it wet?" "It rains."
    "2" a.csv:2 UNREADABLE its question is empty
    "#);
    let nested = Options { column: Some("more.body".to_owned()), ..questions.clone() };
    insta::assert_snapshot!(all(&folder, &["b.jsonl"], &nested), @r#"
    "b.jsonl:1" b.jsonl:1 "Is it dry?" "It rains."
    "b.jsonl:2" b.jsonl:2 UNREADABLE no column `text`
    "#);
    insta::assert_snapshot!(all(&folder, &["c.txt"], &questions), @"error: c.txt is one text without columns, expected a table with a column `text`");
    let same = Options { column: Some("text".to_owned()), ..questions };
    insta::assert_snapshot!(all(&folder, &["d.parquet"], &same), @r"
    error: column `text` of d.parquet holds the questions, expected text
    hint: name the column that holds the text with --column NAME
    ");
}
