//! Instances of a task from the columns of a table: Natural Instructions' own tasks were made so, from the annotations of
//! published datasets.

use crate::output;
use anyhow::{Context, Result, bail};
use saydo_corpus::table;
use saydo_task::{AnswerKind, AnswerSpec, Instance, Task};
use serde_json::{Map, Value};
use std::collections::BTreeMap;
use std::path::{Path, PathBuf};

/// How rows become instances.
#[derive(clap::Args)]
pub(super) struct TableArgs {
    /// With `--from table`: input of an instance; {COLUMN} stands for a row's value, {{ and }} for braces, \n for a line end
    #[arg(long, value_name = "TEMPLATE")]
    input: Option<String>,

    /// With `--from table`: output of an instance, likewise
    #[arg(long, value_name = "TEMPLATE")]
    output: Option<String>,

    /// With `--from table`: what to do, in full
    #[arg(long, value_name = "TEXT")]
    definition: Option<String>,

    /// With `--from table`: id of the task (default: the file's name)
    #[arg(long, value_name = "ID")]
    task: Option<String>,

    /// With `--from table`: write this output as another, such as 0=entailment; repeatable
    #[arg(long, value_name = "FROM=TO")]
    map: Vec<String>,

    /// With `--from table`: skip rows with an output that no --map names
    #[arg(long, requires = "map")]
    only_mapped: bool,

    /// With `--from table`: the different outputs are the task's labels
    #[arg(long)]
    labels: bool,

    /// With `--from table`: print the first N instances and what would be dropped, and write nothing
    #[arg(long, value_name = "N", num_args = 0..=1, default_missing_value = "3")]
    pub(super) preview: Option<usize>,
}

/// A task made of tables, and what became of the rows.
pub(super) struct Made {
    pub task: Task,
    /// How many rows were read.
    pub rows: usize,
    /// How many rows were dropped for each reason.
    pub dropped: BTreeMap<String, usize>,
    /// The first row that was dropped for each reason.
    pub first: BTreeMap<String, String>,
}

impl TableArgs {
    /// Whether anything is said that only tables have.
    pub(super) fn is_used(&self) -> bool {
        let texts = [&self.input, &self.output, &self.definition, &self.task];
        texts.iter().any(|text| text.is_some()) || !self.map.is_empty() || self.labels || self.preview.is_some()
    }
}

impl Made {
    /// Says what became of the rows.
    pub(super) fn tell(&self) {
        let (rows, kept) = (self.rows, self.task.instances.len());
        output::note(&format!("{kept} instances from {rows} rows, {} dropped", rows - kept));
        for (reason, count) in &self.dropped {
            output::note(&format!("  {count}: {reason} (first: {})", self.first[reason]));
        }
        if self.task.definition.is_none() {
            output::note("the task has no description; add one with --definition, or in the file");
        }
    }

    /// Prints the first instances.
    pub(super) fn preview(&self, count: usize) -> Result<()> {
        let shown = self.task.instances.iter().take(count).enumerate();
        let text: String = shown
            .map(|(number, instance)| {
                format!(
                    "=== instance {}\ninput: {}\noutput: {}\n",
                    number + 1,
                    instance.input,
                    instance.outputs.join(" | ")
                )
            })
            .collect();
        output::print(&text)
    }
}

/// More labels than this are hardly labels.
const MOST_LABELS: usize = 100;

pub(super) fn task(inputs: &[PathBuf], args: &TableArgs) -> Result<Made> {
    let (Some(input), Some(output)) = (&args.input, &args.output) else {
        bail!("--from table needs --input and --output, such as --input \"{{premise}}\" --output \"{{label}}\"");
    };
    let (input, output) = (Template::parse(input, "--input")?, Template::parse(output, "--output")?);
    let named = inputs.first().and_then(|path| path.file_name()).map(|name| name.to_string_lossy().into_owned());
    let id = args.task.clone().or(named.map(|name| name.split('.').next().unwrap_or_default().to_owned()));
    let maps = maps(&args.map)?;
    let mut made = Made { task: Task::default(), rows: 0, dropped: BTreeMap::new(), first: BTreeMap::new() };
    for path in inputs {
        read(path, [&input, &output], (&maps, args.only_mapped), &mut made)?;
    }
    if made.task.instances.is_empty() {
        let reasons: Vec<String> = made.dropped.iter().map(|(reason, count)| format!("{reason}: {count}")).collect();
        let reasons = if reasons.is_empty() { "there are no rows".to_owned() } else { reasons.join("; ") };
        let names: Vec<String> = inputs.iter().map(|path| path.display().to_string()).collect();
        bail!("no row of {} gives an instance ({reasons})", names.join(", "));
    }
    made.task.id = id.unwrap_or_default();
    made.task.definition = args.definition.clone();
    if args.labels {
        made.task.answer = Some(labels(&made.task)?);
    }
    Ok(made)
}

