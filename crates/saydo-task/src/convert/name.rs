//! File names for tasks. An id comes from a file of strangers: it may hold path separators, be `..`, be empty, or be
//! longer than any file system allows.

use saydo_file::digest;
use std::collections::HashSet;

/// File systems allow 255 bytes; this leaves room for a hash and an extension.
const MAX_BYTES: usize = 200;

/// Characters that some file system refuses or reads as structure.
const FORBIDDEN: [char; 9] = ['<', '>', ':', '"', '/', '\\', '|', '?', '*'];

/// Names that mean devices on Windows, with any extension; the second list with a digit behind.
const DEVICES: [&str; 4] = ["con", "prn", "aux", "nul"];
const NUMBERED_DEVICES: [&str; 2] = ["com", "lpt"];

/// Gives each task its own file name.
#[derive(Debug, Default)]
pub(super) struct Names {
    /// Lower-cased: two names that differ in case are one file on some systems.
    taken: HashSet<String>,
}

impl Names {
    /// A file name without extension: the id itself where it can be one, else something close with a hash of the id.
    pub(super) fn stem(&mut self, id: &str) -> String {
        let with_hash = |stem: &str| format!("{stem}-{}", hash(id));
        let mut stem = safe(id);
        if stem != id {
            stem = with_hash(&stem);
        }
        while !self.taken.insert(stem.to_lowercase()) {
            stem = with_hash(&stem);
        }
        stem
    }
}

fn safe(id: &str) -> String {
    let replace = |c: char| if FORBIDDEN.contains(&c) || c.is_control() { '_' } else { c };
    let mut stem: String = id.chars().map(replace).collect();
    while stem.len() > MAX_BYTES {
        stem.pop();
    }
    // A leading dot hides a file; a final dot or space is dropped by Windows.
    if stem.starts_with(['.', ' ']) {
        stem.replace_range(..1, "_");
    }
    if stem.ends_with(['.', ' ']) {
        stem.replace_range(stem.len() - 1.., "_");
    }
    if stem.is_empty() || is_device(&stem) {
        stem.insert_str(0, "task_");
    }
    stem
}

fn is_device(stem: &str) -> bool {
    let first = stem.split('.').next().unwrap_or_default().trim_end().to_ascii_lowercase();
    let name = first.strip_suffix(|c: char| c.is_ascii_digit());
    DEVICES.contains(&first.as_str()) || name.is_some_and(|name| NUMBERED_DEVICES.contains(&name))
}

fn hash(id: &str) -> String {
    digest::hex(&digest::of(id).bytes()[..6])
}

#[cfg(test)]
mod tests {
    use super::*;
    use proptest::prelude::*;

    #[test]
    fn an_id_that_can_be_a_name_is_kept() {
        for id in ["task349_squad2.0_answerable", "Größe 5 & mehr", "a.json", "console", "lptx9"] {
            assert_eq!(Names::default().stem(id), id);
        }
    }

    #[test]
    fn an_id_that_cannot_is_changed_and_told_apart() {
        let mut names = Names::default();
        let stems: Vec<_> = ["a/b", "a\\b", "a_b", "A_B", "..", ".", "", "con", "LPT1.x", ".hidden", "dot.", "nul\0"]
            .map(|id| names.stem(id))
            .into();
        insta::assert_debug_snapshot!(stems);
    }

    #[test]
    fn a_hash_in_disguise_gains_nothing() {
        let mut names = Names::default();
        let first = names.stem("a/b");
        assert_ne!(names.stem(&first), first);
    }

    proptest! {
        #[test]
        fn names_are_safe_and_distinct(ids in proptest::collection::hash_set(".{0,300}|[./\\\\]{0,4}", 1..20)) {
            let mut names = Names::default();
            let mut seen = HashSet::new();
            for id in &ids {
                let stem = names.stem(id);
                prop_assert!(!stem.is_empty() && stem.len() <= 230);
                prop_assert!(!stem.starts_with('.') && !stem.ends_with(['.', ' ']));
                prop_assert!(!stem.contains(FORBIDDEN) && !stem.contains(char::is_control));
                prop_assert!(seen.insert(stem.to_lowercase()));
            }
        }
    }
}
