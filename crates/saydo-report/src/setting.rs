//! What was run: the settings of a run in the words of the command line.

use crate::number::count;
use crate::{Run, report};
use saydo_protocol::date::utc;
use saydo_protocol::table::Table;
use saydo_protocol::{Length, NamedDecoding};
use serde_json::Value;

/// The settings of a run, each with its name; the first ones are what a reader looks for.
pub(crate) fn settings(run: &Run) -> Vec<(&'static str, String)> {
    let (record, scores) = (&run.opened.record, &run.scores);
    let mut settings = vec![
        ("Protocol", record.protocol.title().to_owned()),
        ("Model", record.model.clone()),
        ("Tasks", count(record.tasks)),
        ("Samples", counts(run)),
        ("Layouts", record.layouts.join(", ")),
        ("Decodings", record.decodings.iter().map(decoding).collect::<Vec<_>>().join("; ")),
        ("Scored", format!("{} mode", word(&scores.mode))),
        ("Prompts", if record.chat { "chat template" } else { "plain text" }.to_owned()),
        ("Data", record.data.join(", ")),
        ("Data SHA-256", record.data_fingerprint.clone()),
        ("Weights", record.fingerprint.clone()),
        ("Seed", record.seed.to_string()),
        ("Begun", utc(record.begun)),
        ("Version", format!("saydo {}", record.version)),
    ];
    if let Some(ablation) = &record.ablation {
        settings.insert(4, ("Input", word(ablation)));
    }
    if let Value::Object(others) = &record.settings {
        let is_set = |value: &Value| !(value.is_null() || value.as_array().is_some_and(Vec::is_empty));
        let others: Vec<String> = others
            .iter()
            .filter(|(_, value)| is_set(value))
            .map(|(name, value)| format!("{name}={}", plain(value)))
            .collect();
        if !others.is_empty() {
            settings.push(("Further settings", others.join(", ")));
        }
    }
    settings
}

/// The settings of runs, a column for each.
pub(crate) fn table(runs: &[Run]) -> Table {
    let names = runs.iter().map(|run| run.name.as_str());
    let mut table = report::table("settings", ["setting"].into_iter().chain(names));
    let all: Vec<_> = runs.iter().map(settings).collect();
    let mut keys: Vec<&str> = Vec::new();
    for (key, _) in all.iter().flatten() {
        if !keys.contains(key) {
            keys.push(key);
        }
    }
    for key in keys {
        let value = |settings: &Vec<(&str, String)>| {
            settings.iter().find(|(other, _)| *other == key).map_or_else(String::new, |(_, value)| value.clone())
        };
        table.rows.push([key.to_owned()].into_iter().chain(all.iter().map(value)).collect());
    }
    table
}

/// How many samples were asked, and how many of them are no answers.
fn counts(run: &Run) -> String {
    let scores = &run.scores;
    let mut text = format!("{} asked", count(scores.asked));
    if scores.failed > 0 {
        text += &format!(", {} of them failed or unparsable", count(scores.failed));
    }
    if scores.missing > 0 {
        text += &format!(", {} not asked yet", count(scores.missing));
    }
    text
}

fn decoding(decoding: &NamedDecoding) -> String {
    if decoding.is_constrained() {
        return "constrained decoding".to_owned();
    }
    let mut text = decoding.name.clone();
    text += &match decoding.length {
        Length::Tokens(tokens) => format!(", {tokens} tokens"),
        Length::BeyondResource(tokens) => format!(", {tokens} tokens more than the text"),
    };
    if decoding.draws > 1 {
        text += &format!(", {} draws", decoding.draws);
    }
    if !decoding.stop.is_empty() {
        let stops: Vec<String> = decoding.stop.iter().map(|stop| format!("{stop:?}")).collect();
        text += &format!(", until {}", stops.join(" or "));
    }
    text
}

/// How serde writes a value that is one word.
pub(crate) fn word(value: &impl serde::Serialize) -> String {
    serde_json::to_value(value).map(|value| plain(&value)).unwrap_or_default()
}

fn plain(value: &Value) -> String {
    value.as_str().map_or_else(|| value.to_string(), str::to_owned)
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::fixture;

    #[test]
    fn settings_say_what_was_run_in_words() {
        let settings = settings(&fixture::zest(&[]));
        let value = |name: &str| settings.iter().find(|(key, _)| *key == name).map(|(_, value)| value.as_str());
        assert_eq!(value("Protocol"), Some("ZEST"));
        assert_eq!(value("Samples"), Some("8 asked, 1 of them failed or unparsable"));
        assert_eq!(value("Decodings"), Some("greedy, 16 tokens, until \"\\n\\n\""));
        assert_eq!(value("Scored"), Some("strict mode"));
        assert_eq!(value("Further settings"), Some("limit=4, seen_tasks=10"));
    }
}
