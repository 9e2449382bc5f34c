//! What is wrong or odd in task files: everything the readers met, and what only shows when tasks are looked at whole.
//!
//! The readers check the form of a file; the checks here ask whether the task makes sense: ids that repeat, outputs
//! that are missing or of the wrong kind, examples that are also instances. Every problem has a stable
//! [`Code`] and a place. Files are read in parallel and not kept: memory is bounded by the
//! largest files, time is linear in their size.

mod across;
mod answer;
mod description;
mod file;
mod findings;
mod instance;
mod report;

pub use report::{Report, Unlisted};

#[cfg(test)]
pub(crate) use answer::mismatch;

use crate::problem::Code;
use crate::{Error, dataset};
use file::LintedFile;
use findings::Findings;
use rayon::prelude::*;
use std::collections::HashSet;
use std::path::{Path, PathBuf};

/// How much is listed.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Options {
    /// So many problems of one code are listed for a file; further ones are counted. The readers list at most 1,000.
    pub max_per_code: usize,
}

impl Default for Options {
    fn default() -> Self {
        Options { max_per_code: 20 }
    }
}

/// Checks task files and folders of them, as one dataset: ids must not repeat among all of them.
///
/// A folder is searched as [`Dataset::load`](crate::dataset::Dataset::load) does. A path that cannot be read is a
/// problem in the report like any other.
///
/// ```
/// use saydo_task::lint::{Options, lint_paths};
/// let report = lint_paths(&["no/such/task.toml".into()], &Options::default());
/// assert_eq!(report.errors(), 1);
/// ```
pub fn lint_paths(paths: &[PathBuf], options: &Options) -> Report {
    let mut files = Vec::new();
    let mut linted = Vec::new();
    for path in paths {
        match dataset::task_files(path) {
            Ok(found) if found.is_empty() => linted.push(without_tasks(path)),
            Ok(found) => files.extend(found.into_iter().map(|file| Named { is_given: file == *path, file })),
            Err(error) => linted.push(unreadable(path, error)),
        }
    }
    keep_first(&mut files);
    linted.par_extend(files.par_iter().map(|named| file::lint_file(&named.file, named.is_given, options)));
    across::check(&mut linted);
    Report::new(linted, options)
}

/// A file, and whether it was named by the user or found in a folder.
struct Named {
    file: PathBuf,
    is_given: bool,
}

/// Drops files that were reached before, so that `tasks tasks/a.toml` does not find `a` twice.
fn keep_first(files: &mut Vec<Named>) {
    let mut seen = HashSet::new();
    files.retain(|named| seen.insert(named.file.canonicalize().unwrap_or_else(|_| named.file.clone())));
}

fn without_tasks(folder: &Path) -> LintedFile {
    let mut findings = Findings::of_path(folder);
    findings.report_file(Code::NoTaskFile, "no task file", ".toml, .json or .jsonl files");
    LintedFile::broken(findings)
}

fn unreadable(path: &Path, error: Error) -> LintedFile {
    let mut findings = Findings::of_path(path);
    findings.report_error(error, true);
    LintedFile::broken(findings)
}

#[cfg(test)]
mod tests;
