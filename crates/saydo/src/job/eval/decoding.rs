//! Decodings that a user asks for instead of the paper's.

use super::Settings;
use saydo_protocol::{Length, NamedDecoding, Protocol};
use serde::Deserialize;

/// How tokens are chosen.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Deserialize)]
#[serde(rename_all = "kebab-case")]
pub enum Choice {
    /// The most likely token.
    Greedy,
    /// Nucleus sampling, p = 0.9.
    Nucleus,
    /// Beam search with four beams.
    Beam,
}

/// What ends a reply.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Deserialize)]
#[serde(rename_all = "kebab-case")]
pub enum Stop {
    /// A blank line.
    BlankLine,
    /// The end of a line.
    Line,
    /// Only the model's end token, or the max length.
    None,
}

impl Stop {
    fn texts(self) -> &'static [&'static str] {
        match self {
            Stop::BlankLine => &["\n\n"],
            Stop::Line => &["\n"],
            Stop::None => &[],
        }
    }
}

/// Whether functions answer under constrained decoding, instead of free generation.
pub(super) fn is_constrained(args: &Settings, protocol: Protocol) -> bool {
    match &decodings(args, protocol)[..] {
        [] => matches!(protocol, Protocol::Labelled | Protocol::Reading),
        decodings => decodings.iter().all(NamedDecoding::is_constrained),
    }
}

/// The decodings asked for; none means the paper's own.
pub(super) fn decodings(args: &Settings, protocol: Protocol) -> Vec<NamedDecoding> {
    if args.constrained {
        return vec![NamedDecoding::constrained()];
    }
    if args.decoding.is_empty() && args.stop.is_none() && args.model.max_tokens.is_none() {
        return Vec::new();
    }
    let is_bart = args.layout.iter().any(|layout| layout == "zest-bart");
    let own = if protocol == Protocol::Zest && is_bart { Choice::Beam } else { Choice::Greedy };
    let names = if args.decoding.is_empty() { vec![own] } else { args.decoding.clone() };
    let length = match (args.model.max_tokens, protocol) {
        (Some(tokens), _) => Length::Tokens(tokens),
        (None, Protocol::Turking) => Length::BeyondResource(20),
        (None, Protocol::NaturalInstructions) => Length::Tokens(16),
        (None, Protocol::Zest) if !is_bart => Length::Tokens(512),
        (None, Protocol::Zest | Protocol::Labelled | Protocol::Reading) => Length::Tokens(64),
        (None, Protocol::SuperNaturalInstructions) => Length::Tokens(128),
    };
    let stop = match (args.stop, protocol) {
        (Some(stop), _) => stop.texts(),
        (None, Protocol::NaturalInstructions | Protocol::SuperNaturalInstructions) => Stop::BlankLine.texts(),
        (None, Protocol::Zest | Protocol::Labelled | Protocol::Reading | Protocol::Turking) => &[],
    };
    let named = |name: &Choice| match name {
        Choice::Greedy => NamedDecoding::greedy(length),
        Choice::Nucleus => NamedDecoding::nucleus(length, args.draws.unwrap_or(1), args.model.seed),
        Choice::Beam => NamedDecoding::beam(length),
    };
    names.iter().map(|name| named(name).with_stop(stop)).collect()
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn functions_answer_a_users_own_task_unless_a_decoding_is_named() {
        let plain = Settings::default();
        assert!(is_constrained(&plain, Protocol::Labelled));
        assert!(!is_constrained(&plain, Protocol::Zest));
        let greedy = Settings { decoding: vec![Choice::Greedy], ..Settings::default() };
        assert!(!is_constrained(&greedy, Protocol::Labelled));
        let constrained = Settings { constrained: true, ..Settings::default() };
        assert!(is_constrained(&constrained, Protocol::Zest));
    }
}
