//! What `saydo eval reading`, `everyday` and `suite` ask: sources from `--data`, or one of the two fixed sets.

use super::{Settings, data};
use crate::Error;
use crate::session::Places;
use saydo_protocol::plan::Source;
use saydo_task::Task;
use saydo_task::dataset::Dataset;
use saydo_task::reading::{Questions, Style, drawn_tasks, read, sets};
use saydo_task::split::Split;
use saydo_task::{everyday, source};
use serde::Deserialize;
use std::path::{Path, PathBuf};

/// Gold answers of our own to questions over `examples/parks`.
const PARKS: &str = include_str!("../../../shipped/parks.json");
const ZEST_DEV: &str = include_str!("../../../shipped/zest-dev.jsonl");

/// What `saydo eval everyday` asks where nothing is said.
const OWN: &str = "everyday:report";

/// A fixed set of sources.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Deserialize)]
#[serde(rename_all = "kebab-case")]
pub enum Set {
    /// To choose recipes, prompts and thresholds by.
    Choose,
    /// To report on, once, at the end.
    Report,
}

impl Set {
    /// The word for it.
    pub fn name(self) -> &'static str {
        match self {
            Set::Choose => "choose",
            Set::Report => "report",
        }
    }
}

/// The sources that are asked, and what is to be said about them.
pub(super) fn sources(args: &Settings, places: &Places) -> Result<(Vec<Source>, Vec<String>), Error> {
    let (mut sources, notes) = match args.protocol.as_str() {
        "suite" => suite(args, places)?,
        _ => (given(args)?, Vec::new()),
    };
    if let Some(split) = &args.split {
        let all: Vec<Task> = sources.iter().flat_map(|source| source.tasks.iter().cloned()).collect();
        let side = data::on_side(&Split::named(split, &all)?, args.on)?;
        for source in &mut sources {
            source.tasks.retain(|task| side.contains(&task.id));
            if let Some(limit) = args.limit.filter(|_| args.protocol != "suite") {
                source.tasks = drawn_tasks(std::mem::take(&mut source.tasks), limit, args.model.seed, &source.name);
            }
        }
    }
    if !args.tasks.is_empty() {
        data::check_ids(&args.tasks, sources.iter().flat_map(|source| &source.tasks))?;
        for source in &mut sources {
            source.tasks.retain(|task| args.tasks.iter().any(|wanted| task.id.starts_with(wanted.as_str())));
        }
    }
    if args.paraphrases {
        for source in &mut sources {
            source.tasks = std::mem::take(&mut source.tasks).into_iter().flat_map(Task::wordings).collect();
        }
    }
    sources.retain(|source| !source.tasks.is_empty());
    if sources.is_empty() {
        return Err(Error::unfit("nothing is left to ask", "--data and --tasks to have something in common"));
    }
    Ok((sources, notes))
}

/// What is asked, as a run's record names it.
pub(super) fn names(args: &Settings) -> Vec<String> {
    match (args.set, &args.data[..]) {
        (Some(set), _) => vec![set.name().to_owned()],
        (None, []) => vec![OWN.to_owned()],
        (None, data) => super::data::names(data),
    }
}

fn given(args: &Settings) -> Result<Vec<Source>, Error> {
    let own = [PathBuf::from(OWN)];
    let data = match (&args.data[..], args.protocol.as_str()) {
        ([], "everyday") => &own[..],
        ([], _) => {
            let expected = "--data FILE: SQuAD's JSON, JSON Lines, tasks, or a name such as everyday:choose";
            return Err(Error::unfit("no data", expected));
        }
        (data, _) => data,
    };
    // A split is that of all tasks, whatever is asked of them: rows are drawn from its side.
    let limit = args.limit.filter(|_| args.split.is_none()).unwrap_or(usize::MAX);
    data.iter().map(|path| open(path, &name_of(path), limit, args.model.seed)).collect()
}

/// A file's name without folders and extensions, or the name of data that ships inside.
fn name_of(path: &Path) -> String {
    let text = path.to_string_lossy();
    if everyday::is_name(&text) {
        return text.into_owned();
    }
    let name = path.file_name().unwrap_or_default().to_string_lossy().into_owned();
    let name = name.strip_suffix(".gz").unwrap_or(&name);
    name.rsplit_once('.').map_or(name, |(stem, _)| stem).to_owned()
}

