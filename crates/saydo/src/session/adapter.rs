//! Which adapter a model is used with: one that the user names, none, or the one that ships with Saydo for it.

use super::fingerprint;
use crate::Error;
use saydo_function::Trained;
use saydo_hub::Source;
use saydo_hub::adapter::Skill;
use saydo_model::adapter::Adapter;
use saydo_task::seen::Seen;
use std::fs;
use std::io::ErrorKind;
use std::path::{Path, PathBuf};
use std::str::FromStr;

/// The adapter that a model is opened with.
#[derive(Debug, Clone, PartialEq, Eq)]
pub enum AdapterChoice {
    /// None: bare weights.
    None,
    /// The one that ships with Saydo for the model and this skill; none if there is none.
    Shipped(Skill),
    /// The one in a folder (PEFT's layout).
    Folder(PathBuf),
}

impl FromStr for AdapterChoice {
    type Err = &'static str;

    /// Reads `none`, or else a path; `./none` is a folder.
    fn from_str(text: &str) -> Result<Self, Self::Err> {
        match text {
            "" => Err("expected a folder, or none"),
            "none" => Ok(Self::None),
            folder => Ok(Self::Folder(folder.into())),
        }
    }
}

/// An adapter, and what tells it from others.
pub(super) struct Chosen {
    pub adapter: Adapter,
    pub fingerprint: String,
    /// What it has learned; `None` if it carries no record.
    pub seen: Option<Seen>,
    /// What it has learned of functions, if anything.
    pub trained: Option<Trained>,
}

impl AdapterChoice {
    pub(super) fn load(&self, source: &Source) -> Result<Option<Chosen>, Error> {
        match self {
            Self::None => Ok(None),
            Self::Shipped(skill) => shipped(source, *skill),
            Self::Folder(folder) => of_folder(folder).map(Some),
        }
    }
}

fn of_folder(folder: &Path) -> Result<Chosen, Error> {
    let adapter = Adapter::load(folder)?;
    let read = |name: &str| {
        let path = folder.join(name);
        fs::read(&path).map_err(|source| Error::Read { path, source })
    };
    let files = [read("adapter_config.json")?, read("adapter_model.safetensors")?];
    let fingerprint = fingerprint::of_adapter([&files[0], &files[1]]);
    let (trained, seen) = (trained(&folder.join(Trained::FILE))?, Seen::load(folder)?);
    Ok(Chosen { adapter, fingerprint, seen, trained })
}

/// What an adapter's folder says of functions; none if it says nothing.
fn trained(path: &Path) -> Result<Option<Trained>, Error> {
    let bytes = match fs::read(path) {
        Ok(bytes) => bytes,
        Err(error) if error.kind() == ErrorKind::NotFound => return Ok(None),
        Err(source) => return Err(Error::Read { path: path.to_owned(), source }),
    };
    let trained: Trained =
        serde_json::from_slice(&bytes).map_err(|source| Error::BadTrained { path: path.to_owned(), source })?;
    if !trained.is_current() {
        return Err(Error::OtherWording {
            path: path.to_owned(),
            learned: trained.wording,
            current: Trained::now().wording,
        });
    }
    Ok(Some(trained))
}

/// The adapter that ships with Saydo for a model of the catalog and what it is to do. Files and folders have none: what they
/// hold is not known.
fn shipped(source: &Source, skill: Skill) -> Result<Option<Chosen>, Error> {
    let Source::Catalog(entry) = source else { return Ok(None) };
    let Some(files) = saydo_hub::adapter::shipped(&entry.sha256, skill) else { return Ok(None) };
    let adapter = Adapter::parse(files.config, files.weights)
        .map_err(|source| Error::ShippedAdapter { model: entry.name.clone(), source: source.into() })?;
    let (fingerprint, seen) = (fingerprint::of_adapter([files.config, files.weights]), Seen::parse(files.seen));
    let trained = files.function.map(serde_json::from_slice).transpose();
    let trained =
        trained.map_err(|source| Error::ShippedAdapter { model: entry.name.clone(), source: Box::new(source) })?;
    Ok(Some(Chosen { adapter, fingerprint, seen, trained }))
}

