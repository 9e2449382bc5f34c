//! Which adapter a model is used with: one that the user names, none, or the one that ships with Saydo for it.

use super::fingerprint;
use anyhow::{Context, Result, bail};
use saydo_adapter::Skill;
use saydo_function::Trained;
use saydo_hub::Source;
use saydo_model::adapter::Adapter;
use saydo_task::seen::Seen;
use std::fs;
use std::io::ErrorKind;
use std::path::{Path, PathBuf};

/// What stands behind `--adapter`.
#[derive(Debug, Clone, PartialEq, Eq)]
pub enum AdapterArg {
    /// Bare weights.
    None,
    /// The adapter in a folder.
    Folder(PathBuf),
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

impl AdapterArg {
    /// Reads `none`, or else a path; `./none` is a folder.
    pub fn parse(text: &str) -> Result<Self, String> {
        match text {
            "" => Err("expected a folder, or none".to_owned()),
            "none" => Ok(Self::None),
            folder => Ok(Self::Folder(folder.into())),
        }
    }

    pub(super) fn load(&self) -> Result<Option<Chosen>> {
        let Self::Folder(folder) = self else { return Ok(None) };
        let adapter = Adapter::load(folder)?;
        let read = |name: &str| {
            let path = folder.join(name);
            fs::read(&path).with_context(|| format!("cannot read {}", path.display()))
        };
        let files = [read("adapter_config.json")?, read("adapter_model.safetensors")?];
        let fingerprint = fingerprint::of_adapter([&files[0], &files[1]]);
        let (trained, seen) = (trained(&folder.join(Trained::FILE))?, Seen::load(folder)?);
        Ok(Some(Chosen { adapter, fingerprint, seen, trained }))
    }
}

fn trained(path: &Path) -> Result<Option<Trained>> {
    let bytes = match fs::read(path) {
        Ok(bytes) => bytes,
        Err(error) if error.kind() == ErrorKind::NotFound => return Ok(None),
        Err(error) => return Err(error).with_context(|| format!("cannot read {}", path.display())),
    };
    let trained: Trained = serde_json::from_slice(&bytes).with_context(|| format!("cannot read {}", path.display()))?;
    if !trained.is_current() {
        bail!(
            "the adapter of {} learned wording {}, and this version of saydo asks in wording {}; train it anew, or pass \
             --adapter none",
            path.display(),
            trained.wording,
            Trained::now().wording
        );
    }
    Ok(Some(trained))
}

/// The adapter that ships with Saydo for a model of the catalog and what it is to do. Files and folders have none: what they
/// hold is not known.
pub(super) fn shipped(source: &Source, skill: Skill) -> Result<Option<Chosen>> {
    let Source::Catalog(entry) = source else { return Ok(None) };
    let Some(files) = saydo_adapter::shipped(&entry.sha256, skill) else { return Ok(None) };
    let adapter = Adapter::parse(files.config, files.weights)
        .with_context(|| format!("cannot read the adapter that ships for {}", entry.name))?;
    let (fingerprint, seen) = (fingerprint::of_adapter([files.config, files.weights]), Seen::parse(files.seen));
    let trained = files.function.map(serde_json::from_slice).transpose();
    let trained = trained.with_context(|| format!("cannot read what the adapter of {} learned", entry.name))?;
    Ok(Some(Chosen { adapter, fingerprint, seen, trained }))
}

#[cfg(test)]
mod tests {
    use super::*;
    use saydo_hub::Catalog;
    use saydo_task::Task;
    use saydo_task::dataset::Dataset;

    #[test]
    fn none_is_no_folder() {
        assert_eq!(AdapterArg::parse("none"), Ok(AdapterArg::None));
        assert_eq!(AdapterArg::parse("./none"), Ok(AdapterArg::Folder("./none".into())));
        assert!(AdapterArg::parse("").is_err());
        assert!(AdapterArg::None.load().unwrap().is_none());
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
            let named = AdapterArg::parse(&folder).unwrap().load().unwrap().expect("a folder");
            assert_eq!(shipped_one.fingerprint, named.fingerprint);
            assert_eq!(shipped_one.trained, named.trained);
            // The one for smollm2-135m learned plain prompts.
            assert_eq!(shipped_one.trained.is_some(), name == "qwen2.5-coder-1.5b");
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
        for skill in [Skill::Functions, Skill::Tasks] {
            let tasks = seen("smollm2-135m", skill);
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
        }
        // Of everyday, only the part to learn from was learned.
        let inputs = |part: &str| -> Vec<String> {
            let tasks = Dataset::load(Path::new(part)).unwrap().tasks.into_iter();
            tasks.flat_map(|located| located.task.instances).map(|instance| instance.input).collect()
        };
        let reading = seen("qwen2.5-coder-1.5b", Skill::Functions);
        let learned = inputs("everyday:learn").iter().filter(|input| reading.has_input(input)).count();
        assert!(learned > 1000, "{learned}");
        for part in ["everyday:choose", "everyday:report"] {
            assert!(!inputs(part).iter().any(|input| reading.has_input(input)), "{part}");
        }
    }
}
