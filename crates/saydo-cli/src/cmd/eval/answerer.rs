//! Who answers: what stands after `--model`.

use super::{Args, decoding};
use crate::model::Opened;
use anyhow::{Result, bail};
use saydo_adapter::Skill;
use saydo_function::Settings;
use saydo_protocol::{Answerer, Baseline, Protocol, Replay};
use std::path::Path;

/// Who answers, and what is known about it.
pub(super) struct Subject {
    pub answerer: Answerer,
    pub fingerprint: String,
    pub settings: Settings,
}

/// Opens what `--model` names.
pub(super) fn open(args: &Args, protocol: Protocol) -> Result<Subject> {
    let name = args.model.name();
    if let Some(baseline) = name.strip_prefix("baseline:") {
        return self::baseline(baseline);
    }
    if let Some(path) = name.strip_prefix("replay:") {
        let replay = Replay::load(Path::new(path), protocol)?;
        let fingerprint = format!("replay:{path}");
        return Ok(Subject { answerer: Answerer::Replay(replay), fingerprint, settings: Settings::default() });
    }
    let is_held = decoding::is_held(args, protocol);
    let skill = if is_held { Skill::Functions } else { Skill::Tasks };
    let Opened { model, fingerprint, mut settings, .. } = args.model.open_for(skill)?;
    // Functions ask as they do in `saydo run`.
    if !is_held {
        settings.chat = args.chat;
    }
    Ok(Subject { answerer: Answerer::Model { model, settings: settings.clone() }, fingerprint, settings })
}

fn baseline(name: &str) -> Result<Subject> {
    let Some(baseline) = Baseline::parse(name) else {
        let known: Vec<&str> = Baseline::ALL.iter().map(|baseline| baseline.name()).collect();
        bail!("baseline:{name} is unknown, expected one of {}", known.join(", "));
    };
    let settings = Settings::default();
    Ok(Subject { answerer: Answerer::Baseline(baseline), fingerprint: format!("baseline:{name}"), settings })
}
