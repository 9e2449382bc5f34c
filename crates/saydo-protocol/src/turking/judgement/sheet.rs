//! A sheet for a judge to fill in, as CSV for a spreadsheet or as JSON Lines.

use super::Entry;
use serde::Serialize;

/// The columns of a sheet, in order. The judge fills in those after `output`.
pub const COLUMNS: [&str; 10] =
    ["item", "task", "instruction", "resource", "output", "judge", "accurate", "form_consistent", "patterns", "note"];

/// What one judge is to judge.
#[derive(Debug, Clone, PartialEq)]
pub struct Sheet<'e> {
    /// The name the sheet goes by: a file called so needs no name in its `judge` column.
    pub judge: String,
    /// The outputs, in the order they are to be judged.
    pub entries: Vec<&'e Entry<'e>>,
}

impl Sheet<'_> {
    /// The sheet as CSV with a header. A byte order mark makes spreadsheets read it as UTF-8, and a cell that one would
    /// take for a formula has an apostrophe in front.
    pub fn csv(&self) -> String {
        let mut writer = csv::Writer::from_writer(Vec::new());
        let mut write = |cells: &[String]| writer.write_record(cells).expect("memory takes every row");
        write(&COLUMNS.map(str::to_owned));
        for entry in &self.entries {
            let shown =
                [&entry.id, entry.kind().id(), entry.instruction, &entry.item.instruction.resource, entry.output];
            let cells: Vec<String> = shown.map(guarded).into_iter().chain(vec![String::new(); 5]).collect();
            write(&cells);
        }
        let bytes = writer.into_inner().expect("memory takes every row");
        format!("\u{feff}{}", String::from_utf8(bytes).expect("cells are text"))
    }

    /// The sheet as JSON Lines, an object with the same names for each output; what is to be filled in is null.
    pub fn json_lines(&self) -> String {
        let line = |entry: &&Entry<'_>| serde_json::to_string(&Row::new(entry)).expect("a row is plain JSON") + "\n";
        self.entries.iter().map(line).collect()
    }
}

/// A row to fill in.
#[derive(Serialize)]
struct Row<'a> {
    item: &'a str,
    task: &'a str,
    instruction: &'a str,
    resource: &'a str,
    output: &'a str,
    judge: (),
    accurate: (),
    form_consistent: (),
    patterns: (),
    note: (),
}

impl<'a> Row<'a> {
    fn new(entry: &'a Entry<'a>) -> Self {
        let resource = &entry.item.instruction.resource;
        let (item, task, instruction) = (&entry.id, entry.kind().id(), entry.instruction);
        let (judge, accurate, form_consistent, patterns, note) = ((), (), (), (), ());
        Row {
            item,
            task,
            instruction,
            resource,
            output: entry.output,
            judge,
            accurate,
            form_consistent,
            patterns,
            note,
        }
    }
}

/// The cell as a spreadsheet shows it rather than computes it.
fn guarded(cell: &str) -> String {
    if cell.starts_with(['=', '+', '-', '@', '\t', '\r']) { format!("'{cell}") } else { cell.to_owned() }
}

#[cfg(test)]
mod tests {
    use super::super::Entries;
    use super::super::entry::tests::captions;
    use super::*;

    #[test]
    fn csv_opens_in_a_spreadsheet() {
        let (gold, outputs) = captions(1, &["=1+1", "He said \"no\",\nthen left."]);
        let entries = Entries::new(&gold, &outputs, |kind| kind.has_gold()).unwrap();
        let text = Sheet { judge: "a".to_owned(), entries: entries.all().iter().collect() }.csv();
        insta::assert_snapshot!(text.strip_prefix('\u{feff}').unwrap(), @r#"
        item,task,instruction,resource,output,judge,accurate,form_consistent,patterns,note
        turking_nouns-r0/nucleus/1,turking_nouns,"List all the nouns of the sentence ""A boat, number 0."".","A boat, number 0.",'=1+1,,,,,
        turking_nouns-r0/nucleus/2,turking_nouns,"List all the nouns of the sentence ""A boat, number 0."".","A boat, number 0.","He said ""no"",
        then left.",,,,,
        "#);
    }

    #[test]
    fn json_lines_have_the_same_names_in_the_same_order() {
        let (gold, outputs) = captions(1, &["=1+1"]);
        let entries = Entries::open(&gold, &outputs).unwrap();
        let text = Sheet { judge: "a".to_owned(), entries: entries.all().iter().collect() }.json_lines();
        let row: serde_json::Map<String, serde_json::Value> = serde_json::from_str(text.trim_end()).unwrap();
        assert_eq!(row.keys().collect::<Vec<_>>(), COLUMNS);
        assert_eq!((row["output"].as_str(), row["accurate"].is_null()), (Some("=1+1"), true));
    }
}
