//! The outcome of a lint: listed problems in the order of files and lines, counts of the rest, as text and as JSON.

use super::Options;
use super::file::LintedFile;
use crate::problem::{Code, Problem, Severity};
use serde_json::{Value, json};
use std::collections::BTreeMap;
use std::fmt;
use std::path::{Path, PathBuf};

/// Everything found in a set of files.
#[derive(Debug, Clone, PartialEq, Eq, Default)]
pub struct Report {
    /// How many files were looked at.
    pub files: usize,
    /// How many tasks could be read.
    pub tasks: usize,
    /// The problems that are listed, by file, line and column.
    pub problems: Vec<Problem>,
    /// How many more there are of a code in a file.
    pub unlisted: Vec<Unlisted>,
    counts: BTreeMap<Code, usize>,
}

/// Problems of one code that are counted but not listed.
#[derive(Debug, Clone, PartialEq, Eq, PartialOrd, Ord)]
pub struct Unlisted {
    /// The file, or the folder for problems that concern whole files.
    pub path: PathBuf,
    /// Their code.
    pub code: Code,
    /// How many.
    pub count: usize,
}

impl Report {
    pub(super) fn new(files: Vec<LintedFile>, options: &Options) -> Self {
        let mut report = Report { files: files.len(), ..Report::default() };
        let mut folders: BTreeMap<(PathBuf, Code), usize> = BTreeMap::new();
        for LintedFile { mut findings, tasks } in files {
            report.tasks += tasks.len();
            findings.problems.retain(|problem| {
                if problem.code != Code::NotATask {
                    return true;
                }
                // A folder of other data gives one of these for each file: bounded by folder, not by file.
                let count = folders.entry((folder_of(problem), problem.code)).or_default();
                *count += 1;
                *count <= options.max_per_code
            });
            for (code, count) in findings.counts {
                *report.counts.entry(code).or_default() += count;
                let listed = findings.problems.iter().filter(|problem| problem.code == code).count();
                if count > listed && code != Code::NotATask {
                    report.unlisted.push(Unlisted { path: findings.path.clone(), code, count: count - listed });
                }
            }
            report.problems.append(&mut findings.problems);
        }
        let beyond = folders.into_iter().filter(|(_, count)| *count > options.max_per_code);
        report.unlisted.extend(beyond.map(|((path, code), count)| Unlisted {
            path,
            code,
            count: count - options.max_per_code,
        }));
        report.problems.sort_by(|a, b| key(a).cmp(&key(b)));
        report.unlisted.sort();
        report
    }

    /// How many problems there are of each code, listed or not.
    pub fn counts(&self) -> &BTreeMap<Code, usize> {
        &self.counts
    }

    /// How many errors there are, listed or not.
    pub fn errors(&self) -> usize {
        self.count(Severity::Error)
    }

    /// How many warnings there are, listed or not.
    pub fn warnings(&self) -> usize {
        self.count(Severity::Warning)
    }

    fn count(&self, severity: Severity) -> usize {
        self.counts.iter().filter(|(code, _)| code.severity() == severity).map(|(_, count)| count).sum()
    }

    /// The report as JSON: `problems` (file, line, column, code, severity, element, found, expected, hint),
    /// `unlisted` (path, code, count), and the totals.
    pub fn to_json(&self) -> Value {
        let unlisted = |more: &Unlisted| json!({"path": text(&more.path), "code": more.code.id(), "count": more.count});
        let counts: BTreeMap<_, _> = self.counts.iter().map(|(code, count)| (code.id(), *count)).collect();
        json!({
            "files": self.files,
            "tasks": self.tasks,
            "errors": self.errors(),
            "warnings": self.warnings(),
            "counts": counts,
            "problems": self.problems.iter().map(problem_json).collect::<Value>(),
            "unlisted": self.unlisted.iter().map(unlisted).collect::<Value>(),
        })
    }
}

fn key(problem: &Problem) -> (&Path, usize, usize, Code, &str) {
    (&problem.place.file, problem.place.line, problem.place.column, problem.code, &problem.element)
}

fn folder_of(problem: &Problem) -> PathBuf {
    problem.place.file.parent().unwrap_or(Path::new("")).to_owned()
}

fn text(path: &Path) -> String {
    path.to_string_lossy().into_owned()
}

fn problem_json(problem: &Problem) -> Value {
    json!({
        "file": text(&problem.place.file),
        "line": problem.place.line,
        "column": problem.place.column,
        "code": problem.code.id(),
        "severity": problem.severity().name(),
        "element": problem.element,
        "found": problem.found,
        "expected": problem.expected,
        "hint": problem.hint(),
    })
}

impl fmt::Display for Unlisted {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(f, "{}: {} {} more like these", self.path.display(), self.code.id(), self.count)
    }
}

/// A line for each problem, then a table of codes with what to do about each, then the totals.
impl fmt::Display for Report {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        let (of_files, of_folders): (Vec<_>, Vec<_>) =
            self.unlisted.iter().partition(|more| more.code != Code::NotATask);
        for of_file in self.problems.chunk_by(|a, b| a.place.file == b.place.file) {
            for Problem { code, place, element, found, expected } in of_file {
                let at = if element.is_empty() { String::new() } else { format!("{element}: ") };
                writeln!(f, "{place}: {} {at}{found}, expected {expected}", code.id())?;
            }
            let path = &of_file[0].place.file;
            of_files.iter().filter(|more| more.path == *path).try_for_each(|more| writeln!(f, "{more}"))?;
        }
        of_folders.iter().try_for_each(|more| writeln!(f, "{more}"))?;
        if !self.counts.is_empty() {
            writeln!(f)?;
        }
        for (code, count) in &self.counts {
            writeln!(f, "{count:>6} {:<7} {} {}", code.severity().name(), code.id(), code.meaning())?;
            writeln!(f, "{:>20}hint: {}", "", code.hint())?;
        }
        if !self.counts.is_empty() {
            writeln!(f)?;
        }
        let plural = |count: usize, word| format!("{count} {word}{}", if count == 1 { "" } else { "s" });
        let checked = format!("{}, {}", plural(self.files, "file"), plural(self.tasks, "task"));
        match (self.errors(), self.warnings()) {
            (0, 0) => write!(f, "{checked}: no problems"),
            (errors, warnings) => {
                write!(f, "{checked}: {}, {}", plural(errors, "error"), plural(warnings, "warning"))
            }
        }
    }
}
