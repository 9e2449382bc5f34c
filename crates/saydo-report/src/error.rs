//! What can keep a report from being made.

/// Why there is no report.
#[derive(Debug, thiserror::Error)]
#[non_exhaustive]
pub enum Error {
    /// A run that cannot be read or scored.
    #[error(transparent)]
    Run(#[from] saydo_protocol::Error),
    /// The log of a training that cannot be read.
    #[error("cannot read {}", path.display())]
    Log {
        /// The file.
        path: std::path::PathBuf,
        /// What the system said.
        source: std::io::Error,
    },
    /// No run at all.
    #[error("no run to report on, expected at least one folder of `saydo eval`")]
    NoRuns,
    /// Runs whose numbers do not mean the same.
    #[error(
        "{a} is a run of {protocol_a} and {b} one of {protocol_b}, expected runs of one protocol",
        protocol_a = protocols[0],
        protocol_b = protocols[1]
    )]
    MixedProtocols {
        /// The folder of the first run.
        a: String,
        /// The folder of one that differs.
        b: String,
        /// The protocols of both.
        protocols: [saydo_protocol::Protocol; 2],
    },
}
