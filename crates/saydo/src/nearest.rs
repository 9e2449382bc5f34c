//! Did you mean: the known name, or the file, that a mistyped one is closest to.

use std::path::{Path, PathBuf};

/// The name that takes the fewest typing mistakes, unless it takes too many to be meant.
pub fn nearest<'a>(word: &str, names: impl IntoIterator<Item = &'a str>) -> Option<&'a str> {
    let best = names.into_iter().map(|name| (strsim::damerau_levenshtein(word, name), name)).min()?;
    (best.0 <= 1 + word.chars().count() / 3).then_some(best.1)
}

/// The file beside a missing one that it is closest to.
pub fn nearest_file(missing: &Path) -> Option<PathBuf> {
    let wanted = missing.file_name()?.to_str()?;
    let folder = missing.parent().filter(|folder| !folder.as_os_str().is_empty());
    let entries = std::fs::read_dir(folder.unwrap_or(Path::new("."))).ok()?;
    let mut names: Vec<String> = entries.filter_map(|entry| entry.ok()?.file_name().into_string().ok()).collect();
    names.sort();
    let near = nearest(wanted, names.iter().map(String::as_str))?;
    Some(folder.map_or_else(|| PathBuf::from(near), |folder| folder.join(near)))
}

#[cfg(test)]
mod tests {
    use super::{nearest, nearest_file};

    #[test]
    fn a_name_is_meant_if_little_is_mistyped() {
        let names = ["threads", "temperature", "task"];
        assert_eq!(nearest("thraeds", names), Some("threads"));
        assert_eq!(nearest("tsak", names), Some("task"));
        assert_eq!(nearest("colour", names), None);
    }

    #[test]
    fn a_file_is_looked_for_beside_the_missing_one() {
        let folder = tempfile::tempdir().unwrap();
        std::fs::write(folder.path().join("labelled.jsonl"), "").unwrap();
        let near = nearest_file(&folder.path().join("labeled.jsonl"));
        assert_eq!(near, Some(folder.path().join("labelled.jsonl")));
        assert_eq!(nearest_file(&folder.path().join("else.txt")), None);
        assert_eq!(nearest_file(&folder.path().join("no/labeled.jsonl")), None);
    }
}
