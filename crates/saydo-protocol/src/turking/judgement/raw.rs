//! The rows of a filled sheet as plain text, from CSV or JSON Lines, before anything in them is understood.

use super::Question;
use crate::text::rows::settle;
use saydo_task::Error;
use saydo_task::node::{Node, Value};
use saydo_task::problem::{Code, Problem};
use saydo_task::reader::{Need, Path, Reader};
use saydo_task::source::Source;

/// A filled row. Cells that are empty, null or not there are empty.
#[derive(Debug, Default, PartialEq)]
pub(super) struct Raw {
    /// Where the row starts.
    pub(super) offset: usize,
    pub(super) item: String,
    pub(super) output: String,
    pub(super) judge: String,
    pub(super) accurate: String,
    pub(super) form_consistent: String,
    pub(super) patterns: String,
    pub(super) note: String,
}

impl Raw {
    /// The cell with the answer to a question.
    pub(super) fn answer(&self, question: Question) -> &str {
        match question {
            Question::Accurate => &self.accurate,
            Question::FormConsistent => &self.form_consistent,
        }
    }

    /// The row from a function that gives the text under a name.
    fn from_cells(offset: usize, mut cell: impl FnMut(&str) -> String) -> Raw {
        Raw {
            offset,
            item: cell("item").trim().to_owned(),
            output: cell("output"),
            judge: cell("judge").trim().to_owned(),
            accurate: cell(Question::Accurate.column()),
            form_consistent: cell(Question::FormConsistent.column()),
            patterns: cell("patterns"),
            note: cell("note"),
        }
    }
}

/// The columns without which a file is no sheet.
const NEEDED: [&str; 3] = ["item", "accurate", "form_consistent"];

/// The rows of a file: CSV if its name says so (`.csv`, `.tsv`, `.txt`), else JSON Lines.
pub(super) fn read(source: &Source) -> Result<Vec<Raw>, Error> {
    let name = source.path.to_string_lossy().to_lowercase();
    let name = name.strip_suffix(".gz").unwrap_or(&name);
    if [".csv", ".tsv", ".txt"].iter().any(|ending| name.ends_with(ending)) {
        read_csv(source)
    } else {
        read_json(source)
    }
}

fn read_csv(source: &Source) -> Result<Vec<Raw>, Error> {
    let mut reader = csv::ReaderBuilder::new()
        .has_headers(false)
        .flexible(true)
        .delimiter(delimiter(&source.text))
        .from_reader(source.text.as_bytes());
    let mut header: Option<Vec<String>> = None;
    let mut rows = Vec::new();
    let mut record = csv::StringRecord::new();
    while reader.read_record(&mut record).map_err(|error| unreadable(source, &error))? {
        let offset = start(source, &record);
        match &header {
            None => header = Some(names(source, &record)?),
            Some(names) => rows.extend(row(source, offset, names, &record)?),
        }
    }
    Ok(rows)
}

/// The sign between cells: spreadsheets write semicolons or tabs in some countries.
fn delimiter(text: &str) -> u8 {
    let header = text.lines().find(|line| !line.trim().is_empty()).unwrap_or_default();
    let count = |sign: &u8| header.bytes().filter(|byte| byte == sign).count();
    [b'\t', b';', b','].into_iter().max_by_key(count).unwrap_or(b',')
}

/// Where a record starts. The reader takes empty lines before it for a part of it.
fn start(source: &Source, record: &csv::StringRecord) -> usize {
    let offset = record.position().map_or(0, |position| position.byte() as usize);
    let rest = source.text.get(offset..).unwrap_or_default();
    offset + rest.len() - rest.trim_start_matches(['\r', '\n']).len()
}

fn unreadable(source: &Source, error: &csv::Error) -> Problem {
    let offset = error.position().map_or(0, |position| position.byte() as usize);
    source.problem(Code::Syntax, offset, "", error.to_string(), "rows of cells")
}

fn names(source: &Source, record: &csv::StringRecord) -> Result<Vec<String>, Problem> {
    let names: Vec<String> = record.iter().map(|cell| cell.trim().to_lowercase()).collect();
    match NEEDED.iter().find(|needed| !names.iter().any(|name| name == *needed)) {
        Some(missing) => {
            let found = format!("no column `{missing}`");
            Err(source.problem(Code::MissingField, start(source, record), "", found, "the header of an exported sheet"))
        }
        None => Ok(names),
    }
}

