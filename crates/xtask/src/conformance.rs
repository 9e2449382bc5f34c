//! Conformance: on how many rows of each protocol our results were held to those of the released programs.
//!
//! The tests are those in modules called `conformance`, over `fixtures/conformance`, and `outside`, which need published
//! text that the repository must not hold and are ignored elsewhere. They write down how many rows they compared; here
//! the counts are added up, and a protocol without rows fails.

use crate::cargo::{Workspace, succeed};
use anyhow::{Context, Result, bail};
use std::collections::BTreeMap;
use std::path::{Path, PathBuf};

/// What must have been compared, in the order of the closing line.
const PROTOCOLS: [&str; 5] = ["zest", "natural-instructions", "super-natural-instructions", "encodings", "turking"];

/// The folder of published text, unless `SAYDO_OUTSIDE` names another.
const OUTSIDE: &str = concat!(env!("CARGO_MANIFEST_DIR"), "/../../../shared");

/// Runs the tests over the repository's vectors and, if published text is at hand, those over that; gives the counts as
/// lines to print.
pub fn check() -> Result<String> {
    let inside = compared(&["conformance::"])?;
    if let Some(protocol) = PROTOCOLS.iter().find(|protocol| !inside.contains_key(**protocol)) {
        bail!("no row of {protocol} was compared, expected at least one");
    }
    let outside = std::env::var_os("SAYDO_OUTSIDE").map_or_else(|| PathBuf::from(OUTSIDE), PathBuf::from);
    let beyond = match outside.is_dir() {
        true => line(&compared(&["--ignored", "outside::"])?),
        false => format!("not run, {} is not there", outside.display()),
    };
    Ok(format!("xtask: conformance: {}\nxtask: outside conformance: {beyond}\n", line(&inside)))
}

/// The rows compared by the tests that these arguments choose, by protocol.
fn compared(tests: &[&str]) -> Result<BTreeMap<String, u64>> {
    let counts = std::env::temp_dir().join(format!("saydo-conformance-{}", std::process::id()));
    remove(&counts)?;
    let mut command = Workspace::Main.command();
    command.args(["test", "--workspace", "--quiet", "--test", "suite", "--"]).args(tests);
    succeed(command.env("SAYDO_CONFORMANCE_COUNTS", &counts))?;
    let text = std::fs::read_to_string(&counts).context("no test wrote down that it compared a row")?;
    remove(&counts)?;
    sums(&text)
}

fn remove(path: &Path) -> Result<()> {
    match std::fs::remove_file(path) {
        Err(error) if error.kind() != std::io::ErrorKind::NotFound => {
            Err(error).with_context(|| format!("removing {}", path.display()))
        }
        _ => Ok(()),
    }
}

/// The sum for each protocol of lines `PROTOCOL\tROWS`.
fn sums(text: &str) -> Result<BTreeMap<String, u64>> {
    let mut sums = BTreeMap::new();
    for line in text.lines() {
        let count = line.split_once('\t').and_then(|(protocol, rows)| Some((protocol, rows.parse::<u64>().ok()?)));
        let (protocol, rows) = count.with_context(|| format!("a count of rows reads `{line}`"))?;
        *sums.entry(protocol.to_owned()).or_default() += rows;
    }
    Ok(sums)
}

fn line(sums: &BTreeMap<String, u64>) -> String {
    let part = |protocol: &&str| sums.get(*protocol).map(|rows| format!("{protocol} {rows} rows"));
    PROTOCOLS.iter().filter_map(part).collect::<Vec<_>>().join(", ")
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn counts_of_many_tests_are_added_up() {
        let sums = sums("zest\t3\nturking\t1\nzest\t4\n").unwrap();
        assert_eq!(line(&sums), "zest 7 rows, turking 1 rows");
    }

    #[test]
    fn a_count_that_was_cut_off_is_an_error() {
        assert!(sums("zest\t3\ntur").is_err());
    }
}
