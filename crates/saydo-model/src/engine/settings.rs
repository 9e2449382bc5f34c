//! How much of the machine a model may use.

use std::str::FromStr;

/// The settings of a model that runs here.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct EngineSettings {
    /// Threads that compute. Default: one for each core.
    pub threads: usize,
    /// Sequences that run together. Default: as many as the cache budget holds, at most 32.
    pub batch_size: BatchSize,
    /// Bytes that keys and values may take, those of cached prefixes included. Default: 256 MiB.
    pub cache_bytes: usize,
    /// Rows of one pass at most. More rows make better use of the weights and let short replies wait longer.
    /// Default: 256.
    pub rows_per_pass: usize,
    /// Whether prefixes are kept and shared. Default: yes; without, every prompt is computed whole.
    pub share_prefixes: bool,
}

/// How many sequences run together.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum BatchSize {
    /// As many as the cache budget holds, up to where a further one gains nothing.
    Auto,
    /// A max number.
    Count(usize),
}

impl FromStr for BatchSize {
    type Err = &'static str;

    /// Reads `auto` or a number above 0.
    fn from_str(text: &str) -> Result<Self, Self::Err> {
        match text {
            "auto" => Ok(Self::Auto),
            _ => match text.parse() {
                Ok(count) if count > 0 => Ok(Self::Count(count)),
                _ => Err("expected a number above 0, or auto"),
            },
        }
    }
}

/// Beyond this many sequences the weights are used as well as they can be on a CPU.
const MAX_USEFUL: usize = 32;

impl Default for EngineSettings {
    fn default() -> Self {
        Self {
            threads: std::thread::available_parallelism().map_or(1, |threads| threads.get()),
            batch_size: BatchSize::Auto,
            cache_bytes: 256 << 20,
            rows_per_pass: 256,
            share_prefixes: true,
        }
    }
}

impl EngineSettings {
    /// Sequences that may run together, memory permitting.
    pub(super) fn most_sequences(&self) -> usize {
        match self.batch_size {
            BatchSize::Auto => MAX_USEFUL,
            BatchSize::Count(count) => count.max(1),
        }
    }
}
