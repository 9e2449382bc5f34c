//! The adapters that ship with Saydo, bytes inside: what `saydo train` learned for a model of the catalog. A crate of its own
//! because nobody who changes code should build megabytes of data anew.
//!
//! How each was learned, and what it is worth, is in `adapters/`.

/// An adapter: the two files of PEFT's layout, and the record of what it learned.
#[derive(Debug, Clone, Copy)]
pub struct Shipped {
    /// `adapter_config.json`.
    pub config: &'static [u8],
    /// `adapter_model.safetensors`.
    pub weights: &'static [u8],
    /// `saydo_seen.bin`.
    pub seen: &'static [u8],
}

/// What an adapter was learned for. One of this size does not hold both: what is learned of the one is lost of the other.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Skill {
    /// Questions over documents, as functions ask them.
    Functions,
    /// Tasks under the layouts of the papers.
    Tasks,
}

const SMOLLM2_135M: &str = "b179c9523d0e6a0f98a330c7562b682750a6f8c8c15e5bc70ea373728110db53";

/// Each with the SHA-256 of the weights that it was learned on.
const ALL: [(&str, Skill, Shipped); 2] = [
    (
        SMOLLM2_135M,
        Skill::Functions,
        Shipped {
            config: include_bytes!("../../../adapters/smollm2-135m/adapter_config.json"),
            weights: include_bytes!("../../../adapters/smollm2-135m/adapter_model.safetensors"),
            seen: include_bytes!("../../../adapters/smollm2-135m/saydo_seen.bin"),
        },
    ),
    (
        SMOLLM2_135M,
        Skill::Tasks,
        Shipped {
            config: include_bytes!("../../../adapters/smollm2-135m-tasks/adapter_config.json"),
            weights: include_bytes!("../../../adapters/smollm2-135m-tasks/adapter_model.safetensors"),
            seen: include_bytes!("../../../adapters/smollm2-135m-tasks/saydo_seen.bin"),
        },
    ),
];

/// The adapter for the weights with this SHA-256, in lower-case hexadecimal digits; none for most.
pub fn shipped(sha256: &str, skill: Skill) -> Option<Shipped> {
    let is_it = |(weights, learned, _): &&(&str, Skill, Shipped)| *weights == sha256 && *learned == skill;
    ALL.iter().find(is_it).map(|(_, _, adapter)| *adapter)
}
