//! Filled sheets read back.
//!
//! A judge may have left rows blank; a row that says something must say it of an output that was exported, once, and
//! without contradicting itself. The first row that does not stops the reading, with its place.

use super::raw::{self, Raw};
use super::{Entries, Question, cell};
use crate::turking::Error;
use saydo_task::problem::{Code, Place, Problem};
use saydo_task::source::Source;
use std::collections::HashSet;

/// One person's judgement of one output.
#[derive(Debug, Clone, PartialEq)]
pub struct Given {
    /// The place of the output in [`Entries::all`].
    pub entry: usize,
    /// Who judged.
    pub judge: String,
    /// Whether the output does what was asked; none if the judge did not say.
    pub accurate: Option<bool>,
    /// Whether it would for some resource; none if the judge did not say.
    pub form_consistent: Option<bool>,
    /// The patterns the judge saw, by name.
    pub patterns: Vec<&'static str>,
    /// What else the judge wrote.
    pub note: String,
    /// Where it stands.
    pub place: Place,
}

impl Given {
    /// The answer to a question.
    pub fn answer(&self, question: Question) -> Option<bool> {
        match question {
            Question::Accurate => self.accurate,
            Question::FormConsistent => self.form_consistent,
        }
    }
}

/// All judgements of a set of outputs.
#[derive(Debug, Clone, PartialEq)]
pub struct Judgements {
    /// Those that were given, file by file.
    pub given: Vec<Given>,
    /// For each output, how many rows answer neither question.
    pub blank: Vec<usize>,
}

impl Judgements {
    /// Reads filled sheets: CSV by the name of the file, else JSON Lines. A row without a judge's name is by the judge the
    /// file is called after.
    ///
    /// Errors name file and line: an item that was not exported, another output than the one exported, a cell with
    /// something else than is asked for, an output called accurate but not consistent in form, a second judgement of an
    /// output by the same judge, and no judgement at all.
    pub fn read(sources: &[Source], entries: &Entries<'_>) -> Result<Judgements, Error> {
        let mut judgements = Judgements { given: Vec::new(), blank: vec![0; entries.all().len()] };
        let mut seen = HashSet::new();
        for source in sources {
            for raw in raw::read(source)? {
                let given = understand(&raw, source, entries).map_err(saydo_task::Error::from)?;
                if Question::ALL.iter().all(|question| given.answer(*question).is_none()) {
                    judgements.blank[given.entry] += 1;
                    continue;
                }
                if !seen.insert((given.entry, given.judge.clone())) {
                    return Err(twice(&raw, source, &given.judge).into());
                }
                judgements.given.push(given);
            }
        }
        if judgements.given.is_empty() { Err(Error::NoJudgement) } else { Ok(judgements) }
    }

    /// What most judges said of each output, in the order of [`Entries::all`]; a tie is a no, and none where nobody said.
    pub fn majority(&self, question: Question) -> Vec<Option<bool>> {
        let mut votes = vec![Vec::new(); self.blank.len()];
        self.given.iter().for_each(|given| votes[given.entry].extend(given.answer(question)));
        votes.iter().map(|votes| majority(votes)).collect()
    }
}

/// What more than half say; a tie is a no, and no votes are none.
pub(super) fn majority(votes: &[bool]) -> Option<bool> {
    (!votes.is_empty()).then(|| 2 * yes(votes) > votes.len())
}

/// How many say yes.
pub(super) fn yes(votes: &[bool]) -> usize {
    votes.iter().filter(|vote| **vote).count()
}