#[cfg(test)]
mod tests {
    use super::*;
    use saydo_hub::Catalog;
    use saydo_task::Task;
    use saydo_task::dataset::Dataset;

    #[test]
    fn no_adapter_is_a_choice() {
        let source = Source::parse("qwen2.5-coder-1.5b", &Catalog::built_in()).unwrap();
        assert!(AdapterChoice::None.load(&source).unwrap().is_none());
    }

    #[test]
    fn the_default_model_has_the_adapters_that_are_in_the_repository() {
        let catalog = Catalog::built_in();
        let source = |name: &str| Source::parse(name, &catalog).unwrap();
        for (skill, model, name) in [
            (Skill::Functions, "smollm2-135m", "smollm2-135m"),
            (Skill::Functions, "qwen2.5-coder-1.5b", "qwen2.5-coder-1.5b"),
            (Skill::Tasks, "smollm2-135m", "smollm2-135m-tasks"),
        ] {
            let shipped_one = shipped(&source(model), skill).unwrap().expect("it ships");
            let folder = format!("{}/../../adapters/{name}", env!("CARGO_MANIFEST_DIR"));
            let named = of_folder(Path::new(&folder)).unwrap();
            assert_eq!(shipped_one.fingerprint, named.fingerprint);
            assert_eq!(shipped_one.trained, named.trained);
            assert_eq!(shipped_one.trained.is_some(), skill == Skill::Functions);
            assert!(shipped_one.trained.is_none_or(|trained| trained.is_current()));
            assert_eq!(shipped_one.adapter.layers.len(), named.adapter.layers.len());
            assert!(shipped(&source("gemma3-270m"), skill).unwrap().is_none());
            assert!(shipped(&Source::Path("model.gguf".into()), skill).unwrap().is_none());
        }
    }

    #[test]
    fn what_ships_says_what_it_learned() {
        let seen = |model: &str, skill| {
            let source = Source::parse(model, &Catalog::built_in()).unwrap();
            let seen = shipped(&source, skill).unwrap().expect("it ships").seen.expect("a record that can be read");
            assert!(seen.is_complete, "{model}");
            seen
        };
        let task = |id: &str| Task { id: id.to_owned(), ..Task::default() };
        let tasks = seen("smollm2-135m", Skill::Tasks);
        // The tasks made of QASC: five were learned, two are the paper's evaluation tasks.
        for learned in [
            "subtask036_qasc_topic_word_to_generate_related_fact",
            "subtask037_qasc_generate_related_fact",
            "subtask038_qasc_combined_fact",
            "subtask041_qasc_answer_generation",
            "subtask042_qasc_incorrect_option_generation",
        ] {
            assert!(tasks.has_task(&task(learned)), "{learned}");
        }
        for unseen in ["subtask039_qasc_find_overlapping_words", "subtask040_qasc_question_generation"] {
            assert!(!tasks.has_task(&task(unseen)), "{unseen}");
        }
        // Of everyday, only the part to learn from was learned.
        let inputs = |part: &str| -> Vec<String> {
            let tasks = Dataset::load(Path::new(part)).unwrap().tasks.into_iter();
            tasks.flat_map(|located| located.task.instances).map(|instance| instance.input).collect()
        };
        for model in ["qwen2.5-coder-1.5b", "smollm2-135m"] {
            let reading = seen(model, Skill::Functions);
            let learned = inputs("everyday:learn").iter().filter(|input| reading.has_input(input)).count();
            assert!(learned > 1000, "{learned}");
            for part in ["everyday:choose", "everyday:report"] {
                assert!(!inputs(part).iter().any(|input| reading.has_input(input)), "{model}: {part}");
            }
        }
    }
}
