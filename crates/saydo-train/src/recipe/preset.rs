//! Recipes in files: the papers' own, which are part of the program, and any other TOML file of settings. What a user gives
//! beside one wins; what a file does not say is as without it.

use super::Recipe;
use crate::Error;
use serde::{Deserialize, Deserializer, Serialize, Serializer, de};
use std::path::{Path, PathBuf};
use std::str::FromStr;
use toml::Value;

/// The papers' recipes, by name.
const BUILT_IN: [(&str, &str); 3] = [
    ("natural-instructions", include_str!("../../presets/natural-instructions.toml")),
    ("zest-bart", include_str!("../../presets/zest-bart.toml")),
    ("zest-t5", include_str!("../../presets/zest-t5.toml")),
];

/// A recipe from a file, with the layouts it is for. In files it is the name of a built-in one, or a path.
#[derive(Debug, Clone, PartialEq)]
pub struct Preset {
    /// The name or path.
    pub name: String,
    /// Names of prompt layouts; none if the file says none.
    pub layout: Vec<String>,
    /// What it says; nothing of other presets.
    pub recipe: Box<Recipe>,
}

impl Preset {
    /// The names of the built-in ones.
    pub fn names() -> [&'static str; BUILT_IN.len()] {
        BUILT_IN.map(|(name, _)| name)
    }

    /// The built-in preset of a name, or the one in the file of this path.
    pub fn load(name: &str) -> Result<Self, Error> {
        let built_in = BUILT_IN.iter().find(|(known, _)| *known == name);
        let text = match built_in {
            Some((_, text)) => (*text).to_owned(),
            None if Path::new(name).extension().is_some_and(|extension| extension == "toml") => {
                std::fs::read_to_string(name).map_err(|source| Error::ReadPreset { path: name.into(), source })?
            }
            None => return Err(Error::NoPreset { name: name.to_owned(), known: Self::names().join(", ") }),
        };
        Self::parse(name, &text)
            .map_err(|source| Error::BadPreset { path: PathBuf::from(name), source: Box::new(source) })
    }

    fn parse(name: &str, text: &str) -> Result<Self, toml::de::Error> {
        let mut table: toml::Table = text.parse()?;
        let layout = match table.remove("layout") {
            None => Vec::new(),
            Some(Value::String(layout)) => vec![layout],
            Some(layouts) => layouts.try_into()?,
        };
        if table.contains_key("preset") {
            return Err(de::Error::custom("`preset` in a preset, expected the settings themselves"));
        }
        Ok(Self { name: name.to_owned(), layout, recipe: Box::new(table.try_into()?) })
    }
}

impl FromStr for Preset {
    type Err = Error;

    fn from_str(name: &str) -> Result<Self, Error> {
        Self::load(name)
    }
}

impl Serialize for Preset {
    fn serialize<S: Serializer>(&self, serializer: S) -> Result<S::Ok, S::Error> {
        serializer.serialize_str(&self.name)
    }
}

impl<'de> Deserialize<'de> for Preset {
    fn deserialize<D: Deserializer<'de>>(deserializer: D) -> Result<Self, D::Error> {
        String::deserialize(deserializer)?.parse().map_err(|error: Error| {
            let source = std::error::Error::source(&error).map(|source| format!(": {source}")).unwrap_or_default();
            de::Error::custom(format!("{error}{source}"))
        })
    }
}

