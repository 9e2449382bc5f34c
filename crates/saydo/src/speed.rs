//! How fast models are on this machine: every evaluation and training measures it, a file in the home folder keeps it, and
//! `--dry-run` estimates with it instead of asking the model.

use crate::Error;
use crate::environment::Home;
use crate::session::ModelSettings;
use saydo_file::disk;
use serde::{Deserialize, Serialize};
use std::collections::BTreeMap;
use std::time::Duration;

/// Seconds that a token takes, by what is done with which model.
#[derive(Debug, Clone, PartialEq, Default, Serialize, Deserialize)]
#[serde(transparent)]
pub(crate) struct Speeds(BTreeMap<String, f64>);

/// What is done: an evaluation under a protocol, or a training.
pub(crate) fn key(what: &str, model: &ModelSettings) -> String {
    format!("{what}, {}, {} threads", model.name, model.thread_count())
}

impl Speeds {
    /// What was measured so far; nothing if there is no file, or none that can be read.
    pub fn load(home: &Home) -> Self {
        let text = std::fs::read_to_string(home.speeds()).ok();
        text.and_then(|text| serde_json::from_str(&text).ok()).unwrap_or_default()
    }

    /// The time that so many tokens take, where it is known.
    pub fn estimate(&self, key: &str, tokens: f64) -> Option<Duration> {
        Duration::try_from_secs_f64(self.0.get(key)? * tokens).ok()
    }

    /// Adds a measurement; the mean with the one before, so that a single odd run counts half.
    fn add(&mut self, key: &str, seconds_per_token: f64) {
        if seconds_per_token.is_finite() && seconds_per_token > 0.0 {
            let known = self.0.entry(key.to_owned()).or_insert(seconds_per_token);
            *known = (*known + seconds_per_token) / 2.0;
        }
    }

    /// Keeps a measurement. What fails is no more than an estimate less.
    pub fn keep(home: &Home, key: &str, tokens: f64, taken: Duration) {
        let mut speeds = Self::load(home);
        speeds.add(key, taken.as_secs_f64() / tokens);
        let _ = speeds.save(home);
    }

    fn save(&self, home: &Home) -> Result<(), Error> {
        let path = home.speeds();
        disk::create_folders(home.folder()).map_err(Error::write(home.folder()))?;
        let text = serde_json::to_string_pretty(self).expect("numbers are JSON") + "\n";
        saydo_file::write(&path, text.as_bytes()).map_err(Error::write(&path))
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn an_estimate_is_the_mean_of_what_was_measured() {
        let mut speeds = Speeds::default();
        assert_eq!(speeds.estimate("eval", 10.0), None);
        speeds.add("eval", 0.5);
        speeds.add("eval", 1.5);
        speeds.add("eval", f64::NAN);
        speeds.add("eval", 0.0);
        assert_eq!(speeds.estimate("eval", 10.0), Some(Duration::from_secs(10)));
        assert_eq!(speeds.estimate("train", 10.0), None);
    }
}