fn understand(raw: &Raw, source: &Source, entries: &Entries<'_>) -> Result<Given, Problem> {
    let wrong = |element: &str, found: String, expected: &str| {
        source.problem(Code::UnknownWord, raw.offset, element, found, expected)
    };
    let entry = entries.position(&raw.item).ok_or_else(|| {
        wrong("item", format!("`{}`", raw.item), "the item of an output that was exported for judgement")
    })?;
    if !is_the_same(&raw.output, entries.all()[entry].output) {
        let expected = "the output this item has now, or no such column";
        return Err(wrong("output", format!("another text for `{}`", raw.item), expected));
    }
    let answer = |question: Question| {
        cell::yes_or_no(raw.answer(question))
            .map_err(|found| wrong(question.column(), format!("`{found}`"), "yes, no or nothing"))
    };
    let (accurate, form_consistent) = (answer(Question::Accurate)?, answer(Question::FormConsistent)?);
    if (accurate, form_consistent) == (Some(true), Some(false)) {
        let expected = "yes, because an accurate output is right for some resource";
        return Err(wrong("form_consistent", "no beside accurate yes".to_owned(), expected));
    }
    let patterns = cell::patterns(&raw.patterns).map_err(|found| {
        wrong("patterns", format!("`{found}`"), &cell::pattern_names().collect::<Vec<_>>().join(", "))
    })?;
    Ok(Given {
        entry,
        judge: if raw.judge.is_empty() { stem(source) } else { raw.judge.clone() },
        accurate,
        form_consistent: form_consistent.or(accurate.filter(|is| *is)),
        patterns,
        note: raw.note.trim().to_owned(),
        place: source.place(raw.offset),
    })
}

/// Whether a cell holds the output, as far as a spreadsheet leaves it alone: white space does not count, nor does the
/// apostrophe that guards a formula. A row without the output is taken at its word.
fn is_the_same(cell: &str, output: &str) -> bool {
    let words = |text: &str| text.split_whitespace().map(str::to_owned).collect::<Vec<_>>();
    let is_output = |text: &str| words(text) == words(output);
    cell.trim().is_empty() || is_output(cell) || cell.trim().strip_prefix('\'').is_some_and(is_output)
}

fn twice(raw: &Raw, source: &Source, judge: &str) -> saydo_task::Error {
    let found = format!("`{}` judged by {judge} again", raw.item);
    source.problem(Code::RepeatedId, raw.offset, "item", found, "one judgement of each output by each judge").into()
}

/// The file's name up to its first dot.
fn stem(source: &Source) -> String {
    let name = source.path.file_name().unwrap_or_default().to_string_lossy();
    name.split('.').next().unwrap_or_default().to_owned()
}

#[cfg(test)]
pub(super) mod tests {
    use super::super::entry::tests::captions;
    use super::super::{Plan, assign};
    use super::*;
    use std::path::Path;

    pub(in crate::turking) fn sheet(name: &str, text: &str) -> Source {
        Source::from_bytes(Path::new(name), text.as_bytes().to_vec()).unwrap()
    }

    /// Reads files of `item,accurate,form_consistent,judge,patterns` rows without their header.
    fn read(files: &[(&str, &str)]) -> Result<Judgements, String> {
        let (gold, outputs) = captions(2, &["- One.", "Two."]);
        let entries = Entries::open(&gold, &outputs).unwrap();
        let file = |(name, rows): &(&str, &str)| {
            sheet(name, &format!("item,accurate,form_consistent,judge,patterns,output\n{rows}"))
        };
        let sources: Vec<Source> = files.iter().map(file).collect();
        Judgements::read(&sources, &entries).map_err(|error| error.to_string())
    }

