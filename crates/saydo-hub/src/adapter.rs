//! The adapters that ship with Saydo, bytes inside: what `saydo train` learned for models of the catalog.
//!
//! How each was learned, and what it is worth, is in `adapters/`.

/// An adapter: its two files, and what is known of it.
#[derive(Debug, Clone, Copy)]
pub struct Shipped {
    /// `adapter_config.json`.
    pub config: &'static [u8],
    /// `adapter_model.safetensors`.
    pub weights: &'static [u8],
    /// `saydo_seen.bin`.
    pub seen: &'static [u8],
    /// `function.json`, for adapters that have learned to answer functions.
    pub function: Option<&'static [u8]>,
}

/// What an adapter was learned for. One of this size does not hold both: what is learned of the one is lost of the other.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Skill {
    /// Questions over documents, as functions ask them.
    Functions,
    /// Tasks under the layouts of the papers.
    Tasks,
}

macro_rules! file {
    ($folder:literal, $name:literal) => {
        include_bytes!(concat!("../adapters/", $folder, "/", $name))
    };
}

macro_rules! shipped {
    ($folder:literal, $function:expr) => {
        Shipped {
            config: file!($folder, "adapter_config.json"),
            weights: file!($folder, "adapter_model.safetensors"),
            seen: file!($folder, "saydo_seen.bin"),
            function: $function,
        }
    };
}

const SMOLLM2_135M: &str = "b179c9523d0e6a0f98a330c7562b682750a6f8c8c15e5bc70ea373728110db53";
const QWEN_1500M: &str = "cc324af070c2ecbfd324a30884d2f951a7ff756aba85cb811a6ec436933bb046";

/// Each with the SHA-256 of the weights that it was learned on.
const ALL: [(&str, Skill, Shipped); 3] = [
    (SMOLLM2_135M, Skill::Functions, shipped!("smollm2-135m", Some(file!("smollm2-135m", "function.json")))),
    (SMOLLM2_135M, Skill::Tasks, shipped!("smollm2-135m-tasks", None)),
    (QWEN_1500M, Skill::Functions, shipped!("qwen2.5-coder-1.5b", Some(file!("qwen2.5-coder-1.5b", "function.json")))),
];

/// The adapter for the weights with this SHA-256, in lower-case hexadecimal digits; none for most.
pub fn shipped(sha256: &str, skill: Skill) -> Option<Shipped> {
    let is_it = |(weights, learned, _): &&(&str, Skill, Shipped)| *weights == sha256 && *learned == skill;
    ALL.iter().find(is_it).map(|(_, _, adapter)| *adapter)
}