/// A row, or none if every cell is empty; spreadsheets leave such rows behind.
fn row(source: &Source, offset: usize, names: &[String], record: &csv::StringRecord) -> Result<Option<Raw>, Problem> {
    if record.len() > names.len() {
        let (found, expected) =
            (format!("a row of {} cells", record.len()), format!("{} as in the header", names.len()));
        return Err(source.problem(Code::Syntax, offset, "", found, expected));
    }
    let cell = |name: &str| {
        let column = names.iter().position(|known| known == name);
        column.and_then(|column| record.get(column)).unwrap_or_default().to_owned()
    };
    Ok(record.iter().any(|cell| !cell.trim().is_empty()).then(|| Raw::from_cells(offset, cell)))
}

fn read_json(source: &Source) -> Result<Vec<Raw>, Error> {
    let mut reader = Reader::new(source);
    let mut rows = Vec::new();
    for line in source.lines() {
        let (offset, line) = line?;
        reader.starting_at(offset);
        if let Some(node) = reader.json(line)
            && reader.object(&node, Path::Root).is_some()
        {
            for needed in NEEDED {
                reader.field(&node, Path::Root, needed, Need::Required);
            }
            rows.push(Raw::from_cells(offset, |name| json_cell(&mut reader, &node, name)));
        }
        settle(&mut reader)?;
    }
    Ok(rows)
}

/// The text of a field: truth values become `yes` and `no`, a list of strings is joined by commas.
fn json_cell(reader: &mut Reader<'_>, row: &Node, name: &str) -> String {
    let Some(node) = row.get(name) else { return String::new() };
    let path = Path::Root.key(name);
    match &node.value {
        Value::Null => String::new(),
        Value::Bool(is) => if *is { "yes" } else { "no" }.to_owned(),
        Value::Integer(digits) => digits.clone(),
        Value::Array(_) if name == "patterns" => reader.strings(node, path).join(","),
        _ => reader.string(node, path).unwrap_or_default(),
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use proptest::prelude::*;

    fn rows(name: &str, text: &str) -> Result<Vec<Raw>, String> {
        let source = Source::from_bytes(std::path::Path::new(name), text.as_bytes().to_vec());
        source.and_then(|source| read(&source)).map_err(|error| error.to_string())
    }

    fn cells(name: &str, text: &str) -> Vec<[String; 4]> {
        let rows = rows(name, text).unwrap();
        rows.into_iter().map(|row| [row.item, row.judge, row.accurate, row.form_consistent]).collect()
    }

    #[test]
    fn columns_are_found_by_name_in_any_order_and_dialect() {
        let expected = [["x/1", "Ada", "yes", "no"].map(str::to_owned)];
        for text in [
            "item,judge,accurate,form_consistent\nx/1,Ada,yes,no\n",
            "\u{feff}Form_Consistent ;accurate;judge;more;item\r\nno;yes;Ada;\"a\nb;c\";x/1\r\n;;;;\r\n",
            "item\tjudge\taccurate\tform_consistent\n\n x/1 \t Ada\tyes\tno",
        ] {
            assert_eq!(cells("s.csv", text), expected, "{text}");
        }
        assert_eq!(
            cells(
                "s.jsonl",
                "{\"item\": \"x/1\", \"judge\": \"Ada\", \"accurate\": true, \"form_consistent\": \"no\"}"
            ),
            expected
        );
        assert_eq!(cells("s.csv", "item,accurate,form_consistent\nx"), [["x", "", "", ""].map(str::to_owned)]);
    }

    #[test]
    fn rows_know_where_they_start() {
        let rows = rows("s.csv", "item,accurate,form_consistent\n\n\nx,yes,yes\n\ny,no,no\n").unwrap();
        assert_eq!(rows.iter().map(|row| row.offset).collect::<Vec<_>>(), [32, 43]);
    }

    #[test]
    fn files_that_are_no_sheets_are_placed() {
        let cases = [
            (
                "s.csv",
                "item,accurate\n",
                "s.csv:1:1: no column `form_consistent`, expected the header of an exported sheet",
            ),
            (
                "s.csv",
                "item,accurate,form_consistent\n\nx,yes,no,\n",
                "s.csv:3:1: a row of 4 cells, expected 3 as in the header",
            ),
            (
                "s.jsonl",
                "\n{\"item\": \"x\", \"accurate\": 1}",
                "s.jsonl:2:1: no `form_consistent`, expected this field",
            ),
            (
                "s.jsonl",
                "{\"item\": \"x\", \"accurate\": {}, \"form_consistent\": null}",
                "s.jsonl:1:27: accurate: an object, expected a string",
            ),
        ];
        for (name, text, message) in cases {
            assert_eq!(rows(name, text).unwrap_err(), message);
        }
    }

    proptest! {
        #[test]
        fn any_text_is_read_or_refused(
            text in prop_oneof![any::<String>(), "item,accurate,form_consistent\n[a,;\"\n\r é]{0,40}"],
        ) {
            let _ = rows("s.csv", &text);
            let _ = rows("s.jsonl", &text);
        }
    }
}
