//! The table of scores by encoding: which elements of the instruction the prompt held, with few and with many examples.
//!
//! Published prediction files say it in their names: `{task}@_{element}_{element}@{examples}_{instances}.json`. A task
//! comes once per encoding, or twice where there are examples: with a few, and with as many as fit. Labels and order of
//! the rows are those of the table in docs/scoring.md.

use super::report::FileScore;
use saydo_metrics::mean::sequential_sum;
use serde::Serialize;
use std::collections::BTreeMap;

const PROMPT: &str = "Prompt";
const DEFINITION: &str = "Definition";
const AVOID: &str = "Things to Avoid";
const EMPHASIS: &str = "Emphasis & Caution";
const POSITIVE: &str = "Positive Examples Full Only";
const NEGATIVE_EXPLAINED: &str = "Negative Examples Full Explanations";
const POSITIVE_EXPLAINED: &str = "Positive Examples Full Explanations";

/// An encoding the authors ran.
struct Known {
    label: &'static str,
    elements: &'static [&'static str],
    /// What the paper prints for GPT-3, over twelve tasks with few examples (its Table 6); its other tables do not
    /// break GPT-3 down by encoding.
    published: Option<f64>,
}

impl Known {
    const fn new(label: &'static str, elements: &'static [&'static str]) -> Self {
        Known { label, elements, published: None }
    }
}

const KNOWN: [Known; 11] = [
    Known::new("prompt", &[PROMPT]),
    Known::new("prompt + definition", &[DEFINITION, PROMPT]),
    Known::new("prompt + things to avoid", &[PROMPT, AVOID]),
    Known::new("prompt + emphasis", &[PROMPT, EMPHASIS]),
    Known::new("prompt + definition + things to avoid + emphasis", &[DEFINITION, PROMPT, AVOID, EMPHASIS]),
    Known::new("pos. examples", &[POSITIVE]),
    Known::new("prompt + pos. examples", &[PROMPT, POSITIVE]),
    Known::new("prompt + definition + pos. examples", &[DEFINITION, PROMPT, POSITIVE]),
    Known {
        label: "full without negative examples",
        elements: &[DEFINITION, PROMPT, AVOID, EMPHASIS, POSITIVE],
        published: Some(0.44),
    },
    Known {
        label: "full",
        elements: &[DEFINITION, PROMPT, AVOID, EMPHASIS, NEGATIVE_EXPLAINED, POSITIVE_EXPLAINED],
        published: Some(0.24),
    },
    Known::new("prompt + negative + positive with explanations", &[PROMPT, NEGATIVE_EXPLAINED, POSITIVE_EXPLAINED]),
];

/// One encoding.
#[derive(Debug, Clone, PartialEq, Serialize)]
pub struct EncodingRow {
    /// Its name in the table; for one that is not there, its elements.
    pub encoding: String,
    /// The elements as the file names have them.
    pub elements: Vec<String>,
    /// Each task with its fewest examples, or none.
    pub small: Cell,
    /// Each task with its most examples, for tasks that come with two numbers of them.
    pub large: Option<Cell>,
    /// What the paper prints for GPT-3, over twelve tasks with few examples.
    pub published: Option<f64>,
}

/// A mean over tasks.
#[derive(Debug, Clone, Copy, PartialEq, Serialize)]
pub struct Cell {
    /// How many tasks.
    pub tasks: usize,
    /// The mean of their scores.
    #[serde(rename = "rougeL")]
    pub rouge_l: f64,
}

impl Cell {
    fn mean(scores: &[f64]) -> Option<Cell> {
        let tasks = scores.len();
        (tasks > 0).then(|| Cell { tasks, rouge_l: sequential_sum(scores) / tasks as f64 })
    }
}

/// The table of the files whose names tell their encoding; files are in the order of their names.
pub(super) fn rows(files: &[FileScore]) -> Vec<EncodingRow> {
    let mut by_elements = BTreeMap::<Vec<String>, BTreeMap<&str, BTreeMap<usize, f64>>>::new();
    for file in files {
        if let Some((elements, examples)) = parse(&file.file) {
            by_elements.entry(elements).or_default().entry(&file.task).or_default().insert(examples, file.rouge_l);
        }
    }
    let mut rows: Vec<_> = by_elements.into_iter().filter_map(|(elements, tasks)| row(elements, &tasks)).collect();
    rows.sort_by_key(|row| known(&row.elements).map_or(KNOWN.len(), |(position, _)| position));
    rows
}

fn row(elements: Vec<String>, tasks: &BTreeMap<&str, BTreeMap<usize, f64>>) -> Option<EncodingRow> {
    let small: Vec<f64> = tasks.values().filter_map(|scores| scores.values().next().copied()).collect();
    let several = tasks.values().filter(|scores| scores.len() > 1);
    let large: Vec<f64> = several.filter_map(|scores| scores.values().next_back().copied()).collect();
    let known = known(&elements).map(|(_, known)| known);
    Some(EncodingRow {
        encoding: known.map_or_else(|| elements.join(" + "), |known| known.label.to_owned()),
        published: known.and_then(|known| known.published),
        elements,
        small: Cell::mean(&small)?,
        large: Cell::mean(&large),
    })
}

fn known(elements: &[String]) -> Option<(usize, &'static Known)> {
    KNOWN.iter().enumerate().find(|(_, known)| known.elements == elements)
}

/// The elements and the number of examples in a file name; none if it does not follow the pattern.
pub(super) fn parse(name: &str) -> Option<(Vec<String>, usize)> {
    let mut parts = name.strip_suffix(".json")?.split('@').skip(1);
    let (elements, counts) = (parts.next()?, parts.next()?);
    let (examples, _instances) = counts.split_once('_')?;
    let elements = elements.split('_').filter(|element| !element.is_empty());
    Some((elements.map(str::to_owned).collect(), examples.parse().ok()?))
}

#[cfg(test)]
mod tests {
    use super::*;