impl Recipe {
    /// This recipe over another: what this one does not say is as in the other. An adapter's settings and all weights exclude
    /// each other, as do updates and passes; then this one counts.
    pub(super) fn over(&self, other: &Self) -> Self {
        let own = self.clone();
        let is_full = own.full || other.full && !own.says_adapter();
        let adapter = if is_full { &Self::default() } else { other };
        Self {
            preset: None,
            steps: own.steps.or(other.steps.filter(|_| own.epochs.is_none())),
            epochs: own.epochs.or(other.epochs.filter(|_| own.steps.is_none())),
            batch: own.batch.or(other.batch),
            bundle: own.bundle.or(other.bundle),
            max_length: own.max_length.or(other.max_length),
            memory: own.memory.or(other.memory),
            precision: own.precision.or(other.precision),
            max_source: own.max_source.or(other.max_source),
            max_target: own.max_target.or(other.max_target),
            max_prompt: own.max_prompt.or(other.max_prompt),
            max_input: own.max_input.or(other.max_input),
            no_pack: own.no_pack || other.no_pack,
            end: own.end.or(other.end),
            labels: own.labels.or(other.labels),
            hold_layout: own.hold_layout.or_else(|| other.hold_layout.clone()),
            hold: own.hold.or(other.hold),
            lr: if own.lr.is_empty() { other.lr.clone() } else { own.lr },
            schedule: own.schedule.or(other.schedule),
            warm_up: own.warm_up.or(other.warm_up),
            clip: own.clip.or(other.clip),
            label_smoothing: own.label_smoothing.or(other.label_smoothing),
            weight_decay: own.weight_decay.or(other.weight_decay),
            optimizer: own.optimizer.or(other.optimizer),
            full: is_full,
            freeze_embeddings: own.freeze_embeddings || is_full && other.freeze_embeddings,
            rank: own.rank.or(adapter.rank),
            alpha: own.alpha.or(adapter.alpha),
            dropout: own.dropout.or(adapter.dropout),
            no_model_dropout: own.no_model_dropout || other.no_model_dropout,
            targets: if own.targets.is_empty() { adapter.targets.clone() } else { own.targets },
            validate_every: own.validate_every.or(other.validate_every),
            patience: own.patience.or(other.patience),
            checkpoint_every: own.checkpoint_every.or(other.checkpoint_every),
            keep: own.keep.or(other.keep),
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn built_in_presets_are_files_of_settings() {
        for name in Preset::names() {
            let preset = Preset::load(name).unwrap();
            assert!(preset.recipe.steps.is_some() != preset.recipe.epochs.is_some(), "{name}");
        }
    }

    #[test]
    fn a_file_of_ones_own_is_a_preset() {
        let folder = tempfile::tempdir().unwrap();
        let path = folder.path().join("mine.toml");
        let load = |text: &str| {
            std::fs::write(&path, text).unwrap();
            Preset::load(&path.display().to_string())
        };
        let preset = load("layout = 'bare'\nrank = 4\nlr = [1e-3]\n").unwrap();
        assert_eq!((&preset.layout[..], preset.recipe.rank), (&["bare".to_owned()][..], Some(4)));
        let message = |text: &str| std::error::Error::source(&load(text).unwrap_err()).unwrap().to_string();
        assert!(message("stepz = 3").contains("unknown field `stepz`"));
        assert!(message("preset = 'zest-t5'").contains("expected the settings themselves"));
        assert!(message("steps = ").contains("TOML parse error"));
        let error = Preset::load("gpt4").unwrap_err().to_string();
        assert_eq!(error, "gpt4 is no preset, expected natural-instructions, zest-bart, zest-t5 or a .toml file");
    }

    #[test]
    fn what_excludes_a_setting_of_the_preset_takes_it_off() {
        let below = Recipe { full: true, freeze_embeddings: true, epochs: Some(3), ..Recipe::default() };
        let over = Recipe { rank: Some(2), steps: Some(5), ..Recipe::default() }.over(&below);
        assert_eq!((over.full, over.freeze_embeddings, over.epochs, over.steps), (false, false, None, Some(5)));
        let adapter = Recipe { rank: Some(2), targets: vec!["q".into()], ..Recipe::default() };
        let over = Recipe { full: true, ..Recipe::default() }.over(&adapter);
        assert_eq!((over.full, over.rank, over.targets.len()), (true, None, 0));
    }
}