    #[test]
    fn an_exported_sheet_reads_back_filled_or_not() {
        let (gold, outputs) = captions(2, &["- One.\r\ntwo", "Two."]);
        let entries = Entries::open(&gold, &outputs).unwrap();
        let sheets = assign(&entries, &Plan { per_judge: 3, overlap: 0.0, seed: 0 }).unwrap();
        for sheet_of in &sheets {
            for (name, text) in [("a.csv", sheet_of.csv()), ("a.jsonl", sheet_of.json_lines())] {
                let blank = Judgements::read(&[sheet(name, &text)], &entries).unwrap_err().to_string();
                assert_eq!(blank, "no row is judged, expected yes or no in at least one");
            }
            let filled = sheet_of.csv().replace(",,,,,\n", ",Ada,yes,,,\n").replace(",,,,,", ",Ada,no,no,repeats,x");
            let read = Judgements::read(&[sheet("a.csv", &filled)], &entries).unwrap();
            assert_eq!(read.given.len(), sheet_of.entries.len());
            let filled = sheet_of.json_lines().replace("\"accurate\":null", "\"accurate\":true");
            let read = Judgements::read(&[sheet("bea.jsonl", &filled)], &entries).unwrap();
            assert!(read.given.iter().all(|given| given.judge == "bea" && given.form_consistent == Some(true)));
        }
    }

    #[test]
    fn blank_rows_are_counted_and_names_come_from_the_file() {
        let read = read(&[
            ("x/ada.csv", "turking_snli-r0/nucleus/1,no,yes\nturking_snli-r0/nucleus/2\n"),
            ("bea.csv.gz", "turking_snli-r0/nucleus/1,,no,Cy,repeats\n"),
        ]);
        let read = read.unwrap();
        assert_eq!(read.blank, [0, 1, 0, 0]);
        let given: Vec<_> = read.given.iter().map(|given| (given.judge.as_str(), given.accurate)).collect();
        assert_eq!(given, [("ada", Some(false)), ("Cy", None)]);
        assert_eq!(read.given[1].patterns, ["repeats"]);
        assert_eq!(read.given[1].place.to_string(), "bea.csv.gz:2:1");
    }

    #[test]
    fn a_tie_is_a_no() {
        let one = "turking_snli-r0/nucleus/1";
        let votes = |files: &[(&str, &str)]| read(files).unwrap().majority(Question::Accurate);
        let (yes, no) = (format!("{one},yes,yes\n"), format!("{one},no,no\n"));
        assert_eq!(votes(&[("a.csv", &yes), ("b.csv", &no)]), [Some(false), None, None, None]);
        assert_eq!(votes(&[("a.csv", &yes), ("b.csv", &no), ("c.csv", &yes)])[0], Some(true));
    }

    #[test]
    fn rows_that_cannot_be_used_are_placed() {
        let one = "turking_snli-r0/nucleus/1";
        let cases = [
            (
                "nobody,yes,yes\n".to_owned(),
                "2:1: item: `nobody`, expected the item of an output that was exported for judgement",
            ),
            (format!("\n{one},maybe,yes\n"), "3:1: accurate: `maybe`, expected yes, no or nothing"),
            (
                format!("{one},yes,no"),
                "2:1: form_consistent: no beside accurate yes, expected yes, because an accurate output is right for some resource",
            ),
            (
                format!("{one},no,no,,sad"),
                "2:1: patterns: `sad`, expected repeats-resource, begins-with-resource, repeats-instruction, repeats, \
                 continues-resource, continues-instruction, copies-example, copies-whole-example, copies-part-of-example, forbidden-question, ungrounded-general, \
                 ungrounded-unrelated",
            ),
            (
                format!("{one},no,no,A\n\"{one}\",no,no,A"),
                "3:1: item: `turking_snli-r0/nucleus/1` judged by A again, expected one judgement of each output by each judge",
            ),
            (
                format!("{one},no,no,,,Three."),
                "2:1: output: another text for `turking_snli-r0/nucleus/1`, expected the output this item has now, or no such column",
            ),
        ];
        for (rows, message) in cases {
            assert_eq!(read(&[("a.csv", &rows)]).unwrap_err(), format!("a.csv:{message}"));
        }
        assert!(read(&[("a.csv", &format!("{one},no,no,,,'- One.\n"))]).is_ok());
        let across = read(&[("x/a.csv", &format!("{one},no,no")), ("y/a.csv", &format!("{one},no,no"))]);
        assert!(across.unwrap_err().starts_with("y/a.csv:2:1: item: "));
    }
}
