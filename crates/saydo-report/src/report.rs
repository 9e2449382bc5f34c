//! A report before it is written: runs of one protocol, what is plotted, and what differs.

use crate::figure::{self, Figure};
use crate::run::tell_apart;
use crate::{Error, Run, difference, headline, published};
use saydo_protocol::Protocol;
use saydo_protocol::compare::{Comparison, compare};
use saydo_protocol::table::Table;

/// Runs of one protocol beside each other.
#[derive(Debug, Clone)]
pub struct Report {
    /// The protocol.
    pub protocol: Protocol,
    /// The runs.
    pub runs: Vec<Run>,
    /// How far the second run is from the first under each metric; for two runs with samples in common.
    pub comparison: Vec<Comparison>,
    /// What is plotted.
    pub figures: Vec<Figure>,
    /// What a reader should know.
    pub notes: Vec<String>,
}

impl Report {
    /// The report of these runs, of which there is at least one; `seed` is that of all resampling.
    pub fn new(mut runs: Vec<Run>, seed: u64) -> Result<Self, Error> {
        let Some(first) = runs.first() else { return Err(Error::NoRuns) };
        let protocol = first.scores.protocol;
        if let Some(other) = runs.iter().find(|run| run.scores.protocol != protocol) {
            return Err(Error::MixedProtocols {
                a: first.opened.folder.display().to_string(),
                b: other.opened.folder.display().to_string(),
                protocols: [protocol, other.scores.protocol],
            });
        }
        tell_apart(&mut runs);
        let mut notes = Vec::new();
        let comparison = match runs.as_slice() {
            [a, b] => match compare((&a.opened, &a.scores), (&b.opened, &b.scores), seed) {
                Ok(comparison) => comparison,
                Err(error) => {
                    notes.push(format!("{error}; they are not compared sample by sample"));
                    Vec::new()
                }
            },
            _ => Vec::new(),
        };
        let figures = figure::figures(&runs, seed);
        Ok(Self { protocol, runs, comparison, figures, notes })
    }

    /// What the report is called.
    pub fn title(&self) -> String {
        let names: Vec<&str> = self.runs.iter().map(|run| run.name.as_str()).collect();
        format!("{}: {}", self.protocol.title(), names.join(", "))
    }

    /// The headline of every run, a column for each; none for a single run.
    pub fn headline(&self) -> Option<Table> {
        (self.runs.len() > 1).then(|| headline::table(&self.runs))
    }

    /// The difference between two runs; none where nothing is compared.
    pub fn difference(&self) -> Option<Table> {
        match self.runs.as_slice() {
            [a, b] if !self.comparison.is_empty() => Some(difference::table_of([&a.name, &b.name], &self.comparison)),
            _ => None,
        }
    }

    /// What the papers report.
    pub fn published(&self) -> Vec<Table> {
        published::tables(self.protocol)
    }
}

/// A table with these columns and no rows yet.
pub(crate) fn table(title: impl Into<String>, header: impl IntoIterator<Item = impl Into<String>>) -> Table {
    let header = header.into_iter().map(Into::into).collect();
    Table { title: title.into(), note: String::new(), header, rows: Vec::new() }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::fixture;

    #[test]
    fn runs_of_two_protocols_are_refused() {
        let error = Report::new(vec![fixture::zest(&[]), fixture::natural_instructions()], 0).unwrap_err();
        assert!(error.to_string().contains("is a run of zest and"), "{error}");
        assert!(error.to_string().contains("one of natural-instructions, expected runs of one protocol"), "{error}");
    }

    #[test]
    fn no_runs_are_refused() {
        assert!(matches!(Report::new(Vec::new(), 0), Err(Error::NoRuns)));
    }

    #[test]
    fn two_runs_are_compared_and_one_is_not() {
        let one = Report::new(vec![fixture::zest(&[])], 0).unwrap();
        assert!(one.difference().is_none() && one.headline().is_none());
        let two = Report::new(vec![fixture::zest(&[]), fixture::zest(&[(0, "wrong")])], 0).unwrap();
        assert!(two.comparison[0].difference < 0.0);
        assert!(two.difference().is_some() && two.headline().is_some());
    }
}