fn read(
    path: &Path,
    [input, output]: [&Template; 2],
    (maps, only_mapped): (&BTreeMap<String, String>, bool),
    made: &mut Made,
) -> Result<()> {
    let mut is_checked = false;
    for (number, row) in table(path)? {
        made.rows += 1;
        let result = row.and_then(|row| {
            // A column that the first row lacks is a typing error, not a thousand dropped rows.
            if !is_checked {
                is_checked = true;
                let missing =
                    [input, output].into_iter().flat_map(Template::columns).find(|name| !row.contains_key(*name));
                if let Some(name) = missing {
                    return Ok(Err((name.to_owned(), row.keys().cloned().collect::<Vec<_>>())));
                }
            }
            let text = output.fill(&row)?;
            let text = match (maps.get(text.trim()), only_mapped) {
                (Some(mapped), _) => mapped.clone(),
                (None, true) => return Err("an output that no --map names".to_owned()),
                (None, false) => text,
            };
            Ok(Ok(Instance { outputs: vec![text], ..Instance::unlabelled(input.fill(&row)?) }))
        });
        match result {
            Ok(Ok(instance)) => made.task.instances.push(instance),
            Ok(Err((name, columns))) => {
                bail!("{} has no column `{name}`, expected one of {}", path.display(), columns.join(", "))
            }
            Err(reason) => {
                made.first.entry(reason.clone()).or_insert_with(|| format!("{}:{number}", path.display()));
                *made.dropped.entry(reason).or_default() += 1;
            }
        }
    }
    Ok(())
}

fn maps(given: &[String]) -> Result<BTreeMap<String, String>> {
    let one = |text: &String| {
        let (from, to) = text.split_once('=').with_context(|| format!("--map {text:?}: expected FROM=TO"))?;
        Ok((from.trim().to_owned(), to.trim().to_owned()))
    };
    given.iter().map(one).collect()
}

fn labels(task: &Task) -> Result<AnswerSpec> {
    let mut labels: Vec<String> = task.instances.iter().flat_map(|instance| instance.outputs.clone()).collect();
    labels.sort();
    labels.dedup();
    match labels.len() {
        2..=MOST_LABELS => Ok(AnswerSpec { kind: AnswerKind::Label(labels), na: None }),
        found => {
            bail!("--labels: the outputs have {found} different values, expected 2 to {MOST_LABELS}; remove --labels")
        }
    }
}

/// A text with places for columns.
struct Template(Vec<Piece>);

enum Piece {
    Text(String),
    Column(String),
}

impl Template {
    fn parse(text: &str, flag: &str) -> Result<Self> {
        let mut pieces = Vec::new();
        let mut plain = String::new();
        let mut rest = text.chars().peekable();
        while let Some(c) = rest.next() {
            match c {
                '{' | '}' if rest.peek() == Some(&c) => plain.extend(rest.next()),
                '\\' if rest.peek() == Some(&'n') => {
                    rest.next();
                    plain.push('\n');
                }
                '{' => {
                    let name: String = rest.by_ref().take_while(|c| *c != '}').collect();
                    if name.trim().is_empty() || !text.contains(&format!("{{{name}}}")) {
                        bail!("{flag} {text:?}: expected {{COLUMN}}, and {{{{ for a brace");
                    }
                    pieces.push(Piece::Text(std::mem::take(&mut plain)));
                    pieces.push(Piece::Column(name.trim().to_owned()));
                }
                '}' => bail!("{flag} {text:?}: a closing brace without an opening one, expected }}}} for a brace"),
                c => plain.push(c),
            }
        }
        pieces.push(Piece::Text(plain));
        let template = Self(pieces);
        if template.columns().next().is_none() {
            bail!("{flag} {text:?} names no column, expected {{COLUMN}} in it");
        }
        Ok(template)
    }

    fn columns(&self) -> impl Iterator<Item = &str> {
        self.0.iter().filter_map(|piece| match piece {
            Piece::Column(name) => Some(name.as_str()),
            Piece::Text(_) => None,
        })
    }

    /// The text for a row, or why there is none.
    fn fill(&self, row: &Map<String, Value>) -> Result<String, String> {
        let mut filled = String::new();
        for piece in &self.0 {
            match piece {
                Piece::Text(text) => filled += text,
                Piece::Column(name) => match row.get(name) {
                    Some(Value::String(text)) if !text.trim().is_empty() => filled += text,
                    Some(value @ (Value::Number(_) | Value::Bool(_))) => filled += &value.to_string(),
                    Some(Value::String(_) | Value::Null) | None => return Err(format!("column `{name}` is empty")),
                    Some(Value::Array(_) | Value::Object(_)) => {
                        return Err(format!("column `{name}` holds a list or an object"));
                    }
                },
            }
        }
        Ok(filled)
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use serde_json::json;

    fn filled(template: &str, row: Value) -> Result<String, String> {
        let template = Template::parse(template, "--input").map_err(|error| error.to_string())?;
        template.fill(row.as_object().unwrap())
    }

    #[test]
    fn columns_are_filled_in_and_braces_are_kept() {
        let row = json!({"a": "x", "n b": 3, "e": " ", "l": []});
        assert_eq!(filled("A {a}\\nB { n b } {{a}}", row.clone()).as_deref(), Ok("A x\nB 3 {a}"));
        assert_eq!(filled("{e}", row.clone()), Err("column `e` is empty".to_owned()));
        assert_eq!(filled("{l}", row.clone()), Err("column `l` holds a list or an object".to_owned()));
        for bad in ["no column", "{a", "{}", "a} {a}"] {
            assert!(filled(bad, row.clone()).unwrap_err().starts_with("--input"), "{bad}");
        }
    }
}
