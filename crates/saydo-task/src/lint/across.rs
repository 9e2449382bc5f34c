//! Checks that need all files: ids that repeat, and bases that are nowhere.

use super::file::LintedFile;
use crate::problem::{Code, Place, Problem};
use std::collections::HashMap;

/// Adds the problems that show only when all files are seen together.
pub(super) fn check(files: &mut [LintedFile]) {
    let mut first: HashMap<String, String> = HashMap::new();
    for LintedFile { findings, tasks } in files.iter_mut() {
        for task in tasks.iter() {
            let here = format!("{}:{}", findings.path.display(), task.line);
            if let Some(there) = first.get(&task.id) {
                let found = format!("task `{}` again", task.id);
                let expected = format!("each id once; it stands in {there} already");
                let place = Place { file: findings.path.clone(), line: task.line, column: 1 };
                findings.push(Problem { code: Code::RepeatedId, place, element: String::new(), found, expected });
            } else {
                first.insert(task.id.clone(), here);
            }
        }
    }
    for LintedFile { findings, tasks } in files.iter_mut() {
        for task in tasks.iter() {
            let unknown: Vec<_> = task.derives_from.iter().filter(|base| !first.contains_key(*base)).collect();
            if !unknown.is_empty() {
                let names: Vec<_> = unknown.iter().map(|base| format!("`{base}`")).collect();
                let (place, element) = task.derives_from_at.clone();
                findings.push(Problem {
                    code: Code::UnknownBase,
                    place,
                    element: element.to_owned(),
                    found: names.join(", "),
                    expected: "tasks that are here".to_owned(),
                });
            }
        }
    }
}