/// A source of tasks, or of rows with a question each.
fn open(path: &Path, name: &str, limit: usize, seed: u64) -> Result<Source, Error> {
    match Dataset::load(path) {
        Ok(dataset) => {
            let tasks = dataset.tasks.into_iter().map(|located| located.task).collect();
            Ok(of_tasks(name, tasks, limit, seed))
        }
        Err(not_tasks) => {
            let questions = source::Source::load(path).and_then(|source| read(&source));
            let questions = questions.map_err(|error| if is_of_rows(path) { error } else { not_tasks })?;
            Ok(of_questions(name, questions, limit, seed))
        }
    }
}

/// Whether a file can hold rows rather than tasks.
fn is_of_rows(path: &Path) -> bool {
    let name = path.to_string_lossy();
    let name = name.strip_suffix(".gz").unwrap_or(&name);
    name.ends_with(".json") || name.ends_with(".jsonl")
}

fn of_tasks(name: &str, tasks: Vec<Task>, limit: usize, seed: u64) -> Source {
    // What states its kind of answer has sets; ZEST's files have alternatives.
    let style = if tasks.iter().any(|task| task.answer.is_some()) { Style::Set } else { Style::Alternatives };
    Source::new(name, style, drawn_tasks(tasks, limit, seed, name))
}

fn of_questions(name: &str, questions: Questions, limit: usize, seed: u64) -> Source {
    let questions = questions.drawn(limit, seed, name);
    Source::new(name, questions.style, questions.tasks(name))
}

fn suite(args: &Settings, places: &Places) -> Result<(Vec<Source>, Vec<String>), Error> {
    let Some(set) = args.set else { return Err(Error::unfit("no set", "--set choose or --set report")) };
    let folder = match &args.data_dir {
        Some(folder) => folder.clone(),
        None => places.home.data(),
    };
    let (mut sources, mut notes) = (Vec::new(), Vec::new());
    for entry in sets::parts(set.name()) {
        let limit = args.limit.unwrap_or(entry.limit);
        let seed = args.model.seed;
        let path = folder.join(&entry.data);
        let is_file = !everyday::is_name(&entry.data) && !entry.data.starts_with("built-in:");
        if is_file && !path.exists() {
            notes.push(format!("{} is left out: no {}; see --data-dir", entry.name, path.display()));
            continue;
        }
        let source = match entry.data.as_str() {
            "built-in:parks" => of_tasks(&entry.name, built_in("parks.json", PARKS)?, limit, seed),
            "built-in:zest-dev" => of_tasks(&entry.name, built_in("dev.jsonl", ZEST_DEV)?, limit, seed),
            data if everyday::is_name(data) => open(Path::new(data), &entry.name, limit, seed)?,
            _ => match Dataset::load(&path) {
                Ok(_) => open(&path, &entry.name, limit, seed)?,
                Err(_) => of_questions(&entry.name, entry.of(read(&source::Source::load(&path)?)?), limit, seed),
            },
        };
        if source.tasks.is_empty() {
            let found = format!("{}: none of its rows are in {}", entry.name, path.display());
            return Err(Error::unfit(found, "the file that data/reading/sets.toml names"));
        }
        sources.push(source);
    }
    Ok((sources, notes))
}

fn built_in(name: &str, text: &str) -> Result<Vec<Task>, Error> {
    let source = source::Source::from_bytes(Path::new(name), text.as_bytes().to_vec())?;
    Ok(saydo_task::format::Format::read_any(&source)?.1.into_tasks()?)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn the_parks_have_gold_of_every_kind() {
        let tasks = built_in("parks.json", PARKS).unwrap();
        let kinds: std::collections::BTreeSet<&str> =
            tasks.iter().map(|task| task.answer.as_ref().unwrap().kind.name()).collect();
        assert_eq!((tasks.len(), kinds.len()), (12, 4));
        let folder = Path::new(env!("CARGO_MANIFEST_DIR")).join("../../examples/parks");
        let texts: Vec<String> = std::fs::read_dir(folder)
            .unwrap()
            .map(|entry| std::fs::read_to_string(entry.unwrap().path()).unwrap())
            .collect();
        for task in &tasks {
            assert_eq!(task.instances.len(), texts.len());
            assert!(task.instances.iter().all(|instance| texts.contains(&instance.input)), "{}", task.id);
        }
    }
}
