//! The problems of one file while they are being collected: listed up to a bound for each code, counted beyond it.

use crate::Error;
use crate::problem::{Code, Place, Problem};
use crate::source::Source;
use std::collections::BTreeMap;
use std::error::Error as _;
use std::path::{Path, PathBuf};

/// Problems of a file.
#[derive(Debug)]
pub(super) struct Findings {
    pub(super) path: PathBuf,
    pub(super) problems: Vec<Problem>,
    /// How many of each code there are, listed or not.
    pub(super) counts: BTreeMap<Code, usize>,
    max_per_code: usize,
}

impl Findings {
    /// For a file or folder of which only the name is known.
    pub(super) fn of_path(path: &Path) -> Self {
        Findings::new(path, usize::MAX)
    }

    pub(super) fn new(path: &Path, max_per_code: usize) -> Self {
        Findings { path: path.to_owned(), problems: Vec::new(), counts: BTreeMap::new(), max_per_code }
    }

    /// Adds a problem, building it only if it will be listed.
    fn add(&mut self, code: Code, problem: impl FnOnce() -> Problem) {
        let count = self.counts.entry(code).or_default();
        *count += 1;
        if *count <= self.max_per_code {
            self.problems.push(problem());
        }
    }

    /// Adds a finished problem.
    pub(super) fn push(&mut self, problem: Problem) {
        self.add(problem.code, || problem);
    }

    /// Counts problems that are listed nowhere.
    pub(super) fn count(&mut self, code: Code, count: usize) {
        *self.counts.entry(code).or_default() += count;
    }

    /// Adds a problem of a place in the source; `describe` gives the element, what was found and what was expected.
    pub(super) fn report(
        &mut self,
        source: &Source,
        code: Code,
        offset: usize,
        describe: impl FnOnce() -> (String, String, String),
    ) {
        self.add(code, || {
            let (element, found, expected) = describe();
            source.problem(code, offset, &element, found, expected)
        });
    }

    /// Adds a problem of the file as a whole.
    pub(super) fn report_file(&mut self, code: Code, found: impl Into<String>, expected: impl Into<String>) {
        let place = Place { file: self.path.clone(), line: 1, column: 1 };
        let problem = Problem { code, place, element: String::new(), found: found.into(), expected: expected.into() };
        self.push(problem);
    }

    /// Adds what kept the file from being read. `is_given` says that the user named the file, so that it should have
    /// held a task; a file that merely lay in a folder need not.
    pub(super) fn report_error(&mut self, error: Error, is_given: bool) {
        match error {
            Error::Invalid(problem) => self.push(*problem),
            Error::UnknownFormat { expected, .. } => {
                let code = if is_given { Code::UnknownFormat } else { Code::NotATask };
                self.report_file(code, "no task", expected);
            }
            Error::TooLarge { .. } => {
                let expected = format!("at most {} GiB", crate::source::MAX_FILE_BYTES >> 30);
                self.report_file(Code::TooLarge, "a larger file", expected);
            }
            other => {
                let found = other.source().map_or_else(|| other.to_string(), |source| source.to_string());
                self.report_file(Code::Unreadable, found, "a file that can be read");
            }
        }
    }
}
