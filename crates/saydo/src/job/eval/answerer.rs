//! Who answers: a model, a baseline or stored predictions.

use super::{Settings as EvalSettings, decoding};
use crate::session::{Places, Skill};
use crate::{Error, Session};
use saydo_function::{Confidence, Settings, WindowSize};
use saydo_model::PromptLimit;
use saydo_model::tokenizer::Tokenizer;
use saydo_model::weights::{Purpose, Weights};
use saydo_protocol::{Answerer, Baseline, Protocol, Replay};
use saydo_task::seen::Seen;
use std::path::Path;
use std::sync::Arc;

/// Who answers, and what is known about it.
pub(super) struct Subject {
    pub answerer: Answerer,
    pub fingerprint: String,
    pub settings: Settings,
    /// What it has learned.
    pub seen: Seen,
    /// How much it reads, where that is known.
    pub max_prompt: Option<PromptLimit>,
}

/// Opens what the settings name.
pub(super) fn open(args: &EvalSettings, protocol: Protocol, places: &Places) -> Result<Subject, Error> {
    let name = args.model.name.as_str();
    if let Some(baseline) = name.strip_prefix("baseline:") {
        return self::baseline(baseline);
    }
    if let Some(path) = name.strip_prefix("replay:") {
        let replay = Replay::load(Path::new(path), protocol)?;
        let fingerprint = format!("replay:{path}");
        return Ok(Subject {
            answerer: Answerer::Replay(replay),
            fingerprint,
            settings: Settings::default(),
            seen: Seen::default(),
            max_prompt: None,
        });
    }
    let is_constrained = decoding::is_constrained(args, protocol);
    let Session { model, fingerprint, mut settings, seen, max_prompt, .. } =
        args.model.spec(places, skill(is_constrained, protocol)).open()?;
    if args.fit_confidence {
        settings.confidence = Confidence::default();
    }
    settings.evidence = protocol == Protocol::Reading && settings.is_trained;
    // Functions ask as they do in `saydo run`.
    if !is_constrained {
        settings.chat = args.chat;
    }
    Ok(Subject {
        answerer: Answerer::Model { model, settings: settings.clone() },
        fingerprint,
        settings,
        seen,
        max_prompt,
    })
}

/// What is known of the model without loading its weights: enough to plan, and to count tokens. Prompts are not cut to what
/// it reads.
pub(super) fn look(args: &EvalSettings, protocol: Protocol, places: &Places) -> Result<Subject, Error> {
    let name = args.model.name.as_str();
    if ["baseline:", "replay:", "openai:", "scripted"].iter().any(|start| name.starts_with(start)) {
        return open(args, protocol, places);
    }
    let spec = args.model.spec(places, None);
    let path = spec.path()?;
    let weights = Weights::open(&path, Purpose::Inference)?;
    let tokenizer = Tokenizer::of_weights(&weights, &path)?;
    let context_tokens = PromptLimit::of_weights(&weights)?.before(0);
    let window = WindowSize { context_tokens, count: Arc::new(move |text: &str| tokenizer.count(text)) };
    Ok(Subject {
        answerer: Answerer::Baseline(Baseline::ALL[0]),
        fingerprint: String::new(),
        settings: Settings { window, ..Settings::default() },
        seen: spec.starting_point()?.1,
        max_prompt: None,
    })
}

/// What the adapter that ships should have learned. Prompts of the Turking Test have no sign that the output is due, without
/// which the one for tasks says nothing, and they are no questions over documents: bare weights answer them.
fn skill(is_constrained: bool, protocol: Protocol) -> Option<Skill> {
    match (is_constrained, protocol) {
        (true, _) => Some(Skill::Functions),
        (false, Protocol::Turking) => None,
        (false, _) => Some(Skill::Tasks),
    }
}

fn baseline(name: &str) -> Result<Subject, Error> {
    let Some(baseline) = Baseline::parse(name) else {
        let known: Vec<&str> = Baseline::ALL.iter().map(|baseline| baseline.name()).collect();
        return Err(Error::unfit(format!("baseline:{name} is unknown"), format!("one of {}", known.join(", "))));
    };
    let (settings, seen) = (Settings::default(), Seen::default());
    Ok(Subject {
        answerer: Answerer::Baseline(baseline),
        fingerprint: format!("baseline:{name}"),
        settings,
        seen,
        max_prompt: None,
    })
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn each_protocol_has_the_adapter_that_learned_its_prompts() {
        assert_eq!(skill(false, Protocol::SuperNaturalInstructions), Some(Skill::Tasks));
        assert_eq!(skill(true, Protocol::Zest), Some(Skill::Functions));
        assert_eq!(skill(false, Protocol::Turking), None);
    }
}