    fn file(task: &str, rest: &str, rouge_l: f64) -> FileScore {
        FileScore {
            file: format!("{task}@{rest}.json"),
            task: task.to_owned(),
            n: 1,
            rouge_l,
            interval: None,
            unscorable: 0,
            repeated: 0,
            strict: None,
            scores: Vec::new(),
        }
    }

    #[test]
    fn a_name_tells_elements_and_examples() {
        let (elements, examples) = parse("t@_Definition_Prompt_Emphasis & Caution@12_100.json").unwrap();
        assert_eq!(elements, ["Definition", "Prompt", "Emphasis & Caution"]);
        assert_eq!(examples, 12);
        for name in ["t.json", "t@_Prompt.json", "t@_Prompt@x_1.json", "t@_Prompt@5.json", "t@_Prompt@0_100.txt"] {
            assert_eq!(parse(name), None, "{name}");
        }
    }

    #[test]
    fn tasks_are_averaged_with_few_and_with_many_examples() {
        let files = [
            file("a", "_Zebra@0_100", 0.75),
            file("a", "_Positive Examples Full Only@3_100", 0.25),
            file("a", "_Positive Examples Full Only@28_100", 0.5),
            file("b", "_Positive Examples Full Only@2_100", 0.75),
            file("a", "_Prompt@0_100", 0.125),
            file("a", "unknown", 1.0),
        ];
        let rows = rows(&files);
        let names: Vec<_> = rows.iter().map(|row| row.encoding.as_str()).collect();
        assert_eq!(names, ["prompt", "pos. examples", "Zebra"]);
        assert_eq!(rows[1].small, Cell { tasks: 2, rouge_l: 0.5 });
        assert_eq!(rows[1].large, Some(Cell { tasks: 1, rouge_l: 0.5 }));
        assert_eq!((rows[0].large, rows[0].published), (None, None));
    }
}
