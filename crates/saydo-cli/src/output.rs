//! Data goes to stdout, everything else to stderr.

use anyhow::{Context, Result};
use std::io::{self, Write};

/// Prints text to stdout as it is.
pub fn print(text: &str) -> Result<()> {
    let mut stdout = io::stdout().lock();
    stdout.write_all(text.as_bytes()).and_then(|()| stdout.flush()).context("cannot write to standard output")
}

/// Prints a value as indented JSON with a final line end.
pub fn print_json(value: &impl serde::Serialize) -> Result<()> {
    let mut text = serde_json::to_string_pretty(value).context("cannot write the result as JSON")?;
    text.push('\n');
    print(&text)
}

/// Prints a note to stderr.
pub fn note(text: &str) {
    eprintln!("{text}");
}
